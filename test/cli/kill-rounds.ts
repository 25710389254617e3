// Checks that are killed at spread moments of their lives, and what the history says afterwards.

import { spawn } from "node:child_process";
import { expect } from "vitest";
import { PROGRAM, type TestHome } from "./verdict-process.ts";

/** The latest kill, as a share of the time that a whole check takes here and now, so that some of them finish. */
const LATEST_KILL = 1.5;
/** Shares of one round after the other lie far apart and never meet again. */
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/**
 * Sends `rounds` checks one after the other and kills each after a moment of its own: from before it has read its
 * input to after it has printed.
 * @returns how many printed an answer before they died, and how many left an unknown row
 */
export async function killRounds(
  home: TestHome,
  payload: string,
  rounds: number,
): Promise<{ acknowledged: number; unknown: number }> {
  const acknowledged: string[] = [];
  // The second one: the first starts the sandbox.
  await checkAndKill(home, payload, "whole-1", null);
  const startedAt = performance.now();
  await checkAndKill(home, payload, "whole-2", null);
  let wholeMs = performance.now() - startedAt;
  for (let round = 0; round < rounds; round += 1) {
    const order = `kill-${round}`;
    const share = ((round * GOLDEN) % 1) * LATEST_KILL;
    const printed = await checkAndKill(home, payload, order, share * wholeMs);
    const isWhole = printed.includes('"outcome":"answered"');
    if (isWhole) acknowledged.push(order);
    // The machine is busier than before, or less busy.
    if (!isWhole && share > 1) wholeMs *= 1.25;
    if (isWhole && share < 1) wholeMs *= share;
  }
  const rows = await home.json("history --where order:kill* --limit 1000 --json");
  const of = (outcome: string): unknown[] =>
    rows.filter((row) => row["outcome"] === outcome).map((row) => row["order_id"]);
  expect(acknowledged.filter((order) => !of("answered").includes(order))).toEqual([]);
  // Each attempt is there once at the most, and what has no outcome says unknown.
  expect(new Set(rows.map((row) => row["order_id"])).size).toBe(rows.length);
  expect(of("answered").length + of("unknown").length).toBe(rows.length);
  // Nothing was torn: no complaint about a damaged stretch.
  expect((await home.run("history --limit 1")).stderr).toBe("");
  return { acknowledged: acknowledged.length, unknown: of("unknown").length };
}

/** @param afterMs null for a check that is left in peace */
function checkAndKill(
  home: TestHome,
  payload: string,
  order: string,
  afterMs: number | null,
): Promise<string> {
  return new Promise((resolve) => {
    const args = [PROGRAM, "check", payload, "--set", `order_id=${order}`, "--json"];
    const child = spawn(process.execPath, args, { env: home.env, stdio: ["ignore", "pipe", "ignore"] });
    let printed = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (printed += text));
    const killer = afterMs === null ? null : setTimeout(() => child.kill("SIGKILL"), afterMs);
    child.on("close", () => {
      if (killer !== null) clearTimeout(killer);
      resolve(printed);
    });
  });
}
