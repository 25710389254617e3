// The score as a horizontal gauge with both marks, and bars for reasons and counters. Pure.

import type { CounterReading, Explanation } from "#src/contract/explanation.ts";
import { presentedReasons, type PresentedReason } from "#src/display/presented.ts";
import { safe } from "#src/display/safe.ts";
import type { Role } from "#src/display/style.ts";
import { VERDICTS } from "#src/display/verdict.ts";
import type { DemoFrame } from "#src/state/demo.ts";
import { clip, fit, widthOf, wrapWords } from "#src/ui/fit.ts";
import type { Theme } from "#src/ui/theme.ts";
import type { Row } from "#screens/register/rows.ts";

/** One scale for all risk levels, so that the audience sees the marks move. Above every block threshold there is. */
const FULL_SCORE = 120;
const LABEL = 11;

/** Two rows: the bar, and what its marks mean. */
export function gaugeRows(
  { score, thresholds }: Pick<Explanation, "score" | "thresholds">,
  width: number,
  theme: Theme,
): Row[] {
  const columns = Math.max(10, width - LABEL);
  // Rule files may have thresholds of their own.
  const full = Math.max(FULL_SCORE, thresholds.block * 1.1);
  const place = (value: number): number =>
    Math.max(0, Math.min(columns - 1, Math.round((value / full) * columns)));
  const marks = [place(thresholds.threeDs), place(thresholds.block)] as const;
  const filled = score <= 0 ? 0 : Math.max(1, place(score) + (score >= full ? 1 : 0));
  const zone = (column: number): Role =>
    column < marks[0]
      ? VERDICTS.pass.role
      : column < marks[1]
        ? VERDICTS["3ds_or_block"].role
        : VERDICTS.block.role;
  const cells = Array.from({ length: columns }, (_, column) => {
    const isMark = column === marks[0] || column === marks[1];
    // A mark is seen whether the bar has reached it or not.
    if (isMark) return { text: theme.sign("vertical"), role: zone(column) };
    return column < filled
      ? { text: theme.sign("barFull"), role: zone(column) }
      : { text: theme.sign("barEmpty"), role: null };
  });
  const spans: { text: string; role: Role | null }[] = [
    { text: fit(`Score ${score}`, LABEL), role: "heading" },
  ];
  for (const cell of cells) {
    const last = spans.at(-1)!;
    if (spans.length > 1 && last.role === cell.role) last.text += cell.text;
    else spans.push({ ...cell });
  }
  return [spans, markRow(thresholds, marks, columns, theme)];
}

/** Under each mark what begins there; where both have no room side by side, the second goes on behind the first. */
function markRow(
  { threeDs, block }: Explanation["thresholds"],
  marks: readonly [number, number],
  columns: number,
  theme: Theme,
): Row {
  const up = theme.sign("up");
  const first = `${up} 3DS from ${threeDs}`;
  const second = `${up} block from ${block}`;
  const before = fit("", LABEL + marks[0]);
  const room = marks[1] - marks[0];
  const shown = widthOf(first) < room ? first : clip(first, Math.max(0, room - 1), theme.sign("ellipsis"));
  const end = columns - marks[1];
  return [
    { text: before },
    { text: fit(shown, room), role: VERDICTS["3ds_or_block"].role },
    { text: clip(second, end, theme.sign("ellipsis")), role: VERDICTS.block.role },
  ];
}

const EFFECT = 6;

/**
 * The strongest reasons, each with a bar for its weight; a full bar is as much as a block takes.
 * @param wraps a long reason goes on in the next row instead of being cut
 */
export function reasonBars(
  frame: DemoFrame,
  width: number,
  most: number,
  theme: Theme,
  wraps: boolean = false,
): Row[] {
  const entry = frame.entries.at(-1)!;
  const reasons = presentedReasons(entry);
  const full = entry.explanation?.thresholds.block ?? 100;
  const bar = width >= 90 ? 16 : width >= 70 ? 12 : 8;
  const room = width - EFFECT - bar - 2;
  const whole = reasons.map((reason): Row[] => {
    const { weight, effect, text } = reason;
    const share = weight === null ? 1 : Math.min(1, Math.max(0, weight) / full);
    const lines = wraps ? wrapWords(text, room) : [clip(text, room, theme.sign("ellipsis"))];
    return lines.map((line, index): Row =>
      index > 0
        ? [{ text: `${fit("", EFFECT + bar + 2)}${line}` }]
        : [
            { text: fit(effect, EFFECT), role: "heading" },
            ...barSpans(share, bar, roleOf(reason), theme),
            { text: `  ${line}` },
          ],
    );
  });
  const rows = whole.flat();
  if (rows.length <= most) return rows;
  let kept: Row[] = [];
  let count = 0;
  for (const reason of whole) {
    if (kept.length + reason.length > most - 1) break;
    kept = [...kept, ...reason];
    count += 1;
  }
  return most < 1
    ? []
    : [...kept, [{ text: `${fit("", EFFECT + bar + 2)}and ${reasons.length - count} more` }]];
}

/** A rule that beats the score has the colour of the verdict that it brings about. */
function roleOf({ weight, effect }: PresentedReason): Role {
  if (weight !== null) return weight < 0 ? "pass" : "warning";
  return effect === "3DS" ? "challenge" : effect === "allow" ? "pass" : "block";
}

const LONGEST_BAR = 24;

/** The fullest counters of a frame. */
export function counterBars(frame: DemoFrame, width: number, most: number, theme: Theme): Row[] {
  return limitBars(frame.entries.at(-1)!.explanation?.counters ?? [], width, most, theme);
}

/**
 * The fullest of those with a limit, in their own order, so that none changes its place while it fills.
 * @param longestKey characters that are shown of what is counted
 */
export function limitBars(
  all: readonly CounterReading[],
  width: number,
  most: number,
  theme: Theme,
  longestKey: number = 20,
): Row[] {
  const counters = all.filter(hasLimit);
  const fullest = new Set(
    counters.toSorted((one, other) => fullness(other) - fullness(one)).slice(0, Math.max(0, most)),
  );
  const shown = counters
    .filter((counter) => fullest.has(counter))
    .map((counter) => ({
      share: fullness(counter),
      label: `${safe(counter.key, { max: longestKey })} ${safe(counter.window, { max: 6 })}`,
      value: `${Math.round(counter.value)} of ${counter.limit}`,
    }));
  const widest = (texts: readonly string[]): number =>
    texts.reduce((most, text) => Math.max(most, widthOf(text)), 0);
  const values = widest(shown.map(({ value }) => value));
  const labels = Math.min(widest(shown.map(({ label }) => label)), Math.max(8, width - values - 10));
  const bar = Math.max(1, Math.min(LONGEST_BAR, width - labels - values - 3));
  return shown.map(({ share, label, value }): Row => {
    const role = share > 1 ? "error" : share === 1 ? "warning" : "note";
    return [
      { text: `${fit(label, labels, { ellipsis: theme.sign("ellipsis") })}  ` },
      ...barSpans(Math.min(1, share), bar, role, theme),
      { text: ` ${fit(value, values)}`, role: share > 1 ? "error" : null },
    ];
  });
}

type Limited = CounterReading & { readonly limit: number };

function hasLimit(counter: CounterReading): counter is Limited {
  return counter.limit !== null && counter.limit > 0;
}

function fullness({ value, limit }: Limited): number {
  return value / limit;
}

function barSpans(share: number, width: number, role: Role, theme: Theme): Row {
  const full = share <= 0 ? 0 : Math.max(1, Math.round(share * width));
  return [
    { text: theme.sign("barFull").repeat(full), role },
    { text: theme.sign("barEmpty").repeat(width - full) },
  ];
}
