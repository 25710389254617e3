// A history in a folder, as the program keeps it in its data folder.

import { join } from "node:path";

import { openHistory } from "#src/storage/database/history.ts";
import type { History } from "#src/storage/database/history.ts";

export function historyIn(dir: string): History {
  return openHistory({ path: join(dir, "history.db"), earlier: join(dir, "history") });
}
