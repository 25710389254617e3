// What the tables of the history and of the runs share: their database, opened on first use, and what is said of it.

import type { StoreProblem } from "#src/storage/store-problem.ts";
import { Database, type DatabaseForm, type OnNotice } from "./database.ts";

export interface DatabaseOptions {
  /** File of the database. */
  readonly path: string;
  /** Called with a sentence about a long wait or a repair, to be shown at once. */
  readonly onNotice?: OnNotice;
}

/** Events of a table; callbacks, so that a worker can forward them. */
export interface TableEvents {
  onProblem(problem: StoreProblem): void;
  /** A sentence about a long wait or a repair, to be shown at once. */
  onNotice(sentence: string): void;
}

/** Entries done, of all. */
export type OnProgress = (done: number, all: number) => void;

/** A part of the rows of a table. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  /** Behind which the next page begins; null at the end. */
  readonly last: number | null;
}

/** All pages, one after the other. @param first behind which the first one begins */
export async function* pagesOf<P extends Page<unknown>>(
  read: (last: number) => Promise<P>,
  first: number,
): AsyncGenerator<P> {
  for (let last: number | null = first; last !== null;) {
    const page: P = await read(last);
    yield page;
    ({ last } = page);
  }
}

/** @param problems receives the damage found, each once */
export function eventsOf(options: DatabaseOptions, problems: Map<string, StoreProblem>): TableEvents {
  const { onNotice = () => undefined } = options;
  return { onProblem: (problem) => problems.set(problem.message, problem), onNotice };
}

export abstract class TableDatabase {
  protected readonly path: string;
  readonly #form: DatabaseForm;
  readonly #events: TableEvents;
  #database: Database | null = null;
  #opening: Promise<Database | null> | null = null;
  /** Works under way, which an end waits for. */
  readonly #uses = new Set<Promise<unknown>>();

  /** Touches no file before the first call. @param path of the database */
  constructor(path: string, form: DatabaseForm, events: TableEvents) {
    this.path = path;
    this.#form = form;
    this.#events = events;
  }

  /** @returns null where there is none and none may be created @throws Fault("storage" | "corrupt") */
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
    const { path } = this;
    this.#opening = Database.open(path, this.#form, mayCreate, (sentence) => this.#events.onNotice(sentence));
    try {
      return (this.#database = await this.#opening);
    } finally {
      this.#opening = null;
    }
  }

  /** The result of `work`; `none` without a database. @throws Fault("storage" | "corrupt") */
  protected async use<R>(none: R, work: (database: Database) => Promise<R>): Promise<R> {
    return await this.#track(async () => {
      const database = await this.#open(false);
      return database === null ? none : await work(database);
    });
  }

  /** The rows that `work` reads; `none` without a database. @throws as `use` */
  protected async read<R>(none: R, work: (database: Database) => R): Promise<R> {
    return await this.use(none, async (database) => await database.read(() => work(database)));
  }

  /** Runs one transaction, in a new database where there is none; see `Database.write`. @throws as `use` */
  protected async write(work: (database: Database) => void): Promise<void> {
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

  protected report(message: string): void {
    this.#events.onProblem({ path: this.path, message, isNew: true });
  }

  /** After a while without writes: see `Database.checkpoint`. A failing disk is reported by the next call. */
  rest(): void {
    try {
      this.#database?.checkpoint();
    } catch {}
  }

  /** Waits for what is under way. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#uses);
    this.#database?.close();
    this.#database = null;
  }
}
