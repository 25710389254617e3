// What one tenant keeps in this process: named values and logs of numbered items, sealed, in one database.

import { lstatSync } from "node:fs";
import { link, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import type { SQLInputValue } from "node:sqlite";
import { setImmediate as afterEvents } from "node:timers/promises";
import { corrupt, storage, whole } from "#src/contract/fault.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { databaseFault } from "#src/storage/database/database-fault.ts";
import { Database, type Row, type Sync } from "#src/storage/database/database.ts";
import { LOGS, STATE_FORM, type Log } from "#src/storage/database/sandbox-form.ts";
import { NO_LINKS, syncFolder } from "#src/storage/documents/durable-file.ts";
import { openSealedBytes, sealBytes } from "#src/storage/documents/sealing.ts";
import { nodeFileSystem } from "#src/storage/file-system.ts";
import { MOVED, readOnlyFault, systemCode } from "#src/storage/write-fault.ts";

/** After the name of a file that was exchanged, until it is deleted. */
const BEFORE = ".before";
/** How long a power cut may take back what was answered. */
const SYNC_MS: Milliseconds = 500;
/** Rows that are read between two requests. */
const ROWS_AT_ONCE = 8;
/** As many whose sizes alone are read, and that are removed. */
const SIZES_AT_ONCE = 512;
const REMOVED_AT_ONCE = 64;
const PUT = "INSERT OR REPLACE INTO value VALUES (?, ?)";

/** The items of one turn of the event loop. */
export interface LoggedItems {
  /** Of the first one; the others follow it. */
  readonly number: number;
  /** Null where the row is damaged. */
  readonly items: readonly unknown[] | null;
}

interface Batch extends PromiseWithResolvers<void> {
  readonly rows: Map<Log, { readonly number: number; readonly items: unknown[] }>;
  readonly values: Map<string, unknown>;
}

export interface StoreOptions {
  readonly path: string;
  /** Seals everything; see sealing.ts. */
  readonly key: Buffer;
  /** False: nothing waits for the disk, as nobody needs it after this process. */
  readonly sync: boolean;
  /** Called with the first failed write; nothing is written after it. */
  readonly onFailure?: (failure: unknown) => void;
}

/** The caller holds the lock of the folder. All writes reject with a Fault `storage`. */
export class Store {
  readonly path: string;
  readonly #options: StoreOptions;
  #database: Database;
  #batch: Batch | null = null;
  /** Writes follow one another, also where one has to wait for a lock. */
  #writing: Promise<unknown> = Promise.resolve();
  #failure: unknown = null;
  #syncing: NodeJS.Timeout | undefined;

  private constructor(options: StoreOptions, database: Database) {
    this.path = options.path;
    this.#options = options;
    this.#database = database;
  }

  /** Opens it, or makes an empty one. @throws Fault `storage` or `corrupt` */
  static async open(options: StoreOptions): Promise<Store> {
    await rm(options.path + BEFORE, { force: true });
    const database = (await Database.open(options.path, STATE_FORM, true))!;
    if (database.whyReadOnly === null) return new Store(options, database);
    database.close();
    throw storage`${whole(database.whyReadOnly)}`;
  }

  static isThere(path: string): boolean {
    return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
  }

  /** False after a failed write. */
  get isWritable(): boolean {
    return this.#failure === null;
  }

  /** @throws that of the first failed write */
  requireWritable(): void {
    if (this.#failure !== null) throw this.#failure;
  }

  /** Nothing is written any more. */
  fail(failure: unknown): void {
    if (this.#failure !== null) return;
    this.#failure = failure;
    this.#options.onFailure?.(failure);
  }

  #all(sql: string, ...values: SQLInputValue[]): Row[] {
    try {
      return this.#database.all(sql, ...values);
    } catch (error) {
      // The first one makes the index of the log, for which there may be no room.
      throw databaseFault(error, this.path, STATE_FORM.upkeep, true);
    }
  }

  #get(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#all(sql, ...values)[0];
  }

  /** Undefined where there is none. @throws Fault `corrupt` where it is damaged, or not sealed by this key */
  value(name: string): unknown {
    const bytes = this.bytes(name);
    return bytes === undefined ? undefined : JSON.parse(bytes.toString("utf8"));
  }

  /** As `value`, for one that was written as bytes. */
  bytes(name: string): Buffer | undefined {
    const row = this.#get("SELECT bytes FROM value WHERE name = ?", name);
    if (row === undefined) return undefined;
    const found = openSealedBytes(this.#options.key, row.bytes as Uint8Array, name);
    if (found !== null) return found;
    throw corrupt`${this.path} has a damaged value "${name}", or was sealed with another key; restore it together with its key, or move its folder away.`;
  }

  names(prefix: string): string[] {
    const rows = this.#all("SELECT name FROM value WHERE substr(name, 1, ?) = ?", prefix.length, prefix);
    return rows.map(({ name }) => String(name));
  }

  /**
   * Writes values, or removes those that are undefined: all of them or none.
   * @param sync on the disk when this resolves, unless it says otherwise
   */
  async change(values: Readonly<Record<string, unknown>>, sync: Sync = "FULL"): Promise<void> {
    await this.#write(sync, () => {
      for (const [name, value] of Object.entries(values)) this.#put(name, value);
    });
  }

  /**
   * Adds an item to a log. What is written in one turn of the event loop is one transaction, which survives this process when
   * the promise resolves, and a power cut within a second.
   * @param number that of the item before in this turn, and one more
   */
  append(log: Log, number: number, item: unknown): Promise<void> {
    const batch = this.#open();
    const row = batch.rows.get(log);
    if (row === undefined) batch.rows.set(log, { number, items: [item] });
    else row.items.push(item);
    return batch.promise;
  }

  /** Writes a value together with what is appended in this turn. */
  keep(name: string, value: unknown): Promise<void> {
    const batch = this.#open();
    batch.values.set(name, value);
    return batch.promise;
  }

  /** The row that holds the item of a number; undefined where it was removed, or is not written yet. */
  find(log: Log, number: number): LoggedItems | undefined {
    const row = this.#get(`SELECT * FROM ${log} WHERE number <= ? ORDER BY number DESC LIMIT 1`, number);
    return row && this.#opened(log, Number(row.number), row.bytes as Uint8Array);
  }

  /** Rows in order, beginning with that of an item. Requests are served in between. */
  async *rows(log: Log, from = 0): AsyncGenerator<LoggedItems> {
    for await (const rows of this.#pages(log, (this.find(log, from)?.number ?? from) - 1))
      for (const { number, bytes } of rows) yield this.#opened(log, Number(number), bytes as Uint8Array);
  }

  /** Rows beyond a number, some at a time. */
  async *#pages(log: Log, beyond: number): AsyncGenerator<readonly Row[]> {
    const sql = `SELECT * FROM ${log} WHERE number > ? ORDER BY number LIMIT ${ROWS_AT_ONCE}`;
    for (let last = beyond; ;) {
      const rows = this.#all(sql, last);
      if (rows.length > 0) yield rows;
      if (rows.length < ROWS_AT_ONCE) return;
      last = Number(rows.at(-1)!.number);
      await afterEvents();
    }
  }

  /** Number at which its last row begins; 0 without one. */
  last(log: Log): number {
    return Number(this.#get(`SELECT max(number) AS last FROM ${log}`)!.last ?? 0);
  }

  /**
   * Number at which the newest rows of a log begin that hold no more than these bytes together; 0 where all do. Requests are
   * served in between.
   */
  async newestWithin(log: Log, bytes: number): Promise<number> {
    let [oldest, left] = [Number.MAX_SAFE_INTEGER, bytes];
    for (;;) {
      const rows = this.#all(
        `SELECT number, length(bytes) AS size FROM ${log} WHERE number < ? ORDER BY number DESC LIMIT ${SIZES_AT_ONCE}`,
        oldest,
      );
      for (const { number, size } of rows) {
        left -= Number(size);
        if (left < 0) return oldest;
        oldest = Number(number);
      }
      if (rows.length < SIZES_AT_ONCE) return 0;
      await afterEvents();
    }
  }

  /** Removes rows that begin before a number, the oldest first. Requests are served in between. */
  async forget(log: Log, before: number): Promise<void> {
    const sql = `DELETE FROM ${log} WHERE number IN (SELECT number FROM ${log} WHERE number < ? ORDER BY number LIMIT ${REMOVED_AT_ONCE})`;
    while ((await this.#write("NORMAL", () => this.#database.run(sql, before))) > 0) await afterEvents();
  }

  /** Copies the rows of a log beyond a number to another store of the same key. @returns the last number */
  async copyLog(log: Log, to: Store, beyond: number): Promise<number> {
    let last = beyond;
    for await (const rows of this.#pages(log, beyond)) {
      await to.#write("NORMAL", () => {
        for (const { number, bytes } of rows)
          to.#database.run(`INSERT OR REPLACE INTO ${log} VALUES (?, ?)`, number!, bytes!);
      });
      last = Number(rows.at(-1)!.number);
    }
    return last;
  }

  /** Reads everything. @throws Fault `corrupt` where something is damaged */
  async verify(): Promise<void> {
    for (const name of this.names("")) {
      if (this.bytes(name) === undefined) throw corrupt`${this.path} has lost its value "${name}".`;
      await afterEvents();
    }
    for (const log of LOGS) {
      for await (const { number, items } of this.rows(log))
        if (items === null) throw corrupt`${this.path} has a damaged ${log} ${number}.`;
    }
  }

  /** Copies it as it is at the call, while it is in use. @param path an empty file */
  copyTo(path: string): Promise<void> {
    return this.#database.copyTo(path);
  }

  /** Another store that is sealed with the same key. @throws Fault `storage` or `corrupt` */
  another(path: string): Promise<Store> {
    return Store.open({ path, key: this.#options.key, sync: this.#options.sync });
  }

  /**
   * Puts another database in its place, which is closed. After an error it goes on with its own. Writes wait meanwhile, and go
   * to the other one.
   * @param last takes over what was written up to now
   * @returns deletes the one before, which takes a while for a large one
   * @throws Fault `storage`
   */
  async exchange(path: string, last: () => Promise<void>): Promise<() => Promise<void>> {
    this.#flush();
    const before = `${this.path}${BEFORE}`;
    const exchange = async (): Promise<() => Promise<void>> => {
      this.requireWritable();
      await last();
      this.#database.finish();
      this.#endSyncing();
      try {
        await rm(before, { force: true });
        await link(this.path, before).catch((error: unknown) => {
          if (!NO_LINKS.has(systemCode(error))) throw error;
        });
        await rename(path, this.path);
        await syncFolder(dirname(this.path), nodeFileSystem);
      } finally {
        const opened = await Database.open(this.path, STATE_FORM, false);
        if (opened === null) this.fail(storage`${this.path} ${whole(MOVED)}.`);
        else this.#database = opened;
      }
      this.requireWritable();
      return () => rm(before, { force: true });
    };
    const exchanging = this.#writing.then(exchange);
    this.#writing = exchanging.catch(() => undefined);
    return await exchanging;
  }

  /** As `close`, for a store whose file is to be moved: the file alone has everything. @throws Fault `storage` */
  async finish(): Promise<void> {
    await this.settle();
    this.requireWritable();
    this.#database.finish();
    await this.close();
  }

  /** Writes what is left. Once more does nothing. */
  async close(): Promise<void> {
    await this.settle();
    this.#endSyncing();
    this.#failure ??= storage`${this.path} is closed.`;
    this.#database.close();
  }

  #open(): Batch {
    if (this.#batch !== null) return this.#batch;
    const batch: Batch = { rows: new Map(), values: new Map(), ...Promise.withResolvers<void>() };
    // The next one says it.
    batch.promise.catch(() => undefined);
    setImmediate(() => this.#flush());
    return (this.#batch = batch);
  }

  #flush(): void {
    const batch = this.#batch;
    if (batch === null) return;
    this.#batch = null;
    this.#write("NORMAL", () => {
      for (const [log, { number, items }] of batch.rows) {
        const bytes = sealBytes(this.#options.key, Buffer.from(JSON.stringify(items)), placeOf(log, number));
        this.#database.run(`INSERT INTO ${log} VALUES (?, ?)`, number, bytes);
      }
      for (const [name, value] of batch.values) this.#put(name, value);
    }).then(batch.resolve, batch.reject);
  }

  #put(name: string, value: unknown): void {
    if (value === undefined) {
      this.#database.run("DELETE FROM value WHERE name = ?", name);
      return;
    }
    const bytes = value instanceof Uint8Array ? value : Buffer.from(JSON.stringify(value));
    this.#database.run(PUT, name, sealBytes(this.#options.key, bytes, name));
  }

  async #write<R>(sync: Sync, work: () => R): Promise<R> {
    const writing = this.#writing.then(async () => {
      this.requireWritable();
      try {
        return await this.#database.write(work, this.#options.sync ? sync : "OFF");
      } catch (error) {
        this.fail(error);
        throw error;
      }
    });
    this.#writing = writing.catch(() => undefined);
    if (this.#options.sync && sync !== "FULL")
      this.#syncing ??= setTimeout(() => this.#checkpoint(), SYNC_MS).unref();
    return await writing;
  }

  /** A database that is closed has written everything. */
  #endSyncing(): void {
    clearTimeout(this.#syncing);
    this.#syncing = undefined;
  }

  #checkpoint(): void {
    this.#syncing = undefined;
    try {
      if (this.isWritable) this.#database.checkpoint();
    } catch (error) {
      this.fail(readOnlyFault(this.path, error));
    }
  }

  /** Resolves when everything so far is written. */
  async settle(): Promise<void> {
    this.#flush();
    await this.#writing;
  }

  #opened(log: Log, number: number, bytes: Uint8Array): LoggedItems {
    const found = openSealedBytes(this.#options.key, bytes, placeOf(log, number));
    return { number, items: found === null ? null : (JSON.parse(found.toString("utf8")) as unknown[]) };
  }
}

/** What a row is bound to. */
function placeOf(log: Log, number: number): string {
  return `${log} ${number}`;
}
