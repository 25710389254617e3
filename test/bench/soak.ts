// npm run soak [minutes] [program]: a console in use, with 12,000 checks and its own sandbox, and its memory minute by minute.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { writeBulkHistory } from "./bulk-history.ts";
import { quantile } from "./measure.ts";
import { cpuMs, Line, memoryOf } from "./terminal-line.ts";

const ENTRIES = 12_000;
const SIZE = { cols: 120, rows: 40 };
/** Budgets in MB. */
const AT_START = 150;
const IN_USE = 200;
/** Between two keys, as quick hands type. */
const KEY_MS = 120;
/** Where a person reads. */
const PAUSE_MS = 1_500;

const DOWN = "\u001B[B";
const ESC = "\u001B";
/** What an engineer does at a console: checks, lists, filters, pages, help. Each group ends with a pause. */
const USE: readonly (readonly string[])[] = [
  ["1", "\r"],
  ["f", "\r"],
  ["w"],
  [ESC, "j", "j", "j", "i"],
  [DOWN, DOWN, ESC, ESC],
  ["4", ...Array.from("jjjjjjjjjj")],
  ["\r", "\t", "\t", ESC],
  ["/", ...Array.from("amount>1000")],
  ["\r", "j", "j", "G", "g"],
  [ESC, "o", "O", "k"],
  ["2", "j", "k"],
  ["3", "j", "k"],
  ["7", ...Array.from("jjjj"), "\r", ESC],
  ["9", "j", "k"],
  ["?", "\u0004", "\u0004", ESC],
  [":", ...Array.from("hist"), ESC],
  ["M", ESC],
];

const root = fileURLToPath(new URL("../..", import.meta.url));
const [minutes = "10", program = join(root, "dist/verdict.mjs"), ...flags] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "verdict-soak-"));
const env = { PATH: process.env["PATH"], HOME: folder, VERDICT_HOME: folder, LANG: "C.UTF-8" };
try {
  execFileSync(process.execPath, [program, "profile", "list"], { env, stdio: "ignore" });
  await writeBulkHistory(
    join(folder, "data"),
    ENTRIES,
    { profile: "sandbox", project: "shop/medium" },
    Date.now(),
  );
  const line = new Line(["--no-warnings", ...flags, program], env, SIZE);
  await line.settled();
  const start = memoryOf(line.pid)!;
  say("at the start", start.now, AT_START);
  const until = performance.now() + Number(minutes) * 60_000;
  const seen: number[] = [];
  for (let minute = 1; performance.now() < until; minute += 1) {
    const end = performance.now() + 60_000;
    const cpu = cpuMs(line.pid)!;
    let keys = 0;
    for (let group = 0; performance.now() < end; group += 1) {
      for (const key of USE[group % USE.length]!) {
        line.type(key);
        keys += 1;
        await wait(KEY_MS);
      }
      await wait(PAUSE_MS);
    }
    const { now, most } = memoryOf(line.pid)!;
    seen.push(now);
    console.log(
      `minute ${minute}: ${keys} keys, ${Math.round((cpuMs(line.pid)! - cpu) / keys)} ms of processor time a key, ${Math.round(now)} MB, at most ${Math.round(most)} MB`,
    );
  }
  say("in use, median of the last ten minutes", quantile(seen.slice(-10), 0.5), IN_USE);
  await line.end();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function say(what: string, measured: number, budget: number): void {
  console.log(
    `${what}: ${Math.round(measured)} MB, budget ${budget} MB, ${measured <= budget ? "ok" : "OVER"}`,
  );
}
