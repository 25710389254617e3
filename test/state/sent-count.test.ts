// What was sent in a session is told once at its end, over every console that the session had.

import { expect, test } from "vitest";
import type { CheckResult } from "#src/contract/wire/outcome.ts";
import type { Checks } from "#src/state/check/checks.ts";
import { countSent, NOTHING_SENT, sentText, type SentSoFar } from "#src/state/sent-count.ts";
import { createStore } from "zustand/vanilla";

/** A console after `before`, whose checks end as told: id, order id, outcome, and the check that it repeats. */
function told(
  before: SentSoFar,
  ...ended: readonly (readonly [string, string, CheckResult["outcome"], string?])[]
): SentSoFar {
  const store = createStore(() => ({ latest: null, inFlight: null }) as never) as Checks["store"];
  const counter = countSent(store, { sent: () => ({ items: 0, partial: null }) }, before);
  for (const [id, order, outcome, repeats = null] of ended) {
    const result = { outcome, recommendation: outcome === "answered" ? "pass" : null };
    store.setState({ latest: { id, request: { order_id: order }, result, repeats } } as never);
  }
  counter.stop();
  return counter.soFar();
}

test("a check that was lost and then sent again is told no longer, also by the console after it", () => {
  const first = told(
    NOTHING_SENT,
    ["1", "o-1", "unknown"],
    ["2", "o-2", "unknown"],
    ["3", "o-3", "answered"],
  );
  expect(first.checks).toBe(3);
  expect(sentText(first, "data")[1]).toBe("2 checks sent without an answer: o-1, o-2; outcome unknown.");
  const second = told(first, ["4", "o-1", "answered", "1"], ["5", "o-4", "unknown"]);
  expect(second.checks).toBe(5);
  expect(sentText(second, "data")[1]).toBe("2 checks sent without an answer: o-2, o-4; outcome unknown.");
  expect([...first.lost.values()]).toEqual(["o-1", "o-2"]);
});
