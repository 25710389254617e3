// The filter language: what it finds, and how it points at a mistake.

import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";

import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import { compileFilter, FILTER_FIELDS } from "#src/storage/database/history-filter.ts";
import { answer, intent } from "./entries.ts";
import { historyIn } from "./open-history.ts";
import { plainFilter } from "./plain-filter.ts";
import { accepted, fill, searched } from "./searched.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const NOW = Date.UTC(2026, 0, 10, 12);
const DAY = 86_400_000;

const ENTRIES: readonly HistoryEntry[] = [
  intent("blocked", {
    at: NOW - DAY,
    request: {
      operation: "payment",
      order_id: "A-17",
      amount: 150_000,
      currency: 980,
      description: "Blue shoes, size 42",
      payer: {
        email: "Jane@Example.com",
        payer_ip: "192.0.2.7",
        payer_id: "p*1",
        number_phone: "+380441234567",
      },
      card: { bin_card: 411_111, holder: "Jane Doe" },
    },
    result: answer({ latencyMs: 250 }),
    finalAction: "block",
  }),
  intent("passed", {
    at: NOW - 3 * DAY,
    profile: "live",
    project: "other/high",
    request: { operation: "payout", order_id: "B-1", amount: 900, currency: 978 },
    result: answer({ recommendation: "pass", latencyMs: 40, message: "Fine" }),
    finalAction: "continue",
    label: "chargeback",
    note: "Called the customer",
  }),
  intent("challenged", {
    at: NOW - 60_000,
    request: { order_id: "a-17", amount: 100_000 },
    result: answer({ recommendation: "3ds_or_block", latencyMs: 2_000 }),
  }),
  intent("lost", { at: NOW, request: {} }),
  intent("odd", {
    at: NOW - 2 * DAY,
    request: {},
    result: answer({ outcome: "indeterminate", recommendation: null, reason: "bad_code", rawCode: '"PASS"' }),
  }),
  intent("refused", {
    at: NOW - 2 * DAY - 1,
    request: {},
    result: answer({ outcome: "refused", recommendation: null, httpStatus: 401, message: null }),
  }),
];

const folder = mkdtempSync(join(tmpdir(), "verdict-filter-"));
const history = historyIn(folder);
beforeAll(() => fill(history, ENTRIES));
afterAll(async () => {
  await history.close();
  rmSync(folder, { recursive: true });
});

const EVERY = ENTRIES.map(({ id }) => id);

describe("a filter", () => {
  it.each([
    ["", EVERY],
    ["   ", EVERY],
    ["verdict:block", ["blocked"]],
    ["id:lost,passed", ["passed", "lost"]],
    ["-id:lost,passed verdict:block", ["blocked"]],
    ["VERDICT:Block", ["blocked"]],
    ["verdict=pass", ["passed"]],
    ["verdict:3ds_or_block", ["challenged"]],
    ["verdict:3DS", ["challenged"]],
    ["verdict:*block", ["blocked", "challenged"]],
    ["verdict:unknown", ["lost"]],
    ["verdict:indeterminate", ["odd"]],
    ["outcome:answered", ["blocked", "passed", "challenged"]],
    ["outcome:refused", ["refused"]],
    ["-outcome:answered", ["lost", "odd", "refused"]],
    ["label:chargeback", ["passed"]],
    ["label:none", ["blocked", "challenged", "lost", "odd", "refused"]],
    ["-label:Fraud", EVERY],
    ["final:open", ["challenged"]],
    ["-final=open", EVERY.filter((id) => id !== "challenged")],
    ["final:none", ["challenged", "lost", "odd", "refused"]],
    ["final:continue", ["passed"]],
    ["amount>100000", ["blocked"]],
    ["amount>=100000", ["blocked", "challenged"]],
    ["amount<1000", ["passed"]],
    ["amount<=900", ["passed"]],
    ["amount:900", ["passed"]],
    ["amount=150000", ["blocked"]],
    ["-amount>100000", ["passed", "challenged", "lost", "odd", "refused"]],
    ["currency:980", ["blocked"]],
    ["currency:eur", ["passed"]],
    ["latency>200", ["blocked", "challenged"]],
    ["latency>=2s", ["challenged"]],
    ["order:A-17", ["blocked", "challenged"]],
    ["order=A-17", ["blocked"]],
    ["order:*1*", ["blocked", "passed", "challenged"]],
    ["email:*@example.com", ["blocked"]],
    ["email:example.com", []],
    ["ip:192.0.2.*", ["blocked"]],
    ['payer:"p*1"', ["blocked"]],
    ['payer:"p*"', []],
    ["payer:p*", ["blocked"]],
    ["bin:4111*", ["blocked"]],
    ["bin:411111", ["blocked"]],
    ["operation:payout", ["passed"]],
    ["project:other/high", ["passed"]],
    ["profile:live", ["passed"]],
    ["since:2d", ["blocked", "challenged", "lost", "odd"]],
    ["before:2d", ["passed", "refused"]],
    ["since:2026-01-10T11:59Z", ["challenged", "lost"]],
    ["since:2026-01-10T13:00:00+01:00", ["lost"]],
    ['"blue shoes"', ["blocked"]],
    ["SHOES jane", ["blocked"]],
    ["-shoes -lost", ["passed", "challenged", "odd", "refused"]],
    ["customer", ["passed"]],
    ['text:"too many"', ["blocked", "challenged", "odd"]],
    ['text:"too many" verdict:block amount>100000 since:2d email:*@example.com', ["blocked"]],
    ["+380441234567", ["blocked"]],
    ['"\\"PASS\\""', ["odd"]],
    ["latency", []],
    ["bad_code", ["odd"]],
  ])("%j finds %j", async (filter, expected) => {
    expect((await accepted(history, ENTRIES, filter, NOW)).map(({ id }) => id)).toEqual(expected);
  });

  it("reads a date without a time as the start of the local day", async () => {
    const midnight = new Date(2026, 0, 9).getTime();
    const days = historyIn(temporaryFolder());
    onTestFinished(() => days.close());
    await fill(days, [intent("x", { at: midnight }), intent("y", { at: midnight - 1 })]);
    expect(await searched(days, "since:2026-01-09", NOW)).toEqual([0]);
  });

  it.each([
    ["verdct:block", 1, "there is no field"],
    ["amount>5 verdict:blok", 18, "is not a valid verdict"],
    ["outcome:fraud", 9, "is a label; write label:fraud"],
    ["label:stolen", 7, "is not a valid label; use fraud, chargeback, refund, good, none"],
    ["verdict>block", 8, "cannot be compared"],
    ["amount>many", 8, "is not a number"],
    ["amount>1e3", 8, "is not a number"],
    ["currency:XYZW", 10, "is not a currency"],
    ["latency>fast", 9, "is not a duration"],
    ["since:yesterday", 7, "is not a time"],
    ["since:2026-02-31", 7, "is not a time"],
    ["since>2d", 6, 'write ":" after'],
    ["  order:", 9, "a value is missing"],
    ['😀 "open', 3, "not closed"],
    ['"a"b', 4, "a space is missing"],
    ["a - b", 4, "a word is missing"],
    ["-final:maybe", 8, "is not a valid final"],
  ])("%j is refused at column %i because %s", (filter, column, reason) => {
    const attempt = (): unknown => compileFilter(filter, NOW);
    expect(attempt).toThrow(expect.objectContaining({ code: "usage" }) as Error);
    expect(attempt).toThrow(new RegExp(`^Filter, column ${column}: .*${reason}.*\\.$`));
  });

  it("escapes what it quotes in a fault", () => {
    expect(() => compileFilter("amount>\u001b[2J", NOW)).toThrow('"\\x1b[2J"');
  });

  it("names every field in the fault about an unknown one", () => {
    for (const field of FILTER_FIELDS) expect(() => compileFilter("nope:1", NOW)).toThrow(field);
  });

  it("ends in an answer or in a usage fault, whatever is typed", async () => {
    const pieces = fc.constantFrom(
      "verdict",
      "amount",
      "since",
      ":",
      ">=",
      "-",
      '"',
      "\\",
      "*",
      " ",
      "2d",
      "block",
      "é",
    );
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string({ unit: "binary" }),
          fc.array(pieces).map((all) => all.join("")),
        ),
        async (filter) => {
          try {
            compileFilter(filter, NOW);
          } catch (error) {
            expect(error).toMatchObject({ code: "usage" });
            return;
          }
          expect(await accepted(history, ENTRIES, filter, NOW)).toEqual(
            ENTRIES.filter(plainFilter(filter, NOW)),
          );
        },
      ),
    );
  });

  it("matches wildcards like a regular expression does, in time that does not explode", async () => {
    const letters = fc.string({ unit: fc.constantFrom("a", "b", "."), maxLength: 8 });
    const patterns = fc.string({ unit: fc.constantFrom("a", "b", ".", "*"), minLength: 1, maxLength: 8 });
    const orders = fc.sample(letters, 300);
    const many = historyIn(temporaryFolder());
    onTestFinished(() => many.close());
    const order = (order_id: string) =>
      many.intend(intent(order_id, { id: randomUUID(), request: { order_id } }));
    await Promise.all(orders.map(order));
    await fc.assert(
      fc.asyncProperty(patterns, async (wanted) => {
        const expression = new RegExp(`^${wanted.replaceAll(".", "\\.").replaceAll("*", ".*")}$`);
        expect(await accepted(many, orders, `order:${wanted}`, NOW)).toEqual(
          orders.filter((value) => expression.test(value)),
        );
      }),
      { numRuns: 200 },
    );
    await order("a".repeat(10_000));
    const started = performance.now();
    expect(await searched(many, `order:${"*a".repeat(40)}*b`, NOW)).toEqual([]);
    // Going back and forth in it would take for ever.
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  it("takes long patterns and filters, or says that they are too long", async () => {
    const long = "k".repeat(60_000);
    for (const filter of [`order:${long}`, `order=${long}`, long, `-"${long}"`])
      expect(await searched(history, filter, NOW)).toHaveLength(filter.startsWith("-") ? ENTRIES.length : 0);
    expect(() => compileFilter(`order:${long}*`, NOW)).toThrow("at most 1000 characters");
    expect(() => compileFilter("a ".repeat(201), NOW)).toThrow("at most 200 terms");
    expect(() => compileFilter(`${"amount>1 ".repeat(200)}x:1`, NOW)).toThrow("at most 200 terms");
  });
});
