// The gates of a run and of a back-test: limits on changed verdicts, latency, missing verdicts and outcomes, beyond which a command exits 8.

import type { ANSWER_GATES, FLIP_GATES, GOLDEN, OUTCOME_GATES } from "#src/cli/option-specs.ts";
import { flagOf, type Portion, type Values } from "#src/cli/option.ts";
import type { Comparison } from "#src/contract/records/flip.ts";
import { sideShares } from "#src/contract/records/outcome-shares.ts";
import type { Outcomes, Share } from "#src/contract/records/outcomes.ts";
import {
  withoutVerdict,
  type FailedGate,
  type RunState,
  type RunSummary,
} from "#src/contract/records/run.ts";
import { counted, formatCount } from "#src/display/count.ts";
import type { GoldenFacts } from "#src/replay/golden.ts";
import { goldenGate } from "./golden.ts";

/** Those that were asked for; a command has some of them. */
export type Gates = Partial<Values<typeof FLIP_GATES & typeof ANSWER_GATES & typeof OUTCOME_GATES>> & {
  /** Takes over what a file of verdicts says otherwise. */
  readonly update?: Values<typeof GOLDEN>["update"];
};

const NAMES = ["maxFlips", "maxNewBlocks", "maxP95", "minAnswered", "maxGoodBlocked", "minCaught"] as const;

/** What gates judge. */
export interface Judged {
  /** Null for a run on its own. */
  readonly comparison: Comparison | null;
  /** Of a comparison with a file of verdicts. */
  readonly golden?: GoldenFacts | null;
  /** Of the later run; null where its totals are not known. */
  readonly summary: RunSummary | null;
  /** Of the later run; a back-test has none. */
  readonly state?: RunState;
  /** Null where no payment has a label; only a back-test has them. */
  readonly outcomes?: Outcomes | null;
}

/** The gates that were asked for, as options: `--min-caught 85%`. */
export function askedGates(gates: Gates): string[] {
  return NAMES.flatMap((name) => (gates[name] === undefined ? [] : `${flagOf(name)} ${gates[name].text}`));
}

/** The gates that fail, each with its figure and its limit. One that has nothing to judge proves nothing, and fails. */
export function failedGates(
  { comparison, golden = null, summary, state, outcomes = null }: Judged,
  gates: Gates,
): FailedGate[] {
  const failed: FailedGate[] = [];
  const judge = (
    name: (typeof NAMES)[number],
    share: Share,
    why: string,
    next: string,
    said: string,
  ): void => {
    const limit = gates[name];
    if (limit === undefined) return;
    const [gate, { text }] = [flagOf(name).slice(2), limit];
    const fail = (figure: number | null, message: string): void =>
      void failed.push({ gate, limit: text, figure, message });
    const { part, whole } = share;
    const beyond = "ms" in limit ? part - limit.ms : excess(part, whole, limit);
    const [isLeast, asks] = gate.startsWith("min-") ? [true, "asks for"] : [false, "allows"];
    if (why !== "") fail(null, `${why}, so that --${gate} ${text} proves nothing${next}.`);
    else if (isLeast ? beyond < 0 : beyond > 0) fail(part, `${said}, and --${gate} ${asks} ${text}.`);
  };

  const whole = comparison?.compared ?? 0;
  for (const [name, part = 0, became] of [
    ["maxFlips", comparison?.changes.flipped, "changed"],
    ["maxNewBlocks", comparison?.newBlocks, "became block"],
  ] as const) {
    const of = gates[name]?.whole == null ? "" : ` of ${formatCount(whole)} compared`;
    const why = whole > 0 ? "" : "No item has a trustworthy verdict on both sides";
    const next = "; compare with a run of the same payloads";
    judge(name, { part, whole }, why, next, `${counted(part, "verdict")}${of} ${became}`);
  }

  const total = summary?.counts.total ?? 0;
  const answered = summary === null ? 0 : total - withoutVerdict(summary.counts);
  const p95 = summary?.latencies?.p95 ?? null;
  const none = summary === null ? "The totals of the run are not known" : "No item has a trustworthy verdict";
  // To the microsecond, so that a figure just beyond its limit does not read the same.
  const latency = `The p95 of the latencies is ${p95} ms`;
  judge("maxP95", { part: p95 ?? 0, whole: 0 }, p95 === null ? none : "", "", latency);
  const said = `${formatCount(answered)} of ${counted(total, "item")} ${answered === 1 ? "has" : "have"} a trustworthy verdict`;
  // Of items that are missing nobody knows how many there are.
  const unknown = state === "partial" ? PARTIAL : answered === 0 ? none : "";
  judge("minAnswered", { part: answered, whole: total }, unknown, "", said);

  const shares = outcomes === null ? null : sideShares(outcomes.proposed);
  for (const [name, share = { part: 0, whole: 0 }, label, or] of [
    ["maxGoodBlocked", shares?.goodBlocked, "good", ", or add --unlabelled good"],
    ["minCaught", shares?.caught, "fraud or chargeback", ""],
  ] as const) {
    const payments = counted(share.whole, `payment labelled ${label}`, `payments labelled ${label}`);
    const blocked = `${formatCount(share.part)} of ${payments} ${share.part === 1 ? "is" : "are"} blocked`;
    const why = share.whole > 0 ? "" : `No payment is labelled ${label}`;
    judge(name, share, why, `; name labels with --labels${or}`, blocked);
  }
  if (comparison !== null && golden !== null && !gates.update) failed.push(...goldenGate(comparison, golden));
  return failed;
}

/** Above zero where `count` of `total` is more than the portion, below where it is less. */
export function excess(count: number, total: number, { parts, whole }: Portion): bigint {
  return whole === null ? BigInt(count) - parts : BigInt(count) * whole - BigInt(total) * parts;
}

const PARTIAL = "The run is partial: not all of its items are in the totals";

/** Whether missing verdicts are within what --min-answered accepts, and no fault of the run then. */
export function acceptsMissing({ minAnswered }: Gates, failed: readonly FailedGate[]): boolean {
  return minAnswered !== undefined && failed.every(({ gate }) => gate !== "min-answered");
}
