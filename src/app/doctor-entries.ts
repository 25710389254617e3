// Findings of `verdict doctor --verify`: the entries of the history and of the runs that are damaged. Changes nothing.

import { Fault } from "#src/contract/fault.ts";
import { findingsOf, type Finding } from "#src/contract/finding.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import type { Secret } from "#src/contract/secret.ts";
import { counted } from "#src/display/count.ts";
import { HistoryTable } from "#src/storage/database/history-table.ts";
import { RunTable } from "#src/storage/database/run-table.ts";
import type { OnProgress, TableEvents } from "#src/storage/database/table-database.ts";

export interface Verification {
  readonly signal: AbortSignal;
  /** The progress of a work by its name. */
  progressOf(work: string): OnProgress;
  /** As `ContextOptions.askPassphrase`; absent without a terminal. */
  readonly askPassphrase?: (problem: string | null) => Promise<Secret>;
}

const finding = findingsOf("files");
const problem = (what: string): Finding => finding("problem", what);

/** @param path of the database */
export function historyEntries(path: string, { signal, progressOf }: Verification): Promise<Finding[]> {
  return withFaults(async (said) => {
    const table = new HistoryTable(path, eventsTo(said));
    const check = await table.verify(signal, progressOf("Verifying the history"));
    await table.close();
    const { entries = 0, missing = 0, damaged = [], misleading = [] } = check ?? {};
    const { damagedLabels = [], pages = [], isWhole = true } = check ?? {};
    const count = counted(entries, "entry", "entries");
    if (isWhole)
      return [
        finding(
          "ok",
          `The history is undamaged: ${count}; every checksum is correct and no entry is missing.`,
        ),
      ];
    const file = escapeText(path);
    return [
      ...damaged.map((place) => problem(`${file}: entry ${place} is damaged and ignored.`)),
      ...misleading.map((place) =>
        problem(`${file}: filters may not find entry ${place}; the entry itself is undamaged.`),
      ),
      ...damagedLabels.map((order) =>
        problem(`${file}: the label of order ${escapeText(order, 60)} is damaged.`),
      ),
      ...pages.map((found) => problem(`${file}: ${escapeText(found)}`)),
      finding(
        "problem",
        `The history is damaged: of ${count} ${damaged.length} are damaged and ${missing} are missing.`,
        'Save the rest with "verdict history salvage".',
      ),
    ];
  });
}

/** @param path of the database */
export function runEntries(path: string, { signal, progressOf }: Verification): Promise<Finding[]> {
  return withFaults(async (said) => {
    const table = new RunTable(path, eventsTo(said));
    const check = await table.verify(signal, progressOf("Verifying the runs"));
    await table.close();
    const { runs = 0, items = 0 } = check ?? {};
    const count = `${counted(runs, "run")} with ${counted(items, "item")}`;
    if (said.every(({ state }) => state !== "problem"))
      return [finding("ok", `The runs are whole: ${count}; every item has its checksum.`)];
    return [
      finding(
        "problem",
        `The runs are damaged; ${count} can be read.`,
        `Restore ${escapeText(path)} from a backup of yours, or remove the damaged runs with "verdict run remove ID".`,
      ),
    ];
  });
}

/** The messages of the table while it reads, then the findings; a fault becomes a problem. */
async function withFaults(verify: (said: Finding[]) => Promise<Finding[]>): Promise<Finding[]> {
  const said: Finding[] = [];
  try {
    const found = await verify(said);
    return [...said, ...found];
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return [...said, problem(error.message)];
  }
}

function eventsTo(said: Finding[]): TableEvents {
  return {
    onProblem: ({ message }) => said.push(problem(message)),
    onNotice: (sentence) => said.push(finding("note", sentence)),
  };
}
