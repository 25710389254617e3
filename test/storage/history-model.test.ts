// The history against a model of what several processes have written: pages, filters and places, through pruning and a
// second start of each process.

import { rmSync } from "node:fs";

import fc from "fast-check";
import { expect, it } from "vitest";

import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import { RECOMMENDATIONS } from "#src/contract/wire/recommendation.ts";
import type { History } from "#src/storage/database/history.ts";
import { answer, intent } from "./entries.ts";
import { historyIn } from "./open-history.ts";
import { plainFilter } from "./plain-filter.ts";
import { searched } from "./searched.ts";
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
  { weight: 2, arbitrary: fc.record({ do: fc.constant("leave"), by }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("prune"), which }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("look"), which }) },
);
type Step = { do: string; by?: number; which?: number; verdict?: number };

class World {
  readonly dir = temporaryFolder();
  readonly reader = historyIn(this.dir);
  readonly #writers: History[] = Array.from({ length: PROCESSES }, () => historyIn(this.dir));
  #now = START;
  #next = 0;
  /** Every entry, oldest first. */
  entries: HistoryEntry[] = [];
  /** Ids by their places at the last look. */
  #places: string[] = [];

  async take({ do: what, by: process = 0, which: number = 0, verdict = 0 }: Step): Promise<void> {
    const writer = this.#writers[process]!;
    const at = this.entries.length === 0 ? -1 : number % this.entries.length;
    const old = this.entries[at];
    if (what === "intend") {
      const id = `m${String((this.#next += 1)).padStart(8, "0")}${number % 4 === 0 ? "-UPPER" : "abcdef"}`;
      const entry = intent(id, { at: (this.#now += 1) });
      await writer.intend(entry);
      this.entries.push(entry);
    } else if (what === "settle" && old !== undefined) {
      const recommendation = RECOMMENDATIONS[verdict] ?? null;
      const result = answer({ recommendation, outcome: recommendation === null ? "refused" : "answered" });
      const settled = { ...old, result };
      await writer.settle(settled);
      this.#learn(at, { result });
    } else if (what === "note" && old !== undefined) {
      await writer.annotate(old.id, `noted ${number}`);
      this.#learn(at, { note: `noted ${number}` });
    } else if (what === "decide" && old !== undefined) {
      await writer.decide(old.id, "block");
      this.#learn(at, { finalAction: "block" });
    } else if (what === "leave") await writer.close();
    else if (what === "prune" && old !== undefined) await this.#prune(writer, old.at);
    else if (what === "look") await this.look(number);
  }

  #learn(at: number, learned: Partial<HistoryEntry>): void {
    this.entries[at] = { ...this.entries[at]!, ...learned };
  }

  async #prune(writer: History, before: number): Promise<void> {
    const kept = this.entries.filter(({ at }) => at >= before);
    const never = new AbortController().signal;
    const pruned = await writer.prune({ before, dryRun: false }, never, () => undefined);
    expect(pruned).toMatchObject({ removed: this.entries.length - kept.length, kept: kept.length });
    this.entries = kept;
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
    const matches = plainFilter(filter, START);
    const expected = entries.flatMap((entry, place) => (matches(entry) ? [place] : [])).toReversed();
    const found = await searched(reader, filter, START);
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

it("shows what several processes have written, changed and removed", async () => {
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
});
