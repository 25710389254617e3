// Salvages the history in a folder, and prints how many entries are saved.

import { writeSync } from "node:fs";

import { Fault } from "#src/contract/fault.ts";
import { historyIn } from "../open-history.ts";

const history = historyIn(process.argv[2]!);
try {
  const salvaged = await history.salvage(Date.UTC(2026, 1, 1), () => undefined);
  writeSync(1, `saved ${salvaged?.saved}\n`);
} catch (error) {
  if (!(error instanceof Fault)) throw error;
  writeSync(1, `refused ${error.code} ${error.message}\n`);
}
