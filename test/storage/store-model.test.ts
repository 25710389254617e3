// Documents against a simple model, over random histories of changes, reopenings and damage.

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import fc from "fast-check";
import { expect, it } from "vitest";

import { becomes } from "#src/contract/text/shape.ts";
import { openDocument } from "#src/storage/documents/document.ts";
import type { Document } from "#src/storage/documents/document.ts";

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
            shape: becomes({}, (data) => data as { rows: [string, unknown][] }),
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
            const before = bytes.toString();
            bytes[step.at % (bytes.length - 1)]! ^= 1 << step.bit;
            writeFileSync(path, bytes);
            // 1e104 and 1E104 are one number: such a flip damages nothing.
            damaged = !isSameJson(before, bytes.toString());
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

function isSameJson(one: string, other: string): boolean {
  try {
    return JSON.stringify(JSON.parse(one)) === JSON.stringify(JSON.parse(other));
  } catch {
    return false;
  }
}

function tableOf(rows: readonly [string, unknown][]): Table {
  const table = Object.create(null) as Table;
  for (const [key, value] of rows) table[key] = value;
  return table;
}
