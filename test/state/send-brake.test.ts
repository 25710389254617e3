// A key that is held, or pressed while a question stands, sends nothing more.

import { afterEach, beforeEach, expect, test } from "vitest";
import { PAUSE_MS, questionStands, REPEAT_MS } from "#src/state/check/send-brake.ts";
import type { TestService } from "../console/test-context.ts";
import { keyName } from "../keys/standard.ts";
import { challenge, checking, NOON, type Checking } from "./checking.ts";

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
  if (!desk.brake.press()) return false;
  const sending = desk.composer.send();
  now += 20;
  await sending;
  return true;
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
  now += REPEAT_MS;
  expect(await press()).toBe(true);
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
  expect(desk.brake.press()).toBe(true);
  const sending = desk.composer.send();
  await asked;
  now += 10_000;
  answer();
  await sending;
  now += 30;
  expect(desk.brake.press()).toBe(false);
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
