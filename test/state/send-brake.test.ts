// A key that is held, or pressed while a question stands, sends nothing more.

import { afterEach, beforeEach, expect, test } from "vitest";
import type { Profile } from "#src/contract/records/profile.ts";
import { CLOSED_MS, HURRY_MS, PAUSE_MS, questionStands } from "#src/state/check/send-brake.ts";
import { takeComposition } from "#src/state/profiles/switching.ts";
import type { TestService } from "../console/test-context.ts";
import { keyName } from "../keys/standard.ts";
import { challenge, checking, NOON, type Checking } from "./checking.ts";
import { agree } from "./answers.ts";

let desk: Checking;
let now = NOON;
const answers: TestService = { now: () => now };

beforeEach(async () => {
  now = NOON;
  delete answers.check;
  desk = await checking(answers);
});
afterEach(() => desk.remove());

/** Presses a key that sends; the check that it sends takes a while. */
async function press(): Promise<boolean> {
  const sending = pressed();
  if (sending === null) return false;
  now += 20;
  await sending;
  return true;
}

/** The check that a press sends; null when it sends none. */
function pressed(): Promise<void> | null {
  let sending: Promise<void> | null = null;
  const send = (): void => {
    sending = desk.composer.send();
  };
  void desk.brake.press(desk.composer.toRequest(), send, desk.composer.doubts());
  return sending;
}

test.each([33, 90])("a key that is held and repeated each %i ms sends once", async (pace) => {
  expect(await press()).toBe(true);
  // The first repetition comes later than the others.
  now += 640;
  for (let count = 0; count < 40; count += 1) {
    expect(await press()).toBe(false);
    now += pace;
  }
  expect(desk.checks.store.getState().entries).toHaveLength(1);
});

test("a key that is pressed again once the verdict could be read sends again", async () => {
  expect(await press()).toBe(true);
  now += PAUSE_MS - 1;
  expect(await press()).toBe(false);
  now += PAUSE_MS;
  expect(await press()).toBe(true);
});

test("a key that is held over a line that stalls sends once", async () => {
  expect(await press()).toBe(true);
  for (const gap of [250, 33, 33, 600, 33, 33, 600, 33]) {
    now += gap;
    expect(await press()).toBe(false);
  }
});

test("an answer that takes long is no reason to send the next payment", async () => {
  let answer: () => void = () => undefined;
  const asked = new Promise<void>((reached) => {
    answers.check = () =>
      new Promise((resolve) => {
        answer = () => resolve(challenge());
        reached();
      });
  });
  const sending = pressed();
  await asked;
  now += 10_000;
  answer();
  await sending;
  now += 30;
  expect(pressed()).toBeNull();
});

test("nothing is sent while the 3-D Secure question stands, and that is said", async () => {
  answers.check = challenge;
  expect(await press()).toBe(true);
  now += 60_000;
  expect(await press()).toBe(false);
  expect(desk.said()).toEqual([questionStands(keyName)]);
  const { question, entries } = desk.checks.store.getState();
  expect(entries).toHaveLength(1);
  await desk.checks.decide(question!.id, true);
  now += 60_000;
  expect(await press()).toBe(true);
});

test("a clock that is set back stops nothing", async () => {
  expect(await press()).toBe(true);
  now -= 3_600_000;
  expect(await press()).toBe(true);
});

test("a key that was meant for a prompt or a question that has just gone sends nothing", async () => {
  void desk.session.askUntil({ label: "Name" });
  desk.session.closePrompt();
  now += CLOSED_MS - 1;
  expect(await press()).toBe(false);
  void desk.session.agree({ text: "It?", yes: "remove" });
  await agree(desk.session);
  now += CLOSED_MS - 1;
  expect(await press()).toBe(false);
  now += CLOSED_MS;
  expect(await press()).toBe(true);
});

test("on a live profile a second send in a hurry is asked about first", async () => {
  const payment = desk.composer.toRequest();
  await desk.remove();
  desk = await checking(answers, true, { name: "shop-live", environment: "LIVE" });
  desk.composer.loadRequest({ ...payment, amount: 12_500 }, { from: null });
  expect(await press()).toBe(true);
  now += HURRY_MS - 1;
  expect(await press()).toBe(false);
  const { dialog } = desk.session.store.getState();
  const { order_id } = desk.composer.toRequest();
  expect(dialog?.text).toContain("2.0 s ago");
  for (const part of [order_id!, "125.00 UAH", "shop-live"]) expect(dialog?.text).toContain(part);
  expect(desk.checks.store.getState().entries).toHaveLength(1);
  await agree(desk.session);
  await expect.poll(() => desk.checks.store.getState().entries.length).toBe(2);
  await expect.poll(() => desk.checks.store.getState().inFlight).toBeNull();
  now += HURRY_MS;
  expect(await press()).toBe(true);
  expect(desk.session.store.getState().dialog).toBeNull();
});

const PAYMENT = { operation: "payment", order_id: "o-1", amount: 12_500, currency: 980 };
const LIVE = { name: "shop-live", environment: "LIVE" } as const;

async function deskOf(profile: Partial<Profile>): Promise<void> {
  await desk.remove();
  desk = await checking(answers, true, profile);
}

/** The question that a press opened instead of sending; no or yes is its answer. */
async function asked(answer: "no" | "yes"): Promise<string> {
  expect(await press()).toBe(false);
  const { dialog } = desk.session.store.getState();
  await agree(desk.session, answer === "yes");
  await expect.poll(() => desk.checks.store.getState().inFlight).toBeNull();
  now += HURRY_MS;
  return dialog!.text;
}

test.each(["TEST", "LIVE"] as const)(
  "a payment of another profile is asked about before it goes to a %s service, until it was sent there",
  async (environment) => {
    await deskOf({ name: "shop", environment });
    desk.composer.loadRequest(PAYMENT, { from: null, profile: "sandbox" });
    expect(await asked("no")).toContain("comes from the profile sandbox");
    expect(desk.said().at(-1)).toBe("Not sent: o-1, 125.00 UAH.");
    expect(desk.checks.store.getState().entries).toHaveLength(0);
    // Written as JSON it is still the same payment.
    expect(desk.composer.takeText(JSON.stringify({ ...PAYMENT, amount: 100 }))).toBe(true);
    expect(await asked("yes")).toContain("comes from the profile sandbox");
    await expect.poll(() => desk.checks.store.getState().entries.length).toBe(1);
    expect(await press()).toBe(true);
    now += HURRY_MS;
    // What was there before the load has no such origin.
    desk.composer.loadRequest(PAYMENT, { from: null });
    expect(await press()).toBe(true);
  },
);

test("a form that was filled in on another profile is asked about, too", async () => {
  const composition = desk.composer.store.getState();
  await deskOf(LIVE);
  takeComposition(desk.composer, { profile: "sandbox", composition }, LIVE.name);
  expect(desk.composer.undoLoad()).toBe(true);
  expect(await asked("no")).toContain("comes from the profile sandbox");
});

test("the sandbox takes a payment of another profile without a question", async () => {
  desk.composer.loadRequest(PAYMENT, { from: null, profile: "shop-live" });
  expect(await press()).toBe(true);
});
