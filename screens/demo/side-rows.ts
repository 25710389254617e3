// One payment with two or three answers as rows: side by side where there is room, else below each other. Pure.

import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import {
  presentedDecision,
  presentedReasons,
  presentedSilence,
  presentedText,
} from "#src/display/presented.ts";
import { verdictKind, verdictKinds } from "#src/display/verdict.ts";
import type { CheckFrame, Deck } from "#src/state/sandbox/demo.ts";
import { fit, widthOf, wrapWords } from "#src/ui/fit.ts";
import { reasonRows } from "#src/ui/gauge.ts";
import { besideRows, type Row } from "#src/ui/rows.ts";
import type { Theme } from "#src/ui/theme.ts";
import { BESIDE_GAP, heroWidth, pictureRows, verdictSpans, whyRows } from "#src/ui/verdict-rows.ts";
import {
  changedRows,
  rulingRows,
  saidRows,
  scaleRows,
  SIDE_BY_SIDE,
  withoutEmpty,
  type Block,
  type FrameRoom,
} from "./frame-rows.ts";

const GAP = 4;
const MOST_REASONS = 4;
/** Rows of a side from which all that is to be done is said. */
const ROOMY = 16;
/** Rows of a side below another from which it says what decided in place of the score. */
const RULED = 7;
/** Columns that a gauge beside small letters needs. */
const LEAST_GAUGE = 30;

type Side = CheckFrame["sides"][number];

/** The blocks of a frame whose payment has several answers: the same rows for each, in the same places. */
export function sideBlocks(frame: CheckFrame, deck: Deck, room: FrameRoom, theme: Theme): Block[] {
  const { width, height, reasons: cap = MOST_REASONS } = room;
  const { sides } = frame;
  const said = saidRows(frame, deck, width, 2, theme);
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
  const scale = sides.every(({ entry }) => heroWidth(verdictKinds(entry), 2, theme) <= own) ? 2 : 1;
  const heads = beside((side) => [
    [{ text: titleOf(side), role: "heading" }],
    [{ text: theme.sign("horizontal").repeat(own), role: "quiet" }],
  ]);
  const hasPictures = sides.every(({ entry }) => heroWidth(verdictKinds(entry), scale, theme) <= own);
  const pictures = hasPictures ? beside(({ entry }) => pictureRows(verdictKinds(entry), scale, theme)) : [];
  const words = beside((side) => wordRows(side, own, theme));
  const gauges = beside(({ entry }) => [...scaleRows(entry, own, theme), ...rulingRows(entry, own, theme)]);
  const left =
    height - said.length - changed.length - heads.length - pictures.length - words.length - gauges.length;
  // Four blank rows between the blocks, and the heading of the reasons.
  const most = Math.min(2 * cap, Math.max(1, left - 5));
  const whys = beside(({ entry }) =>
    whyRows(reasonsOf(entry, own, Math.min(most, cap), theme), silenceOf(entry, own, theme), theme).slice(
      0,
      most + 1,
    ),
  );
  return withoutEmpty([said, changed, [...heads, ...pictures], words, gauges, whys]);
}

/** Each with its word in small letters beside the gauge, and as many reasons as there is room for. */
function stackedSides(sides: readonly Side[], width: number, each: number, theme: Theme): Block[] {
  const letters = Math.max(...sides.map(({ entry }) => heroWidth(verdictKinds(entry), 1, theme)));
  const hasLetters = theme.ascii === false && letters + BESIDE_GAP + LEAST_GAUGE <= width && each >= 4;
  const own = hasLetters ? width - letters - BESIDE_GAP : width;
  const titles = Math.max(...sides.map((side) => widthOf(titleOf(side))));
  return sides.map((side): Block => {
    const { entry } = side;
    const [verdict, ...more] = wordRows(side, width - titles - 2, theme, each < ROOMY);
    const head = [
      [{ text: `${fit(titleOf(side), titles)}  `, role: "heading" as const }, ...(verdict ?? [])],
      ...more,
    ];
    const ruling = each < RULED ? [] : rulingRows(entry, own, theme);
    const gauge = [...scaleRows(entry, own, theme), ...ruling];
    const middle = hasLetters
      ? besideRows(
          [
            { rows: pictureRows(verdictKinds(entry), "half", theme), width: letters },
            { rows: gauge, width: own },
          ],
          BESIDE_GAP,
          theme,
        )
      : gauge;
    const rows = [...head, ...(each >= 4 ? middle : [])];
    const most = theme.ascii === "words" ? MOST_REASONS : each - rows.length;
    const reasons = reasonsOf(entry, width, Math.min(most, MOST_REASONS), theme);
    return [...rows, ...(reasons.length > 0 ? reasons : silenceOf(entry, width, theme).slice(0, most))];
  });
}

/** The risk level, or the name of the rules. */
export function titleOf({ title, entry }: Side): string {
  return presentedText(title, entry.request, 40);
}

/** The verdict, what to do, and whether it was expected. @param isShort on one row */
function wordRows(side: Side, width: number, theme: Theme, isShort: boolean = false): Row[] {
  const { entry, expected } = side;
  const kinds = verdictKinds(entry);
  const decision = presentedDecision(entry, theme.say);
  const verdict = verdictSpans(kinds, theme);
  const { finalAction } = entry;
  // What is left to do says more than half of what there was.
  const reaction = theme.say(
    isShort && kinds[0] === "3ds_or_block" && finalAction !== null && finalAction !== "continue"
      ? `final_${finalAction}`
      : `${kinds[0]}_reaction`,
  );
  const isWrong = expected !== null && verdictKind(entry.result) !== expected;
  // The bare words of the verdicts: only a trustworthy pass may look like one.
  const wrong: Row = isWrong ? [{ text: `${theme.sign("error")} expected ${expected}`, role: "error" }] : [];
  if (isShort) return [[...verdict, { text: "  " }, ...(isWrong ? wrong : [{ text: reaction }])]];
  return [
    verdict,
    ...[reaction, ...(decision === null ? [] : [decision])]
      .flatMap((text) => wrapWords(text, width))
      .map((text): Row => [{ text }]),
    ...(isWrong ? [wrong] : []),
  ];
}

function reasonsOf(entry: HistoryEntry, width: number, most: number, theme: Theme): Row[] {
  const reasons = presentedReasons(entry).slice(0, most > 1 ? undefined : 1);
  return most < 1 ? [] : reasonRows(reasons, width, most, theme);
}

function silenceOf(entry: HistoryEntry, width: number, { say }: Theme): Row[] {
  return wrapWords(presentedSilence(entry, say), width).map((text) => [{ text }]);
}
