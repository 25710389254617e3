// The journal of the sandbox is read while somebody looks, and grows on top.

import { expect, test } from "vitest";
import type { JournalEntry } from "#src/contract/wire/sandbox-wire.ts";
import type { SandboxAdmin } from "#src/client/sandbox-admin.ts";
import { createJournal } from "#src/state/sandbox/journal.ts";

test("is read from where it was left, newest first, and anew from another sandbox", async () => {
  let numbers = [1, 2];
  let tick: () => void = () => undefined;
  let isStopped = false;
  const asked: number[] = [];
  const admin = {
    journal: (_limit: number, after: number = 0) => {
      asked.push(after);
      const entries = numbers
        .filter((number) => number > after)
        .map((number) => ({ number }) as JournalEntry);
      return Promise.resolve({ entries, last: numbers.at(-1) ?? 0 });
    },
  } as unknown as SandboxAdmin;
  let sandbox: { admin: SandboxAdmin } | null = null;
  const journal = createJournal({ sandbox: () => sandbox }, (_interval, run) => {
    tick = run;
    return () => (isStopped = true);
  });
  const seen = (): number[] => journal.store.getState().entries.map(({ number }) => number);
  const stop = journal.follow();
  // Looking starts no sandbox.
  expect(asked).toEqual([]);
  sandbox = { admin };
  tick();
  await expect.poll(seen).toEqual([2, 1]);
  numbers = [1, 2, 3];
  tick();
  await expect.poll(seen).toEqual([3, 2, 1]);
  expect(asked).toEqual([0, 2]);
  numbers = [1];
  tick();
  await expect.poll(seen).toEqual([]);
  tick();
  await expect.poll(seen).toEqual([1]);
  stop();
  expect(isStopped).toBe(true);
});
