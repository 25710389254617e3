// The database of one tenant of a sandbox.

import type { DatabaseForm } from "./database.ts";

/** Decisions with what they counted, used signatures, requests. */
export const LOGS = ["decision", "signature", "request"] as const;
export type Log = (typeof LOGS)[number];

/** Its name in the folder of a tenant. */
export const STATE_FILE = "state.db";

export const STATE_FORM: DatabaseForm = {
  applicationId: 0x76_64_73_62,
  version: 1,
  schema: [
    "CREATE TABLE value (name TEXT PRIMARY KEY, bytes BLOB NOT NULL) STRICT",
    ...LOGS.map((log) => `CREATE TABLE ${log} (number INTEGER PRIMARY KEY, bytes BLOB NOT NULL) STRICT`),
  ].join(";\n"),
  upkeep: "restore it from a backup, or move its folder away to start with an empty sandbox",
  holds: "projects and decisions",
  cacheKiB: 2_048,
  // A checkpoint waits for the disk, and requests wait for it: with these for 6 ms, with SQLite's own 1,000 for 17.
  checkpointPages: 256,
};
