// Opens the database of a table on first use, and takes over the JSON lines of an earlier build.

import type { StoreProblem } from "#src/storage/store-problem.ts";
import { Database, type DatabaseForm, type OnNotice } from "./database.ts";
import { hasEarlier, takeOver, type EarlierLines, type TableEvents } from "./take-over.ts";

export interface DatabaseOptions {
  /** File of the database. */
  readonly path: string;
  /** Folder of an earlier build's JSON lines, which are taken over once. */
  readonly earlier: string;
  /** Bytes taken over, of all. */
  readonly onTakeOver?: (done: number, all: number) => void;
  /** Called with a sentence about a long wait or a repair, to be shown at once. */
  readonly onNotice?: OnNotice;
  /** Stops a take-over, which the next start resumes. */
  readonly signal?: AbortSignal;
}

const NEVER = new AbortController().signal;

/** @param problems receives the damage found, each once */
export function eventsOf(options: DatabaseOptions, problems: Map<string, StoreProblem>): TableEvents {
  const { onTakeOver = () => undefined, onNotice = () => undefined, signal = NEVER } = options;
  return { onProblem: (problem) => problems.set(problem.message, problem), onNotice, onTakeOver, signal };
}

export class TableDatabase {
  readonly path: string;
  readonly #form: DatabaseForm;
  readonly #earlier: EarlierLines;
  readonly #events: TableEvents;
  /** Ends a take-over. */
  #closing = new AbortController();
  #database: Database | null = null;
  #opening: Promise<Database | null> | null = null;
  /** Works under way, which an end waits for. */
  readonly #uses = new Set<Promise<unknown>>();

  /** Touches no file before the first call. @param path of the database */
  constructor(path: string, form: DatabaseForm, earlier: EarlierLines, events: TableEvents) {
    this.path = path;
    this.#form = form;
    this.#earlier = earlier;
    this.#events = events;
  }

  /** @returns null where there is none and none may be created @throws Fault("storage" | "corrupt" | "interrupted") */
  async #open(mayCreate: boolean): Promise<Database | null> {
    // The disk was full when it was opened, or its file system read-only.
    if (mayCreate && this.#uses.size === 0 && this.#database?.whyReadOnly) {
      this.#database.close();
      this.#database = null;
    }
    if (this.#database !== null) return this.#database;
    // One at a time, because two connections of one process would have separate locks.
    while (this.#opening !== null) {
      const opened = await this.#opening.catch(() => null);
      if (opened !== null) return opened;
    }
    this.#opening = this.#start(mayCreate);
    try {
      return (this.#database = await this.#opening);
    } finally {
      this.#opening = null;
    }
  }

  async #connect(mayCreate: boolean): Promise<Database | null> {
    return await Database.open(this.path, this.#form, mayCreate, (sentence) =>
      this.#events.onNotice(sentence),
    );
  }

  async #start(mayCreate: boolean): Promise<Database | null> {
    const there = await this.#connect(mayCreate);
    const folders = await this.#earlier.folders();
    if (!(await hasEarlier(there, folders))) return there;
    const database = there ?? (await this.#connect(true))!;
    try {
      await takeOver(database, folders, this.#earlier, {
        ...this.#events,
        signal: AbortSignal.any([this.#closing.signal, this.#events.signal]),
      });
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  }

  /** The result of `work`; `none` without a database. @throws Fault("storage" | "corrupt" | "interrupted") */
  async use<R>(none: R, work: (database: Database) => Promise<R>): Promise<R> {
    return await this.#track(async () => {
      const database = await this.#open(false);
      return database === null ? none : await work(database);
    });
  }

  /** The rows that `work` reads; `none` without a database. @throws as `use` */
  async read<R>(none: R, work: (database: Database) => R): Promise<R> {
    return await this.use(none, async (database) => await database.read(() => work(database)));
  }

  /** Runs one transaction, in a new database where there is none; see `Database.write`. @throws as `use` */
  async write(work: (database: Database) => void): Promise<void> {
    await this.#track(async () => {
      const database = (await this.#open(true))!;
      await database.write(() => work(database));
    });
  }

  async #track<R>(work: () => Promise<R>): Promise<R> {
    const use = work();
    this.#uses.add(use);
    try {
      return await use;
    } finally {
      this.#uses.delete(use);
    }
  }

  /** After a while without writes: see `Database.checkpoint`. @throws the errors of SQLite */
  checkpoint(): void {
    this.#database?.checkpoint();
  }

  /** Waits for what is under way. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.allSettled(this.#uses);
    this.#database?.close();
    this.#database = null;
    this.#closing = new AbortController();
  }
}
