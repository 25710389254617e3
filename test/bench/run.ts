// npm run bench: every figure beside a yardstick from the same run, printed, and appended to results.jsonl for later comparison.

import { execFileSync } from "node:child_process";
import { appendFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { fileURLToPath } from "node:url";
import { benchCapture } from "./capture.ts";
import { benchConsole } from "./console.ts";
import { benchDurableAppend } from "./durable-append.ts";
import { benchLongHistory } from "./long-history.ts";
import type { Row } from "./measure.ts";
import { benchReplay } from "./replay.ts";
import { benchRunComparison } from "./run-comparison.ts";
import { benchRules } from "./rules.ts";
import { benchSandbox } from "./sandbox.ts";
import { benchStart } from "./start.ts";
import { benchVault } from "./vault.ts";
import { benchWorkers } from "./workers.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
execFileSync(process.execPath, ["src/build/build.ts"], { cwd: root, stdio: ["ignore", "ignore", "inherit"] });

const rows: Row[] = [];
for (const bench of [
  benchStart,
  benchRules,
  benchConsole,
  benchDurableAppend,
  benchLongHistory,
  benchReplay,
  benchRunComparison,
  benchSandbox,
  benchVault,
  benchCapture,
  benchWorkers,
]) {
  for await (const row of bench(root)) {
    rows.push(row);
    console.log(lineOf(row));
  }
}
appendFileSync(
  `${root}test/bench/results.jsonl`,
  `${JSON.stringify({
    at: new Date().toISOString(),
    node: process.version,
    cpu: cpus()[0]?.model ?? "unknown",
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    rows,
  })}\n`,
);

function lineOf(row: Row): string {
  const what = row.what.padEnd(46);
  if ("unit" in row) {
    const verdict = row.measured <= row.budget ? "ok" : "OVER";
    return `${what} ${row.measured.toFixed(1).padStart(9)} ${row.unit}  budget ${row.budget} ${row.unit}  ${verdict}`;
  }
  const ours = row.measuredMs.toFixed(3).padStart(9);
  const theirs = row.yardstickMs.toFixed(3).padStart(9);
  const verdict = row.ratio <= row.budget ? "ok" : "OVER";
  return `${what} ${ours} ms  ${row.yardstick.padEnd(30)} ${theirs} ms  ${row.ratio.toFixed(2).padStart(5)}x  budget ${Number(row.budget.toFixed(2))}x  ${verdict}`;
}
