// The live checks: what is sent is kept, the selection is never lost, and an open 3-D Secure answer can wait.

import { afterEach, beforeEach, expect, test } from "vitest";
import { credentialMissing, sandboxFault, storage } from "#src/contract/fault.ts";
import type { CheckResult } from "#src/contract/wire/outcome.ts";
import { verdictKind } from "#src/display/verdict.ts";
import { noProject, underWay } from "#src/state/check/checks-state.ts";
import { createChecks } from "#src/state/check/checks.ts";
import { answered, type TestService } from "../console/test-context.ts";
import { keyName } from "../keys/standard.ts";
import { intent } from "../storage/entries.ts";
import { challenge, checking, PROJECT, type Checking } from "./checking.ts";

let desk: Checking;
const answers: TestService = {};

beforeEach(async () => {
  delete answers.check;
  desk = await checking(answers);
});
afterEach(() => desk.remove());

const state = () => desk.checks.store.getState();
const send = (order: string) => desk.checks.send({ order_id: order, amount: 1, currency: 980 }, []);
const orders = () => state().entries.map((entry) => entry.request.order_id);

test("a check is in flight, then the newest row, and on disk for the next start", async () => {
  const sending = send("o-1");
  expect(state().inFlight).toMatchObject({ request: { order_id: "o-1" }, cancelled: false });
  const entry = await sending;
  expect(entry).toMatchObject({
    project: PROJECT,
    result: { recommendation: "pass" },
    finalAction: "continue",
  });
  expect(state()).toMatchObject({ inFlight: null, latest: entry, shownId: entry!.id, selectedId: entry!.id });

  const next = createChecks(desk.context, desk.session);
  await next.load();
  expect(next.store.getState().entries.map(({ id }) => id)).toEqual([entry!.id]);
  expect(next.store.getState()).toMatchObject({ following: true, selectedId: entry!.id, shownId: null });
});

test("the row stands in the history, marked as in flight, before the answer comes", async () => {
  let release: (result: CheckResult) => void = () => undefined;
  const asked = new Promise<void>((reached) => {
    answers.check = () =>
      new Promise((resolve) => {
        release = resolve;
        reached();
      });
  });
  const sending = send("o-1");
  await asked;
  expect(orders()).toEqual(["o-1"]);
  expect(state().inFlight!.id).toBe(state().entries[0]!.id);
  expect(await send("o-2")).toBeNull();
  expect(desk.said()).toEqual([expect.stringContaining("under way")]);
  release(answered("block"));
  await sending;
  expect(orders()).toEqual(["o-1"]);
  expect(verdictKind(state().entries[0]!.result)).toBe("block");
});

/** What was said, shown or not. */
const kept = ({ session }: Checking): string[] => session.store.getState().messages.map(({ text }) => text);

test("cancelling ends the wait for a service that is still being opened: nothing was sent, no row is left", async () => {
  const { context, session } = desk;
  const opening = createChecks({ ...context, service: () => new Promise(() => undefined) }, session);
  const sent = opening.send({ order_id: "o-1", amount: 1, currency: 980 }, []);
  expect(opening.cancel()).toBe(true);
  expect(await sent).toBeNull();
  expect(opening.store.getState()).toMatchObject({
    inFlight: null,
    entries: [],
    failed: { message: "Stopped before anything was sent." },
  });
  expect(kept(desk)).toEqual(["Stopped before anything was sent."]);
  // The verdict on the screen says it.
  expect(desk.said()).toEqual([]);
});

test("cancelling reaches the call; its outcome stays unknown and nothing pretends otherwise", async () => {
  answers.check = (_, signal) =>
    new Promise((resolve) => {
      signal!.addEventListener("abort", () =>
        resolve(answered(null, { outcome: "unknown", reason: "cancelled", explanation: "Cancelled." })),
      );
      setImmediate(() => {
        expect(desk.checks.cancel()).toBe(true);
        expect(state().inFlight!.cancelled).toBe(true);
        expect(desk.checks.cancel()).toBe(false);
      });
    });
  const entry = await send("o-1");
  expect(verdictKind(entry!.result)).toBe("unknown");
  expect(entry!.finalAction).toBeNull();
  expect(desk.checks.cancel()).toBe(false);
});

test("new rows leave the selection where it is; on the newest row it follows", async () => {
  for (const order of ["o-1", "o-2", "o-3"]) await send(order);
  expect(state()).toMatchObject({ following: true, selectedId: state().entries[0]!.id });
  desk.checks.select(1);
  const chosen = state().selectedId;
  await send("o-4");
  expect(orders()).toEqual(["o-4", "o-3", "o-2", "o-1"]);
  expect(state()).toMatchObject({ following: false, selectedId: chosen });
  // The new verdict is looked at all the same.
  expect(state().shownId).toBe(state().entries[0]!.id);
  desk.checks.select("last");
  expect(state().selectedId).toBe(state().entries[3]!.id);
  desk.checks.select(1);
  expect(state().selectedId).toBe(state().entries[3]!.id);
  desk.checks.select("first");
  await send("o-5");
  expect(state()).toMatchObject({ following: true, selectedId: state().entries[0]!.id });
});

test.each([
  [true, "3ds"],
  [false, "block"],
] as const)("a 3-D Secure answer of %s is recorded as %s, durably", async (canForce, action) => {
  answers.check = challenge;
  const entry = await send("o-1");
  expect(state().question).toEqual(entry);
  await desk.checks.decide(entry!.id, canForce);
  expect(state()).toMatchObject({ question: null, latest: { finalAction: action } });
  expect(state().entries[0]!.finalAction).toBe(action);
  expect((await (await desk.context.history()).find(entry!.id))!.finalAction).toBe(action);
});

test("a 3-D Secure answer can wait: later, another check, then the question again, once", async () => {
  answers.check = challenge;
  const first = (await send("o-1"))!;
  desk.checks.later();
  expect(state().question).toBeNull();
  answers.check = () => answered("pass");
  await send("o-2");
  expect(desk.checks.ask(state().entries[0]!.id)).toBe(false);
  expect(desk.checks.ask(first.id)).toBe(true);
  expect(state()).toMatchObject({ question: { id: first.id }, shownId: first.id });
  await Promise.all([desk.checks.decide(first.id, false), desk.checks.decide(first.id, false)]);
  await desk.checks.decide(first.id, true);
  expect(state().entries[1]!.finalAction).toBe("block");
  expect(desk.checks.ask(first.id)).toBe(false);
});

/** The same over a history that takes all but this. */
async function failing(what: "settle" | "decide"): Promise<ReturnType<typeof createChecks>> {
  const history = await desk.context.history();
  const full = { ...history, [what]: () => Promise.reject(storage`The disk is full.`) };
  return createChecks({ ...desk.context, history: () => Promise.resolve(full) }, desk.session);
}

test("a verdict that cannot be written is shown, and said to be unsaved", async () => {
  const checks = await failing("settle");
  const entry = (await checks.send({ order_id: "o-1" }, []))!;
  expect(checks.store.getState().notSaved).toEqual(new Map([[entry.id, "The disk is full."]]));
  expect(kept(desk)).toEqual(["The verdict is not saved: The disk is full."]);
  expect(desk.said()).toEqual([]);
  // Elsewhere nothing else would say it.
  desk.session.go("vault");
  await checks.send({ order_id: "o-2" }, []);
  expect(desk.said()).toEqual(["The verdict is not saved: The disk is full."]);
  // Reading the disk again must not turn the known verdict into an unknown one.
  await checks.load();
  expect(verdictKind(checks.store.getState().entries[0]!.result)).toBe("pass");
});

test("an answer that cannot be written leaves the row open", async () => {
  answers.check = challenge;
  const checks = await failing("decide");
  const entry = (await checks.send({ order_id: "o-1" }, []))!;
  await checks.decide(entry.id, true);
  expect(checks.store.getState().entries[0]!.finalAction).toBeNull();
  expect(desk.said()).toEqual(["The disk is full."]);
  expect(checks.ask(entry.id)).toBe(true);
});

test("without a project a send fails in words of the console, and stays to be seen", async () => {
  const empty = await checking({}, false);
  expect(await empty.checks.send({ order_id: "o-1" }, [])).toBeNull();
  expect(kept(empty)).toEqual([noProject(keyName)]);
  expect(empty.checks.store.getState()).toMatchObject({
    inFlight: null,
    entries: [],
    failed: { request: { order_id: "o-1" }, message: noProject(keyName) },
  });
  empty.session.setProject("gone/low");
  await empty.checks.send({ order_id: "o-2" }, []);
  expect(kept(empty).at(-1)).toMatch(/gone\/low has no credential here; press 2/);
  await empty.remove();
});

test("no earlier verdict is left standing by a send that fails before it has a row", async () => {
  let broken = false;
  const context = {
    ...desk.context,
    service: () =>
      broken ? Promise.reject(sandboxFault`The sandbox did not start.`) : desk.context.service(),
  };
  const checks = createChecks(context, desk.session);
  const passed = (await checks.send({ order_id: "o-1" }, []))!;
  expect(checks.store.getState()).toMatchObject({ shownId: passed.id, ownId: passed.id, failed: null });
  broken = true;
  const sending = checks.send({ order_id: "o-2" }, []);
  expect(checks.store.getState()).toMatchObject({ shownId: null, ownId: null });
  expect(await sending).toBeNull();
  expect(checks.store.getState()).toMatchObject({
    shownId: null,
    failed: { request: { order_id: "o-2" }, message: "The sandbox did not start." },
  });
  // The passed one can still be looked at, as what it is: not the outcome of what was sent last.
  checks.select("first");
  expect(checks.store.getState()).toMatchObject({ shownId: passed.id, ownId: null, failed: null });
  checks.clearShown();
  expect(checks.store.getState().shownId).toBeNull();
});

test("a send that fails behind its intent shows its own row", async () => {
  await send("o-1");
  answers.check = () => {
    throw credentialMissing`The credential names an unknown algorithm.`;
  };
  await send("o-2");
  const [newest] = state().entries;
  expect(newest).toMatchObject({ request: { order_id: "o-2" }, result: { outcome: "not_sent" } });
  expect(state()).toMatchObject({ shownId: newest!.id, ownId: newest!.id, failed: null });
});

test("the answer is looked at, whatever was selected while it was under way", async () => {
  await send("o-1");
  answers.check = () => {
    desk.checks.select("last");
    return challenge();
  };
  const entry = (await send("o-2"))!;
  expect(state()).toMatchObject({ shownId: entry.id, question: { id: entry.id } });
  // A question that is no longer seen is not answered.
  desk.checks.select("last");
  expect(state()).toMatchObject({ question: null });
});

test("rows of other profiles are not among the live ones, and are not decided here", async () => {
  const history = await desk.context.history();
  const foreign = intent("0-foreign", { profile: "live", request: { order_id: "theirs" } });
  await history.intend(foreign);
  await history.settle({ ...foreign, result: challenge() });
  await send("o-1");
  await desk.checks.load();
  expect(orders()).toEqual(["o-1"]);
  expect(desk.checks.ask(foreign.id)).toBe(false);
  await desk.checks.decide(foreign.id, true);
  expect((await history.find(foreign.id))!.finalAction).toBeNull();
});

test("that a check is under way is no longer said when its answer is there", async () => {
  const sending = send("o-1");
  await send("o-2");
  desk.session.say("Something else.", "note");
  expect(desk.said()).toEqual([underWay(keyName), "Something else."]);
  await sending;
  expect(desk.said()).toEqual(["Something else."]);
});
