// Takes a history that an earlier build left as JSON lines into the database, once.

import { statSync } from "node:fs";
import { join } from "node:path";

import { escapeText } from "#src/contract/text/escape-text.ts";
import { Fault } from "#src/contract/fault.ts";
import { acquireLock } from "#src/storage/documents/file-lock.ts";
import type { StoreProblem } from "#src/storage/store-problem.ts";
import type { Database } from "./database.ts";
import { earlierRecords, earlierSegments, type EarlierRecord } from "./earlier-journal.ts";
import { insertEntry, TAKEN_OVER } from "./history-form.ts";
import type { HistoryRecord, Learned } from "./history-record.ts";

export interface TakeOver {
  /** Folder of the earlier history. */
  readonly dir: string;
  /** Stops between two batches; what has been taken over stays, and the next start goes on. */
  readonly signal: AbortSignal;
  /** Bytes read, of all. */
  onProgress(done: number, all: number): void;
  onProblem(problem: StoreProblem): void;
  /** Applies what was learned to a row that is there; false where there is none. */
  learn(record: Extract<HistoryRecord, { type: "learned" }>): boolean;
}

const BATCH = 500;

/** Whether there is anything to take over that has not been. */
export async function hasEarlier(database: Database | null, dir: string): Promise<boolean> {
  if (database?.get("SELECT 1 FROM meta WHERE name = ?", TAKEN_OVER) !== undefined) return false;
  return (await earlierSegments(dir)).length > 0;
}

/** @throws Fault("interrupted") when the signal fires; Fault("storage") */
export async function takeOver(database: Database, options: TakeOver): Promise<void> {
  const { dir, signal, onProgress, onProblem } = options;
  const lock = await acquireLock(`${database.path}.lock`, { waitMs: 10 * 60_000 });
  try {
    // Another process may have done it while this one waited.
    if (!(await hasEarlier(database, dir))) return;
    const files = await earlierSegments(dir);
    const all = files.reduce((sum, file) => sum + statSync(join(dir, file)).size, 0);
    const damaged = new Map<string, number>();
    /** What was learned of an entry by a process whose clock was behind. */
    const early = new Map<string, Partial<Learned>>();
    let done = 0;
    let batch: EarlierRecord[] = [];
    const write = async (isLast: boolean): Promise<void> => {
      await database.write(() => {
        for (const { record } of batch) apply(database, record as HistoryRecord, early, options);
        if (isLast) database.run("INSERT OR IGNORE INTO meta VALUES (?, 1)", TAKEN_OVER);
      });
      for (const { bytes } of batch) done += bytes;
      batch = [];
      onProgress(done, all);
    };
    for await (const record of earlierRecords(dir, (file) =>
      damaged.set(file, (damaged.get(file) ?? 0) + 1),
    )) {
      if (batch.push(record) >= BATCH) await write(false);
      if (signal.aborted) {
        throw new Fault(
          "interrupted",
          "Stopped while the earlier history was taken over; the next start goes on.",
        );
      }
    }
    await write(true);
    for (const [file, count] of damaged) {
      const path = join(dir, file);
      const message = `${count} damaged ${count === 1 ? "line" : "lines"} of ${escapeText(path)} could not be taken over; the file stays where it is.`;
      onProblem({ path, message, isNew: true });
    }
  } finally {
    await lock.release();
  }
}

/** Runs again after an interruption: what is there already stays as it is. */
function apply(
  database: Database,
  record: HistoryRecord,
  early: Map<string, Partial<Learned>>,
  { learn }: TakeOver,
): void {
  if (record.type === "learned") {
    if (!learn(record)) early.set(record.id, { ...early.get(record.id), ...record.learned });
  } else if (record.type === "intent") {
    const { entry } = record;
    if (database.get("SELECT 1 FROM entry WHERE id = ?", entry.id) !== undefined) return;
    insertEntry(database, { ...entry, ...early.get(entry.id) });
  }
}
