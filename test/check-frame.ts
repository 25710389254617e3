// What a frame of a deck has besides the check itself, where a test has nothing to say about it.

import type { CheckFrame } from "#src/actions/sandbox/demo.ts";

export const PLAIN_FRAME = {
  kind: "check",
  seconds: null,
  rules: null,
  watch: null,
  fault: null,
  sides: [],
  answers: [],
} as const satisfies Partial<CheckFrame>;
