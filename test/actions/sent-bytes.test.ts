// What is stored of a check: the bytes that are sent, and its outcome before anything else is asked.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { check } from "#src/actions/check/check.ts";
import { createContext, type Context } from "#src/app/context.ts";
import { findHome } from "#src/app/home.ts";
import { homeOfTests, pointAt } from "../cli/in-process.ts";
import { answer, type HostileService, PASS, startHostileService } from "../client/hostile-service.ts";
import { noDamage } from "../storage/no-damage.ts";

const PAYMENT = {
  operation: "payment",
  order_id: "Zażółć-\u{1F4B3}",
  amount: 12_000,
  currency: 980,
  description: 'two\n"books"\u2028',
  payer: { email: "a@b.example", payer_ip: "203.0.113.9" },
};

const home = homeOfTests();
let service: HostileService;
beforeAll(async () => {
  service = await startHostileService([]);
  await pointAt(home, service.url);
});
beforeEach(() => service.play(answer(200, PASS)));
afterAll(async () => {
  await service[Symbol.asyncDispose]();
});

const sent = (): string[] =>
  service.requests.map(({ body }) => Buffer.from(body, "latin1").toString("utf8")).toSorted();

/** Rows of the history or of the runs, as another process reads them. */
function rows(sql: string): Record<string, unknown>[] {
  const path = join(home.folder, "data", sql.includes("entry") ? "history.db" : "runs.db");
  const database = new DatabaseSync(path, { readOnly: true });
  const found = database.prepare(sql).all();
  database.close();
  return found;
}

/** The texts of requests in rows. */
function stored(sql: string): string[] {
  const texts = rows(sql).map(({ intent }) => {
    const text = String(intent);
    const { request } = JSON.parse(text) as { request: object };
    const at = text.indexOf('"request":') + '"request":'.length;
    // Of the text itself: reading and writing it again would prove nothing.
    return text.slice(at, at + JSON.stringify(request).length);
  });
  return texts.toSorted();
}

const NEWEST = "SELECT intent FROM entry_text ORDER BY place DESC LIMIT 1";

test("of a check", async () => {
  const path = join(home.folder, "payment.json");
  writeFileSync(path, JSON.stringify(PAYMENT, null, 2));
  expect((await home.run(["check", path])).code).toBe(0);
  expect(sent()).toHaveLength(1);
  expect(stored(NEWEST)).toEqual(sent());
});

test("of a check that is sent again", async () => {
  service.play(answer(500, "{}"), answer(200, PASS));
  const path = join(home.folder, "again.json");
  writeFileSync(path, JSON.stringify({ ...PAYMENT, order_id: "again" }));
  const [first] = await home.json(["check", path, "--json"]);
  await home.run(["check", "--again", String(first!["id"])]);
  expect(sent()).toHaveLength(2);
  expect(stored(NEWEST.replace("LIMIT 1", "LIMIT 2"))).toEqual(sent());
});

test("of a replay", async () => {
  const path = join(home.folder, "day.ndjson");
  const lines = [1, 2, 3].map((n) => JSON.stringify({ ...PAYMENT, order_id: `o-${n}`, amount: n * 1_000 }));
  writeFileSync(path, lines.join("\n"));
  expect((await home.run(["replay", path])).code).toBe(0);
  expect(sent()).toHaveLength(3);
  expect(stored("SELECT intent FROM item")).toEqual(sent());
});

test("of a dry run there is nothing", async () => {
  const before = stored("SELECT intent FROM entry_text");
  const { code, stdout } = await home.run(["check", "-", "--dry-run", "--json"], JSON.stringify(PAYMENT));
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { dry_run: true, request: PAYMENT }]);
  expect(service.connections()).toBe(0);
  expect(stored("SELECT intent FROM entry_text")).toEqual(before);
});

const REST = { project: undefined, canForce3ds: null, warnings: [], repeats: null, record: true };
const NEVER = new AbortController().signal;

async function openContext(): Promise<Context> {
  const where = { home: findHome({}, home.folder), env: {}, profile: "test", executable: [] };
  const context = await createContext({ onProblem: noDamage, ...where });
  onTestFinished(() => context.close());
  return context;
}

test("of a request that changes while its intent is written", async () => {
  let amount = 100;
  const request = { ...PAYMENT, order_id: "changing" };
  Object.defineProperty(request, "amount", { get: () => (amount += 1), enumerable: true });
  await check(await openContext(), { request, ...REST }, NEVER, () => undefined);
  expect(stored(NEWEST)).toEqual(sent());
});

test("of an outcome before its explanation is asked for", async () => {
  const context = await openContext();
  const service = await context.service();
  const seen: unknown[] = [];
  const explained: typeof service = {
    ...service,
    client: {
      ...service.client,
      check: async (...given) => ({ ...(await service.client.check(...given)), decisionId: "d-1" }),
    },
    explain: async (id) => {
      seen.push(id, ...rows(NEWEST.replace("intent", "learned")));
      return null;
    },
  };
  const input = { request: { ...PAYMENT, order_id: "explained" }, ...REST };
  await check({ ...context, service: async () => explained }, input, NEVER, () => undefined);
  expect(seen).toEqual(["d-1", { learned: expect.stringContaining('"recommendation":"pass"') as string }]);
});
