// What a comparison of two runs adds up to, in the words of both front ends: changed verdicts, new blocks, what was not compared.

import {
  addEur,
  CARRIED,
  type Comparison,
  type FlipCause,
  type FlipCell,
} from "#src/contract/records/flip.ts";
import { formatCount, percent } from "./count.ts";
import { eurText } from "./money.ts";
import type { RoleSpan } from "./span.ts";

/**
 * How many verdicts changed; new blocks, those that are no longer blocked, and items that were not compared have a line of their own.
 */
export function changeLines(comparison: Comparison, showsReleased: boolean = false): RoleSpan[][] {
  const { changes, compared, newBlocks, released, matrix } = comparison;
  const share = (count: number, fits: (cell: FlipCell) => boolean): string => {
    const worth = eurText(addEur(matrix.filter(fits)));
    return `${formatCount(count)} (${percent(count, compared)})${worth === null ? "" : `, ${worth}`}`;
  };
  const changed =
    changes.flipped === 0
      ? "no verdict changed"
      : `${formatCount(changes.flipped)} changed (${percent(changes.flipped, compared)}), ${formatCount(changes.unchanged)} unchanged`;
  const isNewBlock = ({ was, now }: FlipCell): boolean => now === "block" && was !== "block";
  const isReleased = ({ was, now }: FlipCell): boolean => was === "block" && now !== "block";
  return [
    [
      {
        text: `${formatCount(compared)} compared: ${changed}`,
        role: changes.flipped > 0 ? "warning" : "heading",
      },
    ],
    ...(newBlocks === 0
      ? []
      : [[{ text: `New blocks: ${share(newBlocks, isNewBlock)}`, role: "block" as const }]]),
    ...(showsReleased && released > 0
      ? [[{ text: `No longer blocked: ${share(released, isReleased)}` }]]
      : []),
    ...notCompared(comparison),
  ];
}

/** Why verdicts changed, by the rule that decided before and the one that decides now. */
export function causeText({ before, after }: Pick<FlipCause, "before" | "after">): string {
  if (before === after)
    return before === null ? "no rule decides" : `${before} decides on both sides, by another mark or score`;
  if (before === null) return `${after} decides now`;
  return after === null ? `${before} no longer decides` : `${after} decides instead of ${before}`;
}

/** Items that could not be compared, always including those without a trustworthy verdict. At most one line. */
export function notCompared({ changes }: Comparison): RoleSpan[][] {
  const parts: RoleSpan[] = [
    ...(changes.new === 0 ? [] : [{ text: `${formatCount(changes.new)} new` }]),
    ...(changes.missing === 0 ? [] : [{ text: `${formatCount(changes.missing)} missing` }]),
    ...(changes.failed === 0
      ? []
      : [{ text: `${formatCount(changes.failed)} without a trustworthy verdict`, role: "doubt" as const }]),
  ];
  return parts.length === 0
    ? []
    : [parts.flatMap((part, index) => [{ text: index === 0 ? "Not compared: " : ", " }, part])];
}

/** Why nothing could be compared. */
export function nothingCompared({ baseline, changes }: Comparison): string {
  if (changes.failed > 0) return "No item has a trustworthy verdict on both sides, so nothing is compared.";
  if (changes.new + changes.missing === 0) return "Neither side has any items.";
  return baseline === CARRIED
    ? "The payloads carried no earlier verdict."
    : "The two runs have no item in common; items are matched by name, else by order id.";
}
