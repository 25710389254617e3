// Replay runs: headers, intents and results, with a lock file for each active run.

import { dirname } from "node:path";

import { escapeText } from "#src/contract/text/escape-text.ts";
import { corrupt, Fault, noSuch, usage } from "#src/contract/fault.ts";
import type { Earlier, SidedRow } from "#src/contract/records/flip.ts";
import type { RunHeader, RunInfo, RunRow, RunState, RunSummary } from "#src/contract/records/run.ts";
import { ensureFolder } from "#src/storage/documents/durable-file.ts";
import { isLocked, tryLock, type FileLock } from "#src/storage/documents/file-lock.ts";
import { nodeFileSystem } from "#src/storage/file-system.ts";
import type { StoreProblem } from "#src/storage/store-problem.ts";
import { withStorageFaults } from "#src/storage/write-fault.ts";
import { hostTable, type Hosted } from "./hosted-table.ts";
import { OpenRun } from "./open-run.ts";
import { intentWrite, maySendAgain, resultWrite, type RunWrite } from "./run-form.ts";
import { NO_PAST, RunTable } from "./run-table.ts";
import { eventsOf, pagesOf, type DatabaseOptions } from "./table-database.ts";

export type { OpenRun };

export type Runs = ReturnType<typeof openRuns>;

export interface RunsOptions extends DatabaseOptions {
  /** File of the database of the history, which has the labels of orders. */
  readonly history: string;
  /** Wall time in ms since the epoch. */
  readonly now: () => number;
  /**
   * Calls that go to a worker: all in the console, where commits must not block drawing; otherwise writes of an active run, so
   * that answers are read while its transactions are synced; undefined for none.
   */
  readonly inWorker?: "everything" | "writes";
}

/** Rows per read. */
const PAGE = 500;

type OnSent = (rows: readonly RunRow[]) => Promise<void>;

interface RunEnd {
  readonly state: RunState;
  readonly summary: RunSummary;
}

type OpenWith = (writing: Hosted<RunTable>, release: () => Promise<void>) => Promise<OpenRun>;

/** Opens the runs; touches no file before the first call. */
export function openRuns(options: RunsOptions) {
  const { path, now, inWorker } = options;
  const problems = new Map<string, StoreProblem>();
  const events = eventsOf(options, problems);
  const hosted = (): Hosted<RunTable> => hostTable("runs", RunTable, path, events);
  const store = inWorker === "everything" ? hosted() : new RunTable(path, events);

  async function lock(id: string): Promise<FileLock> {
    await withStorageFaults(path, () => ensureFolder(dirname(path), nodeFileSystem));
    const held = await tryLock(`${path}.${id}.lock`);
    if (held !== null) return held;
    throw runInUse(id);
  }

  /** Begins a session of a locked run. `open` creates the run from the state of earlier sessions. */
  async function begin(header: RunHeader, held: FileLock, open: OpenWith): Promise<OpenRun> {
    const writing = inWorker === "writes" ? hosted() : store;
    const release = async (): Promise<void> => {
      if (writing !== store) await writing.close();
      await held.release();
    };
    try {
      await writing.commit(header.id, [{ type: "session", header, at: now() }]);
      return await open(writing, release);
    } catch (error) {
      await release();
      throw error;
    }
  }

  async function findUnfinished(id: string): Promise<RunInfo> {
    const info = await store.find(id);
    if (info === null) throw unknownRun(id);
    // Earlier builds counted no undecided items, and took runs with refused ones for complete.
    if (info.state === "partial" || (info.summary?.counts.refused ?? 0) > 0) return info;
    throw completeRun(info.id);
  }

  async function* pages(id: string): AsyncGenerator<readonly RunRow[], number> {
    let damaged = 0;
    for await (const page of pagesOf((last) => store.rows(id, last, PAGE), 0)) {
      yield page.rows;
      damaged += page.damaged;
    }
    return damaged;
  }

  /** As `rows`, for a copy. @throws Fault("corrupt") after the last row where an item or its result was damaged */
  async function* wholeRows(id: string): AsyncGenerator<RunRow> {
    const all = pages(id);
    let page = await all.next();
    for (; page.done !== true; page = await all.next()) yield* page.value;
    if (page.value > 0) throw uncopied(id, page.value);
  }

  /** Rows in the order of the sources, in constant memory. */
  async function* rows(id: string): AsyncGenerator<RunRow> {
    for await (const page of pages(id)) yield* page;
  }

  /** Rows beside what another side says of them. */
  async function* sidedRows(
    id: string,
    earlierOf: (page: readonly RunRow[]) => Promise<readonly (Earlier | null)[]>,
  ): AsyncGenerator<SidedRow> {
    for await (const page of pages(id)) {
      const earlier = await earlierOf(page);
      yield* page.map((row, index) => ({ row, earlier: earlier[index]! }));
    }
  }

  /** The rows of a run by whether they may be sent again. @param onSent called with those that may not */
  async function countSent(id: string, onSent: OnSent): Promise<{ sent: number; left: number }> {
    const counts = { sent: 0, left: 0 };
    for await (const page of pages(id)) {
      const sent = page.filter(({ result }) => !maySendAgain(result));
      counts.sent += sent.length;
      counts.left += page.length - sent.length;
      await onSent(sent);
    }
    return counts;
  }

  async function addRows(header: RunHeader, added: AsyncIterable<RunRow>, end: () => RunEnd): Promise<void> {
    await store.commit(header.id, [{ type: "session", header, at: now(), incoming: true }]);
    const writes: RunWrite[] = [];
    for await (const { at, result, ...item } of added) {
      writes.push(intentWrite(item, at));
      if (result !== null) writes.push(resultWrite(item.seq, result));
      if (writes.length >= PAGE) await store.commit(header.id, writes.splice(0));
    }
    await store.commit(header.id, [...writes, { type: "finish", ...end() }]);
  }

  return {
    rows,
    wholeRows,
    sidedRows,
    /** Starts a run. @throws Fault("storage") when its header could not be saved */
    create: async (header: RunHeader) =>
      await begin(
        header,
        await lock(header.id),
        async (writing, release) => new OpenRun(header, writing, release, NO_PAST, 0),
      ),
    /**
     * Resumes a run. Items that were certainly not decided may be sent again, other intended ones may not.
     * @param onSent called with the rows that are not sent again, page by page
     * @throws Fault("usage") for an unknown run, a complete one without such items, or one in use by another process
     */
    resume: async (id: string, onSent: OnSent = () => Promise.resolve()) => {
      const held = await lock((await findUnfinished(id)).id);
      try {
        // The last session may have ended during the wait for the lock.
        const { state, summary: _summary, ...header } = await findUnfinished(id);
        const { sent, left } = await countSent(header.id, onSent);
        if (state === "complete" && left === 0) throw completeRun(header.id);
        return await begin(header, held, async (writing, release) => {
          const past = await writing.past(header.id);
          return new OpenRun(header, writing, release, past, sent);
        });
      } catch (error) {
        await held.release();
        throw error;
      }
    },
    /**
     * Adds a run that was made elsewhere. It appears when it is whole, and nothing is left of one that is not.
     * @param end asked for after the last row
     * @throws Fault("usage") for an id that is taken; Fault("storage"); Fault("bad_input") for card data; what `added` throws
     */
    add: async (header: RunHeader, added: AsyncIterable<RunRow>, end: () => RunEnd) => {
      for (const lost of await store.incoming()) {
        const held = await tryLock(`${path}.${lost}.lock`);
        if (held === null) continue;
        await store.remove(lost);
        await held.release();
      }
      const held = await lock(header.id);
      try {
        if ((await store.find(header.id))?.id === header.id) {
          throw usage`There is a run ${header.id} already; remove it first.`;
        }
        await addRows(header, added, end).catch(async (error: unknown) => {
          await store.remove(header.id).catch(() => undefined);
          throw error;
        });
      } finally {
        await held.release();
      }
    },
    /** @throws Fault("usage") while a process writes to the run, so that its last items are still under way */
    expectIdle: async (id: string) => {
      if (await isLocked(`${path}.${id}.lock`)) throw runInUse(id);
    },
    /** Removes a run for good. @throws Fault("usage") for an unknown one, or one in use by another process */
    remove: async (id: string) => {
      const info = await store.find(id);
      if (info === null) throw unknownRun(id);
      const held = await lock(info.id);
      try {
        await store.remove(info.id);
      } finally {
        await held.release();
      }
    },
    /** Closes the database; a later call opens it again. */
    close: () => store.close(),
    /** Damage found by reads since the runs were opened. */
    get problems(): readonly StoreProblem[] {
      return [...problems.values()];
    },
    // The others are those of the table.
    list: store.list.bind(store),
    find: store.find.bind(store),
    compare: store.compare.bind(store),
    earlier: store.earlier.bind(store),
    hits: store.hits.bind(store),
    kept: store.kept.bind(store),
    labelledCounts: (id: string) => store.labelledCounts(id, options.history),
  };
}

function runInUse(id: string): Fault {
  return usage`Run ${id} is in use by another process; wait for it to end, or stop it there.`;
}

/** The fault of a run with damaged items. */
export function uncopied(id: string, damaged: number): Fault {
  const items = damaged === 1 ? "1 item" : `${damaged} items`;
  return corrupt`${items} of run ${id} ${damaged === 1 ? "is" : "are"} damaged, so that it cannot be copied; replay its sources again.`;
}

function completeRun(id: string): Fault {
  const run = escapeText(id, 40);
  return usage`Run ${run} is complete; replay its sources as a new run, or run:${run} to send the same payloads again.`;
}

function unknownRun(id: string): Fault {
  return noSuch("run", id, "verdict run list");
}
