// The summary of a run for both front ends: counts by verdict, pace, latencies, and what its sources would send.

import type { Money } from "#src/contract/records/flip.ts";
import type { AmountUnit } from "#src/contract/records/profile.ts";
import {
  placeOf,
  type Latencies,
  type RunCounts,
  type RunHeader,
  type RunInfo,
  type RunSummary,
  type RunTime,
} from "#src/contract/records/run.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { counted, formatCount } from "./count.ts";
import { moneyList } from "./money.ts";
import { safe } from "./safe.ts";
import type { Ascii } from "./sign.ts";
import type { RoleSpan } from "./span.ts";
import { formatDateTime, formatLatency, formatTook } from "./time.ts";
import type { KindCount } from "./verdict-mix.ts";
import { VERDICTS, verdictSign } from "./verdict.ts";

export const NO_SUMMARY = "The run was cut off before its summary was written.";

/** Counts by verdict: the three recommendations from pass to block, then the outcomes without a verdict. */
export function runKinds(counts: RunCounts): KindCount[] {
  return [
    ["pass", counts.pass],
    ["3ds_or_block", counts.threeDs],
    ["block", counts.block],
    ["indeterminate", counts.indeterminate],
    ["unknown", counts.unknown],
    ["refused", counts.refused],
    ["not_sent", counts.notSent],
  ];
}

/** `✔ 30 PASS` in the colour of the verdict, for each count above zero. */
export function countSpans(counts: RunCounts, ascii: Ascii): RoleSpan[] {
  return runKinds(counts)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => ({
      text: `${verdictSign(kind, ascii)} ${formatCount(count)} ${VERDICTS[kind].word}`.trimStart(),
      role: VERDICTS[kind].role,
    }));
}

/** `40 items in 2 s, 17.4/s` */
export function paceText({ counts, durationMs, ratePerS }: RunSummary): string {
  const rate = ratePerS === null ? "" : `, ${rateText(ratePerS)}`;
  return `${counted(counts.total, "item")} in ${formatTook(durationMs)}${rate}`;
}

export function rateText(perS: number): string {
  return `${perS >= 100 ? formatCount(Math.round(perS)) : perS.toFixed(1)}/s`;
}

/** `p50 12 ms  p95 30 ms  p99 41 ms` */
export function latencyText(latencies: Latencies | null): string {
  if (latencies === null) return "no latency yet";
  const { p50, p95, p99 } = latencies;
  return `p50 ${formatLatency(p50)}  p95 ${formatLatency(p95)}  p99 ${formatLatency(p99)}`;
}

/** By what time the payments are sent and decided. @param from time of the first one; null where it has none */
export function timeText(time: RunTime, from: Milliseconds | null): string | null {
  if (time === "recorded") {
    return from === null
      ? "Each payment is decided as at a time of its own, a minute after the one before."
      : `Each payment is decided as at its own time, from ${formatDateTime(from)} on.`;
  }
  if (time !== "now") return `The payments are sent in their own rhythm, ${time.slice(1)} times as fast.`;
  return from === null ? null : "The payments carry their own time, and are decided at the time of sending.";
}

/** In which order the payments of a run are sent; null where the service decides them in theirs. */
export function orderText({ pace }: Pick<RunHeader, "pace">, keepsOrder: boolean): string | null {
  if (keepsOrder || pace === undefined || pace.concurrency === 1) return null;
  return pace.orderBy === undefined
    ? "Payments are sent side by side in no order; --order-by card sends payments of one card in order."
    : `Payments that share ${pace.orderBy.join(" or ")} are sent one after the other, all others side by side.`;
}

export function sortedText(outOfOrder: number): string {
  const stood = counted(outOfOrder, "payment");
  return `Sorted by time first: ${stood} stood directly behind a later one.`;
}

/** The rules of a run with the beginning of their hash, `strict.yaml (3f2a9c01)`; null where they are not known. */
export function rulesText({ isolated, rulesHash }: Pick<RunInfo, "isolated" | "rulesHash">): string | null {
  if (isolated === undefined) return null;
  return safe(rulesHash === undefined ? isolated : `${isolated} (${rulesHash.slice(0, 8)})`);
}

/** Where a run was sent, and with which rules of a sandbox of its own: `sandbox:isolated/medium, strict.yaml (3f2a9c01)`. */
export function placeText(run: Pick<RunInfo, "profile" | "project" | "isolated" | "rulesHash">): string {
  const rules = rulesText(run);
  return safe(placeOf(run), { max: 48 }) + (rules === null ? "" : `, ${rules}`);
}

/** By what time and where a run was decided; null where nothing is special about it. */
export function settingText({
  summary,
  time = summary?.time,
  ...run
}: Pick<RunInfo, "summary" | "time" | "isolated" | "rulesHash">): string | null {
  const rules = rulesText(run);
  const rhythm = `in the payments' own rhythm${time === "x1" ? "" : `, ${time?.slice(1)} times as fast`}`;
  const text = [
    ...(time === undefined || time === "now" ? [] : [time === "recorded" ? "in recorded time" : rhythm]),
    ...(rules === null ? [] : [`on a sandbox of its own with ${rules}`]),
  ].join(", ");
  return text === "" ? null : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** What makes a run say less about the rules than it seems to; null where nothing does. */
export function repeatedText({ repeated = 0 }: RunSummary): string | null {
  if (repeated === 0) return null;
  const are = counted(repeated, "answer is a repeat", "answers are repeats");
  return `${are}: the sandbox gave its stored answer and decided nothing again.`;
}

/** Of an earlier run: `run:<id>:<kinds>`. */
const ITEMS_OF_RUN = /^run:([^:]+):(.+)$/;

/** `chosen: failed items of run m1x, only payloads tagged vip, shard 1 of 4`; null where all items of the sources are sent */
export function choiceText(
  run: Pick<RunHeader, "sources" | "shard" | "onlyTags" | "skipTags">,
): string | null {
  const { sources, shard, onlyTags, skipTags } = run;
  const parts = sources.flatMap((source) => {
    const [, id, kinds] = ITEMS_OF_RUN.exec(source) ?? [];
    return kinds === undefined ? [] : [`${kinds.replaceAll(",", " or ")} items of run ${safe(id!)}`];
  });
  if (onlyTags !== undefined) parts.push(`only payloads tagged ${onlyTags.join(" or ")}`);
  if (skipTags !== undefined) parts.push(`none tagged ${skipTags.join(" or ")}`);
  if (shard !== undefined) parts.push(`shard ${shard.part} of ${shard.of}`);
  return parts.length === 0 ? null : `chosen: ${parts.join(", ")}`;
}

/** `20 payloads of the sources are left out` */
export function leftOutText(count: number): string {
  return `${counted(count, "payload of the sources is", "payloads of the sources are")} left out`;
}

interface PreflightFacts {
  readonly items: number;
  readonly money: readonly Money[];
  readonly expectations: number;
}

/** What the sources of a run would send, in sentences. */
export function plannedLines({ items, money, expectations }: PreflightFacts, unit: AmountUnit): string[] {
  return [
    `${counted(items, "check")} would be sent.`,
    ...(money.length === 0 ? [] : [`Worth ${moneyList(money, unit)}.`]),
    ...(expectations === 0 ? [] : [`${counted(expectations, "says", "say")} which verdict is expected.`]),
  ];
}

/** `2 payments have warnings` */
export function warnedText(payments: number): string {
  return `${counted(payments, "payment has", "payments have")} warnings`;
}
