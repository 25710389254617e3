// How far the sandbox's clock is from real time, in words.

import { expect, test } from "vitest";
import { clockSentence } from "#src/cli/sandbox/sandbox.ts";

const REAL = Date.UTC(2026, 0, 15, 12);
const ADVANCED = (23 * 60 + 58) * 60_000;

test.each([
  [ADVANCED, "23 h 58 min ahead of real time"],
  [ADVANCED - 2, "23 h 58 min ahead of real time"],
  [ADVANCED + 2, "23 h 58 min ahead of real time"],
  [2 - ADVANCED, "23 h 58 min behind real time"],
  [-400, "with real time"],
])("%d ms are %s", (ahead, words) => {
  const reading = { virtualTime: REAL + ahead, realTime: REAL, frozen: true };
  expect(clockSentence(reading)).toContain(`, ${words}, frozen.`);
});
