// A history with a damaged entry and one that its log alone has, as a killed session leaves it.

import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect } from "vitest";

import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import { intent } from "./entries.ts";
import { historyIn } from "./open-history.ts";
import { temporaryFolder } from "./temporary-folder.ts";

export const FILES = ["history.db", "history.db-wal"];
export const SAVED = ["e1", "e3", "e4", "e5"];

/** Entries `e1` to `e5`, the last one in the log alone; the second one is damaged. */
export async function damagedHistory(how: "row" | "first page" = "row"): Promise<string> {
  const [dir, live] = [temporaryFolder(), temporaryFolder()];
  const history = historyIn(live);
  // Each on a page of its own, so that the log has none of the damaged one.
  const large = (id: string): HistoryEntry => intent(id, { request: { description: "x".repeat(3_500) } });
  for (const id of ["e1", "e2", "e3", "e4"]) await history.intend(large(id));
  await history.close();
  await history.intend(large("e5"));
  // By another process, because the locks of this one would be gone.
  execFileSync("cp", [...FILES.map((name) => join(live, name)), dir]);
  await history.close();
  const bytes = readFileSync(join(dir, "history.db"));
  bytes[bytes.indexOf('"id":"e2"') + 2]! ^= 1;
  if (how === "first page") bytes.fill(0xaa, 0, 200);
  writeFileSync(join(dir, "history.db"), bytes, { mode: 0o600 });
  return dir;
}

export async function idsIn(dir: string): Promise<string[]> {
  const history = historyIn(dir);
  try {
    return (await history.latest(99)).map(({ id }) => id).toSorted();
  } finally {
    await history.close();
  }
}

/** Nothing of it lies about but the damaged file, with its log where no look at it has emptied that. */
export async function expectSalvaged(dir: string): Promise<void> {
  expect(await idsIn(dir)).toEqual(SAVED);
  const names = readdirSync(dir)
    .map((name) => name.replace(/-\d{8}T\d+Z/, "-TIME"))
    // A temporary file of a killed process is removed later.
    .filter((name) => name !== "history.db.corrupt-TIME-wal" && !name.startsWith("."));
  expect(names.toSorted()).toEqual(["history.db", "history.db.corrupt-TIME"]);
}
