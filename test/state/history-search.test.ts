// What the History screen lists: what a search finds while the history grows, and what becomes of one that fails.

import { describe, expect, it } from "vitest";

import type { ActionContext } from "#src/actions/action-context.ts";
import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import { HistorySearch } from "#src/state/history/history-search.ts";
import type { HistorySearch as Asked } from "#src/storage/database/history.ts";
import { intent } from "../storage/entries.ts";

interface Search extends Asked {
  end(): void;
  fail(error: Error): void;
}

interface Bench {
  readonly list: HistorySearch;
  /** Searches that were begun. */
  readonly searches: Search[];
  readonly failures: unknown[];
  count: number;
}

/** A search in a history of `count` entries, whose ids are their places. */
function bench(count: number): Bench {
  const searches: Search[] = [];
  const failures: unknown[] = [];
  const history = {
    extent: () => Promise.resolve({ count: on.count, isContinued: true }),
    search: (asked: Asked) =>
      new Promise<void>((resolve, reject) => searches.push({ ...asked, end: resolve, fail: reject })),
    at: async (places: Iterable<number>): Promise<HistoryEntry[]> => {
      await Promise.resolve();
      return [...places].map((place) => intent(String(place)));
    },
  };
  const context = { history: () => Promise.resolve(history), now: () => 0 } as unknown as ActionContext;
  const list = new HistorySearch(
    context,
    "verdict:block",
    { by: "time", turned: false },
    { onGrown: () => undefined, onFailed: (error) => failures.push(error) },
  );
  const on: Bench = { list, searches, failures, count };
  return on;
}

/** Once everything that was begun has come as far as it can. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const ids = async ({ list }: Bench): Promise<string[]> => (await list.page(0, 100)).map(({ id }) => id);

describe("a search", () => {
  it("is followed by one for what was written meanwhile, however much that is", async () => {
    const on = bench(10_000);
    const setting = on.list.refresh();
    await turn();
    on.searches[0]!.onFound(Uint32Array.of(9_000, 8_000));
    await setting;
    for (const count of [12_000, 14_000]) {
      on.count = count;
      await on.list.refresh();
    }
    expect(on.searches).toHaveLength(1);
    on.searches[0]!.onFound(Uint32Array.of(100));
    on.searches[0]!.end();
    await turn();
    // The newest of before once more: an outcome may have come since.
    expect(on.searches[1]).toMatchObject({ from: 9_500, to: 14_000 });
    on.searches[1]!.onFound(Uint32Array.of(13_999, 10_500));
    // What was found before stays in sight until the end.
    expect(await ids(on)).toEqual(["9000", "8000", "100"]);
    on.searches[1]!.end();
    await turn();
    expect(await ids(on)).toEqual(["13999", "10500", "9000", "8000", "100"]);
    expect([on.list.progress, on.searches.length]).toEqual([null, 2]);
  });

  it("that fails at once is the failure of the read", async () => {
    const on = bench(10_000);
    const failed = expect(on.list.refresh()).rejects.toThrow("unreadable");
    await turn();
    on.searches[0]!.fail(new Error("unreadable"));
    await failed;
    expect(on.list.progress).toBeNull();
  });

  it("that fails later is told of, and begins anew with the next read", async () => {
    const on = bench(10_000);
    const setting = on.list.refresh();
    await turn();
    on.searches[0]!.onFound(Uint32Array.of(9_000));
    await setting;
    on.searches[0]!.fail(new Error("unreadable"));
    await turn();
    expect(on.failures).toEqual([new Error("unreadable")]);
    expect(on.list.progress).toBeNull();
    expect(await ids(on)).toEqual(["9000"]);
    void on.list.refresh();
    await turn();
    expect(on.searches[1]).toMatchObject({ from: 0, to: 10_000 });
  });

  it("that was stopped says nothing any more, and does not begin", async () => {
    const on = bench(10_000);
    const setting = on.list.refresh();
    await turn();
    on.list.stop();
    expect(on.searches[0]!.signal.aborted).toBe(true);
    on.searches[0]!.fail(new Error("unreadable"));
    await setting;
    await on.list.refresh();
    expect([on.failures, on.searches.length]).toEqual([[], 1]);
  });

  it("leaves a page that is being read as it was", async () => {
    const on = bench(10_000);
    const setting = on.list.refresh();
    await turn();
    on.searches[0]!.onFound(Uint32Array.of(9_000, 8_000));
    on.searches[0]!.end();
    await setting;
    on.count = 10_001;
    const refreshing = on.list.refresh();
    const page = on.list.page(0, 2);
    await turn();
    on.searches[1]!.onFound(Uint32Array.of(10_000));
    on.searches[1]!.end();
    await refreshing;
    expect((await page).map(({ id }) => id)).toEqual(["9000", "8000"]);
  });
});
