// Requests of one turn of the event loop run as a batch, in the order of arrival, and a batch is limited.

import { setImmediate as afterEvents } from "node:timers/promises";
import { expect, it } from "vitest";
import { createBatchQueue } from "#src/sandbox/http/body.ts";

/** Walks of two steps; what each did is told in the order of time. */
function walkers(most?: number): {
  readonly steps: string[];
  readonly walk: (name: string) => Promise<void>;
} {
  const inBatch = createBatchQueue(most);
  const steps: string[] = [];
  return {
    steps,
    async walk(name) {
      await new Promise<void>(inBatch);
      steps.push(`${name}1`);
      await Promise.resolve();
      steps.push(`${name}2`);
    },
  };
}

it("takes each step of the requests of one turn together", async () => {
  const { steps, walk } = walkers();
  const first = [walk("a"), walk("b")];
  expect(steps).toEqual([]);
  await Promise.all(first);
  expect(steps).toEqual(["a1", "b1", "a2", "b2"]);
  await walk("c");
  expect(steps.slice(4)).toEqual(["c1", "c2"]);
});

it("begins another batch when one is full, which finishes first", async () => {
  const { steps, walk } = walkers(2);
  await Promise.all(["a", "b", "c"].map(walk));
  expect(steps).toEqual(["a1", "b1", "a2", "b2", "c1", "c2"]);
});

it("goes on within the turn that follows the one of the arrival", async () => {
  const inBatch = createBatchQueue();
  let done = false;
  inBatch(() => (done = true));
  await afterEvents();
  expect(done).toBe(true);
});
