// Replay runs, a folder each: an append-only journal of what was asked, what was sent and what became of it.

import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";

import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import { Fault } from "#src/contract/fault.ts";
import type { RunHeader, RunInfo, RunRow } from "#src/contract/records/run.ts";
import { ensureFolder } from "#src/storage/documents/durable-file.ts";
import { tryLock } from "#src/storage/documents/file-lock.ts";
import type { FileLock } from "#src/storage/documents/file-lock.ts";
import type { FileSystem } from "#src/storage/file-system.ts";
import { nodeFileSystem } from "#src/storage/file-system.ts";
import { openJournal } from "./journal.ts";
import type { Journal } from "./journal.ts";
import { OpenRun, readPast } from "./open-run.ts";
import type { RunJournal } from "./open-run.ts";
import { RunFold } from "./run-record.ts";
import type { RunRecord } from "./run-record.ts";
import type { StoreProblem } from "#src/storage/store-problem.ts";
import { systemCode, withStorageFaults } from "#src/storage/write-fault.ts";

export type { RunJournal };

export interface Runs {
  /** Newest first. */
  list(): Promise<RunInfo[]>;
  /**
   * The run with this id, the only one whose id starts with it, or the newest one for `last`; null when there is none.
   * @throws Fault("usage") when several start with it
   */
  find(id: string): Promise<RunInfo | null>;
  /** Rows in the order in which they were settled, those without an outcome last; flat memory. */
  rows(id: string): AsyncGenerator<RunRow>;
  /** Starts a run. @throws Fault("storage") when its header could not be saved */
  create(header: RunHeader): Promise<RunJournal>;
  /**
   * Goes on with a partial run. What certainly never left may be sent again, everything else that has an intent may not.
   * @param onSent gets each row that is not sent again
   * @throws Fault("usage") for an unknown or complete run, or one in use by another process
   */
  resume(id: string, onSent?: (row: RunRow) => void): Promise<RunJournal>;
  /** Removes a run for good. @throws Fault("usage") for an unknown one, or one in use by another process */
  remove(id: string): Promise<void>;
  /** Damage that reading has met since the runs were opened. */
  readonly problems: readonly StoreProblem[];
}

const ID = /^[0-9A-Za-z_-]{1,64}$/;
/** A run on its way out; what a killed process leaves of it goes with the next removal. */
const REMOVED = ".removed-";

/** Line times only order the records: this much clears whatever was written after the last time that is known. */
const BEHIND_CLOCK_STEP_MS = 60_000;

/**
 * Opens the runs; touches no file before the first call.
 * @param options.dir folder that holds a folder for each run
 * @param options.now wall time in ms since the epoch
 */
export function openRuns(options: {
  readonly dir: string;
  readonly now: () => number;
  readonly fs?: FileSystem;
}): Runs {
  const { dir, now, fs = nodeFileSystem } = options;
  const problems = new Map<string, StoreProblem>();

  const folderOf = (id: string): string => join(dir, id);
  const journalOf = (id: string, clock: () => number = now): Journal<RunRecord> =>
    openJournal<RunRecord>({ dir: folderOf(id), now: clock, fs });
  const noteProblems = (journal: Journal<RunRecord>): void => {
    for (const problem of journal.problems) problems.set(problem.message, problem);
  };

  async function ids(): Promise<string[]> {
    try {
      return (await withStorageFaults(dir, () => fs.readdir(dir)))
        .filter((name) => ID.test(name))
        .sort()
        .reverse();
    } catch (error) {
      if (systemCode(error) === "ENOENT") return [];
      throw error;
    }
  }

  /** Null for a folder whose first record never reached the disk: nothing was sent then. */
  async function infoOf(id: string): Promise<RunInfo | null> {
    const journal = journalOf(id);
    try {
      const header = await headerOf(journal);
      if (header === null) return null;
      const [last] = await journal.tail(1);
      return last?.type === "finish"
        ? { ...header, state: last.state, summary: last.summary }
        : { ...header, state: "partial", summary: null };
    } finally {
      noteProblems(journal);
    }
  }

  async function find(wanted: string): Promise<RunInfo | null> {
    const known = await ids();
    if (known.includes(wanted)) return infoOf(wanted);
    if (wanted === "last") {
      for (const id of known) {
        const info = await infoOf(id);
        if (info !== null) return info;
      }
      return null;
    }
    const fitting = known.filter((id) => wanted !== "" && id.startsWith(wanted));
    if (fitting.length > 1) {
      throw new Fault(
        "usage",
        `${fitting.length} runs start with "${escapeText(wanted, 40)}"; give more of the id.`,
      );
    }
    return fitting[0] === undefined ? null : infoOf(fitting[0]);
  }

  async function lock(id: string): Promise<FileLock> {
    await withStorageFaults(folderOf(id), () => ensureFolder(folderOf(id), fs));
    const held = await tryLock(join(folderOf(id), "run.lock"), fs);
    if (held !== null) return held;
    throw new Fault(
      "usage",
      `Run ${escapeText(id, 40)} is in use by another process; wait for it to end, or stop it there.`,
    );
  }

  async function* rows(id: string): AsyncGenerator<RunRow> {
    const journal = journalOf(id);
    try {
      const [last] = await journal.tail(1);
      const once = last?.type === "finish" && last.sessions === 1;
      const superseded = once ? new Map<number, number>() : await findSuperseded(journal);
      const fold = new RunFold();
      for await (const record of journal.records()) {
        const row = fold.take(record);
        if (row === null) continue;
        const left = superseded.get(row.seq) ?? 0;
        if (left === 0) yield row;
        else superseded.set(row.seq, left - 1);
      }
      yield* fold.withoutOutcome();
    } finally {
      noteProblems(journal);
    }
  }

  return {
    get problems() {
      return [...problems.values()];
    },
    list: async () => {
      const infos: RunInfo[] = [];
      for (const id of await ids()) {
        const info = await infoOf(id);
        if (info !== null) infos.push(info);
      }
      return infos;
    },
    find,
    rows,
    create: async (header) => {
      const held = await lock(header.id);
      const journal = new OpenRun(header, journalOf(header.id, growing(now, 0)), held, now);
      await journal.begin();
      return journal;
    },
    resume: async (id, onSent = () => undefined) => {
      const info = await find(id);
      if (info === null) throw unknownRun(id);
      if (info.state === "complete") {
        throw new Fault(
          "usage",
          `Run ${escapeText(info.id, 40)} is complete; replay its sources as a new run, or run:${escapeText(info.id, 40)} to send the same payloads again.`,
        );
      }
      const held = await lock(info.id);
      try {
        const past = await readPast(journalOf(info.id), onSent, noteProblems);
        const journal = journalOf(info.id, growing(now, past.lastTime));
        const { state: _state, summary: _summary, ...header } = info;
        const run = new OpenRun(header, journal, held, now, past);
        await run.begin();
        return run;
      } catch (error) {
        await held.release();
        throw error;
      }
    },
    remove: async (id) => {
      const info = await find(id);
      if (info === null) throw unknownRun(id);
      const held = await lock(info.id);
      try {
        // Renamed at once: a run is there as a whole or not at all, whenever this process ends.
        await withStorageFaults(folderOf(info.id), async () => {
          await fs.rename(folderOf(info.id), join(dir, `${REMOVED}${randomBytes(8).toString("hex")}`));
          for (const name of await fs.readdir(dir)) {
            if (name.startsWith(REMOVED)) await rm(join(dir, name), { recursive: true, force: true });
          }
        });
      } finally {
        await held.release();
      }
    },
  };
}

/** The header of the oldest session that can be read. */
async function headerOf(journal: Journal<RunRecord>): Promise<RunHeader | null> {
  for await (const record of journal.records()) {
    if (record.type === "session") return record.header;
  }
  return null;
}

/** How many results of an item a later session replaced, by number: only what was not sent is sent again. */
async function findSuperseded(journal: Journal<RunRecord>): Promise<Map<number, number>> {
  const notSent = new Set<number>();
  const superseded = new Map<number, number>();
  for await (const record of journal.records()) {
    if (record.type === "result" && record.result.outcome === "not_sent") notSent.add(record.seq);
    if (record.type !== "intent" || !notSent.delete(record.item.seq)) continue;
    superseded.set(record.item.seq, (superseded.get(record.item.seq) ?? 0) + 1);
  }
  return superseded;
}

/** A clock that never falls, so that what is written later is read later. */
function growing(now: () => number, lastTime: Milliseconds): () => number {
  let latest = now() < lastTime ? lastTime + BEHIND_CLOCK_STEP_MS : 0;
  return () => (latest = Math.max(latest, now()));
}

function unknownRun(id: string): Fault {
  return new Fault(
    "usage",
    `There is no run "${escapeText(id, 60)}"; "verdict runs list" shows those there are.`,
  );
}
