// Ten thousand payments in a run whose process is killed again and again: none is sent twice, none is forgotten.

import { beforeAll, expect, it } from "vitest";

import { checksSeen, decidedOrders, paymentsFile, register, stopAt } from "../cli/replay-process.ts";
import { testHomeOfTests } from "../cli/verdict-process.ts";

const ITEMS = 10_000;
const KILLS = 6;
/** After which it is killed: all lives together leave room for what is sent before the signal comes. */
const RESULTS = 600;
const home = testHomeOfTests();

beforeAll(async () => {
  await register(home, "low");
});

it(`sends ${ITEMS} items once through ${KILLS} kills`, async () => {
  const source = paymentsFile(home, "deep", ITEMS);
  const width = ["--concurrency", "16", "--stop-after", "0"];
  await stopAt(home, ["replay", source, ...width], "SIGKILL", RESULTS);
  for (let kill = 1; kill < KILLS; kill += 1) {
    const { signal } = await stopAt(home, ["replay", "--continue", "last", ...width], "SIGKILL", RESULTS);
    expect(signal).toBe("SIGKILL");
  }
  const printed = await home.json(["replay", "--continue", "last", "--json", ...width]);
  const { total, unknown, not_sent: notSent } = printed.at(-1) as Record<string, number>;
  expect({ total, notSent }).toEqual({ total: ITEMS, notSent: 0 });
  // In flight and prepared ones of each life.
  expect(unknown).toBeLessThanOrEqual(KILLS * 32);
  const orders = decidedOrders(home, "deep");
  expect([...orders.values()].filter((count) => count > 1)).toEqual([]);
  expect(orders.size).toBeGreaterThanOrEqual(ITEMS - unknown!);
  const seen = await checksSeen(home);
  expect(seen.again).toBe(0);
  expect(seen.answered).toBeGreaterThanOrEqual(ITEMS - unknown!);
  const [run] = await home.json("runs list --json");
  expect(run).toMatchObject({ state: "complete", summary: { total: ITEMS } });
});
