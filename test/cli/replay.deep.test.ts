// verdict replay that is stopped, killed or started twice: the built program against the embedded sandbox.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { checksSeen, decidedOrders, paymentsFile, register, stopAt } from "./replay-process.ts";
import { PROGRAM, testHome, type TestHome } from "./verdict-process.ts";

const LONG = 600_000;
const ITEMS = 300;
let home: TestHome;

beforeAll(async () => {
  home = testHome();
  await register(home, "medium");
}, LONG);
afterAll(() => home.remove(), LONG);

const summaryOf = (objects: readonly Record<string, unknown>[]): Record<string, unknown> => objects.at(-1)!;

describe("a replay that is stopped or killed", () => {
  it(
    "goes on after Ctrl-C with what was not sent, and sends nothing twice",
    async () => {
      const source = paymentsFile(home, "int", ITEMS);
      const seen = await checksSeen(home);
      const stopped = await stopAt(home, ["replay", source, "--rate", "100"], "SIGINT", 60);
      expect(stopped.code).toBe(130);
      expect(stopped.stderr).toMatch(
        /is partial: [\d ]+ of its items were sent; go on with "verdict replay --continue \S+"/,
      );
      const [partial] = await home.json("runs list --json");
      expect(partial).toMatchObject({ state: "partial", summary: { unknown: 0 } });
      const before = decidedOrders(home, "int").size;
      expect(before).toBeGreaterThanOrEqual(60);
      expect(before).toBeLessThan(ITEMS);

      const summary = summaryOf(await home.json(["replay", "--continue", "last", "--json"]));
      expect(summary).toMatchObject({ run: partial!["run"], total: ITEMS, unknown: 0, not_sent: 0 });
      const orders = decidedOrders(home, "int");
      expect(orders.size).toBe(ITEMS);
      const after = await checksSeen(home);
      expect({ ...after, answered: after.answered - seen.answered }).toEqual({ ...seen, answered: ITEMS });
      expect([...orders.values()].every((count) => count === 1)).toBe(true);
      expect(await home.run("replay --continue last")).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("complete"),
      });
    },
    LONG,
  );

  it(
    "goes on after kill -9: what may have left is unknown and never sent again",
    async () => {
      // So many that it is not done before the signal comes.
      const items = 2_000;
      const source = paymentsFile(home, "kill", items);
      const seen = await checksSeen(home);
      await stopAt(home, ["replay", source, "--concurrency", "16"], "SIGKILL", 50);
      const [lost] = await home.json("runs list --json");
      expect(lost).toMatchObject({ state: "partial", summary: null });

      const ended = await home.run("replay --continue last --json");
      const summary = summaryOf(
        ended.stdout
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line) as Record<string, unknown>),
      );
      const unknown = Number(summary["unknown"]);
      expect(summary).toMatchObject({ run: lost!["run"], total: items, not_sent: 0 });
      expect(unknown).toBeLessThanOrEqual(32);
      expect(ended.code).toBe(unknown > 0 ? 6 : 0);
      const orders = decidedOrders(home, "kill");
      expect([...orders.values()].every((count) => count === 1)).toBe(true);
      // Every item was decided, or its outcome is unknown; an unknown one may have been decided, too.
      expect(orders.size).toBeGreaterThanOrEqual(items - unknown);
      const after = await checksSeen(home);
      expect(after.again).toBe(seen.again);
      expect(after.answered - seen.answered).toBeGreaterThanOrEqual(items - unknown);
    },
    LONG,
  );

  it(
    "lets one process at a time write to a run",
    async () => {
      const source = paymentsFile(home, "both", 120);
      // Two minutes, if nobody ended it.
      const words = [PROGRAM, "replay", source, "--rate", "1"];
      const first = spawn(process.execPath, words, { cwd: home.folder, env: home.env, stdio: "ignore" });
      onTestFinished(() => void first.kill("SIGKILL"));
      const ended = once(first, "close");
      await expect
        .poll(async () => JSON.stringify((await home.json("runs list --json"))[0]?.["sources"]))
        .toContain("both.ndjson");
      expect(await home.run("replay --continue last")).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("in use by another process"),
      });
      first.kill("SIGINT");
      expect(await ended).toEqual([130, null]);
    },
    LONG,
  );
});
