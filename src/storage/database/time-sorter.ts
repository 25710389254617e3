// Sorts what happened by its time in bounded memory: beyond a few megabytes it is kept on disk.

import type { DatabaseSync, StatementSync } from "node:sqlite";

import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { openTemporary } from "./database.ts";
import { databaseFault } from "./database-fault.ts";

// The index is filled as values come: a sort at the end would block the thread for seconds.
const SCHEMA = `
  CREATE TABLE value(place INTEGER PRIMARY KEY, at REAL NOT NULL, json TEXT NOT NULL) STRICT;
  CREATE INDEX by_time ON value(at);
  BEGIN`;
const CACHE_KIB = 8_000;
const FILE = "The temporary file for sorting";

/** @template T what JSON keeps as it is */
export class TimeSorter<T> {
  readonly #connection: DatabaseSync;
  readonly #put: StatementSync;
  #last: Milliseconds = -Infinity;
  #count = 0;
  #outOfOrder = 0;

  constructor() {
    this.#connection = openTemporary(SCHEMA, CACHE_KIB);
    this.#put = this.#connection.prepare("INSERT INTO value(at, json) VALUES (?, ?)");
  }

  get count(): number {
    return this.#count;
  }

  /** Values that happened before the one that was added just before them. */
  get outOfOrder(): number {
    return this.#outOfOrder;
  }

  /** @throws Fault("storage") when the disk has no room */
  add(at: Milliseconds, value: T): void {
    if (at < this.#last) this.#outOfOrder += 1;
    this.#last = at;
    this.#count += 1;
    faultless(() => this.#put.run(at, JSON.stringify(value)));
  }

  /** In the order of time; those of the same time in the order in which they were added. @throws Fault("storage") */
  *sorted(): Generator<T, void, undefined> {
    const rows = this.#connection.prepare("SELECT json FROM value ORDER BY at, place").iterate();
    for (;;) {
      const next = faultless(() => rows.next());
      if (next.done === true) return;
      yield JSON.parse(String(next.value["json"])) as T;
    }
  }

  close(): void {
    if (this.#connection.isOpen) this.#connection.close();
  }
}

function faultless<R>(work: () => R): R {
  try {
    return work();
  } catch (error) {
    throw databaseFault(error, FILE, "try again", false);
  }
}
