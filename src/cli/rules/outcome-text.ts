// What became of the payments of a back-test, as text: before and after, and the sentence to sign.

import { layOut, wrapped } from "#src/cli/table.ts";
import type { FlipCause } from "#src/contract/records/flip.ts";
import { sideShares, type SideShares } from "#src/contract/records/outcome-shares.ts";
import type { Outcomes, Share } from "#src/contract/records/outcomes.ts";
import { counted, formatCount, percent } from "#src/display/count.ts";
import { intervalText, NONE_TO_JUDGE, outcomeWords, shareText } from "#src/display/outcome-words.ts";
import type { Style } from "#src/display/style.ts";

const SHARES: readonly (readonly [keyof SideShares, string])[] = [
  ["caught", "fraud blocked"],
  ["badSecured", "fraud to 3-D Secure"],
  ["badPassed", "fraud passed"],
  ["goodBlocked", "good blocked"],
  ["goodSecured", "good to 3-D Secure"],
  ["precision", "right blocks"],
];

/** Fits 80 columns up to some hundred thousand payments. */
export function outcomeLines(outcomes: Outcomes, style: Style, columns: number): string[] {
  const { sentence, besides, doubts } = outcomeWords(outcomes);
  const sides = [outcomes.current, outcomes.proposed];
  const [counts, eur] = [sides.map((side) => sideShares(side)), sides.map((side) => sideShares(side, "eur"))];
  const rows = SHARES.flatMap(([key, name]) => [
    [name, ...counts.map((shares) => shareText(shares[key]))],
    ...(eur.some((shares) => shares[key].whole > 0)
      ? [["  in EUR, about", ...eur.map((shares) => eurShare(shares[key]))]]
      : []),
  ]);
  const intervals = SHARES.flatMap(([key, name]) => {
    const text = intervalText(counts[1]![key]);
    return text === null ? [] : paragraph(`proposed, ${name}: ${text}`, columns);
  });
  return [
    "",
    ...wrapped("", sentence.split(" "), columns, " ").map((line) => style.paint("heading", line)),
    ...[...besides, ...doubts].flatMap((text) => paragraph(text, columns)),
    "",
    ...layOut(style, ["By outcome", "CURRENT", "PROPOSED"], rows, [1, 2]).map((line) => `  ${line}`),
    "  fraud: labelled fraud or chargeback; good: labelled good or refund",
    "  right blocks: the fraud of all labelled payments that are blocked",
    ...(outcomes.withoutRate === 0
      ? []
      : paragraph(
          `${counted(outcomes.withoutRate, "labelled payment")} of a currency without a rate add no money`,
          columns,
        )),
    ...intervals,
  ];
}

function paragraph(text: string, columns: number): string[] {
  return wrapped("  ", text.split(" "), columns, " ");
}

function eurShare({ part, whole }: Share): string {
  return whole === 0 ? NONE_TO_JUDGE : `${formatCount(Math.round(part))}, ${percent(part, whole)}`;
}

/** What a cause did to fraud: `9 of them fraud`; null where it says nothing. */
export function causeNote(
  { causes }: Outcomes,
  cause: Pick<FlipCause, "was" | "now" | "before" | "after">,
): string | null {
  const found = causes.find(
    ({ was, now, before, after }) =>
      was === cause.was && now === cause.now && before === cause.before && after === cause.after,
  );
  if (found === undefined || found.bad.count + found.good.count === 0) return null;
  return found.bad.count === 0 ? "no fraud" : `${formatCount(found.bad.count)} of them fraud`;
}
