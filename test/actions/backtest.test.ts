// Back-tests over files, the history and runs: in which time, in whose project, and what never changes.

import { unlinkSync } from "node:fs";
import { Readable } from "node:stream";
import fc from "fast-check";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { backtestReport } from "#src/actions/rules/backtest-report.ts";
import { DecidedPayments } from "#src/actions/rules/backtest-rows.ts";
import { changeText, runBacktest } from "#src/actions/rules/backtest.ts";
import type { RunRow } from "#src/contract/records/run.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import type { RuleSet } from "#src/rules/rule-file/rule-file.ts";
import { runRow } from "../replay/rows.ts";
import { HOUR, loadStarter, MINUTE, NOON, payment } from "../rules/sample.ts";
import { answer, intent } from "../storage/entries.ts";
import { bench, changedRules, inputOf, type Ran } from "./backtest-bench.ts";
import { storeRun } from "./stored-runs.ts";

let starter: RuleSet;
/** From the third attempt of a card in an hour on 3-D Secure, where the starter rules want a fourth. */
let stricter: RuleSet;
beforeAll(async () => {
  starter = await loadStarter();
  stricter = await changedRules(
    /(code: CARD_VELOCITY_1H[^]*?limit: \{ low: )\d+, medium: \d+/,
    "$15, medium: 2",
  );
});

const order = (n: number, request: CheckRequest = {}): CheckRequest =>
  payment({ request: { order_id: `order-${n}`, ...request } });
const iso = (at: number): string => new Date(at).toISOString();
const verdicts = ({ rows }: Ran): (string | null | undefined)[] =>
  rows.map(({ result }) => result?.recommendation);

describe("time", () => {
  it("is that of the envelope: counts are rebuilt in it", async () => {
    const { run, file } = bench(starter);
    const close = [0, 1, 2, 3].map((n) => ({ at: iso(NOON + n * MINUTE), request: order(n) }));
    const apart = [0, 1, 2, 3].map((n) => ({ at: iso(NOON + n * 2 * HOUR), request: order(n) }));
    const busy = await run({ sources: [file(close)] });
    expect(verdicts(busy)).toEqual(["pass", "pass", "pass", "3ds_or_block"]);
    expect(busy).toMatchObject({ untimed: 0, from: NOON, to: NOON + 3 * MINUTE });
    expect(verdicts(await run({ sources: [file(apart)] }))).toEqual(["pass", "pass", "pass", "pass"]);
  });

  it("is spaced by the step where nobody knows it, from the start that was named", async () => {
    const { run, file } = bench(starter);
    const source = file([0, 1, 2, 3].map((n) => order(n)));
    const slow = await run({ sources: [source], stepMs: 2 * HOUR, startAt: NOON + HOUR });
    expect(slow).toMatchObject({ untimed: 4, from: NOON + HOUR, to: NOON + 7 * HOUR });
    expect(verdicts(slow)).toEqual(["pass", "pass", "pass", "pass"]);
    expect(verdicts(await run({ sources: [source] })).at(-1)).toBe("3ds_or_block");
  });

  it("of the history is virtual where a sandbox told it, and what it told holds for those that follow", async () => {
    const { run, remember } = bench(starter);
    const entry = (n: number, virtual: number | null, sent: boolean) =>
      intent(`e${n}`, {
        at: NOON + n * 1_000,
        request: order(n),
        result: sent ? answer({ virtualTimeMs: virtual, recommendation: "pass" }) : null,
      });
    await remember([entry(0, NOON, true), entry(1, NOON + 24 * HOUR, true), entry(2, null, false)]);
    const { rows, from, to } = await run({ sources: ["history:"] });
    expect(rows.map(({ at }) => at)).toEqual([NOON, NOON + 24 * HOUR, NOON + 24 * HOUR + 1_000]);
    expect([from, to]).toEqual([NOON, NOON + 24 * HOUR + 1_000]);
  });

  it("sorts: an unordered source, newest first or with a row of another century, is decided as in order", async () => {
    const { run, file } = bench(starter);
    const moments = fc.uniqueArray(fc.integer({ min: 0, max: 240 }), { minLength: 2, maxLength: 14 });
    const strays = fc.subarray([-40_000_000, 40_000_000]);
    const byKey = ({ rows }: Ran): unknown[] =>
      rows.map(({ key, at, result }) => [key, at, result?.recommendation, result?.message]);
    await fc.assert(
      fc.asyncProperty(moments, strays, fc.infiniteStream(fc.nat()), async (minutes, strayed, chance) => {
        const sorted = [...minutes, ...strayed]
          .toSorted((a, b) => a - b)
          .map((minute, n) => ({ at: iso(NOON + minute * MINUTE), request: order(n) }));
        const shuffled = sorted
          .map((line) => ({ line, place: chance.next().value! }))
          .toSorted((a, b) => a.place - b.place)
          .map(({ line }) => line);
        const wanted = await run({ sources: [file(sorted)] });
        expect(wanted.outOfOrder).toBe(0);
        const reversed = await run({ sources: [file(sorted.toReversed())] });
        expect(reversed.outOfOrder).toBe(sorted.length - 1);
        expect(byKey(reversed)).toEqual(byKey(wanted));
        expect(byKey(await run({ sources: [file(shuffled)] }))).toEqual(byKey(wanted));
        // A pipe is read once.
        const stdin = Readable.from([shuffled.map((line) => JSON.stringify(line)).join("\n")]);
        const piped = await run({ sources: ["-"], stdin: stdin.map((text: string) => Buffer.from(text)) });
        expect(byKey(piped)).toEqual(byKey(wanted));
      }),
      { numRuns: 20 },
    );
  });

  it("keeps those of the same time in the order of the source, and one without a time behind the one before it", async () => {
    const { run, file } = bench(starter);
    const at = (minutes: number): { at: string } => ({ at: iso(NOON + minutes * MINUTE) });
    const lines = [at(9), at(3), {}, at(3), at(0)].map((time, n) => ({ ...time, request: order(n) }));
    const done = await run({ sources: [file(lines)] });
    expect(done.rows.map(({ key }) => key)).toEqual([4, 1, 3, 2, 0].map((n) => `order-${n}`));
    expect(done).toMatchObject({ outOfOrder: 3, untimed: 1, from: NOON, to: NOON + 9 * MINUTE });
  });
});

describe("sources", () => {
  it("of the history are read oldest first, filtered, on the level of their projects", async () => {
    const known = {
      profile: "sandbox",
      key: "shop/high",
      projectId: "p-9",
      riskLevel: "high",
      currency: 980,
    };
    const { run, remember } = bench(starter, [known as never]);
    const attempts = [0, 1, 2].flatMap((n) =>
      ["shop/high", "shop/low", "mine"].map((project) =>
        intent(`e${n}-${project.replace("/", "-")}`, {
          at: NOON + n * MINUTE,
          project,
          request: order(n, { operation: "payment" }),
        }),
      ),
    );
    await remember(attempts);
    const all = await run({ sources: ["history:"] });
    expect(all.rows.map(({ origin }) => origin)).toEqual(attempts.map(({ id }) => `history:${id}`));
    // The third attempt with a card within an hour is over the limit of a high risk alone; each project counts for itself.
    expect(all.rows.map(({ origin, result }) => [origin, result?.recommendation]).slice(6)).toEqual([
      ["history:e2-shop-high", "3ds_or_block"],
      ["history:e2-shop-low", "pass"],
      ["history:e2-mine", "pass"],
    ]);
    const some = await run({ sources: ["history:project:*/low"], riskLevel: "high" });
    expect(verdicts(some)).toEqual(["pass", "pass", "3ds_or_block"]);
    await expect(run({ sources: ["history:amuont>1"] })).rejects.toMatchObject({ code: "usage" });
  });

  it("of a run are in the time in which they were sent", async () => {
    const { run, runs } = bench(starter);
    await storeRun(runs, "aaa1", [runRow(1, "pass"), runRow(2, "unknown")]);
    const { rows, untimed } = await run({ sources: ["run:aaa1"] });
    expect(untimed).toBe(0);
    expect(rows.map(({ key, at }) => [key, at])).toEqual([
      ["o-1", runRow(1, "pass").at],
      ["o-2", runRow(2, "pass").at],
    ]);
    await expect(run({ sources: ["run:zzz"] })).rejects.toMatchObject({ code: "usage" });
  });

  it("leave identical repeats out, as the service does, and tell bad lines", async () => {
    const { run, file } = bench(starter);
    const lines = [
      { at: iso(NOON), request: order(1) },
      { at: iso(NOON + 59_999), request: order(1) },
      { at: iso(NOON + 61_000), request: order(1) },
      { at: iso(NOON + 62_000), request: order(1, { amount: 1 }) },
      { at: "yesterday", request: order(2) },
    ];
    const done = await run({ sources: [file(lines)] });
    expect(done).toMatchObject({ repeats: 1, rejected: 1 });
    expect(done.rows.map(({ origin }) => origin.split(":").at(-1))).toEqual(["1", "3", "4"]);
    await expect(run({ sources: [file(lines)], strict: true })).rejects.toMatchObject({
      message: expect.stringContaining('"at" must be a time such as') as string,
    });
  });

  it("in major units are decided in minor ones", async () => {
    const { run, remember } = bench(starter);
    await remember([intent("e1", { profile: "live", request: order(1, { amount: 120 }) })]);
    const { rows, comparison } = await run({ sources: ["history:"], unitOf: () => "major" });
    expect(rows[0]?.request.amount).toBe(12_000);
    expect(comparison.matrix[0]?.money).toEqual([{ currency: 980, amount: 12_000n }]);
  });

  it("end at once when stopped", async () => {
    const { context, file } = bench(starter);
    const input = inputOf(starter, { sources: [file([order(1)])] });
    await expect(runBacktest(context, input, AbortSignal.abort(), () => undefined)).rejects.toMatchObject({
      code: "interrupted",
    });
  });
});

describe("two rule sets", () => {
  it("differ in flips, hits and money, each with its reason", async () => {
    const { run, file } = bench(starter);
    const source = file([0, 1, 2, 3].map((n) => order(n)));
    const done = await run({ sources: [source], proposed: { ruleSet: stricter, name: "stricter" } });
    expect(done.comparison).toMatchObject({
      baseline: "current",
      run: "stricter",
      compared: 4,
      newBlocks: 0,
      changes: { flipped: 1, unchanged: 3 },
      flips: [{ key: "order-2", was: "pass", now: "3ds_or_block" }],
    });
    expect(done.comparison.flips[0]?.after?.result?.message).toBe(
      "newly hit CARD_VELOCITY_1H; score 0 before, 35 now",
    );
    expect(done.summary.rules.find(({ code }) => code === "CARD_VELOCITY_1H")).toMatchObject({
      current: 1,
      proposed: 2,
      both: 1,
      alone: 2,
    });
  });

  it("count what a rule in shadow would have hit", async () => {
    const shadowed = await changedRules(
      /(code: CARD_VELOCITY_1H[^]*?needs: \[card\]\n)/,
      "$1    mode: shadow\n",
    );
    const { run, file } = bench(starter);
    const source = file([0, 1, 2, 3].map((n) => order(n)));
    const { shadow, comparison } = await run({
      sources: [source],
      proposed: { ruleSet: shadowed, name: "shadowed" },
    });
    expect(shadow).toContainEqual({ code: "CARD_VELOCITY_1H", current: null, proposed: 1 });
    expect(comparison.changes.flipped).toBe(1);
  });

  it("that are one and the same never differ, whatever the payments", async () => {
    let decided = 0;
    const blocked = new Set<string | null | undefined>();
    await fc.assert(
      fc.asyncProperty(fc.array(fewPeople, { minLength: 20, maxLength: 60 }), async (payments) => {
        const { run, file } = bench(starter);
        const done = await run({ sources: [file(payments)], stepMs: 30_000 });
        const { comparison, summary, rows } = done;
        expect(comparison.changes).toMatchObject({ flipped: 0, new: 0, failed: 0, missing: 0 });
        expect(comparison.compared).toBe(rows.length);
        for (const { current, proposed, both } of summary.rules)
          expect([proposed, both]).toEqual([current, current]);
        decided += rows.length;
        for (const verdict of verdicts(done)) blocked.add(verdict);
      }),
      { numRuns: 30 },
    );
    expect(decided).toBeGreaterThan(300);
    expect(blocked.size).toBe(3);
  }, 120_000);
});

/** Payments of so few people that they meet each other's limits. */
const fewPeople = fc
  .record({
    n: fc.nat(1_000_000),
    amount: fc.constantFrom(50, 12_000, 100_000, 4_000_000),
    payer: fc.nat(3),
    card: fc.nat(3),
    email: fc.constantFrom("a@example.com", "b@mailinator.com", undefined),
  })
  .map(({ n, amount, payer, card, email }) =>
    payment({
      request: { order_id: `o-${n}`, amount },
      payer: {
        payer_id: `p-${payer}`,
        payer_ip: `20.1.1.${payer}`,
        ...(email === undefined ? {} : { email }),
      },
      card: { cin_card: card },
    }),
  );

describe("transactions at the same time", () => {
  const permutation = (size: number): fc.Arbitrary<number[]> =>
    fc.shuffledSubarray(
      Array.from({ length: size }, (_, n) => n),
      { minLength: size, maxLength: size },
    );

  it("get the same verdicts in any order where they share nothing that is counted", async () => {
    const alone = (n: number): CheckRequest => ({
      operation: "payment",
      order_id: `order-${n}`,
      amount: n % 2 === 0 ? 12_000 : 4_000_000,
      currency: 980,
      terminal_id: `terminal-${n}`,
      payer: { payer_ip: `${20 + n}.1.1.1`, payer_id: `payer-${n}` },
    });
    const { run, file } = bench(starter);
    const inOrder = await run({ sources: [file([0, 1, 2, 3, 4, 5].map(alone))], stepMs: 0 });
    const expected = new Map(inOrder.rows.map(({ key, result }) => [key, result?.recommendation]));
    expect(new Set(expected.values()).size).toBeGreaterThan(1);
    await fc.assert(
      fc.asyncProperty(permutation(6), async (places) => {
        const { rows } = await run({ sources: [file(places.map(alone))], stepMs: 0 });
        for (const { key, result } of rows) expect(result?.recommendation).toBe(expected.get(key));
      }),
      { numRuns: 20 },
    );
  });

  it("of one payer are as many of each verdict in any order; who is the one too many hangs on it", async () => {
    const { run, file } = bench(starter);
    const proposed = { ruleSet: stricter, name: "stricter" };
    const same = (places: readonly number[]) =>
      run({ sources: [file(places.map((n) => order(n)))], stepMs: 0, proposed });
    const inOrder = await same([0, 1, 2, 3, 4, 5]);
    expect(inOrder.comparison.flips.map(({ key }) => key)).toEqual(["order-2"]);
    await fc.assert(
      fc.asyncProperty(permutation(6), async (places) => {
        const { comparison } = await same(places);
        expect(comparison.matrix).toEqual(inOrder.comparison.matrix);
        expect(comparison.flips.map(({ key }) => key)).toEqual([`order-${places[2]}`]);
      }),
      { numRuns: 20 },
    );
  });
});

describe("a report", () => {
  it("has the rows of the one reading, as often as it is read", async () => {
    const { context, file } = bench(starter);
    const sources = [file(Array.from({ length: 30 }, (_, n) => order(n)))];
    const input = inputOf(starter, { sources, proposed: { ruleSet: stricter, name: "stricter" } });
    const { signal } = new AbortController();
    const payments = new DecidedPayments(signal);
    onTestFinished(() => payments.close());
    const rows: RunRow[] = [];
    const done = await runBacktest(context, input, signal, (event) => {
      if (event.type !== "decided") return;
      rows.push(event.row);
      payments.take(event.payment);
    });
    const told = { failedGates: [], gates: [], showPersonal: false, startedAt: NOON, payments };
    const data = backtestReport(context, input, done, told);
    // The source is gone: nothing is read or decided again.
    unlinkSync(sources[0]!);
    for (let reading = 0; reading < 2; reading += 1) {
      expect(await Array.fromAsync(data.rows(), ({ row }) => row)).toEqual(rows);
    }
    expect(data.info.summary?.counts).toMatchObject({ total: 30, pass: 2 });
    expect(data.decision).toMatchObject({
      total: 30,
      outcomes: null,
      rules: { length: starter.rules.length },
    });
  });

  it("names what decided where the same rules hit", () => {
    const side = {
      recommendation: "pass",
      decidedBy: "pass",
      score: 35,
      hits: ["A"],
      rules: ["A"],
      shadowHits: [],
      notEvaluated: 0,
    } as const;
    expect(changeText(side, { ...side, recommendation: "3ds_or_block", decidedBy: "3ds_score" })).toBe(
      "decided by 3ds score instead of pass; score 35 on both sides",
    );
    expect(changeText(side, { ...side, hits: ["B"], score: 40 })).toBe(
      "newly hit B; no longer hit A; score 35 before, 40 now",
    );
  });
});
