// The list behind the History screen: what a search finds while the history grows, and what becomes of one that fails.

import { describe, expect, it } from "vitest";

import type { ActionContext } from "#src/actions/action-context.ts";
import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import { HistoryList } from "#src/state/history/history-list.ts";
import type { HistorySearch } from "#src/storage/database/history.ts";
import { intent } from "../storage/entries.ts";

interface Search extends HistorySearch {
  end(): void;
  fail(error: Error): void;
}

interface Bench {
  readonly list: HistoryList;
  /** Searches that were begun. */
  readonly searches: Search[];
  readonly failures: unknown[];
  count: number;
}

/** A history of `count` entries, whose ids are their places. */
function bench(count: number): Bench {
  const searches: Search[] = [];
  const failures: unknown[] = [];
  const history = {
    extent: () => Promise.resolve({ count: on.count, isContinued: true }),
    search: (asked: HistorySearch) =>
      new Promise<void>((resolve, reject) => searches.push({ ...asked, end: resolve, fail: reject })),
    at: async (places: Iterable<number>): Promise<HistoryEntry[]> => {
      await Promise.resolve();
      return [...places].map((place) => intent(String(place)));
    },
  };
  const context = { history: () => Promise.resolve(history), now: () => 0 } as unknown as ActionContext;
  const list = new HistoryList(
    context,
    () => undefined,
    (error) => failures.push(error),
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
    const setting = on.list.setFilter("verdict:block");
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
    on.searches[1]!.end();
    await turn();
    expect(await ids(on)).toEqual(["13999", "10500", "9000", "8000", "100"]);
    expect([on.list.looked, on.searches.length]).toEqual([null, 2]);
  });

  it("that fails at once is the failure of the filter", async () => {
    const on = bench(10_000);
    const failed = expect(on.list.setFilter("verdict:block")).rejects.toThrow("unreadable");
    await turn();
    on.searches[0]!.fail(new Error("unreadable"));
    await failed;
    expect([on.list.looked, on.failures]).toEqual([null, []]);
  });

  it("that fails later is told of, and is over", async () => {
    const on = bench(10_000);
    const setting = on.list.setFilter("verdict:block");
    await turn();
    on.searches[0]!.onFound(Uint32Array.of(9_000));
    await setting;
    on.searches[0]!.fail(new Error("unreadable"));
    await turn();
    expect(on.failures).toEqual([new Error("unreadable")]);
    expect(on.list.looked).toBeNull();
    expect(await ids(on)).toEqual(["9000"]);
  });

  it("of before says nothing any more", async () => {
    const on = bench(10_000);
    void on.list.setFilter("verdict:block");
    await turn();
    const setting = on.list.setFilter("verdict:pass");
    await turn();
    on.searches[0]!.onFound(Uint32Array.of(1));
    on.searches[0]!.fail(new Error("unreadable"));
    on.searches[1]!.onFound(Uint32Array.of(2));
    await setting;
    expect([await ids(on), on.failures]).toEqual([["2"], []]);
  });

  it("leaves a page that is being read as it was", async () => {
    const on = bench(10_000);
    const setting = on.list.setFilter("verdict:block");
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
