// Merges the runs of shards into one, in flat memory but for 32 bytes an item.

import { hash } from "node:crypto";
import type { ActionContext } from "#src/actions/action-context.ts";
import { usage, whole } from "#src/contract/fault.ts";
import { trustedVerdict, type RunInfo, type RunRow, type RunTime } from "#src/contract/records/run.ts";
import { createKeyTable } from "#src/replay/sources/key-table.ts";
import type { Runs } from "#src/storage/database/runs.ts";
import { addRun, wholeRows } from "./move-runs.ts";

/**
 * Merges the runs of shards into a new run, in the order of the sources. It is complete when all of them are, and no shard is missing.
 * @param parts complete or partial runs of the same sources, project and settings
 * @param baseline id of the run that it is compared with
 * @throws Fault("usage") for runs that do not belong together; Fault("corrupt" | "interrupted" | "storage"): nothing is left then
 */
export async function mergeRuns(
  context: ActionContext,
  parts: readonly RunInfo[],
  baseline: string | null,
  signal: AbortSignal,
): Promise<RunInfo> {
  const [first] = parts;
  if (first === undefined || parts.length < 2) throw usage`Name two or more runs to merge.`;
  for (const part of parts.slice(1)) expectAlike(first, part);
  const runs = await context.runs();
  const { shard, pace: _pace, state: _state, summary: _summary, ...settings } = first;
  const isWhole = parts.every(({ state }) => state === "complete") && missingShards(parts).length === 0;
  return await addRun(
    runs,
    {
      ...settings,
      id: context.newId(),
      at: Math.min(...parts.map(({ at }) => at)),
      baseline,
      copyOf: parts.map(({ id }) => id),
      ...(shard === undefined ? {} : { shards: shard.of }),
    },
    mergedRows(runs, parts),
    {
      state: isWhole ? "complete" : "partial",
      // Every shard reads all lines of its sources.
      rejected: Math.max(...parts.map(({ summary }) => summary?.rejected ?? 0)),
      durationMs: activeMs(parts),
      time: commonTime(parts),
    },
    signal,
  );
}

/** Those that no run is of, where the runs are shards. */
export function missingShards(parts: readonly RunInfo[]): number[] {
  const of = Math.max(0, ...parts.map(({ shard }) => shard?.of ?? 0));
  return Array.from({ length: of }, (_, index) => index + 1).filter((part) =>
    parts.every(({ shard }) => shard !== undefined && shard.part !== part),
  );
}

function expectAlike(first: RunInfo, other: RunInfo): void {
  const facts: readonly (readonly [string, (run: RunInfo) => unknown])[] = [
    ["profiles", ({ profile }) => profile],
    ["projects", ({ project }) => project],
    ["units of amounts", ({ amountUnit }) => amountUnit],
    ["sources", ({ sources }) => sources],
    ["settings of order ids", ({ freshOrderIds }) => freshOrderIds],
    ["rules", ({ isolated, rulesHash }) => [isolated, rulesHash]],
    ["columns left out", ({ ignoredColumns }) => ignoredColumns],
    ["settings of time", ({ time }) => time],
    ["sandboxes", ({ isolated }) => isolated],
    ["tags", ({ onlyTags, skipTags }) => [onlyTags, skipTags]],
    ["numbers of shards", ({ shard }) => shard?.of],
  ];
  const different = facts.find(([, of]) => JSON.stringify(of(first)) !== JSON.stringify(of(other)));
  if (different === undefined) return;
  throw usage`Runs ${first.id} and ${other.id} have different ${whole(different[0])}; only parts of one replay can be merged.`;
}

/** Undefined where shards began with different payments, so that some were decided by their own time and some were not. */
function commonTime(parts: readonly RunInfo[]): RunTime | undefined {
  const [time, ...others] = new Set(parts.flatMap(({ summary }) => summary?.time ?? []));
  return others.length === 0 ? time : undefined;
}

/** Time in which at least one of the runs was under way, each without its pauses. */
function activeMs(parts: readonly RunInfo[]): number {
  let [sum, until] = [0, -Infinity];
  for (const { at, summary } of parts.toSorted((a, b) => a.at - b.at)) {
    const end = at + (summary?.durationMs ?? 0);
    sum += Math.max(0, end - Math.max(at, until));
    until = Math.max(until, end);
  }
  return sum;
}

/** In the order of the sources; an item that several runs have with the same content once. @throws Fault("usage") for different content */
async function* mergedRows(runs: Runs, parts: readonly RunInfo[]): AsyncGenerator<RunRow> {
  const readers = parts.map((part) => wholeRows(runs, part));
  const heads = await Promise.all(readers.map((reader) => reader.next()));
  const keys = createKeyTable();
  let before: RunRow | null = null;
  for (;;) {
    let from = -1;
    for (const [index, { value }] of heads.entries()) {
      if (value !== undefined && (from < 0 || value.seq < heads[from]!.value!.seq)) from = index;
    }
    if (from < 0) return;
    const row = heads[from]!.value!;
    heads[from] = await readers[from]!.next();
    const isSame = before?.seq === row.seq;
    if (isSame ? contentOf(row) !== contentOf(before!) : keys.count(row.key) > 1) {
      throw usage`Item ${row.key} has different content in two of the runs, so they are not parts of one replay; name runs of different shards.`;
    }
    if (!isSame) yield row;
    before = row;
  }
}

/** What two runs must agree on in an item that both have. */
function contentOf(row: RunRow): string {
  return hash(
    "sha256",
    JSON.stringify([row.key, row.request, row.result?.outcome, trustedVerdict(row.result)]),
  );
}
