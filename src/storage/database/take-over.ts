// Copies the JSON lines of an earlier build into the database, once.

import { statSync } from "node:fs";
import { basename, join } from "node:path";

import { escapeText } from "#src/contract/text/escape-text.ts";
import { Fault } from "#src/contract/fault.ts";
import { acquireLock } from "#src/storage/documents/file-lock.ts";
import type { StoreProblem } from "#src/storage/store-problem.ts";
import type { Database } from "./database.ts";
import { earlierRecords, earlierSegments, type EarlierRecord } from "./earlier-journal.ts";

/** Key in `meta`: the JSON lines of earlier builds are in the database. */
export const TAKEN_OVER = "taken_over";

/** Events of a table; callbacks, so that a worker can forward them. */
export interface TableEvents {
  onProblem(problem: StoreProblem): void;
  /** A sentence about a long wait or a repair, to be shown at once. */
  onNotice(sentence: string): void;
  /** Progress of a take-over: bytes done, of all. */
  onTakeOver(done: number, all: number): void;
  /** Stops a take-over. */
  readonly signal: AbortSignal;
}

export interface EarlierLines {
  /** The folders of JSON lines, in order. */
  folders(): Promise<readonly string[]>;
  /**
   * Returns a function that applies one record within a transaction. After an interruption all records are applied again, so
   * it must be idempotent.
   * @param folder name of the record's folder
   */
  apply(database: Database): (record: unknown, folder: string) => void;
}

const BATCH = 500;

/** True when JSON lines remain to be taken over. */
export async function hasEarlier(database: Database | null, folders: readonly string[]): Promise<boolean> {
  const taken = () => database?.get("SELECT 1 FROM meta WHERE name = ?", TAKEN_OVER);
  if ((await database?.read(taken)) !== undefined) return false;
  for (const folder of folders) if ((await earlierSegments(folder)).length > 0) return true;
  return false;
}

/** @throws Fault("interrupted") when the signal fires, and the next start resumes; Fault("storage") */
export async function takeOver(
  database: Database,
  folders: readonly string[],
  earlier: EarlierLines,
  { signal, onTakeOver, onProblem }: TableEvents,
): Promise<void> {
  const lock = await acquireLock(`${database.path}.lock`, { waitMs: 10 * 60_000 });
  try {
    // Another process may have done it during the wait.
    if (!(await hasEarlier(database, folders))) return;
    const apply = earlier.apply(database);
    const damaged = new Map<string, number>();
    let all = 0;
    for (const folder of folders) {
      for (const file of await earlierSegments(folder)) all += statSync(join(folder, file)).size;
    }
    let done = 0;
    let batch: EarlierRecord[] = [];
    const write = async (folder: string, isLast: boolean): Promise<void> => {
      await database.write(() => {
        for (const { record } of batch) apply(record, basename(folder));
        if (isLast) database.run("INSERT OR IGNORE INTO meta VALUES (?, 1)", TAKEN_OVER);
      });
      for (const { bytes } of batch) done += bytes;
      batch = [];
      onTakeOver(done, all);
    };
    for (const folder of folders) {
      const onDamaged = (file: string): void => {
        const path = join(folder, file);
        damaged.set(path, (damaged.get(path) ?? 0) + 1);
      };
      for await (const record of earlierRecords(folder, onDamaged)) {
        if (batch.push(record) >= BATCH) await write(folder, false);
        if (signal.aborted) {
          throw new Fault(
            "interrupted",
            "Stopped while what an earlier version kept was taken over; the next start goes on.",
          );
        }
      }
      await write(folder, folder === folders.at(-1));
    }
    for (const [path, count] of damaged) {
      const message = `${count} damaged ${count === 1 ? "line" : "lines"} of ${escapeText(path)} could not be taken over; the file stays where it is.`;
      onProblem({ path, message, isNew: true });
    }
  } finally {
    await lock.release();
  }
}
