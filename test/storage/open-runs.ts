// Runs in a folder, as the program keeps them in its data folder.

import { join } from "node:path";

import { openRuns, type Runs, type RunsOptions } from "#src/storage/database/runs.ts";

export function runsIn(dir: string, options: Partial<RunsOptions> = {}): Runs {
  const [path, history] = ["runs.db", "history.db"].map((name) => join(dir, name));
  return openRuns({ path: path!, history: history!, now: Date.now, ...options });
}
