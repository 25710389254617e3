// The index against a model of what several processes have written: pages, filters and places, through growth, full segments,
// records far from their intents, spoiled tables and pruning.

import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import fc from "fast-check";
import { expect, it } from "vitest";

import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import { RECOMMENDATIONS } from "#src/contract/wire/recommendation.ts";
import { compileFilter, parseFilter } from "#src/storage/database/history-filter.ts";
import { intentRecord, outcomeRecord } from "#src/storage/database/history-record.ts";
import { openHistory } from "#src/storage/database/history.ts";
import type { History } from "#src/storage/database/history.ts";
import { parseSegment, sealedName } from "#src/storage/database/segment-name.ts";
import { answer, intent } from "./entries.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const START = Date.UTC(2026, 0, 2);
const PROCESSES = 3;

const FILTERS = [
  "verdict:block",
  "-verdict:block",
  "verdict:unknown",
  "outcome:answered -verdict:pass",
  "since:2026-01-01 verdict:3ds_or_block",
  "order:*3*",
  "order:*1* verdict:pass",
  "final:block",
  "noted",
  "-noted latency>10",
] as const;

const by = fc.nat(PROCESSES - 1);
const which = fc.nat(30);
const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant("intend"), by, which, verdict: fc.nat(3) }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant("settle"), by, which, verdict: fc.nat(3) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom("note", "decide"), by, which }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom("fill", "leave"), by }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("prune"), which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom("spoil", "forget"), which }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("look"), which }) },
);
type Step = { do: string; by?: number; which?: number; verdict?: number };

class World {
  readonly dir = temporaryFolder();
  readonly reader = this.#open();
  readonly #writers: History[] = Array.from({ length: PROCESSES }, () => this.#open());
  #now = START;
  #next = 0;
  /** Every entry, oldest first. */
  entries: HistoryEntry[] = [];
  /** Ids by their places at the last look. */
  #places: string[] = [];

  #open(): History {
    return openHistory({ dir: this.dir, now: () => (this.#now += 1) });
  }

  async take({ do: what, by: process = 0, which: number = 0, verdict = 0 }: Step): Promise<void> {
    const writer = this.#writers[process]!;
    const at = this.entries.length === 0 ? -1 : number % this.entries.length;
    const old = this.entries[at];
    if (what === "intend") {
      const id = `m${String((this.#next += 1)).padStart(8, "0")}${number % 4 === 0 ? "-UPPER" : "abcdef"}`;
      const entry = intent(id, { at: this.#now });
      await writer.intend(entry);
      this.entries.push({ ...(intentRecord(entry) as { entry: HistoryEntry }).entry });
    } else if (what === "settle" && old !== undefined) {
      const recommendation = RECOMMENDATIONS[verdict] ?? null;
      const result = answer({ recommendation, outcome: recommendation === null ? "refused" : "answered" });
      const settled = { ...old, result };
      await writer.settle(settled);
      this.#learn(at, (outcomeRecord(settled) as { learned: Partial<HistoryEntry> }).learned);
    } else if (what === "note" && old !== undefined) {
      await writer.annotate(old.id, `noted ${number}`);
      this.#learn(at, { note: `noted ${number}` });
    } else if (what === "decide" && old !== undefined) {
      await writer.decide(old.id, "block");
      this.#learn(at, { finalAction: "block" });
    } else if (what === "leave") await writer.close();
    else if (what === "fill") await this.#fill(process);
    else if (what === "prune" && old !== undefined) await this.#prune(old.at);
    else if (what === "spoil") this.#spoil(number);
    else if (what === "forget") rmSync(join(this.dir, "index"), { recursive: true, force: true });
    else if (what === "look") await this.look(number);
  }

  #learn(at: number, learned: Partial<HistoryEntry>): void {
    this.entries[at] = { ...this.entries[at]!, ...learned };
  }

  /** What a writer does with its segment once that has eight megabytes. */
  async #fill(process: number): Promise<void> {
    await this.#writers[process]!.close();
    const free = readdirSync(this.dir)
      .map(parseSegment)
      .find((each) => each?.lastTime === null && !existsSync(join(this.dir, `${each.id}.lock`)));
    if (free === undefined || free === null) return;
    renameSync(join(this.dir, free.file), join(this.dir, sealedName(free, this.#now)));
  }

  /** Everybody has left, so that nothing is in use. */
  async #prune(before: number): Promise<void> {
    for (const writer of this.#writers) await writer.close();
    const kept = this.entries.filter(({ at }) => at >= before);
    const pruned = await this.#writers[0]!.prune({ before, dryRun: false });
    expect(pruned).toMatchObject({ removed: this.entries.length - kept.length, kept: kept.length, inUse: 0 });
    this.entries = kept;
  }

  /** Flips a byte of a table. */
  #spoil(number: number): void {
    const folder = join(this.dir, "index");
    const names = existsSync(folder) ? readdirSync(folder) : [];
    if (names.length === 0) return;
    const path = join(folder, names[number % names.length]!);
    const bytes = readFileSync(path);
    bytes[(number * 37) % bytes.length]! ^= 1;
    writeFileSync(path, bytes);
  }

  async look(number: number): Promise<void> {
    const { reader, entries } = this;
    const { count, isContinued } = await reader.extent();
    expect(count).toBe(entries.length);
    const ids = entries.map(({ id }) => id);
    if (isContinued) expect(ids.slice(0, this.#places.length)).toEqual(this.#places);
    this.#places = ids;
    expect(await reader.page(0, count)).toEqual(entries.toReversed());
    const filter = FILTERS[number % FILTERS.length]!;
    const matches = parseFilter(filter, START);
    const expected = entries.flatMap((entry, place) => (matches(entry) ? [place] : [])).toReversed();
    const found: number[] = [];
    await reader.search({
      filter,
      now: START,
      from: 0,
      to: count,
      signal: new AbortController().signal,
      onFound: (places) => found.push(...places),
      onProgress: () => undefined,
    });
    expect(found, filter).toEqual(expected);
    expect(await reader.at(found)).toEqual(expected.map((place) => entries[place]));
    const old = entries[number % Math.max(1, count)];
    if (old !== undefined) expect(await reader.position(old.id)).toBe(count - 1 - ids.indexOf(old.id));
  }

  async close(): Promise<void> {
    for (const history of [this.reader, ...this.#writers]) await history.close();
    rmSync(this.dir, { recursive: true });
  }
}

it("shows what several processes have written, whatever becomes of their segments and tables", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 45 }), async (steps) => {
      const world = new World();
      try {
        for (const each of steps) await world.take(each);
        await world.look(0);
        await world.look(steps.length);
      } finally {
        await world.close();
      }
    }),
    { numRuns: 40, interruptAfterTimeLimit: 8_000 },
  );
}, 30_000);

it("never rules out by the index, or by the intent, what the filter accepts", () => {
  const entries = fc.record({
    at: fc.integer({ min: START - 1e9, max: START + 1e9 }),
    recommendation: fc.constantFrom(...RECOMMENDATIONS, null),
    otherwise: fc.constantFrom("answered", "indeterminate", "refused", "unknown", "not_sent"),
    isSettled: fc.boolean(),
    note: fc.constantFrom(null, "noted"),
    finalAction: fc.constantFrom("block", "continue", null),
    amount: fc.nat(20_000),
  });
  fc.assert(
    fc.property(entries, fc.subarray([...FILTERS, "amount>9000", "before:2026-01-03"]), (made, terms) => {
      const { recommendation, otherwise, isSettled, amount, ...rest } = made;
      const outcome = recommendation === null ? otherwise : "answered";
      const asked = intent("m3", { at: rest.at, request: { order_id: "A-3", amount } });
      const result = answer({ recommendation, outcome });
      const entry = { ...asked, ...rest, result: isSettled ? result : null } as HistoryEntry;
      const filter = compileFilter(terms.join(" "), START);
      const verdict = entry.result === null ? "unknown" : (recommendation ?? outcome);
      const facts = { at: entry.at, verdict };
      const isWanted = filter.matches(entry);
      for (const at of [entry.at, null]) {
        for (const known of [verdict, null]) {
          if (isWanted) expect(filter.mayMatch({ at, verdict: known })).toBe(true);
        }
      }
      if (isWanted) expect(filter.mayMatchIntent(asked)).toBe(true);
      if (filter.readsFactsOnly) expect(filter.mayMatch(facts)).toBe(isWanted);
      if (filter.readsIntentOnly) expect(filter.mayMatchIntent(asked)).toBe(isWanted);
    }),
    { numRuns: 300 },
  );
});
