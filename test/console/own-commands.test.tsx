// Commands of the user's own in the console: what they run, why not, and the question before one that sends.

import { openConsole, type Given } from "./driver.tsx";
import { expect, it } from "vitest";
import { BINDINGS } from "#screens/shell/bindings.ts";
import { ownBindings } from "#screens/shell/own-bindings.ts";
import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import type { OwnCommand } from "#src/contract/records/own-command.ts";
import type { ProgramRun } from "#src/state/session.ts";
import { answer, intent } from "../storage/entries.ts";
import { LIVE } from "./live-context.ts";

const OPEN: OwnCommand = {
  name: "open-order",
  key: "f6",
  label: "open in the back office",
  run: ["open", "https://office.example/{order_id}"],
  on: ["check", "history"],
  sends: false,
  wait: true,
};
const EXPLAIN: OwnCommand = { ...OPEN, name: "explain", key: "f7", run: ["explain", "{decision_id}"] };
const REFUND: OwnCommand = {
  ...OPEN,
  name: "refund",
  key: "b",
  label: "refund it",
  run: ["refund", "{id}"],
  sends: true,
};
const NOTE: OwnCommand = { ...OPEN, name: "note", key: "f8", run: ["note", "{profile}"], on: ["history"] };
const COMMANDS = [OPEN, EXPLAIN, REFUND, NOTE];
const [F6, F8] = ["\x1b[17~", "\x1b[19~"];

const ENTRY = intent("e1", {
  request: { order_id: "o-1", amount: 12_000, currency: 980 },
  result: answer({ recommendation: "pass", message: "Continue" }),
  finalAction: "continue",
});

/** The console over these checks, with commands of the user's own. */
async function open(entries: readonly HistoryEntry[] = [ENTRY], profile: Given["profile"] = {}) {
  const table = ownBindings(BINDINGS, COMMANDS);
  const opened = await openConsole({
    profile,
    entries,
    columns: 120,
    rows: 40,
    bindings: "bindings" in table ? table.bindings : [],
    options: { commands: COMMANDS },
  });
  await opened.screen.until("Compose");
  await opened.model.checks.load();
  const ran = (): ProgramRun[] => opened.asked.run.mock.calls.map(([run]) => run);
  return { ...opened, ran, why: (name: string) => opened.screen.whyNot(`own.${name}`) };
}

/** The same with the list of History in front. */
async function openHistory(...given: Parameters<typeof open>) {
  const opened = await open(...given);
  await opened.screen.press("4").until("History");
  await expect.poll(() => opened.model.history.store.getState().selectedId).not.toBeNull();
  return opened;
}

it("runs a program with the values of the selected check, once for a key that is held", async () => {
  const { screen, ran, model } = await openHistory();
  await expect
    .poll(() => screen.dispatcher.active().some(({ binding }) => binding.id === "own.open-order"))
    .toBe(true);
  screen.press(F6 + F6);
  screen.press(F6);
  screen.press("?");
  await expect.poll(() => model.session.store.getState().help).toBe(true);
  screen.press("?");
  expect(ran()).toMatchObject([
    { name: "open-order", words: ["open", "https://office.example/o-1"], wait: true },
  ]);
  ran()[0]!.onEnd(null);
  expect(model.session.store.getState().messages).toEqual([]);
  screen.press(F8);
  await expect.poll(() => ran().length).toBe(2);
  expect(ran()[1]!.words).toEqual(["note", "sandbox"]);
  ran()[1]!.onEnd("ended with exit code 3");
  await screen.until('The command "note" ended with exit code 3.');
});

it("runs for the check in view on Check, from its key and from the palette", async () => {
  const { screen, ran, why } = await open();
  await expect.poll(() => why("open-order")).toBeNull();
  expect(why("note")).toBeUndefined();
  await screen.press(":").until("Palette");
  await screen.press("back office").until(/open in the back office +F6 +Own commands/);
  screen.press("\r");
  await expect.poll(() => ran().map(({ words }) => words[1])).toEqual(["https://office.example/o-1"]);
});

it("lists them in help and footer", async () => {
  const { screen, why } = await open();
  await expect.poll(() => why("open-order")).toBeNull();
  expect(screen.frame().split("\n").at(-1)).toContain("F6 open in the back office");
  expect(await screen.press("?").until(/Own commands/)).toMatch(/F7 +open in the back office/);
});

it("says which value is missing", async () => {
  const { why } = await open();
  await expect.poll(() => why("explain")).toBe("There is no {decision_id} here.");
  const empty = await open([]);
  await expect.poll(() => empty.why("open-order")).toBe("There is no {order_id} here.");
});

it("says why a value is given to no program, and runs nothing", async () => {
  const hostile = { ...ENTRY, request: { ...ENTRY.request, order_id: "\u001b[2Jo" } };
  const { screen, ran, why } = await openHistory([hostile]);
  await expect.poll(() => why("open-order")).toMatch(/^The \{order_id\} has a control character/);
  screen.press(F6);
  await expect.poll(() => why("open-order")).toMatch(/control character/);
  expect(ran()).toEqual([]);
});

it("is switched off while something is presented", async () => {
  const { screen, ran, why } = await openHistory();
  await expect.poll(() => why("open-order")).toBeNull();
  screen.press("p");
  await expect.poll(() => why("open-order")).toMatch(/^Presenter mode hides/);
  screen.press(F6);
  screen.press("p");
  await expect.poll(() => why("open-order")).toBeNull();
  expect(ran()).toEqual([]);
});

it("has no key over a range or a comparison, where no single check is meant", async () => {
  const { screen, why } = await openHistory();
  await expect.poll(() => why("open-order")).toBeNull();
  screen.press("v");
  await expect.poll(() => why("open-order")).toBeUndefined();
});

it("runs one that sends at once on the sandbox", async () => {
  const { screen, ran, why } = await openHistory();
  await expect.poll(() => why("refund")).toBeNull();
  screen.press("b");
  await expect.poll(() => ran().map(({ words }) => words)).toEqual([["refund", "e1"]]);
});

it("refuses one that sends on a read-only profile, and for a check of another profile", async () => {
  const live = { ...ENTRY, profile: LIVE.name };
  const closed = await openHistory([live], { ...LIVE, readOnly: true });
  await expect.poll(() => closed.why("refund")).toMatch(/is read-only, so nothing is sent/);
  expect(closed.why("open-order")).toBeNull();
  closed.screen.press("b");
  const other = await openHistory([{ ...live, profile: "other" }], LIVE);
  await expect
    .poll(() => other.why("refund"))
    .toBe("This check belongs to the profile other; switch to that profile first.");
  expect(other.why("open-order")).toBeNull();
  other.screen.press("b");
  other.screen.press(F6);
  await expect.poll(() => other.ran().map(({ name }) => name)).toEqual(["open-order"]);
  expect(closed.ran()).toEqual([]);
});

it("asks for the name of a LIVE profile before one that sends, and for no other", async () => {
  const { screen, ran, why } = await openHistory([{ ...ENTRY, profile: LIVE.name }], LIVE);
  await expect.poll(() => why("refund")).toBeNull();
  await screen.press("b").until("to the LIVE service");
  expect(screen.flowing()).toContain("Run refund e1, which sends to the LIVE service");
  await screen.press("y\r").until((frame) => frame.includes("to the LIVE service"));
  expect(ran()).toEqual([]);
  await screen.press("\x1b").until((frame) => !frame.includes("to the LIVE service"));
  await screen.press("b").until("to the LIVE service");
  await screen.press(LIVE.name).until(LIVE.name);
  screen.press("\r");
  await expect.poll(() => ran().map(({ words }) => words)).toEqual([["refund", "e1"]]);
  ran()[0]!.onEnd(null);
  screen.press(F6);
  await expect.poll(() => ran().length).toBe(2);
});
