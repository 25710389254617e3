// A history of any size in seconds: entries in the real form, many to a transaction.

import { statSync } from "node:fs";
import { join } from "node:path";
import { Database } from "#src/storage/database/database.ts";
import { HISTORY, insertEntry } from "#src/storage/database/history-form.ts";
import { entryOf, type Owner } from "../captures/full-history.ts";

const BATCH = 1_000;

/**
 * Writes `count` checks that end at `now`, one every `stepMs`.
 * @param dir data folder of a home
 * @returns bytes
 */
export async function writeBulkHistory(
  dir: string,
  count: number,
  of: Owner,
  now: number,
  stepMs = 30_000,
): Promise<number> {
  const path = join(dir, "history.db");
  const database = (await Database.open(path, HISTORY, true))!;
  for (let left = count; left > 0; left -= BATCH) {
    await database.write(() => {
      for (let age = left - 1; age >= Math.max(0, left - BATCH); age -= 1) {
        const at = now - age * stepMs;
        const id = `${at.toString(36).padStart(9, "0")}${(age % 0xffffffffff).toString(16).padStart(10, "0")}`;
        insertEntry(database, { ...entryOf(age, of, now), at, id });
      }
    });
  }
  database.close();
  return statSync(path).size;
}
