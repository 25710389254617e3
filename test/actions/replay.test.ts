// Replays against a service that does what each test asks for: what is sent, what never is, and what stays on disk.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { describe, expect, it, onTestFinished, vi } from "vitest";

import type { ActionContext } from "#src/actions/action-context.ts";
import type { ReplayEvent, ReplayInput, ReplayRun } from "#src/actions/replay/replay.ts";
import { startReplay } from "#src/actions/replay/running-replay.ts";
import { preflightSources } from "#src/actions/replay/preflight.ts";
import type { Client } from "#src/client/client.ts";
import { credentialMissing, Fault, storage } from "#src/contract/fault.ts";
import type { CheckResult } from "#src/contract/wire/outcome.ts";
import { SANDBOX_PROFILE, type Profile } from "#src/contract/records/profile.ts";
import type { RunRow } from "#src/contract/records/run.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import type { Runs } from "#src/storage/database/runs.ts";
import { answer } from "../storage/entries.ts";
import { runsIn } from "../storage/open-runs.ts";

type Check = (request: CheckRequest, signal: AbortSignal) => Promise<CheckResult>;

interface Bench {
  readonly context: ActionContext;
  readonly runs: Runs;
  readonly folder: string;
  /** Order ids in the order in which they left. */
  readonly sent: (string | undefined)[];
  /** Writes lines of a source and gives its path. */
  source(name: string, lines: readonly unknown[]): string;
}

/** @param times takes the time that each check carries; without it the service takes none */
function bench(check: Check, profile: Profile = SANDBOX_PROFILE, times?: (number | undefined)[]): Bench {
  const folder = mkdtempSync(join(tmpdir(), "verdict-replay-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const sent: (string | undefined)[] = [];
  let ids = 0;
  const client: Pick<Client, "check"> = {
    check: async (request, _credential, options) => {
      sent.push(request.order_id);
      times?.push(options!.at);
      return check(request, options!.signal!);
    },
  };
  const runs = runsIn(folder);
  const entry = {
    kind: "project_credential",
    profile: profile.name,
    projectKey: "shop/low",
    projectId: "p-1",
  };
  const context = {
    profile,
    addresses: () => profile,
    now: () => Date.now(),
    newId: () => `r${String((ids += 1)).padStart(4, "0")}abcdef`,
    sleep: (ms: number) => new Promise((resolve) => setTimeout(resolve, ms)),
    service: async () => ({ client, takesTime: times !== undefined, follow: () => undefined }),
    vault: async () => ({
      refresh: async () => undefined,
      lockState: () => "open",
      list: () => [entry],
      credential: () => ({}),
    }),
    payloads: async () => ({ path: (name: string) => join(folder, "payloads", `${name}.json`) }),
    runs: async () => runs,
  } as unknown as ActionContext;
  return {
    context,
    runs,
    folder,
    sent,
    source: (name, lines) => {
      const path = join(folder, name);
      writeFileSync(
        path,
        lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n"),
      );
      return path;
    },
  };
}

function payments(count: number, changes: (n: number) => object = () => ({})): object[] {
  return Array.from({ length: count }, (_, index) => ({
    operation: "payment",
    order_id: `o-${index + 1}`,
    amount: 1_000 + index,
    currency: 980,
    ...changes(index + 1),
  }));
}

function input(changes: Partial<ReplayInput>): ReplayInput {
  return {
    sources: [],
    project: undefined,
    concurrency: 4,
    ratePerS: null,
    baseline: null,
    continues: null,
    freshOrderIds: false,
    strict: false,
    stopAfterFailures: 20,
    stdin: null,
    ...changes,
  };
}

function start(
  { context }: Bench,
  changes: Partial<ReplayInput>,
): { running: ReplayRun; events: ReplayEvent[]; cancel: () => void } {
  const events: ReplayEvent[] = [];
  const abort = new AbortController();
  const running = startReplay(context, input(changes), abort.signal, (event) => events.push(event));
  return { running, events, cancel: () => abort.abort() };
}

const sorted = (sent: readonly (string | undefined)[]): string[] => sent.map(String).sort();

const PASS = answer({ recommendation: "pass" });
const UNKNOWN = answer({
  outcome: "unknown",
  recommendation: null,
  reason: "cut",
  explanation: "It was cut.",
});
const NOT_SENT = answer({
  outcome: "not_sent",
  recommendation: null,
  attempts: 0,
  explanation: "Nobody listens.",
});

async function rowsOf(runs: Runs, id: string): Promise<RunRow[]> {
  const rows = [];
  for await (const row of runs.rows(id)) rows.push(row);
  return rows;
}

const orders = (count: number): string[] =>
  payments(count).map((each) => (each as { order_id: string }).order_id);

describe("a replay", () => {
  it("sends every item once, adds up and leaves a complete run", async () => {
    const on = bench(async ({ amount }) => answer({ recommendation: amount! < 1_005 ? "pass" : "block" }));
    const { running, events } = start(on, { sources: [on.source("a.ndjson", payments(10))] });
    const { info, stopped, notSaved } = await running.ended;
    expect({ stopped, notSaved, state: info.state }).toEqual({
      stopped: "done",
      notSaved: null,
      state: "complete",
    });
    expect(info.summary?.counts).toMatchObject({ total: 10, pass: 5, block: 5 });
    expect(sorted(on.sent)).toEqual(orders(10).sort());
    expect(events.map(({ type }) => type)).toEqual(["started", "time", ...Array<string>(10).fill("settled")]);
    expect(await on.runs.find("last")).toEqual(info);
    expect(running.progress()).toMatchObject({ fraction: 1, inFlight: 0 });
  });

  it("sends what shares a card in order where that is asked for, and the rest side by side", async () => {
    const underWay = new Set<string>();
    const orderOf = new Map<string, string[]>();
    let [most, overlaps] = [0, 0];
    const on = bench(async ({ order_id: order, card }) => {
      const lane = `${card!.cin_card}`;
      if (underWay.has(lane)) overlaps += 1;
      underWay.add(lane);
      orderOf.set(lane, [...(orderOf.get(lane) ?? []), order!]);
      most = Math.max(most, underWay.size);
      for (let turn = 0; turn < 3 + (card!.cin_card! % 5); turn += 1) await new Promise(setImmediate);
      underWay.delete(lane);
      return PASS;
    });
    const card = { bin_card: 444_433, expiration_month: 9, expiration_year: 40 };
    const lines = payments(120, (n) => ({ card: { ...card, cin_card: (n * 7) % 20 } }));
    const { running } = start(on, {
      sources: [on.source("a.ndjson", lines)],
      concurrency: 16,
      orderBy: ["card"],
    });
    expect((await running.ended).info.summary?.counts).toMatchObject({ total: 120, pass: 120 });
    expect(overlaps).toBe(0);
    expect(most).toBeGreaterThan(8);
    const place = (order: string): number => Number(order.slice(2));
    for (const orders of orderOf.values()) {
      expect(orders).toEqual(orders.toSorted((a, b) => place(a) - place(b)));
    }
  });

  it.each([
    ["recorded", undefined, [1, 2, 3]],
    ["recorded", "recorded", [1, 2, 3]],
    ["now", "now", [undefined, undefined, undefined]],
  ] as const)(
    "to a sandbox, payments with a time are decided %s when %s is asked for",
    async (how, time, minutes) => {
      const times: (number | undefined)[] = [];
      const on = bench(async () => answer({ recommendation: "pass" }), SANDBOX_PROFILE, times);
      const start0 = Date.UTC(2026, 2, 1);
      const lines = [
        { at: new Date(start0 + 60_000).toISOString(), request: payments(1)[0] },
        { at: new Date(start0 + 120_000).toISOString(), request: payments(2)[1] },
        // One without a time follows a minute later.
        payments(3)[2],
      ];
      const { running, events } = start(on, {
        sources: [on.source("a.ndjson", lines)],
        concurrency: 1,
        time,
      });
      const { info } = await running.ended;
      expect(times).toEqual(
        minutes.map((minute) => (minute === undefined ? undefined : start0 + minute * 60_000)),
      );
      expect(events[1]).toEqual({ type: "time", time: how, from: start0 + 60_000 });
      expect((await on.runs.find("last"))!.time).toBe(time);
      const rows = await rowsOf(on.runs, info.id);
      const last = how === "recorded" ? start0 + 180_000 : undefined;
      expect(rows.map((row) => row.time)).toEqual([start0 + 60_000, start0 + 120_000, last]);
    },
  );

  it.each(["newest first", "oldest first"])("tells the share of items that were sent: %s", async (order) => {
    const count = 40;
    const lines = payments(count).map((request, index) => ({
      at: new Date(Date.UTC(2026, 2, 1, 0, index)).toISOString(),
      request,
    }));
    const shares: number[] = [];
    const on = bench(
      async () => {
        shares.push(running.progress().fraction! * count);
        return PASS;
      },
      SANDBOX_PROFILE,
      [],
    );
    const source = on.source("a.ndjson", order === "newest first" ? lines.toReversed() : lines);
    const { running } = start(on, { sources: [source], concurrency: 1 });
    await running.ended;
    expect(shares).toHaveLength(count);
    for (const [sent, share] of shares.entries()) expect(Math.abs(share - sent)).toBeLessThan(1);
    expect(running.progress().fraction).toBe(1);
  });

  it("in recorded time sorts a source that is newest first, and goes on with it under the same numbers", async () => {
    const day = Date.UTC(2026, 2, 1);
    const lines = payments(9, (n) => ({ card: { bin_card: 444_433, cin_card: n } })).map(
      (request, index) => ({
        // The fourth row of the file is of another century.
        at: new Date(index === 3 ? Date.UTC(2126, 0) : day - index * 60_000).toISOString(),
        request,
      }),
    );
    const wanted = [9, 8, 7, 6, 5, 3, 2, 1, 4].map((n) => `o-${n}`);
    let stop = (): void => undefined;
    const times: (number | undefined)[] = [];
    const on = bench(
      async ({ order_id: order }) => {
        if (order === "o-6") stop();
        return PASS;
      },
      SANDBOX_PROFILE,
      times,
    );
    const source = on.source("a.ndjson", lines);
    const first = start(on, { sources: [source], concurrency: 1 });
    stop = first.cancel;
    const { info } = await first.running.ended;
    expect(info.state).toBe("partial");
    expect(first.events.slice(1, 3)).toEqual([
      { type: "sorted", outOfOrder: 7 },
      { type: "time", time: "recorded", from: day - 8 * 60_000 },
    ]);
    stop = () => undefined;
    const second = start(on, { continues: info.id, concurrency: 1 });
    expect((await second.running.ended).info).toMatchObject({ state: "complete" });
    expect(on.sent).toEqual(wanted);
    expect(times).toEqual(times.toSorted((a, b) => a! - b!));
    const rows = await rowsOf(on.runs, info.id);
    expect(rows.map(({ seq, request }) => [seq, request.order_id])).toEqual(
      orders(9).map((order, index) => [index + 1, order]),
    );
    // Sent by the service's own time, the order of the source is kept.
    await start(on, { sources: [source], concurrency: 1, time: "now" }).running.ended;
    expect(on.sent.slice(9)).toEqual(orders(9));
  });

  it("keeps the rhythm of the payments, faster", async () => {
    const times: (number | undefined)[] = [];
    const leftAt: number[] = [];
    const on = bench(async () => (leftAt.push(performance.now()), PASS), SANDBOX_PROFILE, times);
    const at = (seconds: number): string => new Date(Date.UTC(2026, 2, 1) + seconds * 1_000).toISOString();
    const lines = [0, 30, 60].map((seconds, index) => ({ at: at(seconds), request: payments(3)[index] }));
    const startedAt = performance.now();
    await start(on, { sources: [on.source("a.ndjson", lines)], time: "x300" }).running.ended;
    expect(times).toEqual([undefined, undefined, undefined]);
    // 30 s of the day are 100 ms; a machine may be late, also with the first one, never early.
    expect(leftAt[1]! - startedAt).toBeGreaterThan(98);
    expect(leftAt[2]! - startedAt).toBeGreaterThan(198);
  });

  it("tells no other service a time, and says so before anything is sent", async () => {
    const on = bench(async () => PASS);
    const { running } = start(on, { sources: [on.source("a.ndjson", payments(1))], time: "recorded" });
    await expect(running.ended).rejects.toMatchObject({ code: "usage" });
    expect(on.sent).toEqual([]);
  });

  it("counts the stored answers that a sandbox gave", async () => {
    const on = bench(async ({ order_id: order }) => answer(order === "o-2" ? { repeated: true } : {}));
    const { running } = start(on, { sources: [on.source("a.ndjson", payments(3))] });
    expect((await running.ended).info.summary).toMatchObject({ repeated: 1, counts: { total: 3, block: 3 } });
  });

  it("has each intent on disk before its first byte leaves", async () => {
    const on = bench(async (request) => {
      const [run] = await on.runs.list();
      const known = (await rowsOf(on.runs, run!.id)).find((row) => row.request.order_id === request.order_id);
      return known === undefined ? UNKNOWN : PASS;
    });
    const { running } = start(on, { sources: [on.source("a.ndjson", payments(12))] });
    expect((await running.ended).info.summary?.counts).toMatchObject({ total: 12, pass: 12 });
  });

  it("counts expectations, bad lines and verdicts that changed since the baseline", async () => {
    let recommendation: CheckResult["recommendation"] = "pass";
    const on = bench(async () => answer({ recommendation }));
    const lines = [
      ...payments(3),
      "{ not json",
      { name: "trusted", expect: "pass", request: payments(4)[3] },
    ];
    const sources = [on.source("a.ndjson", lines)];
    const first = await start(on, { sources }).running.ended;
    expect(first.info.summary).toMatchObject({ rejected: 1, expectationsFailed: 0 });
    recommendation = "block";
    const { running, events } = start(on, { sources, baseline: "last" });
    const second = await running.ended;
    expect(second.info).toMatchObject({
      baseline: first.info.id,
      summary: { rejected: 1, expectationsFailed: 1 },
    });
    expect(second.comparison).toMatchObject({ baseline: first.info.id, compared: 4, newBlocks: 4 });
    expect(events.filter(({ type }) => type === "rejected")).toHaveLength(1);
    expect(events.filter((event) => event.type === "settled" && event.change === "flipped")).toHaveLength(4);
  });

  it("replays the last run, although it becomes the last one itself", async () => {
    const on = bench(async () => PASS);
    const first = await start(on, { sources: [on.source("a.ndjson", payments(3))] }).running.ended;
    const second = await start(on, { sources: ["run:last"], freshOrderIds: true }).running.ended;
    expect(second.info).toMatchObject({
      sources: [`run:${first.info.id}`],
      summary: { counts: { total: 3 } },
    });
    expect(second.comparison).toMatchObject({ compared: 3, changes: { unchanged: 3 } });
    expect(sorted(on.sent.slice(3))).toEqual(orders(3).map((order) => `${order}-abcdef`));
    expect((await rowsOf(on.runs, second.info.id)).map(({ key }) => key).sort()).toEqual(orders(3));
  });

  it("sends no items of a run by kind while some are under way, or what changed is not known", async () => {
    const on = bench(async () => PASS);
    const sources = [on.source("a.ndjson", payments(3))];
    const first = await start(on, { sources }).running.ended;
    const second = await start(on, { sources, baseline: "last" }).running.ended;
    on.sent.length = 0;
    const active = await on.runs.create({ ...second.info, id: "r9" });
    await expect(start(on, { sources: ["run:r9:unknown"] }).running.ended).rejects.toThrow(/is in use/);
    await active.close();
    await on.runs.remove(first.info.id);
    const changed = start(on, { sources: [`run:${second.info.id}:changed`] });
    await expect(changed.running.ended).rejects.toThrow(/which was removed, so its changes are unknown/);
    expect(on.sent).toEqual([]);
  });

  it("cuts a fresh order id to the limit of its field", async () => {
    const on = bench(async () => PASS);
    const long = payments(1, () => ({ order_id: "x".repeat(128) }));
    await start(on, { sources: [on.source("a.ndjson", long)], freshOrderIds: true }).running.ended;
    expect(on.sent).toEqual([`${"x".repeat(121)}-abcdef`]);
  });

  it("leaves nothing behind when there was nothing to send", async () => {
    const on = bench(async () => PASS);
    const { info } = await start(on, { sources: [on.source("a.ndjson", ["nonsense"])] }).running.ended;
    expect(info.summary).toMatchObject({ rejected: 1, counts: { total: 0 } });
    await expect(start(on, { sources: [join(on.folder, "none")] }).running.ended).rejects.toBeInstanceOf(
      Fault,
    );
    expect(await on.runs.list()).toEqual([]);
  });

  it("stops at the first bad line when it is strict, and keeps what was sent before it", async () => {
    const on = bench(async () => PASS);
    const sources = [on.source("a.ndjson", [...payments(2), "nonsense", ...payments(1)])];
    await expect(start(on, { sources, strict: true }).running.ended).rejects.toMatchObject({
      code: "bad_input",
    });
    expect(on.sent).toEqual(["o-1", "o-2"]);
    expect(await on.runs.find("last")).toMatchObject({ state: "partial", summary: { counts: { total: 2 } } });
  });

  it("takes a refusal to sign for not sent, and says why", async () => {
    const on = bench(async () => {
      throw credentialMissing`Its algorithm is not known.`;
    });
    const { running } = start(on, { sources: [on.source("a.ndjson", payments(3))], concurrency: 1 });
    await expect(running.ended).rejects.toMatchObject({ code: "credential_missing" });
    const rows = await rowsOf(on.runs, (await on.runs.find("last"))!.id);
    expect(rows.map(({ result }) => result?.outcome)).toEqual(["not_sent"]);
  });

  it.each([
    [{ concurrency: 0 }, "1 to 256"],
    [{ concurrency: 300 }, "1 to 256"],
    [{ ratePerS: 0 }, "rate"],
    [{ ratePerS: Number.NaN }, "rate"],
    [{ sources: [] }, "source"],
  ])("refuses %o before anything is opened", async (changes, said) => {
    const on = bench(async () => PASS);
    const { running } = start(on, { sources: ["x"], ...changes });
    await expect(running.ended).rejects.toMatchObject({
      code: "usage",
      message: expect.stringContaining(said),
    });
  });
});

describe("the circuit breaker", () => {
  it("stops after so many items in a row without a trustworthy verdict", async () => {
    const on = bench(async () => UNKNOWN);
    const { running, events } = start(on, {
      sources: [on.source("a.ndjson", payments(500))],
      stopAfterFailures: 10,
    });
    const { info, stopped } = await running.ended;
    expect({ stopped, state: info.state }).toEqual({ stopped: "tripped", state: "partial" });
    expect(on.sent.length).toBeGreaterThanOrEqual(10);
    expect(on.sent.length).toBeLessThan(40);
    const tripped = events.filter(({ type }) => type === "tripped");
    expect(tripped).toEqual([
      { type: "tripped", message: expect.stringMatching(/^10 items in a row .* It was cut\.$/) },
    ]);
  });

  it("does not trip as long as verdicts come in between, nor when it is off", async () => {
    let turn = 0;
    const on = bench(async () => ((turn += 1) % 3 === 0 ? PASS : UNKNOWN));
    const source = on.source("a.ndjson", payments(60));
    const mixed = await start(on, { sources: [source], stopAfterFailures: 3, concurrency: 1 }).running.ended;
    expect(mixed).toMatchObject({
      stopped: "done",
      info: { state: "complete", summary: { counts: { unknown: 40 } } },
    });
    const off = bench(async () => UNKNOWN);
    const ended = await start(off, { sources: [source], stopAfterFailures: 0 }).running.ended;
    expect(ended).toMatchObject({ stopped: "done", info: { summary: { counts: { unknown: 60 } } } });
  });
});

describe("a replay that is stopped", () => {
  it("waits for what is in flight, and goes on later without sending anything twice", async () => {
    const waiting: (() => void)[] = [];
    let hold = true;
    const on = bench(async () => {
      if (hold) await new Promise<void>((resolve) => void waiting.push(resolve));
      return PASS;
    });
    const sources = [on.source("a.ndjson", payments(20))];
    const first = start(on, { sources });
    await vi.waitFor(() => expect(waiting).toHaveLength(4));
    first.cancel();
    expect(first.running.progress()).toMatchObject({ state: "stopping", inFlight: 4 });
    for (const release of waiting) release();
    const stopped = await first.running.ended;
    expect(stopped).toMatchObject({
      stopped: "cancelled",
      info: { state: "partial", summary: { counts: { total: 4 } } },
    });

    hold = false;
    const second = start(on, { continues: stopped.info.id });
    const done = await second.running.ended;
    expect(second.events[0]).toMatchObject({ type: "started", alreadySent: 4 });
    expect(done).toMatchObject({
      stopped: "done",
      info: { id: stopped.info.id, state: "complete", summary: { counts: { total: 20, pass: 20 } } },
    });
    expect(sorted(on.sent)).toEqual(orders(20).sort());
    await expect(start(on, { continues: done.info.id }).running.ended).rejects.toMatchObject({
      code: "usage",
    });
  });

  it("sends each item in exactly one shard, also when one of them was stopped and goes on", async () => {
    let waiting: (() => void)[] | null = [];
    const on = bench(async () => {
      if (waiting !== null) await new Promise<void>((resolve) => void waiting!.push(resolve));
      return PASS;
    });
    const sources = [on.source("a.ndjson", [...payments(30), "no payment", ...payments(1)])];
    const first = start(on, { sources, shard: { part: 2, of: 3 } });
    await vi.waitFor(() => expect(waiting).toHaveLength(4));
    first.cancel();
    for (const release of waiting) release();
    waiting = null;
    const { info } = await first.running.ended;
    const second = start(on, { continues: info.id });
    expect((await second.running.ended).info).toMatchObject({
      state: "complete",
      shard: { part: 2, of: 3 },
      summary: { rejected: 1 },
    });
    expect(second.events[0]).toMatchObject({ type: "started", alreadySent: 4 });
    for (const part of [1, 3]) await start(on, { sources, shard: { part, of: 3 } }).running.ended;
    expect(sorted(on.sent)).toEqual([...orders(30), "o-1"].sort());
  });

  it("cuts what does not answer for ten seconds, and counts it as unknown", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const on = bench(
      (_request, signal) =>
        new Promise((resolve) => signal.addEventListener("abort", () => resolve(UNKNOWN), { once: true })),
    );
    const { running, cancel } = start(on, { sources: [on.source("a.ndjson", payments(9))], concurrency: 2 });
    while (on.sent.length < 2) await new Promise((resolve) => void setImmediate(resolve));
    cancel();
    await vi.advanceTimersByTimeAsync(9_900);
    expect(running.progress()).toMatchObject({ state: "stopping", inFlight: 2 });
    await vi.advanceTimersByTimeAsync(200);
    const { info, stopped } = await running.ended;
    expect({ stopped, counts: info.summary?.counts }).toMatchObject({
      stopped: "cancelled",
      counts: { total: 2, unknown: 2 },
    });
  });

  it("sends what certainly never left when it goes on, and nothing whose outcome is unknown", async () => {
    let up = false;
    const on = bench(async ({ order_id }) => {
      if (order_id === "o-2") return up ? PASS : UNKNOWN;
      return up ? PASS : NOT_SENT;
    });
    const sources = [on.source("a.ndjson", payments(30))];
    const first = await start(on, { sources, stopAfterFailures: 6, concurrency: 1 }).running.ended;
    expect(first.stopped).toBe("tripped");
    up = true;
    on.sent.length = 0;
    const second = await start(on, { continues: "last" }).running.ended;
    expect(second.info).toMatchObject({
      state: "complete",
      summary: { counts: { total: 30, pass: 29, unknown: 1 } },
    });
    expect(sorted(on.sent)).toEqual(
      orders(30)
        .filter((order) => order !== "o-2")
        .sort(),
    );
    expect(await rowsOf(on.runs, first.info.id)).toHaveLength(30);
  });

  it("stays partial while items were not sent", async () => {
    const on = bench(async ({ order_id }) => (order_id === "o-2" ? NOT_SENT : PASS));
    const { info, stopped } = await start(on, { sources: [on.source("a.ndjson", payments(4))] }).running
      .ended;
    expect({ stopped, state: info.state }).toEqual({ stopped: "done", state: "partial" });
  });

  it("is continued with what the service had certainly not decided, and with nothing else", async () => {
    const refused = (httpStatus: number, more: Partial<CheckResult> = {}): CheckResult =>
      answer({ outcome: "refused", recommendation: null, decisionId: null, httpStatus, ...more });
    const first: Readonly<Record<string, CheckResult>> = {
      "o-1": refused(503),
      "o-2": refused(429),
      "o-3": refused(400),
      "o-4": refused(503, { decisionId: "d-4" }),
      "o-5": UNKNOWN,
      "o-6": NOT_SENT,
    };
    let healthy = false;
    const on = bench(async ({ order_id }) => (healthy ? PASS : (first[order_id!] ?? PASS)));
    const before = await start(on, { sources: [on.source("a.ndjson", payments(8))] }).running.ended;
    expect(before).toMatchObject({
      stopped: "done",
      info: { state: "partial", summary: { undecided: 3, counts: { refused: 4, notSent: 1 } } },
    });
    healthy = true;
    on.sent.length = 0;
    const { running, events } = start(on, { continues: before.info.id });
    const { info } = await running.ended;
    expect(sorted(on.sent)).toEqual(["o-1", "o-2", "o-6"]);
    expect(events[0]).toMatchObject({ type: "started", alreadySent: 5 });
    expect(info.state).toBe("complete");
    expect(info.summary).toMatchObject({ counts: { total: 8, pass: 5, refused: 2, unknown: 1 } });
    expect(info.summary).not.toHaveProperty("undecided");
    expect((await rowsOf(on.runs, info.id)).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    await expect(start(on, { continues: info.id }).running.ended).rejects.toThrow(/is complete/);
  });

  it("pauses and resumes", async () => {
    let release: () => void = () => undefined;
    const on = bench(async ({ order_id }) => {
      if (order_id === "o-1") await new Promise<void>((resolve) => void (release = resolve));
      return PASS;
    });
    const { running } = start(on, { sources: [on.source("a.ndjson", payments(6))], concurrency: 1 });
    await vi.waitFor(() => expect(on.sent).toEqual(["o-1"]));
    running.pause();
    release();
    await vi.waitFor(() => expect(running.progress().summary.counts.total).toBe(1));
    expect(running.progress()).toMatchObject({ state: "paused", inFlight: 0 });
    expect(on.sent).toEqual(["o-1"]);
    running.resume();
    expect((await running.ended).info.summary?.counts.total).toBe(6);
  });

  it("goes on as fast as it began, unless it is told otherwise", async () => {
    let [now, most] = [0, 0];
    let healthy = false;
    const on = bench(async () => {
      most = Math.max(most, (now += 1));
      await new Promise((resolve) => void setImmediate(resolve));
      now -= 1;
      return healthy ? PASS : NOT_SENT;
    });
    const sources = [on.source("a.ndjson", payments(40))];
    const pace = { concurrency: 2, ratePerS: 5_000 };
    const first = await start(on, { sources, ...pace }).running.ended;
    expect(first.info).toMatchObject({ state: "partial", pace });

    const unsaid = { continues: first.info.id, concurrency: undefined, ratePerS: undefined };
    most = 0;
    const second = await start(on, unsaid).running.ended;
    expect(second.info).toMatchObject({ state: "partial", pace });
    expect(most).toBe(2);
    healthy = true;
    most = 0;
    const last = await start(on, { ...unsaid, concurrency: 16, ratePerS: null }).running.ended;
    expect(last.info).toMatchObject({ state: "complete", summary: { counts: { total: 40, pass: 40 } } });
    expect(most).toBeGreaterThan(2);
    expect((await on.runs.find(first.info.id))!.pace).toEqual(pace);
  });

  it("refuses to go on with a source that changed, and sends nothing of it", async () => {
    const on = bench(async ({ order_id }) => (order_id === "o-3" ? NOT_SENT : PASS));
    const sources = [on.source("a.ndjson", payments(8))];
    const { info } = await start(on, { sources }).running.ended;
    on.sent.length = 0;
    on.source(
      "a.ndjson",
      payments(8, (n) => (n === 2 ? { amount: 5 } : {})),
    );
    await expect(start(on, { continues: info.id }).running.ended).rejects.toMatchObject({
      code: "usage",
      message: expect.stringMatching(/^a\.ndjson:2 has changed since the run, which sent another item 2; /),
    });
    on.source("a.ndjson", payments(5));
    await expect(start(on, { continues: info.id }).running.ended).rejects.toMatchObject({
      message: expect.stringContaining("The sources end after item 5, but the run has sent item 8"),
    });
    expect(on.sent.filter((order) => order !== "o-3")).toEqual([]);
  });

  it("refuses to go on in another profile", async () => {
    const on = bench(async () => NOT_SENT);
    const { info } = await start(on, { sources: [on.source("a.ndjson", payments(2))] }).running.ended;
    const other = { ...on, context: { ...on.context, profile: { ...SANDBOX_PROFILE, name: "other" } } };
    await expect(start(other, { continues: info.id }).running.ended).rejects.toMatchObject({
      code: "usage",
      message: expect.stringContaining("--profile sandbox"),
    });
  });

  it("sends nothing when it was stopped before its first item", async () => {
    const on = bench(async () => PASS);
    const abort = new AbortController();
    abort.abort();
    const sources = [on.source("a.ndjson", payments(2))];
    const running = startReplay(on.context, input({ sources }), abort.signal, () => undefined);
    await expect(running.ended).rejects.toMatchObject({ code: "interrupted" });
    expect(on.sent).toEqual([]);
  });
});

describe("a disk that fails", () => {
  it("stops the run: what cannot be recorded is not sent", async () => {
    const on = bench(async () => PASS);
    let intents = 0;
    const failing: Runs = {
      ...on.runs,
      problems: [],
      create: async (header) => {
        const journal = await on.runs.create(header);
        vi.spyOn(journal, "intend").mockImplementation(async () => {
          intents += 1;
          if (intents > 5) throw storage`The disk is full.`;
          return "{}";
        });
        return journal;
      },
    };
    const context = { ...on.context, runs: async () => failing };
    const { running } = start({ ...on, context }, { sources: [on.source("a.ndjson", payments(50))] });
    const { notSaved, stopped, info } = await running.ended;
    expect(notSaved).toMatchObject({ message: "The disk is full." });
    expect({ stopped, state: info.state }).toEqual({ stopped: "tripped", state: "partial" });
    expect(on.sent.length).toBeLessThanOrEqual(5);
  });
});

describe("a dry run", () => {
  it("counts what could be sent, and sends nothing", async () => {
    const on = bench(async () => PASS);
    const lines = [
      ...payments(3),
      { name: "x", expect: "block", request: payments(1)[0] },
      { operation: "payment", order_id: "e", amount: 7, currency: 978 },
      "nonsense",
    ];
    const preflight = await preflightSources(
      on.context,
      { sources: [on.source("a.ndjson", lines)], strict: false, stdin: null },
      new AbortController().signal,
    );
    expect(preflight).toMatchObject({ items: 5, rejectedCount: 1, expectations: 1 });
    expect(preflight.money).toEqual([
      { currency: 980, amount: 4_003n },
      { currency: 978, amount: 7n },
    ]);
    expect(preflight.rejected[0]?.origin).toBe("a.ndjson:6");
    expect(on.sent).toEqual([]);
  });
});
