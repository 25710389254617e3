// The History screen of four checks, and the whole console over them, for tests.

import { expect, onTestFinished } from "vitest";
import { keyName } from "../keys/standard.ts";
import { mount, type Mounted } from "./harness.tsx";

import { App } from "#screens/shell/app.tsx";
import { BINDINGS } from "#screens/shell/bindings.ts";
import { HistoryScreen } from "#screens/history/history-screen.tsx";
import type { Explanation } from "#src/contract/wire/explanation.ts";
import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import { createConsoleModel, type ConsoleModel } from "#src/state/console-model.ts";
import type { TerminalClipboard } from "#src/state/vault/secret-copy.ts";
import { ConsoleModelProvider } from "#src/state/use-console.ts";
import { answer, intent } from "../storage/entries.ts";
import { testContext } from "./test-context.ts";

export const NOW = new Date(2026, 10, 21, 12, 30).getTime();

export const EXPLANATION: Explanation = {
  id: "d-1",
  recommendation: "block",
  message: "6 attempts with this card in 1 h (limit 3)",
  at: NOW,
  projectId: "p-1",
  riskLevel: "medium",
  orderId: "o-2",
  score: 85,
  thresholds: { threeDs: 40, block: 80 },
  decidedBy: "block_score",
  rules: [
    {
      code: "card_velocity",
      text: "6 attempts with this card in 1 h (limit 3)",
      outcome: "hit",
      mode: "live",
      weight: 55,
      effect: "score",
      values: { 'velocity("card", "1h")': 6, limit: 3 },
    },
    {
      code: "ip_country",
      text: "Country of the address",
      outcome: "not_evaluated",
      mode: "live",
      weight: 20,
      effect: "score",
      values: {},
      missing: "payer.payer_ip",
    },
    {
      code: "round_amount",
      text: "Round",
      outcome: "no_hit",
      mode: "live",
      weight: 5,
      effect: "score",
      values: {},
    },
  ],
  counters: [{ key: "card", window: "1h", value: 6, limit: 3 }],
  ruleSetHash: "00",
  repeat: false,
};

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

export interface Shown {
  readonly screen: Mounted;
  readonly model: ConsoleModel;
}

export async function show(
  entries: readonly HistoryEntry[],
  { columns = 80, rows = 22, ascii = false }: { columns?: number; rows?: number; ascii?: boolean } = {},
): Promise<Shown> {
  const { context, remove } = await testContext({ now: () => NOW });
  const store = await context.history();
  for (const entry of entries) {
    await store.intend(entry);
    if (entry.result !== null) await store.settle(entry);
  }
  const model = createConsoleModel(context, { keyName, now: () => NOW, ascii, quit: () => undefined });
  const tree = (width: number, height: number) => (
    <ConsoleModelProvider value={model}>
      <HistoryScreen columns={width} rows={height} />
    </ConsoleModelProvider>
  );
  const screen = mount(tree(columns, rows), { columns, rows, ascii, bindings: BINDINGS });
  onTestFinished(async () => {
    screen.unmount();
    await model.close();
    await remove();
  });
  const resize = (width: number, height: number): void => {
    screen.resize(width, height);
    screen.rerender(tree(width, height));
  };
  return { screen: { ...screen, resize }, model };
}

/** Answers the prompt that the screen has opened; the input line itself belongs to the shell. */
export function submit({ model }: Shown, text: string): void {
  expect(model.session.store.getState().prompt).not.toBeNull();
  model.session.submit(text);
}

export const DOWN = "\u001b[B";
export const RIGHT = "\u001b[C";
export const LEFT = "\u001b[D";
export const ESC = "\u001b";

export function rowOf(frame: string, order: string): string {
  return frame.split("\n").find((line) => line.includes(order)) ?? "";
}

/** The whole console over the four entries. */
export async function openConsole(
  columns: number,
  rows: number,
  clipboard?: TerminalClipboard,
): Promise<Mounted & { readonly model: ConsoleModel }> {
  const { context, remove } = await testContext({ now: () => NOW });
  const store = await context.history();
  for (const entry of ENTRIES) {
    await store.intend(entry);
    if (entry.result !== null) await store.settle(entry);
  }
  const model = createConsoleModel(context, {
    keyName,
    now: () => NOW,
    ascii: false,
    quit: () => undefined,
    ...(clipboard === undefined ? {} : { clipboard }),
  });
  const screen = mount(
    <ConsoleModelProvider value={model}>
      <App onSuspend={() => undefined} onEdit={() => undefined} onInterrupt={() => undefined} />
    </ConsoleModelProvider>,
    { columns, rows, bindings: BINDINGS },
  );
  onTestFinished(async () => {
    screen.unmount();
    await model.close();
    await remove();
  });
  return { ...screen, model };
}
