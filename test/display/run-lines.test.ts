import { expect, test } from "vitest";
import { orderText } from "#src/display/run-lines.ts";

const PACE = { concurrency: 64, ratePerS: null };

test.each([
  ["side by side in no order; --order-by card sends", PACE, false],
  [
    "share card or payer are sent one after the other",
    { ...PACE, orderBy: ["card", "payer"] as const },
    false,
  ],
  [null, PACE, true],
  [null, { ...PACE, concurrency: 1 }, false],
])("of the order of a run is said %j", (said, pace, keepsOrder) => {
  const text = orderText({ pace }, keepsOrder);
  expect(text).toEqual(said === null ? null : expect.stringContaining(said));
});
