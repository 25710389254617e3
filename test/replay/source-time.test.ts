// When a payment happened, as its source tells it.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readSources } from "#src/replay/sources/source.ts";
import { answer, intent } from "../storage/entries.ts";
import { temporaryFolder } from "../storage/temporary-folder.ts";
import { rowsOf, runRow } from "./rows.ts";

async function read(source: string | { readonly name: string; readonly text: string }): Promise<unknown[]> {
  const folder = temporaryFolder();
  const path = typeof source === "string" ? source : join(folder, source.name);
  if (typeof source !== "string") writeFileSync(path, source.text);
  const places = {
    now: Date.UTC(2026, 2, 1),
    payloadPath: (name: string) => join(folder, name),
    async *history() {
      yield intent("h-1", { at: 5_000, result: answer({ virtualTimeMs: 90_000 }) });
      yield intent("h-2", { at: 6_000 });
    },
    run: () => rowsOf([runRow(1, "pass")]),
    stdin: null,
  };
  const lines = await Array.fromAsync(readSources([path], places, { strict: false }).lines);
  return lines.map((line) => ("item" in line ? (line.recorded ?? null) : line.rejected.message));
}

const NOON = Date.UTC(2026, 2, 1, 12);

it("is in an envelope, in ISO 8601 with its zone", async () => {
  const lines = [
    { at: "2026-03-01T12:00:00Z", request: { order_id: "a" } },
    { at: "2026-03-01T14:00:00+02:00", request: { order_id: "b" } },
    { request: { order_id: "c" } },
    { order_id: "d" },
    { at: "2026-03-01T12:00:00", request: { order_id: "e" } },
    { at: NOON, request: { order_id: "f" } },
  ];
  const wrong = '"at" must be a time in ISO 8601 with its zone, such as 2026-03-01T12:00:00Z.';
  expect(
    await read({ name: "a.ndjson", text: lines.map((line) => JSON.stringify(line)).join("\n") }),
  ).toEqual([
    { at: NOON, virtualAt: null, place: null },
    { at: NOON, virtualAt: null, place: null },
    null,
    null,
    wrong,
    wrong,
  ]);
});

it("is a column of a table", async () => {
  const text = "order_id,at\na,2026-03-01T12:00:00Z\nb,\nc,soon\n";
  expect(await read({ name: "a.csv", text })).toEqual([
    { at: NOON, virtualAt: null, place: null },
    null,
    expect.stringContaining('"at" must be a time') as string,
  ]);
});

it("is known to the history, with its project, and to a run", async () => {
  const place = { profile: "sandbox", project: "merchant-7/medium" };
  expect(await read("history:")).toEqual([
    { at: 5_000, virtualAt: 90_000, place },
    { at: 6_000, virtualAt: null, place },
  ]);
  expect(await read("run:any")).toEqual([{ at: runRow(1, "pass").at, virtualAt: null, place: null }]);
});
