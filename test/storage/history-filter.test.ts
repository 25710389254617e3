// The filter language: what it finds, and how it points at a mistake.

import fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import { FILTER_FIELDS, parseFilter } from "#src/storage/database/history-filter.ts";
import { answer, intent } from "./entries.ts";

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

function found(filter: string): string[] {
  const matches = parseFilter(filter, NOW);
  return ENTRIES.filter(matches).map(({ id }) => id);
}

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
    ["verdict:*block", ["blocked", "challenged"]],
    ["verdict:unknown", ["lost"]],
    ["verdict:indeterminate", ["odd"]],
    ["outcome:answered", ["blocked", "passed", "challenged"]],
    ["outcome:refused", ["refused"]],
    ["-outcome:answered", ["lost", "odd", "refused"]],
    ["label:chargeback", ["passed"]],
    ["label:none", ["blocked", "challenged", "lost", "odd", "refused"]],
    ["-label:Fraud", EVERY],
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
  ])("%j finds %j", (filter, expected) => {
    expect(found(filter)).toEqual(expected);
  });

  it("reads a date without a time as the start of the local day", () => {
    const midnight = new Date(2026, 0, 9).getTime();
    const matches = parseFilter("since:2026-01-09", NOW);
    expect(matches(intent("x", { at: midnight }))).toBe(true);
    expect(matches(intent("x", { at: midnight - 1 }))).toBe(false);
  });

  it.each([
    ["verdct:block", 1, "there is no field"],
    ["amount>5 verdict:blok", 18, "is no verdict"],
    ["outcome:fraud", 9, "what became of a payment; write label:fraud"],
    ["label:stolen", 7, "is no label; use fraud, chargeback, refund, good, none"],
    ["verdict>block", 8, "cannot be compared"],
    ["amount>many", 8, "is no number"],
    ["amount>1e3", 8, "is no number"],
    ["currency:XYZW", 10, "is no currency"],
    ["latency>fast", 9, "is no duration"],
    ["since:yesterday", 7, "is no time"],
    ["since:2026-02-31", 7, "is no time"],
    ["since>2d", 6, "followed by"],
    ["  order:", 9, "a value is missing"],
    ['😀 "open', 3, "not closed"],
    ['"a"b', 4, "a blank is missing"],
    ["a - b", 4, "a word is missing"],
    ["-final:maybe", 8, "is no final"],
  ])("%j is refused at column %i because %s", (filter, column, reason) => {
    const attempt = (): unknown => parseFilter(filter, NOW);
    expect(attempt).toThrow(expect.objectContaining({ code: "usage" }) as Error);
    expect(attempt).toThrow(new RegExp(`^Filter, column ${column}: .*${reason}.*\\.$`));
  });

  it("escapes what it quotes in a fault", () => {
    expect(() => parseFilter("amount>\u001b[2J", NOW)).toThrow('"\\x1b[2J"');
  });

  it("names every field in the fault about an unknown one", () => {
    for (const field of FILTER_FIELDS) expect(() => parseFilter("nope:1", NOW)).toThrow(field);
  });

  it("ends in a test or in a usage fault, whatever is typed", () => {
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
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: "binary" }),
          fc.array(pieces).map((all) => all.join("")),
        ),
        (filter) => {
          let matches;
          try {
            matches = parseFilter(filter, NOW);
          } catch (error) {
            expect(error).toMatchObject({ code: "usage" });
            return;
          }
          for (const entry of ENTRIES) expect(typeof matches(entry)).toBe("boolean");
        },
      ),
    );
  });

  it("matches wildcards like a regular expression does, in time that does not explode", () => {
    const letters = fc.string({ unit: fc.constantFrom("a", "b", "."), maxLength: 8 });
    const patterns = fc.string({ unit: fc.constantFrom("a", "b", ".", "*"), minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(letters, patterns, (value, wanted) => {
        const expression = new RegExp(`^${wanted.replaceAll(".", "\\.").replaceAll("*", ".*")}$`);
        const matches = parseFilter(`order:${wanted}`, NOW);
        expect(matches(intent("x", { request: { order_id: value } }))).toBe(expression.test(value));
      }),
      { numRuns: 500 },
    );
    const slow = parseFilter(`order:${"*a".repeat(40)}*b`, NOW);
    const started = performance.now();
    expect(slow(intent("x", { request: { order_id: "a".repeat(10_000) } }))).toBe(false);
    // Going back and forth in it would take for ever.
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});
