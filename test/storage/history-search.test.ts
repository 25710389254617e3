// A search in the database against plain comparisons: the same entries for any entries and any filter.

import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";

import { orderIdProblem } from "#src/contract/fields/order-id.ts";
import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import { LABELS } from "#src/contract/records/label.ts";
import { RECOMMENDATIONS } from "#src/contract/wire/recommendation.ts";
import { compileFilter } from "#src/storage/database/history-filter.ts";
import { answer, intent } from "./entries.ts";
import { historyIn, hostedHistoryIn } from "./open-history.ts";
import { plainFilter } from "./plain-filter.ts";
import { searched, fill } from "./searched.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const NOW = Date.UTC(2026, 0, 3);

/** Letters whose cases SQLite does not know, what JSON escapes, what its patterns take for signs, and lone halves of pairs. */
const SIGNS = [
  "a",
  "B",
  "k",
  "\u212A",
  "i",
  "I",
  "\u0130",
  "\u0307",
  "\u00DF",
  "\u03A3",
  "\u03C3",
  "\u03C2",
  "Я",
  "山",
]
  .concat(["%", "_", "*", "[", "]", "?", "^", "-", "'", "\\", "/", " ", "0", "7", "\0", "\u001B", "\uFFFD"])
  .concat(["\u{1F600}", "\uD83D", "\uDE00", "é", "e\u0301"]);
const text = fc.array(fc.constantFrom(...SIGNS), { maxLength: 6 }).map((signs) => signs.join(""));
const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined });

const entry: fc.Arbitrary<HistoryEntry> = fc
  .record({
    at: fc.integer({ min: NOW - 200_000_000, max: NOW }),
    profile: text,
    project: text,
    order_id: maybe(text),
    amount: maybe(fc.oneof(fc.nat(20), fc.constantFrom(1.5, -1, 1e15))),
    currency: maybe(fc.constantFrom(980, 840)),
    email: maybe(text),
    ip: maybe(text),
    payer: maybe(text),
    bin: maybe(fc.constantFrom(400_000, 411_111, 41_111_122)),
    note: fc.option(text),
    message: fc.option(text),
    recommendation: fc.constantFrom(...RECOMMENDATIONS, null),
    outcome: fc.constantFrom("refused" as const, "unknown" as const, "not_sent" as const),
    latencyMs: fc.option(fc.integer({ min: 0, max: 9 })),
    isSettled: fc.boolean(),
    finalAction: fc.constantFrom("block" as const, "3ds" as const, null),
  })
  .map(({ isSettled, recommendation, outcome, latencyMs, message, ...made }) => {
    const payer = { email: made.email, payer_ip: made.ip, payer_id: made.payer };
    const request = {
      operation: "payment",
      order_id: made.order_id,
      amount: made.amount,
      currency: made.currency,
      payer,
      ...(made.bin === undefined ? {} : { card: { bin_card: made.bin } }),
    };
    const result = answer({
      recommendation,
      outcome: recommendation === null ? outcome : "answered",
      latencyMs,
      message,
    });
    return intent("", {
      at: made.at,
      profile: made.profile,
      project: made.project,
      // Without the fields that are undefined, as JSON keeps it.
      request: JSON.parse(JSON.stringify(request)) as HistoryEntry["request"],
      result: isSettled ? result : null,
      finalAction: isSettled ? made.finalAction : null,
      note: made.note,
    });
  });

const quoted = (value: string): string => `"${value.replaceAll(/["\\]/g, "\\$&")}"`;
const bare = text.filter((value) => !/[\s"]/.test(value) && value !== "");
const textTerm = fc
  .tuple(
    fc.constantFrom("order", "email", "ip", "payer", "project", "profile", "bin", "operation"),
    fc.constantFrom(":", "="),
    fc.oneof(bare, text.map(quoted), fc.constantFrom("41*", "*1*", "payment", "*k*", "*I*")),
  )
  .map((parts) => parts.join(""));
const numberTerm = fc
  .tuple(
    fc.constantFrom("amount", "latency", "currency"),
    fc.constantFrom(":", "=", ">", "<", ">=", "<="),
    fc.constantFrom("0", "5", "980", "1.5", "10"),
  )
  .filter(([field, , value]) => field !== "currency" || !value.includes("."))
  .map((parts) => parts.join(""));
const otherTerm = fc.constantFrom(
  "id:e0,e2",
  "id:E1",
  'id:"e1,e3,"',
  "verdict:block",
  "verdict:*o*",
  "outcome:answered",
  "outcome:un*",
  "label:fraud",
  "label=good",
  "label:none",
  "label:*f*",
  "final:none",
  "final:*",
  "since:1d",
  "before:1d",
  "since:2026-01-02",
);
const wordsTerm = fc
  .oneof(text.map(quoted), bare)
  .map((words) => (/^\w+[:=<>]/.test(words) ? quoted(words) : words));
const term = fc
  .tuple(fc.boolean(), fc.oneof(textTerm, numberTerm, otherTerm, wordsTerm))
  .map(([isNegated, one]) => `${isNegated ? "-" : ""}${one}`);
const filters = fc.array(term, { minLength: 1, maxLength: 3 }).map((terms) => terms.join(" "));

const named = (entries: readonly HistoryEntry[]): HistoryEntry[] =>
  entries.map((each, index) => ({ ...each, id: `e${index}` }));

describe("a search", () => {
  it("finds what the filter accepts and nothing else", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(entry, { minLength: 1, maxLength: 8 }),
        fc.array(filters, { minLength: 4, maxLength: 8 }),
        fc.array(fc.tuple(fc.nat(7), fc.constantFrom(...LABELS)), { maxLength: 4 }),
        async (made, asked, labels) => {
          const history = historyIn(temporaryFolder());
          try {
            const entries = named(made);
            await fill(history, entries);
            for (const [index, label] of labels) {
              const orderId = entries[index]?.request.order_id;
              if (orderId === undefined || orderIdProblem(orderId) !== null) continue;
              // Also of an order whose id differs in case alone.
              for (const id of [orderId, orderId.toLowerCase()]) {
                await history.labels.set([{ orderId: id, label, at: null }]);
                if (label === "good") await history.labels.remove(orderId);
              }
            }
            const back = await history.page(0, entries.length);
            for (const filter of asked) {
              try {
                compileFilter(filter, NOW);
              } catch {
                continue;
              }
              const matches = plainFilter(filter, NOW);
              const known = new Map(
                (await Array.fromAsync(history.labels.list())).map(({ orderId, label }) => [orderId, label]),
              );
              for (const { request, label } of back) {
                expect(label).toBe(known.get(request.order_id ?? ""));
              }
              const wanted = back
                .map((each, position) => (matches(each) ? entries.length - 1 - position : -1))
                .filter((place) => place >= 0);
              expect(await searched(history, filter, NOW), filter).toEqual(wanted);
            }
          } finally {
            await history.close();
          }
        },
      ),
      { numRuns: 100 },
    );
  });

  it("ends when it is called off, and hands out nothing after that", async () => {
    const history = historyIn(temporaryFolder());
    onTestFinished(() => history.close());
    await fill(history, named(Array.from({ length: 30 }, () => intent(""))));
    const stop = new AbortController();
    const found: number[] = [];
    stop.abort();
    await history.search({
      filter: "operation:payment",
      now: NOW,
      from: 0,
      to: 30,
      signal: stop.signal,
      onFound: (places) => found.push(...places),
      onProgress: () => undefined,
    });
    expect(found).toEqual([]);
  });
});

describe("in a worker", () => {
  it("the history says and does the same", async () => {
    const dir = temporaryFolder();
    const hosted = hostedHistoryIn(dir);
    onTestFinished(() => hosted.close());
    expect(await hosted.count()).toBe(0);
    await fill(hosted, named([intent("", { result: answer(), note: "seen" }), intent("")]));
    const direct = historyIn(dir);
    onTestFinished(() => direct.close());
    expect(await hosted.page(0, 9)).toEqual(await direct.page(0, 9));
    expect(await searched(hosted, "seen", NOW)).toEqual([0]);
    expect(await hosted.position("e0")).toBe(1);
    await expect(hosted.find("e")).rejects.toMatchObject({
      code: "usage",
      message: expect.stringMatching(/^2 entries start/),
    });
    expect(await hosted.hasChanged()).toBe(false);
    await direct.annotate("e1", "by another process");
    expect(await hosted.hasChanged()).toBe(true);
    await hosted.annotate("e1", "by this one");
    expect(await hosted.hasChanged()).toBe(true);
    expect(await hosted.hasChanged()).toBe(false);
    const never = new AbortController().signal;
    expect(await hosted.verify(never, () => undefined)).toMatchObject({ entries: 2, damaged: [] });
    const options = { before: NOW, dryRun: false };
    expect(await hosted.prune(options, never, () => undefined)).toMatchObject({ removed: 2, kept: 0 });
  });
});
