// A run as text: its counts, what was expected and did not come, and the line that shows how far it is.

import type { ReplayProgress } from "#src/actions/replay/replay.ts";
import { layOut } from "#src/cli/table.ts";
import type { RunCounts, RunInfo, RunRow, RunSummary } from "#src/contract/records/run.ts";
import { safe } from "#src/display/safe.ts";
import { SIGN } from "#src/display/sign.ts";
import type { Style } from "#src/display/style.ts";
import { formatCountdown, formatDateTime, formatLatency, formatTook } from "#src/display/time.ts";
import { VERDICTS, verdictKind, verdictLabel, type VerdictKind } from "#src/display/verdict.ts";
import { trustedVerdict } from "#src/replay/flips.ts";

const BAR = 20;
const BAR_LEAST = 5;
const GAP = "  ";
/** In the order of the product: go on, 3-D Secure, stop, then what has no verdict. */
const SHOWN: readonly (readonly [VerdictKind, keyof RunCounts])[] = [
  ["pass", "pass"],
  ["3ds_or_block", "threeDs"],
  ["block", "block"],
  ["indeterminate", "indeterminate"],
  ["refused", "refused"],
  ["unknown", "unknown"],
  ["not_sent", "notSent"],
];

/** Items without a trustworthy verdict. */
export function withoutVerdict({ indeterminate, refused, unknown, notSent }: RunCounts): number {
  return indeterminate + refused + unknown + notSent;
}

/**
 * How far a run is, in one line without colours: `[####....]  41%  1234 sent  182/s  00:35 left  + 900  > 200  x 134`.
 * @param columns width of the terminal; the bar gives way to the figures
 */
export function progressLine(progress: ReplayProgress, style: Style, columns: number): string {
  const { fraction } = progress;
  const text = progressFigures(progress, style);
  const room = Math.min(BAR, columns - text.length - GAP.length - 1);
  return fraction === null || room < BAR_LEAST ? text : `${bar(fraction, room, style)}${GAP}${text}`;
}

function progressFigures({ summary, fraction, etaMs, state }: ReplayProgress, style: Style): string {
  const { counts, latencies } = summary;
  return [
    ...(fraction === null ? [] : [`${Math.floor(fraction * 100)}%`]),
    `${counts.total} sent`,
    ...(state === "running" ? [] : [state === "paused" ? "paused" : "waiting for answers under way"]),
    ...(summary.ratePerS === null ? [] : [rateText(summary.ratePerS)]),
    ...(etaMs === null || state !== "running" ? [] : [`${formatCountdown(etaMs)} left`]),
    ...SHOWN.filter(([, count]) => counts[count] > 0).map(
      ([kind, count]) => `${style.symbol(VERDICTS[kind])} ${counts[count]}`,
    ),
    ...(latencies === null
      ? []
      : [
          `p50 ${formatLatency(latencies.p50)} p95 ${formatLatency(latencies.p95)} p99 ${formatLatency(latencies.p99)}`,
        ]),
  ].join(GAP);
}

export function bar(fraction: number, room: number, style: Style): string {
  const full = Math.min(room, Math.floor(fraction * room));
  return style.symbol(SIGN.barFull).repeat(full) + style.symbol(SIGN.barEmpty).repeat(room - full);
}

/** A run in two lines, for a terminal on which the table of runs has no room. */
export function runBrief(run: RunInfo, style: Style): string[] {
  const { id, at, state, profile, project, sources, summary } = run;
  const title = [
    id,
    formatDateTime(at),
    state === "complete" ? state : style.paint("warning", state),
    safe(`${profile}:${project}`, { max: 40 }),
  ];
  const counts =
    summary === null
      ? ["not known"]
      : [
          summary.counts.total === 1 ? "1 item" : `${summary.counts.total} items`,
          ...SHOWN.filter(([, count]) => summary.counts[count] > 0).map(([kind, count]) =>
            style.paint(VERDICTS[kind].role, `${style.symbol(VERDICTS[kind])} ${summary.counts[count]}`),
          ),
        ];
  return [title.join(GAP), `  ${[...counts, safe(sources.join(" "), { max: 30 })].join(GAP)}`];
}

/** The run in one line, then its counts by verdict with their shares, then latencies. */
export function runLines(run: RunInfo, style: Style): string[] {
  const { summary } = run;
  const dot = ` ${style.symbol(SIGN.separator)} `;
  const title = [
    `Run ${run.id}`,
    run.state === "complete" ? "complete" : style.paint("warning", "partial"),
    formatDateTime(run.at),
    safe(`${run.profile}:${run.project}`),
  ];
  if (summary === null) return [title.join(dot), "  It lost its process before it could add up."];
  const { counts, durationMs, ratePerS } = summary;
  const items = counts.total === 1 ? "1 item" : `${counts.total} items`;
  const facts = [items, `in ${formatTook(durationMs)}`, ...(ratePerS === null ? [] : [rateText(ratePerS)])];
  return [
    title.join(dot),
    `  ${facts.join(dot)}`,
    ...countLines(counts, style),
    ...latencyLine(summary, dot),
  ];
}

function countLines(counts: RunCounts, style: Style): string[] {
  const rows = SHOWN.filter(
    ([kind, count]) =>
      counts[count] > 0 || VERDICTS[kind].role === "pass" || kind === "block" || kind === "3ds_or_block",
  ).map(([kind, count]) => [
    `  ${style.paint(VERDICTS[kind].role, verdictLabel(kind, style.ascii))}`,
    String(counts[count]),
    counts.total === 0 ? "" : `${((counts[count] * 100) / counts.total).toFixed(1)}%`,
  ]);
  return layOut(["", "", ""], rows, [1, 2]).slice(1);
}

function latencyLine({ latencies }: RunSummary, dot: string): string[] {
  if (latencies === null) return [];
  const { p50, p95, p99, max } = latencies;
  const named = Object.entries({ p50, p95, p99, max }).map(([name, ms]) => `${name} ${formatLatency(ms)}`);
  return [`  Latency of answers: ${named.join(dot)}`];
}

function rateText(ratePerS: number): string {
  return `${ratePerS >= 100 ? Math.round(ratePerS) : ratePerS.toFixed(1)}/s`;
}

/** Items to name under a summary. */
export interface Findings {
  /** The first ten whose verdict is not the expected one. */
  readonly unexpected: readonly RunRow[];
  /** The first five without a trustworthy verdict. */
  readonly lacking: readonly RunRow[];
}

const UNEXPECTED_SHOWN = 10;
const LACKING_SHOWN = 5;

/** Reads the rows until there is enough to name. */
export async function findFindings(
  summary: RunSummary,
  rows: () => AsyncIterable<RunRow>,
): Promise<Findings> {
  const unexpectedWanted = Math.min(UNEXPECTED_SHOWN, summary.expectationsFailed);
  const lackingWanted = Math.min(LACKING_SHOWN, withoutVerdict(summary.counts));
  const unexpected: RunRow[] = [];
  const lacking: RunRow[] = [];
  if (unexpectedWanted + lackingWanted === 0) return { unexpected, lacking };
  for await (const row of rows()) {
    const verdict = trustedVerdict(row.result);
    if (row.expect !== null && row.expect !== verdict && unexpected.length < unexpectedWanted)
      unexpected.push(row);
    if (verdict === null && lacking.length < lackingWanted) lacking.push(row);
    if (unexpected.length >= unexpectedWanted && lacking.length >= lackingWanted) break;
  }
  return { unexpected, lacking };
}

export function findingLines({ unexpected, lacking }: Findings, summary: RunSummary, style: Style): string[] {
  const lines: string[] = [];
  if (lacking.length > 0) {
    lines.push(
      "",
      style.paint("heading", `Without a trustworthy verdict: ${withoutVerdict(summary.counts)}`),
    );
    for (const row of lacking) lines.push(`  ${name(row)}  ${whyNot(row)}`);
    lines.push(...more(withoutVerdict(summary.counts) - lacking.length));
  }
  if (unexpected.length > 0) {
    lines.push("", style.paint("heading", `Expectations failed: ${summary.expectationsFailed}`));
    for (const row of unexpected) {
      lines.push(`  ${name(row)}  expected ${row.expect}, got ${verdictKind(row.result)}`);
    }
    lines.push(...more(summary.expectationsFailed - unexpected.length));
  }
  return lines;
}

/** At most a few lines of a longer list. */
export function more(count: number): string[] {
  return count > 0 ? [`  and ${count} more`] : [];
}

function name({ key }: RunRow): string {
  return safe(key, { max: 60 });
}

function whyNot({ result }: RunRow): string {
  return result === null
    ? "The run ended before an outcome was known; the request may have arrived."
    : result.explanation;
}
