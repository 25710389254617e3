// What became of a payment, said by hand in the History screen.

import { expect, it } from "vitest";
import { presentedState } from "#src/display/presented-state.ts";
import { runRow } from "../replay/rows.ts";
import { intent } from "../storage/entries.ts";
import { ENTRIES, NOW, listed, openHistory, show, submit } from "./history-stage.tsx";

it("is set by a key, shown in the detail, and the message names what was known before", async () => {
  const screen = await openHistory(140, 40);
  await screen.press("4").until("1 of 4");
  await screen.press("j").until("2 of 4");
  // Typed ahead in one go: none of it reaches the list.
  await screen.press("lfraud\r").until("Label of order o-3: fraud (was none).");
  expect(await screen.until(/Became +fraud/)).toContain("2 of 4");
  const { labels } = await screen.model.context.history();
  expect(await Array.fromAsync(labels.list())).toEqual([
    { orderId: "o-3", label: "fraud", at: NOW, known: [{ orderId: "o-3", label: "fraud", at: NOW }] },
  ]);
  screen.press("\r");
  await screen.press("l").until("What became of it");
  await screen.press("stolen\r").until('"stolen" is no label; write fraud, chargeback, refund or good.');
  screen.model.session.dismissToasts();
  await screen.press("\u0015good\r").until("Label of order o-3: good (was fraud).");
  await screen.until(/Became +good/);
});

it("is found by its filter, and offered while that is typed", async () => {
  const screen = await openHistory(140, 40);
  await (await screen.model.context.history()).labels.set([{ orderId: "o-2", label: "refund", at: null }]);
  await screen.press("4").until("1 of 4");
  await screen.press("/label:").until("chargeback");
  await screen.press("refund\r").until("1 of 1");
  expect(await screen.until(/Became +refund/)).toContain("o-2");
});

it("cannot be set without an order id, which is said", async () => {
  const { screen, model } = await listed([intent("e9", { at: NOW, request: { amount: 1 } })]);
  screen.press("l");
  await expect
    .poll(() => model.session.store.getState().toasts.at(-1)?.text)
    .toBe("This check has no order id, which a label needs, so no label can be set.");
  expect(model.session.store.getState().prompt).toBeNull();
});

it("is set for all orders of a range", async () => {
  const nameless = intent("e9", { at: NOW, request: { amount: 1 } });
  const shown = await show([...ENTRIES, nameless]);
  const { screen, model } = shown;
  const { labels } = await model.context.history();
  await labels.set([{ orderId: "o-4", label: "good", at: null }]);
  await screen.until("1 of 5");
  await screen.press("vjj").until("3 selected");
  screen.press("l");
  await expect.poll(() => model.session.store.getState().prompt?.label).toBe("What became of these 3");
  submit(shown, "chargeback");
  await expect
    .poll(() => model.session.store.getState().toasts.at(-1)?.text)
    .toBe("Label of 2 orders: chargeback (was 1 good). 1 check has no order id. Press u to undo.");
  expect(await labels.of(["o-1", "o-2", "o-3", "o-4"], null)).toEqual(
    new Map([
      ["o-3", "chargeback"],
      ["o-4", "chargeback"],
    ]),
  );
  screen.press("u");
  await expect.poll(() => labels.of(["o-1", "o-2", "o-3", "o-4"], null)).toEqual(new Map([["o-4", "good"]]));
});

it("is neither that of an entry nor of an item of a run in what an audience sees, and words of forms are", () => {
  const [entry] = ENTRIES;
  const state = {
    entries: [{ ...entry, label: "fraud" as const }],
    row: runRow(1, "pass", { label: "chargeback" }),
    prompt: { label: "good" },
  };
  const seen = JSON.stringify(presentedState(state));
  expect(seen).not.toMatch(/fraud|chargeback/);
  expect(seen).toContain('"label":"good"');
});

it("is no entry's while presenting, and cannot be set then", async () => {
  const screen = await openHistory(140, 40);
  await (
    await screen.model.context.history()
  ).labels.set([{ orderId: "o-4", label: "chargeback", at: null }]);
  await screen.press("4").until("chargeback");
  expect(await screen.press("p").until("PRESENTER")).not.toContain("chargeback");
  await screen.press("l").until(/hidden|presenting|presenter mode/i);
  expect(screen.model.session.store.getState().prompt).toBeNull();
});
