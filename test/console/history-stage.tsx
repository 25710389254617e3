// The History screen of four checks, and the whole console over them, for tests.

import { openConsole, type Console, type Given } from "./driver.tsx";
import type { Mounted } from "./harness.tsx";
import { expect } from "vitest";
import { HistoryScreen } from "#screens/history/history-screen.tsx";
import type { Explanation } from "#src/contract/wire/explanation.ts";
import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import { formatCount } from "#src/display/count.ts";
import type { ConsoleModel } from "#src/state/console-model.ts";
import type { TerminalClipboard } from "#src/state/vault/secret-copy.ts";
import { answer, intent } from "../storage/entries.ts";
import { explanationOf, traceOf } from "./samples.ts";

export const NOW = new Date(2026, 10, 21, 12, 30).getTime();

export const EXPLANATION: Explanation = explanationOf({
  message: "6 attempts with this card in 1 h (limit 3)",
  at: NOW,
  orderId: "o-2",
  score: 85,
  thresholds: { threeDs: 40, block: 80 },
  rules: [
    traceOf({
      code: "card_velocity",
      text: "6 attempts with this card in 1 h (limit 3)",
      weight: 55,
      values: { 'velocity("card", "1h")': 6, limit: 3 },
    }),
    traceOf({
      code: "ip_country",
      text: "Country of the address",
      outcome: "not_evaluated",
      weight: 20,
      missing: "payer.payer_ip",
    }),
    traceOf({ code: "round_amount", text: "Round", outcome: "no_hit", weight: 5 }),
  ],
  counters: [{ key: "card", window: "1h", value: 6, limit: 3 }],
});

/** Oldest first: a pass, an explained block with a hostile message, an open 3-D Secure, a lost one. */
export const ENTRIES: readonly HistoryEntry[] = [
  intent("e1", {
    at: NOW - 86_400_000 * 2,
    request: { order_id: "o-1", amount: 12_000, currency: 980, card: { bin_card: 444_433, cin_card: 42 } },
    result: answer({ recommendation: "pass", message: "Continue", latencyMs: 84 }),
    finalAction: "continue",
  }),
  intent("e2", {
    at: NOW - 60_000,
    request: { order_id: "o-2", amount: 40_000, currency: 978 },
    result: answer({
      recommendation: "block",
      message: "pa\u200bss\u001b[32m granted",
      decisionId: "d-1",
      clockSkewS: 90,
    }),
    finalAction: "block",
    explanation: EXPLANATION,
  }),
  intent("e3", {
    at: NOW - 50_000,
    request: { order_id: "o-3", amount: 98_000, currency: 978 },
    result: answer({ recommendation: "3ds_or_block", message: "Use 3-D Secure" }),
  }),
  intent("e4", { at: NOW - 40_000, request: { order_id: "o-4", amount: 500, currency: 980 } }),
];

/** The History screen alone, over these entries. */
export const show = (entries: readonly HistoryEntry[], given: Given = {}): Promise<Console> =>
  openConsole({
    service: { now: () => NOW },
    entries,
    area: (size) => <HistoryScreen {...size} />,
    ...given,
  });

/** The same once the list is read. */
export async function listed(entries: readonly HistoryEntry[], given: Given = {}): Promise<Console> {
  const shown = await show(entries, given);
  await shown.screen.until(`1 of ${formatCount(entries.length)}`);
  return shown;
}

/** Answers the prompt that the screen has opened; the input line itself belongs to the shell. */
export function submit({ model }: Pick<Console, "model">, text: string): void {
  expect(model.session.store.getState().prompt).not.toBeNull();
  model.session.submit(text);
}

export function rowOf(frame: string, order: string): string {
  return frame.split("\n").find((line) => line.includes(order)) ?? "";
}

/** The whole console over the four entries. */
export async function openHistory(
  columns: number,
  rows: number,
  clipboard?: TerminalClipboard,
): Promise<Mounted & { readonly model: ConsoleModel }> {
  const options = clipboard === undefined ? {} : { clipboard };
  const given = { service: { now: () => NOW }, entries: ENTRIES, columns, rows, options };
  const { screen, model } = await openConsole(given);
  return { ...screen, model };
}
