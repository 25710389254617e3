// Runs a part of the tests with the Node that runs this file: node test/run.ts <first | rest | deep> [words for vitest].

import { spawnSync } from "node:child_process";

const [part = "first", ...words] = process.argv.slice(2);
// Who names a file wants it, whatever the part that it is in.
const isNamed = part === "first" && words.some((word) => !word.startsWith("-"));
const { status } = spawnSync(process.execPath, ["node_modules/vitest/vitest.mjs", "run", ...words], {
  stdio: "inherit",
  env: { ...process.env, ...(isNamed ? {} : { VERDICT_TESTS: part }) },
});
process.exitCode = status ?? 1;
