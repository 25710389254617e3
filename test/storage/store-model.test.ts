// Documents and journals against simple models, over random histories of changes, reopenings and damage.

import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import fc from "fast-check";
import { expect, it } from "vitest";

import { openDocument } from "#src/storage/documents/document.ts";
import type { Document } from "#src/storage/documents/document.ts";
import { openJournal } from "#src/storage/database/journal.ts";

async function inFolder<R>(action: (folder: string) => Promise<R>): Promise<R> {
  const folder = mkdtempSync(join(tmpdir(), "verdict-model-"));
  try {
    return await action(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

type Table = Record<string, unknown>;

const documentSteps = fc.array(
  fc.oneof(
    fc.record({ do: fc.constant("put" as const), key: fc.string({ maxLength: 4 }), value: fc.jsonValue() }),
    fc.record({ do: fc.constant("remove" as const), key: fc.string({ maxLength: 4 }) }),
    fc.record({ do: fc.constant("throw" as const), key: fc.string({ maxLength: 4 }) }),
    fc.record({ do: fc.constant("reopen" as const) }),
    fc.record({ do: fc.constant("damage" as const), at: fc.nat(), bit: fc.nat(7) }),
  ),
  { maxLength: 12 },
);

it("a document behaves like a table that damage sets back by one change", async () => {
  await fc.assert(
    fc.asyncProperty(documentSteps, (steps) =>
      inFolder(async (folder) => {
        const path = join(folder, "table.json");
        const open = (): Document<{ rows: [string, unknown][] }> =>
          openDocument({
            path,
            // The model knows what was damaged.
            onProblem: () => undefined,
            format: "test/table",
            schema: 1,
            initial: () => ({ rows: [] }),
            parse: (data) => data as { rows: [string, unknown][] },
          });
        let document = open();
        let model: Table = Object.create(null) as Table;
        let previous: Table | null = null;
        let damaged = false;
        const change = async (alter: (table: Table) => void): Promise<void> => {
          await document.update((data) => {
            const table = tableOf(data.rows);
            alter(table);
            data.rows = Object.entries(table);
          });
          if (damaged && previous !== null) model = previous;
          damaged = false;
          previous = { ...model };
          Object.setPrototypeOf(previous, null);
          alter(model);
        };
        for (const step of steps) {
          if (step.do === "put") await change((table) => (table[step.key] = step.value));
          else if (step.do === "remove") await change((table) => delete table[step.key]);
          else if (step.do === "reopen") document = open();
          else if (step.do === "throw") {
            const failing = document.update((data) => {
              data.rows.push([step.key, 1]);
              throw new RangeError("no");
            });
            await expect(failing).rejects.toThrow(RangeError);
            if (damaged && previous !== null) model = previous;
            if (damaged) previous = { ...model };
            damaged = false;
          } else if (previous !== null && readdirSync(folder).includes("table.json.bak") && !damaged) {
            const bytes = readFileSync(path);
            bytes[step.at % (bytes.length - 1)]! ^= 1 << step.bit;
            writeFileSync(path, bytes);
            damaged = true;
          }
        }
        const expected = damaged && previous !== null ? previous : model;
        expect(new Map((await document.read()).rows)).toEqual(
          new Map(Object.entries(JSON.parse(JSON.stringify(expected)) as Table)),
        );
      }),
    ),
    { numRuns: 60 },
  );
});

function tableOf(rows: readonly [string, unknown][]): Table {
  const table = Object.create(null) as Table;
  for (const [key, value] of rows) table[key] = value;
  return table;
}

const journalSteps = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        do: fc.constant("append" as const),
        by: fc.nat(2),
        count: fc.integer({ min: 1, max: 5 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("close" as const), by: fc.nat(2) }) },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constant("clock" as const), by: fc.integer({ min: -50, max: 500 }) }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constant("litter" as const),
        bytes: fc.uint8Array({ minLength: 1, maxLength: 40 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("tail" as const), n: fc.nat(12) }) },
  ),
  { maxLength: 25 },
);

it("a journal of three writers behaves like a list, whatever is dropped into its segments", async () => {
  await fc.assert(
    fc.asyncProperty(journalSteps, fc.boolean(), (steps, isSteady) =>
      inFolder(async (dir) => {
        let now = 1_000_000;
        const clock = (): number => (isSteady ? (now += 1) : now);
        const journals = [0, 1, 2].map(() => openJournal<number>({ dir, now: clock }));
        const model: number[] = [];
        for (const step of steps) {
          if (step.do === "append") {
            const records = Array.from({ length: step.count }, (_, index) => model.length + index);
            await Promise.all(records.map((record) => journals[step.by]!.append(record)));
            model.push(...records);
          } else if (step.do === "close") await journals[step.by]!.close();
          else if (step.do === "clock") now += isSteady ? Math.abs(step.by) : step.by;
          else if (step.do === "litter") {
            const segment = readdirSync(dir).find((name) => name.endsWith(".jsonl"));
            if (segment !== undefined) appendFileSync(join(dir, segment), step.bytes);
          } else if (isSteady) {
            expect(await journals[0]!.tail(step.n)).toEqual(step.n === 0 ? [] : model.slice(-step.n));
          }
        }
        const oldest = await Array.fromAsync(journals[0]!.records());
        const newest = await Array.fromAsync(journals[0]!.newestFirst());
        // With a clock that stands still or goes back, writers are only in order each for itself.
        if (isSteady) expect(oldest).toEqual(model);
        expect(oldest.toSorted((a, b) => a - b)).toEqual(model);
        expect(newest.toSorted((a, b) => a - b)).toEqual(model);
        await Promise.all(journals.map((journal) => journal.close()));
      }),
    ),
    { numRuns: 60 },
  );
});
