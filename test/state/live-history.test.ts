// Changes of the history by another process reach the console, and a history at rest costs nothing.

import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";

import { followHistory } from "#src/state/history/live-history.ts";
import { testContext } from "../console/test-context.ts";
import { answer, intent } from "../storage/entries.ts";
import { historyIn } from "../storage/open-history.ts";

it("tells of each change by another session, and of nothing while there is none", async () => {
  const { context, folder, remove } = await testContext();
  onTestFinished(remove);
  const other = historyIn(join(folder, "data"));
  onTestFinished(() => other.close());
  await other.intend(intent("a"));
  let looks = 0;
  let changes = 0;
  const history = await context.history();
  const counted = {
    ...history,
    hasChanged: () => {
      looks += 1;
      return history.hasChanged();
    },
  };
  const stop = followHistory(
    { history: () => Promise.resolve(counted) },
    () => {
      changes += 1;
      return Promise.resolve();
    },
    5,
  );
  onTestFinished(stop);
  await vi.waitFor(() => expect(looks).toBeGreaterThan(5));
  expect(changes).toBe(0);
  await other.settle(intent("a", { result: answer() }));
  await vi.waitFor(() => expect(changes).toBe(1));
  await other.annotate("a", "seen");
  await vi.waitFor(() => expect(changes).toBe(2));
  const before = looks;
  await vi.waitFor(() => expect(looks).toBeGreaterThan(before + 5));
  expect(changes).toBe(2);
  stop();
});
