// verdict run merge: one run of the shards of a replay, reported and judged as a replay is.

import { findRun, openSide } from "#src/actions/replay/compare-runs.ts";
import { readGolden } from "#src/actions/replay/golden-file.ts";
import { mergeRuns, missingShards } from "#src/actions/replay/merge-runs.ts";
import type { CommandRun } from "#src/cli/command.ts";
import { counted } from "#src/display/count.ts";
import { WarningTally } from "#src/replay/warning-tally.ts";
import { Rejects } from "./rejects.ts";
import { report } from "./replay.ts";
import { readReports } from "./report-files.ts";
import type { RUN_MERGE } from "./replay-options.ts";

export const merge: CommandRun<typeof RUN_MERGE> = async (invocation) => {
  const { args, options, output, signal } = invocation;
  const golden =
    options.golden === undefined ? null : await readGolden(options.golden, options.update, signal);
  const plan = {
    gates: options,
    reports: readReports(options),
    rejects: new Rejects(undefined),
  };
  const context = await invocation.context();
  const runs = await context.runs();
  const parts = await Promise.all(args.map((id) => findRun(runs, id!)));
  const side = await openSide(runs, golden ?? options.baseline ?? parts[0]!.baseline);
  const info = await mergeRuns(context, parts, side.run?.id ?? null, signal);
  const compared = await side.compare(info);
  for (const part of missingShards(parts)) {
    output.complain(`No run is of shard ${part}; its items are missing from the totals.`);
  }
  const { rejected } = info.summary!;
  if (rejected > 0)
    output.complain(
      `${counted(rejected, "payload of the sources was", "payloads of the sources were")} rejected and not checked.`,
    );
  return await report(
    invocation,
    context,
    {
      ...compared,
      info,
      side,
      leftOut: 0,
      warnings: new WarningTally().sum(),
      stopped: "done",
      notSaved: null,
    },
    plan,
  );
};
