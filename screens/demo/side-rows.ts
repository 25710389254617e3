// One payment with two or three answers as rows: side by side where there is room, else below each other. Pure.

import { decisionOf, type Decision } from "#src/display/decision.ts";
import { safe } from "#src/display/safe.ts";
import type { CheckFrame } from "#src/state/sandbox/demo.ts";
import { fit, widthOf, wrapWords } from "#src/ui/fit.ts";
import { gaugeRows, reasonRows } from "#src/ui/gauge.ts";
import { besideRows, type Row } from "#src/ui/rows.ts";
import type { Theme } from "#src/ui/theme.ts";
import { BESIDE_GAP, heroWidth, pictureRows, verdictSpans, whyRows } from "#src/ui/verdict-rows.ts";
import {
  changedRows,
  rulingRows,
  saidRows,
  SIDE_BY_SIDE,
  withoutEmpty,
  type Block,
  type FrameRoom,
} from "./frame-rows.ts";

const GAP = 4;
const MOST_REASONS = 4;
/** Most rows of a reason, about: a narrow side wraps it. */
const ROWS_A_REASON = 3;
/** Rows of a side from which all that is to be done is said. */
const ROOMY = 16;
/** Rows of a side below another from which it has room for the whole gauge and what decided in place of the score. */
const RULED = 7;
/** Columns that a gauge beside small letters needs. */
const LEAST_GAUGE = 30;

type FrameSide = CheckFrame["sides"][number];

interface Side extends Pick<FrameSide, "expected"> {
  readonly title: string;
  readonly decision: Decision;
}

/** The blocks of a frame whose payment has several answers: the same rows for each, in the same places. */
export function sideBlocks(frame: CheckFrame, room: FrameRoom, theme: Theme): Block[] {
  const { width, height, reasons: cap = MOST_REASONS } = room;
  const sides = frame.sides.map((side) => ({
    title: titleOf(side),
    expected: side.expected,
    decision: decisionOf(side.entry, theme.say),
  }));
  const said = saidRows(frame, width, 2, theme);
  const changed = changedRows(frame, width, theme);
  if (width < SIDE_BY_SIDE || theme.ascii === "words") {
    const free = height - said.length - changed.length;
    const each = Math.max(1, Math.floor((free - sides.length + 1) / sides.length));
    return withoutEmpty([said, changed, ...stackedSides(sides, width, each, theme)]);
  }
  const own = Math.floor((width - GAP * (sides.length - 1)) / sides.length);
  const beside = (rowsOf: (side: Side) => readonly Row[]): Row[] =>
    besideRows(
      sides.map((side) => ({ rows: rowsOf(side), width: own })),
      GAP,
      theme,
    );
  const scale = sides.every(({ decision }) => heroWidth(decision.kinds, 2, theme) <= own) ? 2 : 1;
  const heads = beside(({ title }) => [
    [{ text: title, role: "heading" }],
    [{ text: theme.sign("horizontal").repeat(own), role: "quiet" }],
  ]);
  const hasPictures = sides.every(({ decision }) => heroWidth(decision.kinds, scale, theme) <= own);
  const pictures = hasPictures ? beside(({ decision }) => pictureRows(decision.kinds, scale, theme)) : [];
  const words = beside((side) => wordRows(side, own, theme));
  const gauges = beside(({ decision }) => [
    ...gaugeRows(decision.score, own, theme),
    ...rulingRows(decision, own),
  ]);
  const left =
    height - said.length - changed.length - heads.length - pictures.length - words.length - gauges.length;
  // Four blank rows between the blocks, and the heading of the reasons.
  const most = Math.max(1, left - 5);
  const whys = beside(({ decision }) => whyRows(decision, own, Math.min(most, ROWS_A_REASON * cap), theme));
  return withoutEmpty([said, changed, [...heads, ...pictures], words, gauges, whys]);
}

/** Each with its word in small letters beside the gauge, and as many reasons as there is room for. */
function stackedSides(sides: readonly Side[], width: number, each: number, theme: Theme): Block[] {
  const letters = Math.max(...sides.map(({ decision }) => heroWidth(decision.kinds, 1, theme)));
  const hasLetters = theme.ascii === false && letters + BESIDE_GAP + LEAST_GAUGE <= width && each >= 4;
  const own = hasLetters ? width - letters - BESIDE_GAP : width;
  const titles = Math.max(...sides.map(({ title }) => widthOf(title)));
  return sides.map((side): Block => {
    const { title, decision } = side;
    const [verdict, ...more] = wordRows(side, width - titles - 2, theme, each < ROOMY);
    const head = [
      [{ text: `${fit(title, titles)}  `, role: "heading" as const }, ...(verdict ?? [])],
      ...more,
    ];
    const ruling = rulingRows(decision, own);
    const score = gaugeRows(decision.score, own, theme);
    // What decided in place of the score is more than what the marks of its bar mean.
    const gauge =
      ruling.length > 0 && each < RULED
        ? [...score.slice(0, -ruling.length), ...ruling]
        : [...score, ...ruling];
    const middle = hasLetters
      ? besideRows(
          [
            { rows: pictureRows(decision.kinds, "half", theme), width: letters },
            { rows: gauge, width: own },
          ],
          BESIDE_GAP,
          theme,
        )
      : gauge;
    const rows = [...head, ...(each >= 4 ? middle : [])];
    const most = theme.ascii === "words" ? MOST_REASONS : each - rows.length;
    return [...rows, ...reasonRows(decision, width, Math.min(most, MOST_REASONS), theme)];
  });
}

/** The risk level, or the name of the rules. */
export function titleOf({ title }: FrameSide): string {
  return safe(title, { max: 40 });
}

/** The verdict, what to do, and whether it was expected. @param isShort on one row */
function wordRows(
  { decision, expected }: Side,
  width: number,
  theme: Theme,
  isShort: boolean = false,
): Row[] {
  const { kinds, reactions, todo } = decision;
  const verdict = verdictSpans(kinds, theme);
  // The bare words of the verdicts: only a trustworthy pass may look like one.
  const wrong: Row =
    expected === null || kinds[0] === expected
      ? []
      : [{ text: `${theme.sign("error")} expected ${expected}`, role: "error" }];
  if (isShort) return [[...verdict, { text: "  " }, ...(wrong.length > 0 ? wrong : [{ text: todo }])]];
  return [
    verdict,
    ...reactions.flatMap((text) => wrapWords(text, width)).map((text): Row => [{ text }]),
    ...(wrong.length > 0 ? [wrong] : []),
  ];
}
