// The Labels screen: what became of payments is listed, set and removed, and the rules are judged by it.

import { expect, it, vi } from "vitest";
import { storage } from "#src/contract/fault.ts";
import { widthOf } from "#src/ui/fit.ts";
import { KEY } from "./driver.tsx";
import { NOW, openHistory, rowOf } from "./history-stage.tsx";

const { down: DOWN, esc: ESC } = KEY;

const DAY = 86_400_000;
const AT = NOW - DAY;

const LABELS = [
  { orderId: "o-4", label: "chargeback", at: AT - 2 * DAY },
  { orderId: "o-3", label: "good", at: AT - DAY },
  { orderId: "o-4", label: "fraud", at: AT },
  { orderId: "elsewhere-9", label: "refund", at: null },
] as const;

async function openLabels(columns = 140, rows = 40, labels: typeof LABELS | readonly [] = LABELS) {
  const opened = await openHistory(columns, rows);
  await (await opened.model.context.history()).labels.set(labels);
  await opened.press("9").until(labels.length === 0 ? "No order has a label yet" : "1 of 3");
  return opened;
}

it("lists the newest label first, with all labels and the checks of the order, and how rules did", async () => {
  const { until } = await openLabels();
  const frame = await until("Rules since 30d");
  expect(frame).toContain("1 fraud, 1 refund, 1 good.");
  expect(rowOf(frame, "› o-4")).toMatch(/› o-4 +fraud .* 2 +│/);
  expect(rowOf(frame, "elsewhere-9")).toContain("no time");
  expect(frame).toMatch(/fraud +as of[^]*chargeback +as of/);
  expect(frame).toMatch(/\d checks: \d fraudulent, \d good\./);
});

it.each([
  [140, 40],
  [80, 24],
  [60, 16],
])("draws exactly %i x %i, with the list or the detail", async (columns, rows) => {
  const { frame, press, until } = await openLabels(columns, rows);
  for (const line of frame().split("\n")) expect(widthOf(line)).toBeLessThanOrEqual(columns);
  expect(frame().split("\n")).toHaveLength(rows);
  press("\r");
  await until("Esc back");
  await until("Rules since");
  press(ESC);
  await until("Enter open");
  press("\t");
  await until("Esc back");
  press("\t");
  await until("Enter open");
});

it("filters by order and by label while it is typed, and Esc shows all again", async () => {
  const { press, until } = await openLabels();
  press("/good\r");
  const frame = await until("1 of 1");
  expect(frame).toContain("o-3");
  press(ESC);
  await until("of 3");
  press("/none\r");
  await until("No label matches the filter");
});

it("sets another label of the selected order", async () => {
  const { model, press, until } = await openLabels();
  press(DOWN);
  await until("2 of 3");
  press("lfraud\r");
  await until("Label of order o-3: fraud (was good).");
  await until("2 fraud, 1 refund.");
  const { labels } = await model.context.history();
  expect(await labels.of(["o-3"], null)).toEqual(new Map([["o-3", "fraud"]]));
});

it("offers the command lines that import a file and label any order", async () => {
  const { press, until } = await openLabels(140, 40, []);
  press("x");
  const frame = await until("Palette");
  expect(frame).toContain("label import");
  expect(frame).toContain("label set");
});

it("removes the labels of an order after a question", async () => {
  const { model, press, until } = await openLabels();
  press("d");
  await until("Order o-4 has 2 labels, fraud in effect.");
  press("n");
  await until("1 of 3");
  press("d");
  await until("y remove");
  press("y");
  await until("The labels of order o-4 are removed.");
  await until("1 of 2");
  const { labels } = await model.context.history();
  expect(await labels.of(["o-4"], null)).toEqual(new Map());
  press("u");
  await until("The labels are again as before.");
  expect(await until("1 of 3")).not.toContain("u undo");
  expect((await Array.fromAsync(labels.list())).find(({ orderId }) => orderId === "o-4")?.known).toHaveLength(
    2,
  );
});

it("undoes the last label, also one that was set in History", async () => {
  const { model, press, until } = await openLabels();
  press("4");
  await until("1 of 4");
  press("lfraud\r");
  await until("Press u to undo.");
  press("9");
  await until(/› o-4 .* 3 │/);
  press("u");
  await until(/› o-4 .* 2 │/);
  expect(model.session.store.getState().undo).toBeNull();
});

it("removes no label that another session adds while it asks", async () => {
  const { model, press, until } = await openLabels();
  const { labels } = await model.context.history();
  press("d");
  await until("y remove");
  const added = { orderId: "o-4", label: "chargeback", at: null } as const;
  await labels.set([added]);
  press("y");
  await until("Another session has added one, which stays.");
  const known = async () =>
    (await Array.fromAsync(labels.list())).find(({ orderId }) => orderId === "o-4")?.known;
  expect(await known()).toEqual([added]);
  press("u");
  await until("The labels are again as before.");
  expect(await known()).toHaveLength(3);
});

it("does not say that labels are as before where another session removed them", async () => {
  const { model, press, until } = await openLabels();
  const { labels } = await model.context.history();
  press("lgood\r");
  await until("Press u to undo.");
  await labels.remove("o-4");
  press("u");
  await until("the labels are not as before: another session changed them.");
  expect(await labels.of(["o-4"], null)).toEqual(new Map());
  expect(model.session.store.getState().undo).toBeNull();
});

it("offers an undo again that the disk has refused", async () => {
  const { model, press, until } = await openLabels();
  const { labels } = await model.context.history();
  const before = await labels.of(["o-4"], null);
  vi.spyOn(labels, "withdraw").mockRejectedValueOnce(storage`The disk is full.`);
  press("lgood\r");
  await until("Press u to undo.");
  press("u");
  await until("The disk is full.");
  press("u");
  await expect.poll(() => labels.of(["o-4"], null)).toEqual(before);
  expect(model.session.store.getState().undo).toBeNull();
});

it("judges the rules since another time, and explains a wrong one", async () => {
  const { press, until } = await openLabels();
  press("t\u0015yesterday\r");
  await until("takes a day, a time or an age");
  press("\u00152h\r");
  await until("Rules since 2h");
});

it("shows the checks of the selected order in History", async () => {
  const { press, until } = await openLabels();
  press("h");
  await until("order:o-4");
});

it("shows an audience no label of an order, and lets none be set", async () => {
  const { frame, model, press, until } = await openLabels();
  press("p");
  await until("PRESENTER");
  expect(rowOf(frame(), "o-4")).not.toContain("fraud");
  expect(frame()).toContain("1 fraud, 1 refund, 1 good.");
  // The question before a removal would say the label.
  expect(frame()).not.toContain("d remove");
  for (const key of ["l", "/", "d"]) press(key);
  expect(model.session.store.getState()).toMatchObject({ prompt: null, dialog: null });
});
