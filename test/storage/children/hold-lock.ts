// Takes a lock, says so, and holds it until killed.

import { writeSync } from "node:fs";

import { acquireLock } from "#src/storage/documents/file-lock.ts";

await acquireLock(process.argv[2]!);
writeSync(1, "held\n");
setInterval(() => {}, 1_000);
