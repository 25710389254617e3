// A history of a million entries beside bare SQL on the same database: the newest page, any page, and a search.

import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { History } from "#src/storage/database/history.ts";
import { historyIn, hostedHistoryIn } from "../storage/open-history.ts";
import { writeBulkHistory } from "./bulk-history.ts";
import { compared, quantile, sideBySide, time, type Row } from "./measure.ts";

const MILLION = 1_000_000;
const THOUSAND = 1_000;
const PAGE = 200;
const PAGES = 200;
const ROWS = 30;
const SEARCHES = 3;
/** When a search is told to stop: it is in the middle by then. */
const STOP_AFTER = 50_000;
/** Memory where there is some: what is measured is the program. */
const FOLDER = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
const OWNER = { profile: "bench", project: "shop/medium" };

/** The same condition in the filter language and in SQL. */
const FILTERS = [
  {
    what: "by columns",
    filter: "email:*yamada* amount>100000 latency>200",
    sql: "SELECT place FROM entry WHERE email GLOB '*yamada*' AND amount > 100000 AND latency > 200",
    first: 50,
    end: { ratio: 2 },
  },
  {
    what: "by words",
    filter: "no such words verdict:block",
    sql: "SELECT place FROM entry JOIN entry_text USING (place) WHERE verdict = 'block' AND (intent LIKE '%no such words%' OR learned LIKE '%no such words%')",
    first: null,
    end: { ms: 5_000 },
  },
] as const;

export async function* benchLongHistory(): AsyncGenerator<Row> {
  const folder = mkdtempSync(join(FOLDER, "verdict-bench-"));
  const [long, short] = [join(folder, "long"), join(folder, "short")];
  try {
    await writeBulkHistory(long, MILLION, OWNER, Date.now());
    await writeBulkHistory(short, THOUSAND, OWNER, Date.now());
    const [history, few] = [historyIn(long), historyIn(short)];
    yield await sideBySide(
      { what: `newest ${PAGE} of a million entries, warm`, yardstick: "of a thousand", budget: 2 },
      PAGES,
      async () => void (await history.latest(PAGE)),
      async () => void (await few.latest(PAGE)),
    );
    const pages: number[] = [];
    for (let page = 0; page < PAGES; page += 1) {
      const from = Math.floor(Math.random() * (MILLION - ROWS));
      pages.push(await time(async () => void (await history.page(from, ROWS))));
    }
    yield ms(`a page of ${ROWS}, anywhere in a million`, 50, pages);
    await Promise.all([history.close(), few.close()]);
    yield* benchSearch(long);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** In the worker, as the console searches. */
async function* benchSearch(dir: string): AsyncGenerator<Row> {
  const history = hostedHistoryIn(dir);
  const bare = new DatabaseSync(join(dir, "history.db"), { readOnly: true });
  try {
    await history.count();
    for (const { what, filter, sql, first, end } of FILTERS) {
      const ours: number[] = [];
      const theirs: number[] = [];
      const firsts: number[] = [];
      for (let round = 0; round < SEARCHES; round += 1) {
        theirs.push(await time(() => void bare.prepare(sql).all()));
        const { firstMs, endMs } = await search(history, filter);
        firsts.push(firstMs);
        ours.push(endMs);
      }
      if (first !== null) yield ms(`filter over a million ${what}, first hit`, first, firsts);
      const name = `filter over a million ${what}, end`;
      if ("ms" in end) yield ms(name, end.ms, ours);
      else yield compared({ what: name, yardstick: "bare SQL", budget: end.ratio }, ours, theirs);
      yield ms(`filter over a million ${what}, cancelled`, 50, [
        await cancelled(history, filter),
        await cancelled(history, filter),
        await cancelled(history, filter),
      ]);
    }
  } finally {
    bare.close();
    await history.close();
  }
}

async function search(
  history: History,
  filter: string,
  signal = new AbortController().signal,
  onLooked: (looked: number) => void = () => undefined,
): Promise<{ readonly firstMs: number; readonly endMs: number }> {
  let firstMs = NaN;
  const start = performance.now();
  await history.search({
    filter,
    now: Date.now(),
    from: 0,
    to: MILLION,
    signal,
    onFound: () => {
      if (Number.isNaN(firstMs)) firstMs = performance.now() - start;
    },
    onProgress: onLooked,
  });
  return { firstMs, endMs: performance.now() - start };
}

/** How long a search goes on after it was told to stop. */
async function cancelled(history: History, filter: string): Promise<number> {
  const stop = new AbortController();
  let stoppedAt = NaN;
  await search(history, filter, stop.signal, (looked) => {
    if (looked < STOP_AFTER || stop.signal.aborted) return;
    stoppedAt = performance.now();
    stop.abort();
  });
  return performance.now() - stoppedAt;
}

function ms(what: string, budget: number, values: readonly number[]): Row {
  return { what, unit: "ms", measured: quantile(values, 0.5), budget, rounds: values.length };
}
