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

it("is in an envelope, as programs write it", async () => {
  const texts = [
    "2026-03-01T12:00:00Z",
    "2026-03-01T14:00:00+02:00",
    "2026-03-01T12:00:00",
    "2026-03-01 12:00",
  ];
  const times = [
    ...texts,
    "2026-03-01 14:00:00.000123+02",
    "2026-03-01 12:00:00 UTC",
    NOON,
    NOON / 1_000,
    `${NOON}`,
  ];
  const lines = [
    ...times.map((at, index) => ({ at, request: { order_id: `a-${index}` } })),
    { request: { order_id: "c" } },
    { order_id: "d" },
    { at: "03/01/2026 12:00", request: { order_id: "e" } },
    { at: 20_260_301, request: { order_id: "f" } },
  ];
  const wrong = expect.stringContaining('"at" must be a time such as 2026-03-01T12:00:00Z') as string;
  expect(
    await read({ name: "a.ndjson", text: lines.map((line) => JSON.stringify(line)).join("\n") }),
  ).toEqual([...times.map(() => ({ at: NOON, virtualAt: null, place: null })), null, null, wrong, wrong]);
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
