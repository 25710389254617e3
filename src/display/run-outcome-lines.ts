// What a run did to payments of which it is known what became of them, in words and as shares that both front ends show. Pure.

import { sideShares, type SideShares } from "#src/contract/records/outcome-shares.ts";
import type { RunOutcomes, Share } from "#src/contract/records/outcomes.ts";
import { counted, formatCount } from "./count.ts";
import { liftText, rateText, SHARE_NAMES, shareText, worthText } from "./outcome-words.ts";
import type { TableCell, TableLine } from "./span.ts";

/** One share, now and before. */
interface RunShare {
  readonly what: string;
  readonly now: Share;
  readonly before: Share | null;
  /** `5 000 EUR`, and of a precision its lift; empty where neither is known. */
  readonly worth: string;
}

function runShares({ now, before }: RunOutcomes): RunShare[] {
  const [shares, earlier, sums] = [sideShares(now), before && sideShares(before), sideShares(now, "eur")];
  const share = (key: keyof SideShares, what: string, worth: string): RunShare => ({
    what,
    now: shares[key],
    before: earlier && earlier[key],
    worth,
  });
  return [
    ...SHARE_NAMES.map(([key, what]) => share(key, what, worthText({ count: 0, eur: sums[key].part }))),
    share("precision", "Precision of a block", liftText(shares.precision, shares.baseRate)),
    share("baseRate", "Base rate of fraud", ""),
  ];
}

/** `Fraud blocked: 322 of 373, 86.3 %, 5 000 EUR; before 331 of 373, 88.7 %`, and so on: a line each. */
export function runOutcomeLines(outcomes: RunOutcomes): string[] {
  return runShares(outcomes).map(({ what, now, before, worth }) => {
    const was = before === null ? "" : `; before ${shareText(before)}`;
    return `${what}: ${shareText(now)}${worth === "" ? "" : `, ${worth}`}${was}`;
  });
}

/** The same with a bar a share. */
export function runOutcomeTable(outcomes: RunOutcomes): TableLine {
  const rate = (share: Share | null): string => (share === null ? "-" : rateText(share));
  return {
    columns: [
      { title: "" },
      { title: "", share: 1, most: 24 },
      { title: "Now", align: "right" },
      { title: "Payments", align: "right", from: 64 },
      { title: "Worth", align: "right", from: 84 },
      ...(outcomes.before === null ? [] : [{ title: "Before", align: "right" as const }]),
    ],
    cells: runShares(outcomes).map(({ what, now, before, worth }): readonly TableCell[] => [
      { text: what },
      { text: "", share: now.whole === 0 ? 0 : now.part / now.whole },
      { text: rate(now), role: "heading" },
      { text: `${formatCount(now.part)} of ${formatCount(now.whole)}` },
      { text: worth },
      { text: rate(before), role: "quiet" },
    ]),
  };
}

/** What is in no cell of the matrix. */
export function uncountedText({ unlabelled, noVerdict }: RunOutcomes): string {
  const without = `${counted(unlabelled, "item")} without a label`;
  if (noVerdict === 0) return `Not counted: ${without}.`;
  return `Not counted: ${without}, and ${counted(noVerdict, "labelled one")} without a trustworthy verdict.`;
}
