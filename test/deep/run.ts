// Runs the deep tests with the Node that runs this file; further words go to vitest.

import { spawnSync } from "node:child_process";

const { status } = spawnSync(
  process.execPath,
  ["node_modules/vitest/vitest.mjs", "run", ...process.argv.slice(2)],
  { stdio: "inherit", env: { ...process.env, VERDICT_TESTS: "deep" } },
);
process.exitCode = status ?? 1;
