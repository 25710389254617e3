// A line that is typed, the work that it begins, and the line again where that failed.

import { expect, it, onTestFinished, vi } from "vitest";
import { storage, usage } from "#src/contract/fault.ts";
import { textLine } from "#src/display/span.ts";
import type { PageRoom } from "#src/state/page.ts";
import { createSession, openPage, type Session } from "#src/state/session.ts";
import { createTrial } from "#src/state/trial.ts";
import { keyName } from "../keys/standard.ts";
import { leave, submit } from "./answers.ts";

const UNDER_WAY = "One runs already.";

interface Run {
  readonly signal: AbortSignal;
  resolve(result: string | null): void;
  reject(error: unknown): void;
}

/** A trial of numbers; each run ends as the test says. */
function open(edit?: (result: string) => void) {
  const session = createSession({ keyName, quit: () => undefined });
  onTestFinished(() => session.close());
  session.go("rules");
  const runs: Run[] = [];
  const trial = createTrial<number, number, string>(session, {
    label: "Trial",
    screen: "rules",
    underWay: UNDER_WAY,
    read(line) {
      if (!/^\d+$/.test(line)) throw usage`It is no number.`;
      return Number(line);
    },
    begun: () => 0,
    run: (_plan, signal) => new Promise((resolve, reject) => void runs.push({ signal, resolve, reject })),
    told: (progress, cancelled) => ({ text: `${progress}${cancelled ? ", ending" : ""}` }),
    lines: (result) => [textLine(result)],
    ...(edit === undefined ? {} : { edit }),
  });
  const view = () => trial.page.view(trial.store.getState(), {} as PageRoom);
  return { session, runs, trial, view };
}

const prompt = (session: Session) => session.store.getState().prompt;
const said = (session: Session): string[] => session.store.getState().toasts.map(({ text }) => text);
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it("that fails is closed, says why, keeps the last result, and asks for the line again", async () => {
  const { session, runs, trial } = open();
  void trial.start("1");
  runs[0]!.resolve("one");
  await turn();
  expect(trial.store.getState()).toMatchObject({ progress: null, result: "one" });
  void trial.start("2");
  expect(openPage(session.store.getState())?.store).toBe(trial.store);
  runs[1]!.reject(storage`the disk is full.`);
  await turn();
  expect(openPage(session.store.getState())).toBeUndefined();
  expect(trial.store.getState()).toEqual({ progress: null, cancelled: false, result: "one" });
  expect(said(session)).toEqual([expect.stringContaining("disk is full")]);
  expect(prompt(session)).toMatchObject({ label: "Trial", initial: "2" });
  await submit(session, "3");
  expect(runs).toHaveLength(3);
  runs[2]!.resolve("three");
  await turn();
  expect(trial.store.getState()).toMatchObject({ progress: null, result: "three" });
});

it("that was cancelled and has nothing to tell asks for nothing, and the next one is not cancelled", async () => {
  const { session, runs, trial, view } = open();
  expect(trial.cancel()).toBe(false);
  void trial.start("1");
  expect(view()).toMatchObject({ title: "Trial, under way", lines: [textLine("0")] });
  expect(trial.cancel()).toBe(true);
  expect(view().lines).toEqual([textLine("0, ending")]);
  expect(runs[0]!.signal.aborted).toBe(true);
  runs[0]!.resolve(null);
  await turn();
  expect(prompt(session)).toBeNull();
  void trial.start("2");
  expect(runs[1]!.signal.aborted).toBe(false);
  expect(trial.store.getState().cancelled).toBe(false);
  const ended = vi.fn();
  void trial.end().then(ended);
  expect(runs[1]!.signal.aborted).toBe(true);
  await turn();
  expect(ended).not.toHaveBeenCalled();
  runs[1]!.resolve(null);
  await turn();
  expect(ended).toHaveBeenCalledOnce();
});

it("does not begin, nor ask, while another one runs", async () => {
  const { session, runs, trial } = open();
  void trial.start("1");
  void trial.start("2");
  void trial.ask("2");
  expect(runs).toHaveLength(1);
  expect(prompt(session)).toBeNull();
  expect(new Set(said(session))).toEqual(new Set([UNDER_WAY]));
  runs[0]!.resolve("one");
  await turn();
});

it("is asked for again as it was, from the page of its result, where its rule can be opened, too", async () => {
  const edit = vi.fn();
  const { session, runs, trial, view } = open(edit);
  expect(view().keys).toMatchObject({ edit: undefined });
  view().keys!["ask"]!();
  await turn();
  expect(prompt(session)?.initial).toBe("");
  await leave(session);
  void trial.start("7");
  runs[0]!.resolve("seven");
  await turn();
  view().keys!["edit"]!();
  expect(edit).toHaveBeenCalledExactlyOnceWith("seven");
  view().keys!["ask"]!();
  await turn();
  expect(prompt(session)?.initial).toBe("7");
  expect(open().view().keys).toMatchObject({ edit: undefined });
});
