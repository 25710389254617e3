// A verdict as rows: the word in big letters with the required reaction, its reasons, its counters. Pure.

import type { CounterReading } from "#src/contract/wire/explanation.ts";
import { bigWord, bigWordWidth, halfWord, type BigScale } from "#src/display/big-word.ts";
import { verdictLabel, VERDICTS, type VerdictKind } from "#src/display/verdict.ts";
import { fit, wrapWords } from "./fit.ts";
import { limitBars } from "./gauge.ts";
import type { Row } from "./rows.ts";
import type { Theme } from "./theme.ts";

/** Columns between the big word and the sentence beside it. */
export const BESIDE_GAP = 4;
/** Columns that this sentence needs. */
const LEAST_BESIDE = 22;

/**
 * The verdict in big letters, and beside or below it the required reaction.
 * @param decision what the caller decided; null for none
 * @param scale columns of a dot; `half` where rows are few
 */
export function heroRows(
  kind: VerdictKind,
  decision: string | null,
  width: number,
  scale: BigScale | "half",
  theme: Theme,
): Row[] {
  const { role, reaction } = VERDICTS[kind];
  const big = bigWordWidth(kind, scale === "half" ? 1 : scale);
  const beside = width - big - BESIDE_GAP;
  const label = verdictLabel(kind, theme.ascii);
  const picture =
    scale === "half" && !theme.ascii
      ? halfWord(kind)
      : bigWord(kind, scale === "half" ? 1 : scale, theme.sign("barFull"));
  if (beside < LEAST_BESIDE) {
    const text = [`${label}  ${reaction}`, ...(decision === null ? [] : [decision])];
    const below = text.flatMap((each) => wrapWords(each, width)).map((line): Row => [{ text: line, role }]);
    const word: Row[] = big > width ? [] : picture.map((line): Row => [{ text: line, role }]);
    return scale === 4 ? [...word, [], ...below] : [...word, ...below];
  }
  const asked: Row[] = [
    [{ text: label, role }],
    ...wrapWords(reaction, beside).map((text): Row => [{ text, role: "heading" }]),
    ...(decision === null ? [] : wrapWords(decision, beside).map((text): Row => [{ text }])),
  ];
  const count = Math.max(picture.length, asked.length);
  return Array.from({ length: count }, (_, index) => [
    { text: picture[index] ?? fit("", big), role },
    { text: fit("", BESIDE_GAP) },
    ...(asked[index] ?? []),
  ]);
}

/** Why, below its heading. @param silence said where there is no reason */
export function whyRows(reasons: readonly Row[], silence: readonly Row[]): Row[] {
  return [[{ text: "Why", role: "quiet" }], ...(reasons.length > 0 ? reasons : silence)];
}

/** The fullest counters below their heading, at most `rows` rows; none without a counter that has a limit. */
export function countedRows(
  counters: readonly CounterReading[],
  width: number,
  rows: number,
  theme: Theme,
): Row[] {
  const bars = limitBars(counters, width, rows - 1, theme);
  return bars.length === 0 ? [] : [[{ text: "Counted with this attempt", role: "quiet" }], ...bars];
}
