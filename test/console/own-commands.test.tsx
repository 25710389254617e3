// Commands of the user's own in the console: what they run, why not, and the question before one that sends.

import { mount, type Mounted } from "./harness.tsx";
import { expect, it, onTestFinished } from "vitest";
import { App } from "#screens/shell/app.tsx";
import { BINDINGS } from "#screens/shell/bindings.ts";
import { ownBindings } from "#screens/shell/own-bindings.ts";
import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import type { OwnCommand } from "#src/contract/records/own-command.ts";
import type { Profile } from "#src/contract/records/profile.ts";
import { createConsoleModel, type ConsoleModel } from "#src/state/console-model.ts";
import type { ProgramRun } from "#src/state/session.ts";
import { ConsoleModelProvider } from "#src/state/use-console.ts";
import { keyName } from "../keys/standard.ts";
import { answer, intent } from "../storage/entries.ts";
import { LIVE, profileContext } from "./live-context.ts";
import { testContext } from "./test-context.ts";

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

interface Opened {
  readonly screen: Mounted;
  readonly model: ConsoleModel;
  /** What was to be run, in order. */
  readonly runs: readonly ProgramRun[];
  why(name: string): string | null | undefined;
}

async function open(entries: readonly HistoryEntry[] = [ENTRY], profile?: Profile): Promise<Opened> {
  const test = profile === undefined ? await testContext() : await profileContext(profile);
  const store = await test.context.history();
  for (const entry of entries) {
    await store.intend(entry);
    if (entry.result !== null) await store.settle(entry);
  }
  const runs: ProgramRun[] = [];
  const model = createConsoleModel(test.context, {
    keyName,
    now: () => Date.now(),
    ascii: false,
    quit: () => undefined,
    commands: COMMANDS,
  });
  const table = ownBindings(BINDINGS, COMMANDS);
  const screen = mount(
    <ConsoleModelProvider value={model}>
      <App
        onSuspend={() => undefined}
        onEdit={() => undefined}
        onInterrupt={() => undefined}
        onRun={(run) => void runs.push(run)}
      />
    </ConsoleModelProvider>,
    { columns: 120, rows: 40, bindings: "bindings" in table ? table.bindings : [] },
  );
  onTestFinished(async () => {
    screen.unmount();
    await model.close();
    await test.remove();
  });
  await screen.until("Compose");
  await model.checks.load();
  const why = (name: string) =>
    screen.dispatcher.active().find(({ binding }) => binding.id === `own.${name}`)?.disabled;
  return { screen, model, runs, why };
}

/** The same with the list of History in front. */
async function openHistory(...given: Parameters<typeof open>): Promise<Opened> {
  const opened = await open(...given);
  opened.screen.press("4");
  await opened.screen.until("History");
  await expect.poll(() => opened.model.history.store.getState().selectedId).not.toBeNull();
  return opened;
}

it("runs a program with the values of the selected check, once for a key that is held", async () => {
  const { screen, runs, model } = await openHistory();
  await expect
    .poll(() => screen.dispatcher.active().some(({ binding }) => binding.id === "own.open-order"))
    .toBe(true);
  screen.press(F6 + F6);
  screen.press(F6);
  screen.press("?");
  await expect.poll(() => model.session.store.getState().help).toBe(true);
  screen.press("?");
  expect(runs).toMatchObject([
    { name: "open-order", words: ["open", "https://office.example/o-1"], wait: true },
  ]);
  runs[0]!.onEnd(null);
  expect(model.session.store.getState().messages).toEqual([]);
  screen.press(F8);
  await expect.poll(() => runs.length).toBe(2);
  expect(runs[1]!.words).toEqual(["note", "sandbox"]);
  runs[1]!.onEnd("ended with exit code 3");
  await screen.until('The command "note" ended with exit code 3.');
});

it("runs for the check in view on Check, from its key and from the palette", async () => {
  const { screen, runs, why } = await open();
  await expect.poll(() => why("open-order")).toBeNull();
  expect(why("note")).toBeUndefined();
  screen.press(":");
  await screen.until("Palette");
  screen.press("back office");
  await screen.until(/open in the back office +F6 +Own commands/);
  screen.press("\r");
  await expect.poll(() => runs.map(({ words }) => words[1])).toEqual(["https://office.example/o-1"]);
});

it("lists them in help and footer", async () => {
  const { screen, why } = await open();
  await expect.poll(() => why("open-order")).toBeNull();
  expect(screen.frame().split("\n").at(-1)).toContain("F6 open in the back office");
  screen.press("?");
  await screen.until(/Own commands/);
  expect(screen.frame()).toMatch(/F7 +open in the back office/);
});

it("says which value is missing", async () => {
  const { why } = await open();
  await expect.poll(() => why("explain")).toBe("There is no {decision_id} here.");
  const empty = await open([]);
  await expect.poll(() => empty.why("open-order")).toBe("There is no {order_id} here.");
});

it("says why a value is given to no program, and runs nothing", async () => {
  const hostile = { ...ENTRY, request: { ...ENTRY.request, order_id: "\u001b[2Jo" } };
  const { screen, runs, why } = await openHistory([hostile]);
  await expect.poll(() => why("open-order")).toMatch(/^The \{order_id\} has a control character/);
  screen.press(F6);
  await expect.poll(() => why("open-order")).toMatch(/control character/);
  expect(runs).toEqual([]);
});

it("is switched off while something is presented", async () => {
  const { screen, runs, why } = await openHistory();
  await expect.poll(() => why("open-order")).toBeNull();
  screen.press("p");
  await expect.poll(() => why("open-order")).toMatch(/^Presenter mode hides/);
  screen.press(F6);
  screen.press("p");
  await expect.poll(() => why("open-order")).toBeNull();
  expect(runs).toEqual([]);
});

it("has no key over a range or a comparison, where no single check is meant", async () => {
  const { screen, why } = await openHistory();
  await expect.poll(() => why("open-order")).toBeNull();
  screen.press("v");
  await expect.poll(() => why("open-order")).toBeUndefined();
});

it("runs one that sends at once on the sandbox", async () => {
  const { screen, runs, why } = await openHistory();
  await expect.poll(() => why("refund")).toBeNull();
  screen.press("b");
  await expect.poll(() => runs.map(({ words }) => words)).toEqual([["refund", "e1"]]);
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
  await expect.poll(() => other.runs.map(({ name }) => name)).toEqual(["open-order"]);
  expect(closed.runs).toEqual([]);
});

it("asks for the name of a LIVE profile before one that sends, and for no other", async () => {
  const { screen, runs, why } = await openHistory([{ ...ENTRY, profile: LIVE.name }], LIVE);
  await expect.poll(() => why("refund")).toBeNull();
  screen.press("b");
  await screen.until("to the LIVE service");
  expect(screen.frame().replaceAll(/\s+/g, " ")).toContain("Run refund e1, which sends to the LIVE service");
  screen.press("y\r");
  await screen.until((frame) => frame.includes("to the LIVE service"));
  expect(runs).toEqual([]);
  screen.press("\x1b");
  await screen.until((frame) => !frame.includes("to the LIVE service"));
  screen.press("b");
  await screen.until("to the LIVE service");
  screen.press(LIVE.name);
  await screen.until(LIVE.name);
  screen.press("\r");
  await expect.poll(() => runs.map(({ words }) => words)).toEqual([["refund", "e1"]]);
  runs[0]!.onEnd(null);
  screen.press(F6);
  await expect.poll(() => runs.length).toBe(2);
});
