// A history of a million entries: the first rows, any page, a search, and an append at its end.

import { closeSync, existsSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { History } from "#src/storage/database/history.ts";
import { writeBulkHistory } from "./bulk-history.ts";
import { quantile, sideBySide, time, type Row } from "./measure.ts";
import { historyIn } from "../storage/open-history.ts";

const MILLION = 1_000_000;
const ROUNDS = 300;
const PAGES = 200;
const ROWS = 30;
/** Memory where there is some: what is measured is the program. */
const FOLDER = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

/** Adds what it measured to the figures; times in ms have budgets of their own, as the design gives them. */
export async function* benchLongHistory(): AsyncGenerator<Row> {
  const folder = mkdtempSync(join(FOLDER, "verdict-bench-"));
  const dir = join(folder, "data");
  try {
    await writeBulkHistory(dir, MILLION, { profile: "bench", project: "shop/medium" }, Date.now());
    const open = (): History => historyIn(dir);
    yield ms("first rows of a million entries", 10, [
      await time(async () => void (await open().latest(ROWS))),
      await time(async () => void (await open().latest(ROWS))),
      await time(async () => void (await open().latest(ROWS))),
    ]);
    const history = open();
    await history.count();
    const pages: number[] = [];
    for (let page = 0; page < PAGES; page += 1) {
      const from = Math.floor(Math.random() * (MILLION - ROWS));
      pages.push(await time(async () => void (await history.page(from, ROWS))));
    }
    yield ms("a page of 30, anywhere in a million", 50, pages);
    yield* benchSearch(history);
    await history.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  yield* benchAppend();
}

async function* benchSearch(history: History): AsyncGenerator<Row> {
  for (const [what, filter] of [
    ["by columns", "email:*yamada* amount>100000 latency>200"],
    ["by words", "no such words verdict:block"],
  ] as const) {
    let first = NaN;
    const start = performance.now();
    const end = await time(() =>
      history.search({
        filter,
        now: Date.now(),
        from: 0,
        to: MILLION,
        signal: new AbortController().signal,
        onFound: () => {
          if (Number.isNaN(first)) first = performance.now() - start;
        },
        onProgress: () => undefined,
      }),
    );
    yield ms(`filter over a million ${what}, first hit`, 200, [first]);
    yield ms(`filter over a million ${what}, end`, 10_000, [end]);
  }
}

/** On the disk, where a sync costs what it costs. */
async function* benchAppend(): AsyncGenerator<Row> {
  const folder = mkdtempSync(join(tmpdir(), "verdict-bench-"));
  const dir = join(folder, "data");
  try {
    await writeBulkHistory(dir, MILLION, { profile: "bench", project: "shop/medium" }, Date.now());
    const history = historyIn(dir);
    const bare = openSync(join(folder, "bare"), "a");
    const note = "x".repeat(500);
    const bytes = Buffer.alloc(600, "x");
    let number = 0;
    yield await sideBySide(
      { what: "append one durable record, a million before", yardstick: "write + fdatasync", budget: 2 },
      ROUNDS,
      () => history.annotate(`bench${(number += 1)}`, note),
      () => {
        writeSync(bare, bytes);
        fdatasyncSync(bare);
      },
    );
    closeSync(bare);
    await history.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function ms(what: string, budget: number, values: readonly number[]): Row {
  return { what, unit: "ms", measured: quantile(values, 0.5), budget, rounds: values.length };
}
