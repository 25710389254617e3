// Moves runs between machines as files.

import type { ActionContext } from "#src/actions/action-context.ts";
import { interrupted, usage } from "#src/contract/fault.ts";
import type { CurrencyNumbering } from "#src/contract/records/profile.ts";
import type { RunHeader, RunInfo, RunRow, RunState, RunSummary } from "#src/contract/records/run.ts";
import { readRunFile, runFileLines, type RunFileHead } from "#src/replay/run-file.ts";
import { fileChunks, namedFile } from "#src/replay/sources/source-files.ts";
import { readLines } from "#src/replay/sources/source-lines.ts";
import { Tally } from "#src/replay/tally.ts";
import { uncopied, type Runs } from "#src/storage/database/runs.ts";

/**
 * The lines of a run's file, in flat memory.
 * @throws (while they are read) Fault("corrupt") for a run with damaged items
 */
export function exportRun(runs: Runs, info: RunInfo): AsyncGenerator<string> {
  return runFileLines(info, wholeRows(runs, info));
}

/** The rows of a run that is copied. @throws Fault("corrupt") after the last row where some were left out */
export async function* wholeRows(runs: Runs, { id, summary }: RunInfo): AsyncGenerator<RunRow> {
  let count = 0;
  for await (const row of runs.wholeRows(id)) {
    count += 1;
    yield row;
  }
  // Of pages that cannot be read not even the number of items is left.
  if (summary !== null && summary.counts.total > count) throw uncopied(id, summary.counts.total - count);
}

/**
 * Imports the run of a file; all of it or nothing.
 * @returns the run, and whether it was here already
 * @throws Fault("usage") for a missing file, or another run of the same id; Fault("bad_input") for a file that is cut, damaged or holds a
 *   card number
 */
export async function importRun(
  context: ActionContext,
  input: {
    readonly path: string;
    /** Of a profile by name. */
    readonly numberingOf: (profile: string) => CurrencyNumbering | undefined;
  },
  signal: AbortSignal,
): Promise<{ readonly info: RunInfo; readonly isNew: boolean }> {
  const runs = await context.runs();
  const file = await namedFile(input.path);
  const lines = readLines(fileChunks(file, signal), file.label);
  try {
    const { head, rows, checksum } = await readRunFile(lines, file.label, input.numberingOf);
    const { run, ...end } = head;
    const held = await runs.find(run.id);
    if (held?.id === run.id) {
      for await (const _ of rows);
      if ((await checksumOf(runs, held)) === checksum()) return { info: held, isNew: false };
      throw usage`${file.label} and this machine hold different runs with the id ${run.id}; to keep the run of the file, remove the run on this machine first.`;
    }
    const header = { ...run, copyOf: [run.id] };
    return { info: await addRun(runs, header, rows, end, signal), isNew: true };
  } finally {
    // Gives the file back.
    await lines.return(undefined);
  }
}

/** The checksum that the file of a run would have. */
async function checksumOf(runs: Runs, info: RunInfo): Promise<string> {
  let last = "";
  for await (const line of exportRun(runs, info)) last = line;
  return (JSON.parse(last) as { sha256: string }).sha256;
}

/** Adds a run with the sums of its rows. @throws Fault("interrupted"), and as `Runs.add` does: nothing of it is left then */
export async function addRun(
  runs: Runs,
  header: RunHeader,
  rows: AsyncIterable<RunRow>,
  end: Omit<RunFileHead, "run">,
  signal: AbortSignal,
): Promise<RunInfo> {
  const tally = new Tally();
  async function* tallied(): AsyncGenerator<RunRow> {
    for await (const row of rows) {
      if (signal.aborted) throw interrupted`Stopped; nothing of the run was kept.`;
      tally.take(row);
      yield row;
    }
  }
  const ended = (): { readonly state: RunState; readonly summary: RunSummary } => ({
    state: end.state,
    summary: tally.summary(end.rejected, end.durationMs, end.time),
  });
  await runs.add(header, tallied(), ended);
  return { ...header, ...ended() };
}
