// A replay as a process that can be stopped or killed at a moment of its run, and what its sandbox saw of it.

import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";

import type { DecisionLine } from "#src/sandbox/state/decision-line.ts";
import { ITEMS } from "#src/storage/database/run-form.ts";
import { openSealedBytes } from "#src/storage/documents/sealing.ts";
import { PROGRAM, type Ran, type TestHome } from "./verdict-process.ts";

/** Plain payments with order ids `<prefix>-1` and so on, as NDJSON. */
export function paymentsFile(home: TestHome, prefix: string, count: number): string {
  const path = join(home.folder, `${prefix}.ndjson`);
  const lines = Array.from({ length: count }, (_, index) =>
    JSON.stringify({
      operation: "payment",
      order_id: `${prefix}-${index + 1}`,
      amount: 1_000 + index,
      currency: 980,
      payer: { email: `payer-${index}@shop.example` },
    }),
  );
  writeFileSync(path, `${lines.join("\n")}\n`);
  return path;
}

export async function register(home: TestHome, riskLevel: string): Promise<void> {
  const words = `register --merchant-id shop --name Shop --currency UAH --risk-level ${riskLevel} --wait`;
  const { code, stderr } = await home.run(words);
  if (code !== 0) throw new Error(stderr);
}

/** Runs a replay and sends it a signal once so many results are on disk. */
export function stopAt(
  home: TestHome,
  args: readonly string[],
  signal: NodeJS.Signals,
  results: number,
): Promise<Ran> {
  const before = newestRun(home);
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [PROGRAM, ...args], {
      cwd: home.folder,
      env: home.env,
      stdio: "pipe",
    });
    const printed = { stdout: "", stderr: "" };
    child.stdout.setEncoding("utf8").on("data", (text: string) => (printed.stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (printed.stderr += text));
    child.on("error", reject);
    child.stdin.end();
    child.on("close", (code, by) => {
      resolve({ code, signal: by, ...printed });
    });
    const isRunning = (): boolean => child.exitCode === null && child.signalCode === null;
    const watch = async (): Promise<void> => {
      const start = args.includes("--continue") ? before : null;
      while (isRunning()) {
        const run = newestRun(home);
        const isOurs = start === null ? run.no !== before.no : true;
        if (isOurs && run.results >= (start?.results ?? 0) + results) break;
        await pause(5);
      }
      if (isRunning()) child.kill(signal);
    };
    watch().catch(reject);
  });
}

/** The newest run, and how many of its items have a result; number 0 before there is one. */
function newestRun(home: TestHome): { readonly no: number; readonly results: number } {
  const path = join(home.env["VERDICT_HOME"]!, "data", "runs.db");
  if (!existsSync(path)) return { no: 0, results: 0 };
  const database = new DatabaseSync(path, { readOnly: true, timeout: 1_000 });
  try {
    const { no } = database.prepare("SELECT coalesce(max(no), 0) AS no FROM run").get()!;
    const within = [Number(no) * ITEMS, (Number(no) + 1) * ITEMS];
    const count = database.prepare(
      "SELECT count(*) AS results FROM item_result WHERE place > ? AND place < ?",
    );
    return { no: Number(no), results: Number(count.get(...within)!.results) };
  } catch (error) {
    // The first process has not made its tables yet.
    if (String(error).includes("no such table")) return { no: 0, results: 0 };
    throw error;
  } finally {
    database.close();
  }
}

/** Every check that the sandbox decided, by order id, with how often it came. */
export function decidedOrders(home: TestHome, prefix: string): Map<string, number> {
  const state = join(home.env["VERDICT_HOME"]!, "state", "sandbox");
  const key = readFileSync(join(state, "state.key"));
  const orders = new Map<string, number>();
  const database = new DatabaseSync(join(state, "state.db"), { readOnly: true });
  try {
    for (const { number, bytes } of database.prepare("SELECT number, bytes FROM decision").all()) {
      const opened = openSealedBytes(key, bytes as Uint8Array, `decision ${String(number)}`)!;
      for (const [, order] of JSON.parse(opened.toString("utf8")) as DecisionLine[])
        if (order?.startsWith(`${prefix}-`) === true) orders.set(order, (orders.get(order) ?? 0) + 1);
    }
  } finally {
    database.close();
  }
  return orders;
}

/**
 * What the sandbox's log says of checks: how many it answered, and how many of them were the very same payment again, which
 * makes no new decision. A request whose sender was gone before the answer is not in it. The sandbox is ended first: it
 * writes its log now and then, and the rest of it when it ends.
 */
export async function checksSeen(
  home: TestHome,
): Promise<{ readonly answered: number; readonly again: number }> {
  await home.run("sandbox stop");
  const folder = join(home.env["VERDICT_HOME"]!, "state", "sandbox");
  const lines = readdirSync(folder)
    .filter((name) => name.startsWith("sandbox.log"))
    .flatMap((name) => readFileSync(join(folder, name), "utf8").split("\n"))
    .filter((line) => line.includes('"call":"check"'));
  return { answered: lines.length, again: lines.filter((line) => line.includes('"repeat":true')).length };
}
