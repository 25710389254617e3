// A verdict as rows: the word in big letters with the required reaction, its reasons, its counters. Pure.

import type { CounterReading } from "#src/contract/wire/explanation.ts";
import { bigText, bigTextWidth, halfText, type BigScale } from "#src/ui/big-text.ts";
import type { Decision } from "#src/display/decision.ts";
import { VERDICTS, verdictSpan, type Kinds } from "#src/display/verdict.ts";
import { fit, wrapWords } from "./fit.ts";
import { formatCount } from "#src/display/count.ts";
import { hasLimit, limitBars, reasonRows } from "./gauge.ts";
import type { Span } from "./line.tsx";
import type { Row } from "./rows.ts";
import type { Theme } from "./theme.ts";

/** Columns between the big word and the sentence beside it. */
export const BESIDE_GAP = 4;
/** Columns that this sentence needs. */
const LEAST_BESIDE = 22;

/** The arrow between the verdict and what became of it, with its blanks. */
const BECOMES = 5;

/** Columns of the big words side by side. */
export function heroWidth(kinds: Kinds, scale: BigScale, { say }: Theme): number {
  return kinds.reduce((sum, kind) => sum + BECOMES + bigTextWidth(say(kind), scale), -BECOMES);
}

/** `◆ 3DS → ✖ BLOCK`, each in its colour. */
export function verdictSpans(kinds: Kinds, theme: Theme): Span[] {
  return kinds.flatMap((kind, index) => [
    ...(index === 0 ? [] : [{ text: ` ${theme.sign("arrow")} ` }]),
    verdictSpan(kind, theme.ascii, theme.say(kind)),
  ]);
}

/**
 * The verdict in big letters, behind it the final action where that is another one, and beside or below them what to do.
 * @param said the reaction, and what else there is to say
 * @param scale columns of a dot; `half` where rows are few
 */
export function heroRows(
  kinds: Kinds,
  [reaction, ...others]: readonly [string, ...string[]],
  width: number,
  scale: BigScale | "half",
  theme: Theme,
): Row[] {
  // A screen reader has heard the verdict as a sentence.
  if (theme.ascii === "words") return others.map((text) => [{ text }]);
  const { role } = VERDICTS[kinds.at(-1)!];
  const big = heroWidth(kinds, scale === "half" ? 1 : scale, theme);
  const beside = width - big - BESIDE_GAP;
  const picture = pictureRows(kinds, scale, theme);
  if (beside < LEAST_BESIDE) {
    const labels = verdictSpans(kinds, theme);
    const label = labels.map(({ text }) => text).join("");
    const [first = "", ...more] = wrapWords(`${label}  ${reaction}`, width);
    const below: Row[] = [
      [...labels, { text: first.slice(label.length), role }],
      ...[...more, ...others.flatMap((other) => wrapWords(other, width))].map((text) => [{ text, role }]),
    ];
    return [...(big > width ? [] : picture), ...(scale === 4 ? [[]] : []), ...below];
  }
  const asked: Row[] = [
    verdictSpans(kinds, theme),
    ...wrapWords(reaction, beside).map((text): Row => [{ text, role: "heading" }]),
    ...others.flatMap((other) => wrapWords(other, beside)).map((text): Row => [{ text }]),
  ];
  const count = Math.max(picture.length, asked.length);
  return Array.from({ length: count }, (_, index) => [
    ...(picture[index] ?? [{ text: fit("", big) }]),
    { text: fit("", BESIDE_GAP) },
    ...(asked[index] ?? []),
  ]);
}

/** The words alone. */
export function pictureRows(kinds: Kinds, scale: BigScale | "half", theme: Theme): Row[] {
  const words = kinds.map((kind) =>
    scale === "half" && !theme.ascii
      ? halfText(theme.say(kind))
      : bigText(theme.say(kind), scale === "half" ? 1 : scale, theme.sign("barFull")),
  );
  const middle = words[0]!.length >> 1;
  return words[0]!.map((_, row) =>
    words.flatMap((lines, index) => [
      ...(index === 0 ? [] : [{ text: fit(row === middle ? `  ${theme.sign("arrow")}` : "", BECOMES) }]),
      { text: lines[row]!, role: VERDICTS[kinds[index]!].role },
    ]),
  );
}

/** Why, below its heading. @param most rows below it; the other parameters are those of `reasonRows` */
export function whyRows(decision: Decision, width: number, most: number, theme: Theme, key?: string): Row[] {
  return [[{ text: theme.say("why"), role: "quiet" }], ...reasonRows(decision, width, most, theme, key)];
}

/**
 * The fullest counters below their heading, at most `rows` rows; none without a counter that has a limit.
 * @param key shows the others; none if missing
 */
export function countedRows(
  counters: readonly CounterReading[],
  width: number,
  rows: number,
  theme: Theme,
  key: string = "",
): Row[] {
  const bars = limitBars(counters, width, rows - 1, theme);
  const more = counters.filter(hasLimit).length - bars.length;
  const note = more > 0 ? `, and ${formatCount(more)} more${key}` : "";
  return bars.length === 0 ? [] : [[{ text: theme.say("counted") + note, role: "quiet" }], ...bars];
}
