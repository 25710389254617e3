// Reads the options of a replay.

import { readGolden } from "#src/actions/replay/golden-file.ts";
import type { ReplayInput } from "#src/actions/replay/replay.ts";
import { readAgainKinds } from "#src/actions/replay/run-source.ts";
import { ISOLATED_PROJECT } from "#src/app/isolated.ts";
import type { Invocation } from "#src/cli/command.ts";
import type { READING } from "#src/cli/option-specs.ts";
import type { Values } from "#src/cli/option.ts";
import type { REPLAY } from "./replay-options.ts";
import { lazyStdin } from "#src/app/read-input.ts";
import { usage, whole } from "#src/contract/fault.ts";
import { payloadTagsProblem, readTags } from "#src/contract/records/saved-payload.ts";
import { isPipe } from "#src/replay/sources/pipe.ts";

export type Replaying = Invocation<typeof REPLAY>;

/** @throws Fault("usage") for sources that are missing, or do not go with the options; Fault as `readGolden` does */
export async function readReplayInput(invocation: Replaying): Promise<ReplayInput> {
  const { options } = invocation;
  const given = invocation.args.filter((word) => word !== undefined);
  const sources = options.again === undefined ? given : [againSource(options.again, given)];
  if (options.continue !== undefined && sources.length > 0) {
    throw usage`--continue sends the sources of its run; leave the others out.`;
  }
  if (options.against !== undefined) {
    if (options.isolated && options.against.includes(":")) {
      throw usage`--isolated sends to its own sandbox alone; name a project without a profile, such as --against shop/high, or compare two rule files with "verdict rules backtest".`;
    }
    if (sources.some((source) => source === "-" || isPipe(source))) {
      throw usage`--against reads the sources twice, and a pipe is empty after the first time; name a file.`;
    }
  }
  if (sources.length === 0 && options.continue === undefined) {
    throw usage`Give at least one source: a file, a folder, the name of a saved payload, "history:<filter>", "run:<id>", or - for standard input.`;
  }
  const golden =
    options.golden === undefined ? null : await readGolden(options.golden, options.update, invocation.signal);
  return {
    sources,
    project: options.project ?? (options.isolated ? ISOLATED_PROJECT : undefined),
    concurrency: options.concurrency,
    ratePerS: options.rate,
    orderBy: options.orderBy,
    baseline: golden ?? options.baseline ?? null,
    continues: options.continue ?? null,
    freshOrderIds: options.freshOrderIds,
    shard: options.shard,
    onlyTags: readTagChoice("--only-tag", options.onlyTag),
    skipTags: readTagChoice("--skip-tag", options.skipTag),
    time: options.time,
    strict: options.strict,
    ignoredColumns: ignoredColumns(options),
    stopAfterFailures: options.stopAfter,
    stdin: lazyStdin(invocation),
  };
}

/** The items of a run as a source. @throws Fault("usage") for an unknown kind, or several runs */
function againSource(kinds: string, [run = "last", ...others]: readonly string[]): string {
  if (others.length > 0) {
    throw usage`--again takes one run: its id, the beginning of it, or last.`;
  }
  return `run:${run}:${readAgainKinds(kinds).join(",")}`;
}

function readTagChoice(option: string, text: string | undefined): readonly string[] | undefined {
  if (text === undefined) return undefined;
  const tags = readTags(text);
  const problem = tags.length === 0 ? "it takes tags, separated by commas." : payloadTagsProblem(tags);
  if (problem === null) return tags;
  throw usage`${option}: ${whole(problem)}`;
}

/** Undefined for none. */
export function ignoredColumns({ ignoreColumns }: Values<typeof READING>): string[] | undefined {
  return ignoreColumns.length === 0 ? undefined : ignoreColumns.flat();
}
