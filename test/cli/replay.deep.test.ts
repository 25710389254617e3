// verdict replay as its user and a pipeline see it: the built program against the embedded sandbox.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

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

const file = (name: string, lines: readonly unknown[]): string => {
  const path = join(home.folder, name);
  writeFileSync(
    path,
    lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n"),
  );
  return path;
};
const payment = (order: string, changes: object = {}): object => ({
  operation: "payment",
  order_id: order,
  amount: 1_200,
  currency: 980,
  ...changes,
});
const summaryOf = (objects: readonly Record<string, unknown>[]): Record<string, unknown> => objects.at(-1)!;

describe("a replay", () => {
  it(
    "prints what it added up to and leaves a run that can be listed, shown and removed",
    async () => {
      const { code, stdout, stderr } = await home.run(["replay", paymentsFile(home, "plain", 40)]);
      expect({ code, stderr }).toEqual({
        code: 0,
        stderr: expect.stringMatching(/^Run \S+ on sandbox:shop\/medium\.\n$/),
      });
      expect(stdout).toMatch(/Sent to: sandbox:shop\/medium\n +Run: \S+, complete\n/);
      expect(stdout).toContain("40 payments checked");
      expect(stdout).toMatch(/✔ PASS +\d+ +\d+(\.\d+)? %/);
      expect(stdout).toMatch(/Answer time: p50 .* p95 .* p99 .* max /);

      const [listed] = await home.json("runs list --json");
      expect(listed).toMatchObject({
        schema: 1,
        state: "complete",
        project: "shop/medium",
        summary: { total: 40 },
      });
      const run = String(listed!["run"]);
      expect((await home.run(`runs show ${run.slice(0, -2)}`)).stdout).toContain("plain.ndjson");
      expect((await home.run("runs list")).stdout).toContain(run);
      expect(await home.run(`runs remove ${run}`)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("--yes"),
      });
      expect(await home.run(`runs remove ${run} --yes`)).toMatchObject({ code: 0 });
      expect(await home.json("runs list --json")).toEqual([]);
      expect(await home.run(`runs show ${run}`)).toMatchObject({ code: 2 });
    },
    LONG,
  );

  it(
    "prints its start, a JSON object an item and then the summary, and nothing else on stdout",
    async () => {
      const printed = await home.json(["replay", paymentsFile(home, "json", 5), "--json"]);
      const objects = printed.filter(({ type }) => type !== "progress");
      expect(objects).toHaveLength(7);
      expect(objects[0]).toMatchObject({ type: "started", profile: "sandbox", already_sent: 0 });
      for (const result of objects.slice(1, -1)) {
        expect(result).toMatchObject({
          schema: 1,
          type: "result",
          id: expect.any(String),
          at: expect.any(String),
          profile: "sandbox",
          project: "shop/medium",
          order_id: expect.stringMatching(/^json-\d$/),
          outcome: "answered",
          recommendation: expect.any(String),
          message: expect.any(String),
          reaction: expect.any(String),
          final_action: null,
          http_status: 200,
          latency_ms: expect.any(Number),
          attempts: 1,
          warnings: [],
          change: "new",
        });
      }
      expect(Object.keys(summaryOf(objects))).toEqual([
        "schema",
        "type",
        "run",
        "state",
        "stopped",
        "total",
        "pass",
        "block",
        "3ds_or_block",
        "indeterminate",
        "refused",
        "unknown",
        "not_sent",
        "rejected",
        "warned",
        "flips",
        "expectations_failed",
        "undecided",
        "repeated",
        "rate_per_s",
        "p50_ms",
        "p95_ms",
        "p99_ms",
        "failed_gates",
        "rules",
      ]);
      expect(summaryOf(objects)).toMatchObject({
        type: "summary",
        total: 5,
        unknown: 0,
        flips: 0,
        expectations_failed: 0,
      });
    },
    LONG,
  );

  it(
    "exits 8 for an expectation that failed, naming it",
    async () => {
      const source = file("expect.ndjson", [
        { name: "good", expect: "pass", request: payment("exp-1") },
        { name: "bad-guess", expect: "block", request: payment("exp-2", { amount: 900 }) },
      ]);
      const { code, stdout, stderr } = await home.run(["replay", source, "--concurrency", "1"]);
      expect(stdout).toContain("1 payment did not get the verdict that was expected.");
      expect(stdout).toMatch(/bad-guess +✖ BLOCK +✔ PASS/);
      expect({ code, stderr }).toEqual({
        code: 8,
        stderr: expect.stringContaining("1 item got another verdict"),
      });
    },
    LONG,
  );

  it(
    "compares with a baseline, and exits 8 beyond the limit",
    async () => {
      const source = paymentsFile(home, "base", 6);
      await home.run(["replay", source]);
      const again = await home.run(["replay", source, "--baseline", "last", "--max-flips", "0"]);
      expect(again.stdout).toContain("Compared with:");
      const nothing = file("other.ndjson", [payment("somebody-else")]);
      const empty = await home.run(["replay", nothing, "--baseline", "last", "--max-flips", "0"]);
      expect(empty).toMatchObject({ code: 8, stderr: expect.stringContaining("proves nothing") });
    },
    LONG,
  );

  it(
    "names bad lines, or writes them where it is told to, and exits 2 when nothing is left",
    async () => {
      const source = file("mixed.ndjson", ["{ nonsense", payment("mixed-1"), { operation: 5 }]);
      const text = await home.run(["replay", source]);
      expect(text).toMatchObject({ code: 2, stdout: expect.stringContaining("Rejected lines: 2") });
      expect(text.stderr).toContain("2 lines were rejected and not checked");
      expect(text.stdout).toContain("mixed.ndjson:1");

      const rejects = join(home.folder, "rejects.ndjson");
      expect(await home.run(["replay", source, "--rejects", rejects])).toMatchObject({ code: 0 });
      const lines = readFileSync(rejects, "utf8").trim().split("\n");
      expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
        { origin: "mixed.ndjson:1", message: expect.any(String) },
        { origin: "mixed.ndjson:3", message: expect.any(String) },
      ]);
      expect(statSync(rejects).mode & 0o777).toBe(0o600);
      const seen = await checksSeen(home);
      expect(await home.run(["replay", source, "--rejects", rejects])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("exists already"),
      });
      expect(await checksSeen(home)).toEqual(seen);

      const bad = file("bad.ndjson", ["nonsense"]);
      expect(await home.run(["replay", bad])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("nothing was sent"),
      });
      expect(await home.run(["replay", source, "--strict"])).toMatchObject({ code: 2 });
      expect(await home.run(["replay", join(home.folder, "none.ndjson")])).toMatchObject({ code: 2 });
    },
    LONG,
  );

  it(
    "writes reports, and reads standard input",
    async () => {
      const report = join(home.folder, "report.json");
      const input = `${JSON.stringify(payment("piped-1"))}\n${JSON.stringify(payment("piped-2"))}\n`;
      const { code, stderr } = await home.run(["replay", "-", "--report", `json=${report}`], { input });
      expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining(`Wrote ${report}.`) });
      expect(JSON.parse(readFileSync(report, "utf8"))).toBeTypeOf("object");
      expect([...decidedOrders(home, "piped").keys()]).toHaveLength(2);
    },
    LONG,
  );

  it(
    "validates without sending",
    async () => {
      const seen = await checksSeen(home);
      const source = file("dry.ndjson", [payment("dry-1"), payment("dry-2"), "nonsense"]);
      const { code, stdout, stderr } = await home.run(["replay", source, "--dry-run"]);
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: expect.stringMatching(/^Nothing was sent\.\n1 line was rejected and not checked/),
      });
      expect(stdout).toContain("2 checks would be sent.");
      expect(stdout).toContain("24.00 UAH");
      expect(stdout).toContain("dry.ndjson:3");
      const bad = Array.from({ length: 150 }, (_, line) => `nonsense ${line}`);
      const many = file("dry-many.ndjson", [payment("dry-4"), ...bad]);
      const rejects = join(home.folder, "dry-rejects.ndjson");
      expect(await home.run(["replay", many, "--dry-run", "--rejects", rejects])).toMatchObject({ code: 0 });
      expect(readFileSync(rejects, "utf8").trim().split("\n")).toHaveLength(150);
      const [json] = await home.json(["replay", source, "--dry-run", "--json"]);
      expect(json).toMatchObject({
        dry_run: true,
        items: 2,
        rejected: 1,
        money: [{ currency: 980, amount: "2400" }],
      });
      expect(await checksSeen(home)).toEqual(seen);
    },
    LONG,
  );

  it.each([
    [["replay"], "at least one source"],
    [["replay", "x.json", "--continue", "last"], "leave the others out"],
    [["replay", "-", "--against", "shop/high"], "reads the sources twice"],
    [["replay", "x.json", "--rate", "fast"], "--rate takes"],
    [["replay", "x.json", "--concurrency", "0"], "--concurrency takes"],
    [["replay", "x.json", "--baseline", "zzz"], "no run"],
  ])(
    "refuses %j",
    async (args, said) => {
      file("x.json", [payment("x-1")]);
      expect(await home.run(args)).toMatchObject({ code: 2, stderr: expect.stringContaining(said) });
    },
    LONG,
  );
});

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

describe("another service", () => {
  const serve = async (answer: (order: string) => { status: number; body: object }): Promise<string> => {
    const server = createServer((request, response) => {
      let text = "";
      request.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      request.on("end", () => {
        const { status, body } = answer((JSON.parse(text) as { order_id: string }).order_id);
        response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
      });
    });
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const addProfile = async (name: string, url: string, environment: string): Promise<void> => {
    const added = await home.run(`profile add ${name} --base-url ${url} --environment ${environment}`);
    expect(added).toMatchObject({ code: 0 });
    const entered = await home.run(
      `vault add --profile ${name} --merchant-id far --risk-level low --key-id k-1 --project-id p-1 --secret-stdin`,
      { input: "s3cret-of-the-far-shop\n" },
    );
    expect(entered).toMatchObject({ code: 0 });
  };

  it(
    "that fails trips the circuit breaker: exit 6, and a run that can go on",
    async () => {
      let asked = 0;
      let up = false;
      const url = await serve(() => {
        asked += 1;
        if (up) return { status: 200, body: { status: "success", code: "pass", message: "fine" } };
        return { status: 500, body: { status: "error" } };
      });
      await addProfile("far", url, "TEST");
      const source = paymentsFile(home, "trip", 200);
      const tripped = await home.run(["replay", source, "--profile", "far", "--stop-after", "15"]);
      expect(tripped).toMatchObject({ code: 6, stderr: expect.stringContaining("15 items in a row") });
      expect(tripped.stderr).toContain("--profile far");
      expect(asked).toBeLessThan(60);
      const unknown = asked;
      up = true;
      const summary = summaryOf(await home.json("replay --continue last --profile far --json"));
      expect(summary).toMatchObject({ total: 200, unknown, pass: 200 - unknown });
      expect(asked).toBe(200);
    },
    LONG,
  );

  it(
    "that gave no verdicts before is no baseline for anything to be unchanged: exit 6",
    async () => {
      let up = false;
      const url = await serve(() =>
        up
          ? { status: 200, body: { status: "success", code: "pass", message: "fine" } }
          : { status: 500, body: { status: "error" } },
      );
      await addProfile("lame", url, "TEST");
      const source = paymentsFile(home, "lame", 3);
      expect(await home.run(["replay", source, "--profile", "lame"])).toMatchObject({ code: 6 });
      up = true;
      const again = await home.run(["replay", source, "--profile", "lame", "--baseline", "last"]);
      expect(again).toMatchObject({
        code: 6,
        stderr: expect.stringContaining(
          "3 items have no trustworthy verdict in the run that is compared with",
        ),
      });
      expect(await home.run(["replay", source, "--profile", "lame"])).toMatchObject({ code: 0 });
    },
    LONG,
  );

  it(
    "that is LIVE gets nothing without a word for it",
    async () => {
      let asked = 0;
      const url = await serve(() => {
        asked += 1;
        return { status: 200, body: { status: "success", code: "pass", message: "fine" } };
      });
      await addProfile("real", url, "LIVE");
      const source = paymentsFile(home, "live", 3);
      const refused = await home.run(["replay", source, "--profile", "real"]);
      expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("--confirm real") });
      expect(await home.run(["replay", source, "--profile", "real", "--confirm", "other"])).toMatchObject({
        code: 2,
      });
      expect(asked).toBe(0);
      expect(await home.run(["replay", source, "--profile", "real", "--confirm", "real"])).toMatchObject({
        code: 0,
      });
      expect(asked).toBe(3);
    },
    LONG,
  );

  it(
    "is compared project by project with --against",
    async () => {
      await register(home, "high");
      const source = paymentsFile(home, "pair", 12);
      const words = ["replay", source, "--project", "shop/medium", "--against", "shop/high"];
      const { code, stdout, stderr } = await home.run([...words, "--fresh-order-ids"]);
      expect({ code, stderr }).toEqual({
        code: 0,
        stderr: expect.stringContaining("is the baseline; now on sandbox:shop/high"),
      });
      expect(stdout).toContain("12 compared");
      const [later, earlier] = await home.json("runs list --json");
      expect(later).toMatchObject({ project: "shop/high", baseline: earlier!["run"], fresh_order_ids: true });
      expect(earlier).toMatchObject({ project: "shop/medium" });
    },
    LONG,
  );
});
