// In the built console over a line of 2 KB/s: what nobody can see any more is not sent, and the screen is whole at the end.

import { setTimeout as delay } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { testHome } from "../../cli/verdict-process.ts";
import type { PseudoTerminal } from "../pty.ts";
import { KEY, READY, openConsole } from "./stage.ts";

const BYTES_PER_SECOND = 2_048;
/** Of 60 keys in two seconds. */
const KEYS = 60;
const KEY_MS = 2_000 / KEYS;
const SETTLED_S = 3;

/** Resolves once nothing more has come for longer than the terminal needs for an answer. @returns when the last of it came */
async function settled(terminal: PseudoTerminal): Promise<number> {
  let [changed, before] = [performance.now(), -1];
  const isQuiet = (): boolean => {
    const now = terminal.written().length;
    if (now !== before || terminal.underWay() > 0) changed = performance.now();
    before = now;
    return performance.now() - changed > 1_000;
  };
  await expect.poll(isQuiet, { timeout: 60_000 }).toBe(true);
  return changed;
}

/** A screen that is drawn anew is the same. */
async function expectWhole(terminal: PseudoTerminal): Promise<void> {
  const before = terminal.screen();
  terminal.type("\u000c");
  await expect.poll(() => terminal.underWay()).toBeGreaterThan(0);
  await settled(terminal);
  expect(terminal.screen()).toBe(before);
}

it.each([
  ["Tab through the form of Check", "1", KEY.tab],
  ["Tab through the form of Register", "2", KEY.tab],
  ["the screens one after the other", "", "12345678"],
])("settles within three seconds of the last key: %s", async (_, screen, keys) => {
  const home = testHome();
  onTestFinished(() => home.remove());
  const terminal = openConsole(home, { bytesPerSecond: BYTES_PER_SECOND });
  await terminal.until(READY);
  terminal.type(screen);
  await expect.poll(() => terminal.underWay(), { timeout: 20_000 }).toBe(0);

  for (let key = 0; key < KEYS; key += 1) {
    terminal.type(keys[key % keys.length]!);
    await delay(KEY_MS);
  }
  const last = performance.now();
  const changed = await settled(terminal);
  expect((changed - last) / 1_000).toBeLessThan(SETTLED_S);
  await expectWhole(terminal);
});

it("leaves nothing of an earlier frame behind, also where the window changes meanwhile", async () => {
  const home = testHome();
  onTestFinished(() => home.remove());
  const terminal = openConsole(home, { bytesPerSecond: BYTES_PER_SECOND });
  await terminal.until(READY);
  terminal.type("12345678");
  for (const columns of [100, 70, 90]) {
    terminal.resize(columns, 24);
    terminal.type("1278");
    await delay(KEY_MS);
  }
  await settled(terminal);
  await expectWhole(terminal);
});
