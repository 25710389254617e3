// Reads the options of a replay.

import type { ReplayInput } from "#src/actions/replay/replay.ts";
import { readAgainKinds } from "#src/actions/replay/run-source.ts";
import { ISOLATED_PROJECT } from "#src/app/isolated.ts";
import type { Invocation } from "#src/cli/command.ts";
import { lazyStdin } from "#src/app/read-input.ts";
import { usage, whole } from "#src/contract/fault.ts";
import { readRunTime, type RunTime, type Shard } from "#src/contract/records/run.ts";
import { payloadTagsProblem, readTags } from "#src/contract/records/saved-payload.ts";
import { isPipe } from "#src/replay/sources/pipe.ts";

const STOP_AFTER = 20;
const MOST = 1_000_000_000;

/** @throws Fault("usage") for values out of bounds, and for options that exclude each other */
export function readReplayInput(invocation: Invocation): ReplayInput {
  const { options } = invocation;
  const given = invocation.args.filter((word) => word !== undefined);
  const again = options.text("again");
  const sources = again === undefined ? given : [againSource(again, given)];
  const continues = options.text("continue") ?? null;
  const baseline = options.text("baseline") ?? null;
  const against = options.text("against");
  if (continues !== null)
    refuseBeside("--continue", "a run keeps its own", [
      ["--again", again !== undefined],
      ["sources", sources.length > 0],
      ["--baseline", baseline !== null],
      ["--against", against !== undefined],
      ["--fresh-order-ids", options.flag("freshOrderIds")],
      ["--ignore-columns", options.list("ignoreColumns").length > 0],
      ["--shard", options.text("shard") !== undefined],
      ["--only-tag", options.text("onlyTag") !== undefined],
      ["--skip-tag", options.text("skipTag") !== undefined],
    ]);
  if (against !== undefined) {
    refuseBeside("--against", "the first of its two runs is the baseline", [
      ["--baseline", baseline !== null],
    ]);
    if (options.flag("isolated") && against.includes(":")) {
      throw usage`--isolated sends to its own sandbox alone; name a project without a profile, such as --against shop/high, or compare two rule files with "verdict rules backtest".`;
    }
    if (sources.some((source) => source === "-" || isPipe(source))) {
      throw usage`--against reads the sources twice, and a pipe is empty after the first time; name a file.`;
    }
  }
  if (sources.length === 0 && continues === null) {
    throw usage`Give at least one source: a file, a folder, the name of a saved payload, "history:<filter>", "run:<id>", or - for standard input.`;
  }
  return {
    sources,
    project: options.text("project") ?? (options.flag("isolated") ? ISOLATED_PROJECT : undefined),
    concurrency: options.integer("concurrency", "--concurrency", { min: 1, max: 256 }),
    ratePerS: readRate(options.text("rate")),
    baseline,
    continues,
    freshOrderIds: options.flag("freshOrderIds"),
    shard: readShard(options.text("shard")),
    onlyTags: readTagChoice("--only-tag", options.text("onlyTag")),
    skipTags: readTagChoice("--skip-tag", options.text("skipTag")),
    time: readTime(options.text("time")),
    strict: options.flag("strict"),
    ignoredColumns: readIgnoredColumns(options),
    stopAfterFailures: options.integer("stopAfter", "--stop-after", { min: 0, max: MOST }) ?? STOP_AFTER,
    stdin: lazyStdin(invocation),
  };
}

function refuseBeside(option: string, why: string, others: readonly (readonly [string, boolean])[]): void {
  const given = others.find(([, isGiven]) => isGiven);
  if (given === undefined) return;
  throw usage`${option} and ${given[0]} exclude each other, because ${whole(why)}; leave one of them out.`;
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

/** Undefined for none. @throws Fault("usage") for an empty name */
export function readIgnoredColumns(options: Invocation["options"]): string[] | undefined {
  const names = options.list("ignoreColumns").flatMap((text) => text.split(",").map((name) => name.trim()));
  if (!names.includes("")) return names.length === 0 ? undefined : names;
  throw usage`--ignore-columns takes the names of columns, with commas between them: label,status.`;
}

function readTime(text: string | undefined): RunTime | undefined {
  if (text === undefined) return undefined;
  const time = readRunTime(text);
  if (time !== null) return time;
  throw usage`--time takes now, recorded, or a speed such as x1 or x60, not "${text}".`;
}

function readShard(text: string | undefined): Shard | undefined {
  if (text === undefined) return undefined;
  const [, part, of] = (/^([1-9]\d{0,3})\/([1-9]\d{0,3})$/.exec(text) ?? []).map(Number);
  if (part !== undefined && of !== undefined && part <= of) return { part, of };
  throw usage`--shard takes a part of a whole, such as 1/4 to 4/4, not "${text}".`;
}

function readRate(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const rate = Number(text);
  if (/^\d{1,6}(\.\d{1,6})?$/.test(text) && rate > 0 && rate <= 100_000) return rate;
  throw usage`--rate takes items a second, such as 50 or 0.5, not "${text}".`;
}
