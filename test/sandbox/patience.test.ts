// How long one request waits in all its steps together.

import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Patience } from "#src/sandbox/state/patience.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Work of so many ms. */
const work = (ms: number): Promise<number> => new Promise((resolve) => setTimeout(() => resolve(ms), ms));

/** What came of it, and when. */
async function after(ms: number, waiting: Promise<unknown>): Promise<unknown> {
  let found: unknown = "nothing yet";
  waiting.then(
    (value) => (found = value),
    (error: unknown) => (found = error),
  );
  await vi.advanceTimersByTimeAsync(ms);
  return found;
}

it("is one time for all steps, and over at its end, not at that of a step", async () => {
  const patience = new Patience(230);
  expect(await after(120, patience.wait(work(120)))).toBe(120);
  const second = patience.wait(work(120));
  expect(await after(109, second)).toBe("nothing yet");
  expect(await after(1, second)).toMatchObject({ code: "storage" });
  expect(() => patience.require()).toThrow("in time");
  expect(await after(1, patience.wait(work(120)))).toMatchObject({ code: "storage" });
});

it("does not pass between steps, nor while requests are held", async () => {
  const patience = new Patience(230);
  expect(await after(100, patience.wait(work(100)))).toBe(100);
  await vi.advanceTimersByTimeAsync(10_000);
  let held = true;
  const waiting = patience.wait(work(2_000), () => held);
  expect(await after(1_500, waiting)).toBe("nothing yet");
  held = false;
  expect(await after(500, waiting)).toBeInstanceOf(Error);
  const other = new Patience(230);
  held = true;
  const heldOnly = other.wait(work(2_000), () => held);
  expect(await after(2_000, heldOnly)).toBe(2_000);
  other.require();
});

it("gives the failure of the work, also of work that nobody waits for any more", async () => {
  const failing = async (ms: number): Promise<never> => {
    await work(ms);
    throw new Error("failed");
  };
  const patience = new Patience(230);
  expect(await after(10, patience.wait(failing(10)))).toMatchObject({ message: "failed" });
  expect(await after(220, patience.wait(failing(300)))).toMatchObject({ code: "storage" });
  await vi.advanceTimersByTimeAsync(100);
});

it("waits for everything in a process that asks no server", async () => {
  const patience = new Patience(Infinity);
  expect(await after(100_000, patience.wait(work(100_000)))).toBe(100_000);
  expect(await patience.wait(1)).toBe(1);
});
