// What a run did to payments of which it is known what became of them, in words that both front ends show. Pure.

import { sideShares, worthOf, type SideShares } from "#src/contract/records/outcome-shares.ts";
import type { RunOutcomes, Share } from "#src/contract/records/outcomes.ts";
import type { Recommendation } from "#src/contract/wire/recommendation.ts";
import { counted } from "./count.ts";
import { shareText, worthText } from "./outcome-words.ts";

/** `Fraud blocked: 322 of 373, 86.3 %, 5 000 EUR; before 331 of 373, 88.7 %`, and so on: a line each. */
export function runOutcomeLines(outcomes: RunOutcomes): string[] {
  const [now, before] = [sideShares(outcomes.now), outcomes.before && sideShares(outcomes.before)];
  const line = (what: string, of: (shares: SideShares) => Share, eur: number = 0): string => {
    const worth = worthText({ count: 0, eur });
    const was = before === null ? "" : `; before ${shareText(of(before))}`;
    return `${what}: ${shareText(of(now))}${worth === "" ? "" : `, ${worth}`}${was}`;
  };
  const eurOf = (kind: "bad" | "good", verdict: Recommendation): number =>
    worthOf(outcomes.now, kind, [verdict]).eur;
  return [
    line("Fraud blocked", ({ caught }) => caught, eurOf("bad", "block")),
    line("Fraud passed", ({ badPassed }) => badPassed, eurOf("bad", "pass")),
    line("Good blocked", ({ goodBlocked }) => goodBlocked, eurOf("good", "block")),
    line("Good blocked or sent to 3-D Secure", ({ goodDisturbed }) => goodDisturbed),
    line("Precision of a block", ({ precision }) => precision),
  ];
}

/** What is in no cell of the matrix. */
export function uncountedText({ unlabelled, noVerdict }: RunOutcomes): string {
  const without = `${counted(unlabelled, "item")} without a label`;
  if (noVerdict === 0) return `Not counted: ${without}.`;
  return `Not counted: ${without}, and ${counted(noVerdict, "labelled one")} without a trustworthy verdict.`;
}
