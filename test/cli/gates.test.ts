// Gates: what is read from their options, when each fails, and how a replay ends by them.

import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text as bodyOf } from "node:stream/consumers";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ANSWER_GATES, FLIP_GATES } from "#src/cli/option-specs.ts";
import { readOptions } from "#src/cli/option.ts";
import { acceptsMissing, failedGates, type Gates } from "#src/cli/replay/gates.ts";
import type { Comparison } from "#src/contract/records/flip.ts";
import type { RunSummary } from "#src/contract/records/run.ts";
import { runSummary } from "../replay/report-sample.ts";
import { inProcessHome, pointAt, type InProcessHome } from "./in-process.ts";

function comparison(compared: number, flipped: number, newBlocks: number): Comparison {
  const changes = { unchanged: compared - flipped, flipped, new: 0, missing: 0, failed: 0 };
  return {
    baseline: "a",
    run: "b",
    matrix: [],
    changes,
    compared,
    newBlocks,
    released: 0,
    causes: [],
    projects: [],
    flips: [],
  };
}

function summary(total: number, answered: number, p95 = 40): RunSummary {
  const latencies = answered === 0 ? null : { p50: p95, p95, p99: p95, max: p95 };
  return { ...runSummary({ total, pass: answered, unknown: total - answered }), latencies };
}

interface Case {
  readonly compared?: Comparison;
  readonly totals?: RunSummary | null;
}

const gatesOf = (options: Readonly<Record<string, string>>): Gates =>
  readOptions({ ...FLIP_GATES, ...ANSWER_GATES }, (name) => options[name], {}).values;

/** The names of the gates that fail. */
const failing = (options: Record<string, string>, { compared, totals = null }: Case): string[] =>
  failedGates({ comparison: compared ?? null, summary: totals }, gatesOf(options)).map(({ gate }) => gate);
const said = (options: Record<string, string>, { compared, totals = null }: Case): string[] =>
  failedGates({ comparison: compared ?? null, summary: totals }, gatesOf(options)).map(
    ({ message }) => message,
  );

describe("their options", () => {
  test.each(
    ["maxFlips", "maxNewBlocks", "minAnswered"].flatMap((name) => {
      const wrong = ["", "-1", "1.5", "1e3", "%", "101%", "100.1%", "0,5%", " 1", "1 %", "0x1", "1%%", "1."];
      return wrong.map((text) => [name, text] as const);
    }),
  )("%s refuses %j", (name, text) => {
    expect(() => gatesOf({ [name]: text })).toThrow(expect.objectContaining({ code: "usage" }) as Error);
  });

  test.each(["", "50", "ms", "-5ms", "fast", "1.5h", "0.0001s"])("maxP95 refuses %j", (text) => {
    expect(() => gatesOf({ maxP95: text })).toThrow("--max-p95 takes a duration");
  });

  test("without gates nothing fails", () => {
    expect(failing({}, { compared: comparison(5, 5, 5), totals: summary(5, 0) })).toEqual([]);
    expect(failing({}, {})).toEqual([]);
  });
});

describe("limits on changes", () => {
  const flips = (text: string, compared: number, count: number): boolean =>
    failing({ maxFlips: text }, { compared: comparison(compared, count, 0) }).length > 0;
  const blocks = (text: string, compared: number, count: number): boolean =>
    failing({ maxNewBlocks: text }, { compared: comparison(compared, count, count) }).length > 0;

  test.each([flips, blocks])("a count, and a share that is exact where floating point is not", (beyond) => {
    expect([beyond("3", 10, 3), beyond("3", 10, 4), beyond("0", 10, 0), beyond("0", 10, 1)]).toEqual([
      false,
      true,
      false,
      true,
    ]);
    expect([beyond("0.1%", 1_000, 1), beyond("0.1%", 1_000, 2), beyond("0.1%", 999, 1)]).toEqual([
      false,
      true,
      true,
    ]);
    expect([beyond("100%", 7, 7), beyond("0%", 7, 1), beyond("0.000001%", 100_000_000, 1)]).toEqual([
      false,
      true,
      false,
    ]);
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1000 }),
        fc.integer({ min: 1, max: 100_000 }),
        (tenths, whole) => {
          const allowed = Math.floor((tenths * whole) / 1000);
          const text = `${Math.floor(tenths / 10)}.${tenths % 10}%`;
          expect(beyond(text, whole, allowed)).toBe(false);
          if (allowed < whole) expect(beyond(text, whole, allowed + 1)).toBe(true);
        },
      ),
    );
  });

  test("nothing compared proves nothing, and each gate says so", () => {
    const wanted = { maxFlips: "3", maxNewBlocks: "100%" };
    for (const compared of [comparison(0, 0, 0), undefined]) {
      const sentences = said(wanted, compared === undefined ? {} : { compared });
      expect(sentences).toEqual([
        expect.stringContaining("--max-flips 3 proves nothing"),
        expect.stringContaining("--max-new-blocks 100% proves nothing"),
      ]);
    }
  });

  test("the sentence says how many and how many are allowed", () => {
    expect(said({ maxFlips: "1" }, { compared: comparison(9, 2, 0) })).toEqual([
      "2 verdicts changed, and --max-flips allows 1.",
    ]);
    expect(said({ maxFlips: "1", maxNewBlocks: "0.5%" }, { compared: comparison(9, 1, 1) })).toEqual([
      "1 verdict of 9 compared became block, and --max-new-blocks allows 0.5%.",
    ]);
  });
});

describe("limits on answers", () => {
  test("the p95 may be the limit and no more, and its sentence never rounds it to the limit", () => {
    expect(failing({ maxP95: "50ms" }, { totals: summary(9, 9, 50) })).toEqual([]);
    expect(said({ maxP95: "50ms" }, { totals: summary(9, 9, 50.001) })).toEqual([
      "The p95 of the latencies is 50.001 ms, and --max-p95 allows 50ms.",
    ]);
    expect(failing({ maxP95: "1.5s" }, { totals: summary(9, 9, 1_500) })).toEqual([]);
    expect(failing({ maxP95: "1.5s" }, { totals: summary(9, 9, 1_500.4) })).toEqual(["max-p95"]);
  });

  test("answers, as a share that is exact and as a count", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1000 }),
        fc.integer({ min: 1, max: 100_000 }),
        (tenths, total) => {
          const enough = Math.ceil((tenths * total) / 1000);
          const share = { minAnswered: `${Math.floor(tenths / 10)}.${tenths % 10}%` };
          expect(failing(share, { totals: summary(total, enough) })).toEqual([]);
          expect(failing(share, { totals: summary(total, enough - 1) })).toEqual(["min-answered"]);
          const count = { minAnswered: String(enough) };
          expect(failing(count, { totals: summary(total, enough) })).toEqual([]);
          expect(failing(count, { totals: summary(total, enough - 1) })).toEqual(["min-answered"]);
        },
      ),
    );
    expect(said({ minAnswered: "99%" }, { totals: summary(1_000, 989) })).toEqual([
      "989 of 1 000 items have a trustworthy verdict, and --min-answered asks for 99%.",
    ]);
  });

  test("nothing answered, or unknown totals, prove nothing", () => {
    for (const totals of [summary(3, 0), summary(0, 0), null]) {
      expect(said({ maxP95: "1h", minAnswered: "0%" }, { totals })).toEqual([
        expect.stringContaining("--max-p95 1h proves nothing"),
        expect.stringContaining("--min-answered 0% proves nothing"),
      ]);
    }
  });

  test("missing verdicts are accepted by the gate that holds, and by nothing else", () => {
    const accepts = (options: Record<string, string>): boolean => {
      const gates = gatesOf(options);
      return acceptsMissing(gates, failedGates({ comparison: null, summary: summary(10, 9, 40) }, gates));
    };
    expect([
      accepts({}),
      accepts({ maxP95: "1s" }),
      accepts({ minAnswered: "90%" }),
      accepts({ minAnswered: "91%" }),
    ]).toEqual([false, false, true, false]);
    expect(accepts({ minAnswered: "90%", maxP95: "1ms" })).toBe(true);
  });
});

describe("a replay", () => {
  let home: InProcessHome;
  let server: Server;
  let file: string;
  let asIs = true;

  beforeAll(async () => {
    home = inProcessHome();
    const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const { order_id: order } = JSON.parse(await bodyOf(request)) as { order_id: string };
      const fails = order === "o-9";
      response.writeHead(fails ? 422 : 200, { "content-type": "application/json" });
      const code = asIs || order !== "o-1" ? "pass" : "block";
      response.end(fails ? "{}" : `{"status":"success","code":"${code}","message":"fine"}`);
    };
    server = createServer((request, response) => void answer(request, response));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    await pointAt(home, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    file = join(home.folder, "ten.ndjson");
    const lines = Array.from({ length: 10 }, (_, at) => ({
      operation: "payment",
      order_id: `o-${at}`,
      amount: 12_000,
      currency: 980,
    }));
    writeFileSync(file, lines.map((line) => JSON.stringify(line)).join("\n"));
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    home.remove();
  });

  test("accepts a missing verdict by --min-answered, and fails by every gate that it does not keep", async () => {
    expect((await home.run(["replay", file])).code).toBe(6);
    const kept = await home.run(["replay", file, "--max-p95", "1h", "--min-answered", "90%"]);
    expect(kept).toMatchObject({ code: 0 });
    expect(kept.stdout).toContain("1 payment has no trustworthy verdict");
    asIs = false;
    const reports = ["junit", "json", "md", "html"].flatMap((kind) => [
      "--report",
      `${kind}=${join(home.folder, `failed.${kind}`)}`,
    ]);
    const wanted = ["--baseline", "last", "--max-flips", "0", "--max-p95", "0ms", "--min-answered", "91%"];
    const failed = await home.run(["replay", file, ...wanted, ...reports, "--json"]);
    expect(failed.code).toBe(8);
    const summaryLine = JSON.parse(failed.stdout.trim().split("\n").at(-1)!) as {
      failed_gates: { gate: string; limit: string; figure: number; message: string }[];
    };
    const { failed_gates: gates } = summaryLine;
    expect(gates.map(({ gate, limit }) => [gate, limit])).toEqual([
      ["max-flips", "0"],
      ["max-p95", "0ms"],
      ["min-answered", "91%"],
    ]);
    expect([gates[0]!.figure, gates[2]!.figure]).toEqual([1, 9]);
    for (const { gate, limit, message } of gates) {
      expect(failed.stderr).toContain(`${message}\n`);
      expect(readFileSync(join(home.folder, "failed.html"), "utf8")).toContain(message);
      expect(readFileSync(join(home.folder, "failed.md"), "utf8")).toContain(`**${message}**`);
      const junit = readFileSync(join(home.folder, "failed.junit"), "utf8");
      expect(junit).toContain(`name="--${gate} ${limit}"`);
      expect(junit).toContain(`<failure message="${message}" type="gate"/>`);
    }
    const json = JSON.parse(readFileSync(join(home.folder, "failed.json"), "utf8")) as {
      summary: { failed_gates: unknown };
    };
    expect(json.summary.failed_gates).toEqual(gates);
  });

  test("is judged again from its store, alone and beside another run", async () => {
    const alone = await home.run("runs show last --max-p95 0ms --min-answered 90%");
    expect(alone.code).toBe(8);
    expect(alone.stderr).toMatch(/^The p95 of the latencies is [\d.]+ ms, and --max-p95 allows 0ms\.\n/);
    expect((await home.run("runs show last --max-p95 1h --min-answered 9")).code).toBe(0);
    expect((await home.run("compare last last")).code).toBe(6);
    // The earlier side lacks a verdict as well, but the item that the later run lacks is accepted.
    expect((await home.run("compare last last --min-answered 90%")).code).toBe(0);
    const beside = await home.run("compare last last --min-answered 10 --max-p95 0ms");
    expect(beside.code).toBe(8);
    expect(beside.stderr).toContain(
      "9 of 10 items have a trustworthy verdict, and --min-answered asks for 10.",
    );
    expect(beside.stderr).toContain("--max-p95 allows 0ms");
  });

  test("in which nothing was answered fails by every gate", async () => {
    const one = join(home.folder, "one.json");
    writeFileSync(one, '{"operation":"payment","order_id":"o-9","amount":1,"currency":980}');
    const { code, stderr } = await home.run(["replay", one, "--max-p95", "1h", "--min-answered", "0"]);
    expect(code).toBe(8);
    expect(stderr).toContain("--max-p95 1h proves nothing");
    expect(stderr).toContain("--min-answered 0 proves nothing");
  });
});
