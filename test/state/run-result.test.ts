// Reading more rows of a shown run: one read at a time, which leaves the selected finding selected.

import { expect, it, vi } from "vitest";
import { storage } from "#src/contract/fault.ts";
import { selectedFinding, shownGroup } from "#src/state/replay/replay-result.ts";
import { createReplaysStore } from "#src/state/replay/replays-state.ts";
import { createRunResult } from "#src/state/replay/run-result.ts";
import { createSession } from "#src/state/session.ts";
import { fakeEngine, runInfo, runRow } from "../console/replay-engine.ts";
import { keyName } from "../keys/standard.ts";

const ROWS = Array.from({ length: 5_000 }, (_, index) => runRow(index + 1));

/** The run, of which the first rows are read; `asked` has how many rows each later read wanted, and how it ends. */
async function shownRun() {
  const info = runInfo("run-1", ROWS);
  const engine = fakeEngine([{ info, rows: ROWS }]);
  const read = engine.rows;
  const store = createReplaysStore();
  const session = createSession({ keyName, quit: () => undefined, after: () => () => undefined });
  const result = createRunResult(session, engine, store, () => undefined);
  await result.show(info, null);
  const asked: { readonly most: number; readonly end: () => void; readonly fail: () => void }[] = [];
  engine.rows = (of, baseline, most) =>
    new Promise((resolve, reject) => {
      const end = (): void => resolve(read(of, baseline, most));
      asked.push({ most, end, fail: () => reject(storage`The run cannot be read.`) });
    });
  const shown = () => store.getState().result!;
  const length = (): number => shownGroup(shown())!.findings.length;
  while (shownGroup(shown())?.kind !== "items") result.cycleGroup(1);
  return { result, asked, session, shown, length };
}

it("waits for the read that is under way", async () => {
  const { result, asked, length } = await shownRun();
  for (const move of ["last", 1, "last"] as const) result.selectFinding(move);
  expect(asked.map(({ most }) => most)).toEqual([2_000]);
  asked[0]!.end();
  await vi.waitFor(() => expect(length()).toBe(2_000));
  result.selectFinding("last");
  expect(asked.map(({ most }) => most)).toEqual([2_000, 4_000]);
});

it("asks for the same rows again after a read that failed", async () => {
  const { result, asked, session } = await shownRun();
  result.selectFinding("last");
  asked[0]!.fail();
  await vi.waitFor(() => expect(session.store.getState().toasts).toHaveLength(1));
  result.selectFinding("last");
  expect(asked.map(({ most }) => most)).toEqual([2_000, 2_000]);
});

it("leaves the selected finding selected where the sort moves it", async () => {
  const { result, asked, shown, length } = await shownRun();
  result.sortFindings("turned");
  result.selectFinding("last");
  const { key } = selectedFinding(shown())!;
  asked[0]!.end();
  await vi.waitFor(() => expect(length()).toBe(2_000));
  expect(selectedFinding(shown())!.key).toBe(key);
});
