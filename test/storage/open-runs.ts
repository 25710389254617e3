// Runs in a folder, as the program keeps them in its data folder.

import { join } from "node:path";

import { openRuns, type Runs, type RunsOptions } from "#src/storage/database/runs.ts";

export function runsIn(dir: string, options: Partial<RunsOptions> = {}): Runs {
  return openRuns({ path: join(dir, "runs.db"), earlier: join(dir, "runs"), now: Date.now, ...options });
}
