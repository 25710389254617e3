// What the history knows of the order, the card and the payer of a check before it.

import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import type { History } from "#src/storage/database/history.ts";
import { answer, intent } from "./entries.ts";
import { historyIn, hostedHistoryIn } from "./open-history.ts";
import { temporaryFolder } from "./temporary-folder.ts";
import { seenLines } from "#src/ui/decision-lines.ts";
import { Page } from "#src/ui/page.ts";
import { createTheme } from "#src/ui/theme.ts";
import { keyName } from "../keys/standard.ts";

const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 0, 2, 12);
const CARD = { bin_card: 444_433, cin_card: 42, expiration_month: 9, expiration_year: 29 };
const REQUEST: CheckRequest = {
  operation: "payment",
  order_id: "A-1",
  payer: { email: "Olena@Shop.example", payer_id: "c-1" },
  card: CARD,
};

async function add(history: History, entries: readonly HistoryEntry[]): Promise<void> {
  for (const entry of entries) {
    await history.intend(entry);
    if (entry.result !== null) await history.settle(entry);
  }
}

const check = (id: string, request: CheckRequest, changes: Partial<HistoryEntry> = {}): HistoryEntry =>
  intent(id, { at: NOW - HOUR, request, result: answer({ recommendation: "pass" }), ...changes });

describe.each([
  ["in this thread", historyIn],
  ["in a worker", hostedHistoryIn],
])("%s", (_name, open) => {
  it("counts by order, by the whole card and by e-mail or payer id, and what was blocked", async () => {
    const history = open(temporaryFolder());
    const asked = check("z", REQUEST, { at: NOW });
    await add(history, [
      check("a", { ...REQUEST, payer: {}, card: {} }, { at: NOW - 100 * HOUR }),
      check("b", { order_id: "B", card: CARD }, { result: answer() }),
      check("c", { order_id: "C", card: { ...CARD, cin_card: 43 } }),
      check("d", { order_id: "D", card: { ...CARD, expiration_year: 30 } }),
      check("e", { order_id: "E", payer: { email: "olena@shop.example" } }, { result: answer() }),
      check("f", { order_id: "F", payer: { payer_id: "c-1" } }),
      check("g", { ...REQUEST, order_id: "G" }, { at: NOW - 25 * HOUR }),
      check("h", REQUEST, { profile: "other" }),
      check("i", REQUEST, { result: answer({ outcome: "not_sent", recommendation: null }) }),
      asked,
      check("later", REQUEST, { at: NOW + HOUR }),
    ]);
    expect(await history.seenBefore(asked)).toEqual({
      id: "z",
      order: { checks: 1, blocked: 0, among: null },
      card: { checks: 1, blocked: 1, among: null },
      payer: { checks: 2, blocked: 1, among: null },
    });
    await history.close();
  });

  it("knows nothing of what is not named, and of a check that was not saved", async () => {
    const history = open(temporaryFolder());
    const none = { order: null, card: null, payer: null };
    const asked = check("a", { card: { bin_card: 444_433 } });
    await add(history, [asked]);
    expect(await history.seenBefore(asked)).toEqual({ id: "a", ...none });
    expect(await history.seenBefore(check("lost", REQUEST))).toEqual({ id: "lost", ...none });
    await history.close();
  });
});

it("says how many checks it looked at where earlier ones could count", async () => {
  const dir = temporaryFolder();
  const asked = check("z", REQUEST, { at: NOW });
  const written = historyIn(dir);
  await add(written, [check("old", REQUEST, { at: NOW - 30 * HOUR }), asked]);
  await written.close();
  // As if many others lay between the two.
  const database = new DatabaseSync(join(dir, "history.db"), { enableForeignKeyConstraints: false });
  for (const table of ["entry", "entry_text"]) {
    database.exec(`UPDATE ${table} SET place = 20000 WHERE place = (SELECT max(place) FROM ${table})`);
  }
  database.close();
  const history = historyIn(dir);
  const seen = await history.seenBefore(asked);
  await history.close();
  const none = { checks: 0, blocked: 0, among: null };
  expect(seen).toEqual({ id: "z", order: { ...none, among: 10_000 }, card: none, payer: none });
  const page = new Page(78, createTheme({ keyName, color: false, ascii: false }));
  seenLines(page, seen);
  const text = page.rows.map((row) => row.map((span) => span.text).join("")).join("\n");
  expect(text).toMatch(/Order +no check among the last 10 000\n/);
  expect(text).toMatch(/Card +no check in 24 h\n/);
});
