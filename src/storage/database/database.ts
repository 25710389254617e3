// Opens, reads and writes a SQLite database so that nothing acknowledged is lost. The only module that opens one.

import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  type Stats,
  writeSync,
} from "node:fs";
import { access, lstat, readdir, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import {
  backup,
  DatabaseSync,
  type SQLInputValue,
  type SQLOutputValue,
  type StatementSync,
} from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { crc32 } from "node:zlib";

import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import { corrupt, Fault, sentence, storage, whole } from "#src/contract/fault.ts";
import {
  createPrivate,
  ensureFolder,
  NO_LINKS,
  requireOwn,
  requireOwnWriter,
  syncFolder,
  temporaryName,
} from "#src/storage/documents/durable-file.ts";
import { nodeFileSystem } from "#src/storage/file-system.ts";
import { isRemoteFileSystem } from "#src/storage/file-watch.ts";
import { MOVED, readOnlyFault, REASONS, systemCode, withStorageFaults } from "#src/storage/write-fault.ts";
import {
  databaseFault,
  isBusy,
  isDamage,
  isIndexDamage,
  isUnconfirmed,
  whyUnopened,
} from "./database-fault.ts";
import { readHighest, writeHighest, type HighestPlace } from "./highest-place.ts";

export type Row = Record<string, SQLOutputValue>;

/** CRC-32 of a row: SQLite has no checksum of its own, and a flipped bit would be read as another amount. */
export function checksum(...values: readonly (string | number)[]): number {
  return crc32(values.join("\n"));
}

/** What `read` makes of the values of a row; null where they are not what was written, or it throws: a checksum proves no shape. */
export function intact<T>(crc: unknown, values: readonly (string | number)[], read: () => T): T | null {
  if (checksum(...values) !== crc) return null;
  try {
    return read();
  } catch {
    return null;
  }
}

/** A kind of database: its application id, version and schema. */
export interface DatabaseForm {
  /** `PRAGMA application_id`, which distinguishes this file from other databases. */
  readonly applicationId: number;
  /** `PRAGMA user_version`: a newer one opens read-only, and always has another schema. */
  readonly version: number;
  /** Creates every table in an empty database. */
  readonly schema: string;
  /** Functions of its own that statements may call; they change nothing, and depend on their arguments alone. */
  readonly functions?: Readonly<Record<string, (...values: SQLOutputValue[]) => SQLInputValue>>;
  /** The next step for a user whose file is damaged. */
  readonly upkeep: string;
  /** What a user loses without the file: "history". */
  readonly holds: string;
  /** The highest place of its rows, as `highest`, where a lost log must be noticed. */
  readonly highest?: string;
  /** Pages that a connection keeps in memory, in KiB. */
  readonly cacheKiB: number;
  /** Pages of the log that are checkpointed at once: fewer make shorter pauses. That of SQLite (1,000) when absent. */
  readonly checkpointPages?: number;
}

/**
 * When a transaction is on the disk, as SQLite calls it: with its end; with the next checkpoint, so that a power cut may lose
 * it, and a killed process does not; or whenever the system likes.
 */
export type Sync = "FULL" | "NORMAL" | "OFF";

/** SQLite's own wait blocks the thread and is unfair, so it is short, and longer waits are asynchronous. */
const BUSY_MS: Milliseconds = 20;
const LONGEST_RETRY_MS: Milliseconds = 50;
/** A wait for another process is reported after this long, and ends after this long. */
const WAIT_NOTICE_MS: Milliseconds = 1_000;
const PATIENCE_MS: Milliseconds = 10_000;

/** Of one step of a copy. */
const COPIED_PAGES = 256;

/** Another process reads the log; as SQLite reports it elsewhere. */
const BUSY_LOG = Object.assign(new Error("the log is in use"), { errcode: 5 });

/** Called with a sentence about a long wait or a repair. */
export type OnNotice = (sentence: string) => void;

export class Database {
  readonly path: string;
  /** Why nothing can be written, as a sentence; null when it can. */
  readonly whyReadOnly: string | null;
  /** Rows that were acknowledged and are gone with a log. */
  lost = 0;
  readonly #form: DatabaseForm;
  readonly #onNotice: OnNotice;
  readonly #connection: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  /** The opened file, which another process may replace. */
  readonly #inode: bigint | null;
  /** A private copy, removed with this connection. */
  readonly #copy: string | null;
  /** Set after a failed sync, when later writes may never reach the disk. */
  #unconfirmed: Fault | null = null;
  #sync: Sync = "FULL";

  private constructor(
    path: string,
    form: DatabaseForm,
    onNotice: OnNotice,
    opened: Opened,
    inode: bigint | null,
  ) {
    this.path = path;
    this.#form = form;
    this.#onNotice = onNotice;
    this.#connection = opened.connection;
    this.whyReadOnly = opened.whyReadOnly;
    this.#inode = inode;
    this.#copy = opened.copy;
  }

  /**
   * Opens a database, and creates it if there is none.
   * @param path file in a private folder, which is created
   * @param mayCreate false to open an existing one only
   * @returns null when there is none and none may be created
   * @throws Fault("storage" | "corrupt")
   */
  static async open(
    path: string,
    form: DatabaseForm,
    mayCreate: boolean,
    onNotice: OnNotice = () => undefined,
  ): Promise<Database | null> {
    return await withStorageFaults(path, async () => {
      if (!(await isThere(path, form))) {
        await requireNoTrace(path, form);
        if (!mayCreate) return null;
        await ensureFolder(dirname(path), nodeFileSystem);
        await patiently(path, form, onNotice, false, async () => await createEmpty(path, form));
      }
      requireNoSalvage(path);
      const inode = inodeOf(path);
      // Before the rows, which others may write in between.
      const highest = readHighest(path);
      let opened: Opened;
      try {
        opened = await patiently(
          path,
          form,
          onNotice,
          !mayCreate,
          async () => await connect(path, form, !mayCreate),
        );
      } catch (error) {
        requireNoSalvage(path);
        throw error;
      }
      const database = new Database(path, form, onNotice, opened, inode);
      try {
        // What a salvage exchanges in between is of two files.
        database.#requireInPlace();
        database.#noticeLoss(highest);
      } catch (error) {
        database.close();
        throw error;
      }
      return database;
    });
  }

  #noticeLoss({ place, lost }: HighestPlace): void {
    const { highest } = this.#form;
    const rows = highest === undefined ? null : this.readable(highest);
    if (rows === null) return;
    const last = Number(rows[0]!.highest ?? 0);
    this.lost = lost + Math.max(0, place - last);
    if (this.lost === 0) return;
    if (this.lost > lost && this.whyReadOnly === null)
      writeHighest(this.path, { place: last, lost: this.lost });
    this.#onNotice(
      `${escapeText(this.path)} has lost ${this.lost} of its last entries, because its log was damaged or removed; look for them at the service, and continue without them with "verdict history salvage".`,
    );
  }

  /** A prepared statement, kept with the connection. */
  #prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) this.#statements.set(sql, (statement = this.#connection.prepare(sql)));
    return statement;
  }

  /** Reads all rows at once, because an open cursor would prevent checkpoints. */
  all(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#prepare(sql).all(...values);
  }

  /** As `all`; null where a page cannot be read. */
  readable(sql: string, ...values: SQLInputValue[]): Row[] | null {
    return readable(this.#connection, sql, ...values);
  }

  get(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#prepare(sql).get(...values);
  }

  /** @returns rows changed */
  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.#prepare(sql).run(...values).changes);
  }

  /** Reads, and tries again while another process recovers the log. @throws Fault("storage" | "corrupt") */
  async read<R>(work: () => R): Promise<R> {
    return await this.#attempt(work, true);
  }

  /**
   * Reads this database and another one, which is opened for as long.
   * @param work gets the name of the other one in statements; null where there is none
   * @throws Fault("storage" | "corrupt") also for the other one
   */
  async readBeside<R>(path: string, form: DatabaseForm, work: (beside: string | null) => R): Promise<R> {
    // By this its kind and version are known, and one in a read-only folder is copied with its log.
    const other = await Database.open(path, form, false, this.#onNotice);
    if (other === null) return await this.read(() => work(null));
    try {
      const url = pathToFileURL(other.#copy === null ? path : join(other.#copy, basename(path)));
      const isFixed = other.#copy === null && other.whyReadOnly !== null && other.whyReadOnly !== newer(path);
      url.search = isFixed ? "immutable=1" : "mode=ro";
      await this.read(() => this.run("ATTACH ? AS beside", url.href));
      try {
        return await this.read(() => work("beside"));
      } finally {
        this.#connection.exec("DETACH beside");
      }
    } finally {
      other.close();
    }
  }

  /** Reads one state of the database by several statements. */
  snapshot<R>(work: () => R): R {
    if (this.#connection.isTransaction) return work();
    this.#connection.exec("BEGIN");
    try {
      return work();
    } finally {
      if (this.#connection.isTransaction) this.#connection.exec("COMMIT");
    }
  }

  /**
   * Runs one transaction, which is durable when this resolves and rolled back when it rejects. `work` is retried when another
   * process holds the lock, so it must have no other effects.
   * @param sync when it is durable; one with its end makes those before it durable, too
   * @throws Fault("storage" | "corrupt")
   */
  async write<R>(work: () => R, sync: Sync = "FULL"): Promise<R> {
    return await this.#attempt(() => {
      if (sync !== this.#sync) this.#connection.exec(`PRAGMA synchronous=${sync}`);
      this.#sync = sync;
      return this.#transaction(work);
    });
  }

  /**
   * Copies it as it is now, while it is in use.
   * @param path an empty file
   * @throws Fault("storage" | "corrupt")
   */
  async copyTo(path: string): Promise<void> {
    const reader = new DatabaseSync(this.path, { timeout: BUSY_MS, defensive: true, readOnly: true });
    try {
      await this.read(() => reader.exec("BEGIN; SELECT 1 FROM sqlite_schema"));
      await withStorageFaults(path, () => backup(reader, path, { rate: COPIED_PAGES }));
    } finally {
      reader.close();
    }
  }

  async #attempt<R>(work: () => R, isReading: boolean = false): Promise<R> {
    return await patiently(this.path, this.#form, this.#onNotice, isReading, async () => {
      try {
        return work();
      } catch (error) {
        if (!isIndexDamage(error) || this.whyReadOnly !== null) throw error;
        this.#connection.exec("REINDEX");
        this.#onNotice(
          `An index of ${escapeText(this.path)} did not match its table; verdict rebuilt the index.`,
        );
        return work();
      }
    });
  }

  #transaction<R>(work: () => R): R {
    if (this.whyReadOnly !== null) throw new Fault("storage", whole(this.whyReadOnly));
    if (this.#unconfirmed !== null) throw this.#unconfirmed;
    // Before the lock, for which a salvage would let it wait in vain.
    this.#requireInPlace();
    // A transaction that starts as a reader fails if another process has written before its first write.
    this.#connection.exec("BEGIN IMMEDIATE");
    try {
      // Under the lock, because the file may have been exchanged during a wait.
      this.#requireInPlace();
      const { user_version: version } = this.get("PRAGMA user_version")!;
      if (Number(version) !== this.#form.version) throw new Fault("storage", whole(newer(this.path)));
      const result = work();
      this.#connection.exec("COMMIT");
      return result;
    } catch (error) {
      if (isUnconfirmed(error)) this.#unconfirmed = readOnlyFault(this.path, error);
      if (this.#connection.isTransaction) this.#connection.exec("ROLLBACK");
      throw error;
    }
  }

  #requireInPlace(): void {
    requireNoSalvage(this.path);
    if (inodeOf(this.path) !== this.#inode) throw moved(this.path);
  }

  /**
   * Keeps all other processes from writing while `work` reads, however long that takes.
   * @param work gets this database
   * @throws Fault("storage" | "corrupt")
   */
  async holdingWriters<R>(work: () => Promise<R>): Promise<R> {
    await this.#attempt(() => {
      if (this.whyReadOnly !== null) throw new Fault("storage", whole(this.whyReadOnly));
      this.#connection.exec("BEGIN IMMEDIATE");
    });
    try {
      this.#requireInPlace();
      return await work();
    } finally {
      if (this.#connection.isOpen && this.#connection.isTransaction) this.#connection.exec("ROLLBACK");
    }
  }

  /** A number that changes with each commit of another connection; takes about 1 us. @throws Fault("storage" | "corrupt") */
  async dataVersion(): Promise<number> {
    return await this.read(() => {
      if (this.#copy === null && inodeOf(this.path) !== this.#inode) throw moved(this.path);
      return Number(this.get("PRAGMA data_version")!.data_version);
    });
  }

  /**
   * Checkpoints the log into the file when idle, because a flipped bit in the log loses everything after it. Does not wait for
   * other processes.
   */
  checkpoint(): void {
    if (this.whyReadOnly !== null) return;
    // The log beside an exchanged file is another one's.
    this.#requireInPlace();
    this.#connection.exec("PRAGMA wal_checkpoint(PASSIVE)");
  }

  /**
   * Empties the log, which still has what was removed.
   * @param done what was, as the beginning of a sentence
   * @throws Fault("storage") with both
   */
  async emptyLog(done: string): Promise<void> {
    try {
      await this.#attempt(() => {
        const { busy } = this.get("PRAGMA wal_checkpoint(TRUNCATE)")!;
        if (busy === 1) throw BUSY_LOG;
      });
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      const log = escapeText(`${this.path}-wal`);
      throw new Fault(
        error.code,
        sentence`${whole(done)}, but ${log} still contains the old entries until the next change: ${whole(error.message)}`,
      ).causedBy(error);
    }
  }

  /**
   * Closes it for a move of its file, which has everything then: a log beside the next one would get into that.
   * @throws Fault("storage") where the log cannot be emptied, as another process reads it; then it stays open
   */
  finish(): void {
    try {
      if (this.get("PRAGMA wal_checkpoint(TRUNCATE)")!.busy === 1) throw BUSY_LOG;
    } catch (error) {
      throw databaseFault(error, this.path, this.#form.upkeep, false);
    }
    this.close();
    // Where another process has it open.
    for (const log of ["-wal", "-shm"]) rmSync(this.path + log, { force: true });
  }

  close(): void {
    this.#statements.clear();
    discard(this.#connection, this.#copy);
  }
}

/**
 * Opens a database that holds what does not fit into memory. Its file is in the temporary folder (`SQLITE_TMPDIR`, `TMPDIR`),
 * private, and without a name from the first byte on, so that nothing of it outlives this process, however it ends.
 * @param cacheKiB bytes below which nothing is written to the disk
 */
export function openTemporary(schema: string, cacheKiB: number): DatabaseSync {
  const connection = new DatabaseSync("");
  connection.exec(
    `PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA cache_size=-${cacheKiB}; ${schema}`,
  );
  return connection;
}

/** Access to the readable part of a damaged database. */
export interface DamagedDatabase {
  /** Null when a page cannot be read. */
  all(sql: string, ...values: SQLInputValue[]): Row[] | null;
  close(): void;
}

/**
 * Opens a database that `Database.open` calls damaged, and keeps others from writing to it where its damage lets it. If its first
 * page is damaged, a copy gets the first page of an empty one, because the tables of one form always begin on the same pages.
 * @throws Fault("storage") where another process writes to it for too long
 */
export async function openDamaged(path: string, form: DatabaseForm): Promise<DamagedDatabase> {
  const isEmpty = statSync(path).size === 0;
  // SQLite would remove the log beside an empty file.
  const inPlace = isEmpty ? null : new DatabaseSync(path, { timeout: BUSY_MS, defensive: true });
  try {
    if (inPlace !== null) {
      inPlace.exec("PRAGMA trusted_schema=OFF");
      await hold(inPlace, path, form);
      if (hasTables(form, (sql) => readable(inPlace, sql) ?? [])) {
        return { all: (sql, ...values) => readable(inPlace, sql, ...values), close: () => inPlace.close() };
      }
    }
    const copy = `${path}.graft`;
    graftFirstPage(path, copy, form);
    const grafted = new DatabaseSync(copy, { defensive: true });
    grafted.exec("PRAGMA trusted_schema=OFF");
    return {
      all: (sql, ...values) => readable(grafted, sql, ...values),
      close: () => {
        grafted.close();
        removeFiles(copy);
        inPlace?.close();
      },
    };
  } catch (error) {
    inPlace?.close();
    throw error;
  }
}

/** Removes a database with its log. */
export function removeFiles(path: string): void {
  for (const name of ["", "-wal", "-shm"]) rmSync(path + name, { force: true });
}

function readable(connection: DatabaseSync, sql: string, ...values: SQLInputValue[]): Row[] | null {
  try {
    return connection.prepare(sql).all(...values);
  } catch {
    return null;
  }
}

async function hold(connection: DatabaseSync, path: string, form: DatabaseForm): Promise<void> {
  const quiet = (): void => undefined;
  await patiently(path, form, quiet, false, async () => {
    try {
      connection.exec("BEGIN IMMEDIATE");
    } catch (error) {
      // Then nobody else can write to it either.
      if (!isDamage(error, path)) throw error;
    }
    await Promise.resolve();
  });
}

/** True when the declarations of the tables are intact; a flipped bit there renames a column or a table. */
function hasTables({ schema }: DatabaseForm, all: (sql: string) => Row[]): boolean {
  const found = all("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL");
  const isDeclared = (wanted: string): boolean => found.some(({ sql }) => sql === wanted);
  return schema.split(";").every((sql) => sql.trim() === "" || isDeclared(sql.trim()));
}

/** Offset of the number of pages in the first page (sqlite.org/fileformat.html, 1.3). */
const PAGE_COUNT_AT = 28;
const PAGE_BYTES = 4096;

function graftFirstPage(path: string, copy: string, form: DatabaseForm): void {
  removeFiles(copy);
  closeSync(openSync(copy, "wx", 0o600));
  const empty = new DatabaseSync(copy);
  empty.exec(form.schema);
  empty.close();
  const all = readFileSync(copy);
  const first = all.subarray(0, PAGE_BYTES);
  if (statSync(path).size > 0) copyFileSync(path, copy);
  if (existsSync(`${path}-wal`)) copyFileSync(`${path}-wal`, `${copy}-wal`);
  first.writeUInt32BE(Math.floor(statSync(copy).size / PAGE_BYTES), PAGE_COUNT_AT);
  const file = openSync(copy, "r+");
  try {
    writeSync(file, first, 0, PAGE_BYTES, 0);
  } finally {
    closeSync(file);
  }
}

interface Opened {
  readonly connection: DatabaseSync;
  readonly whyReadOnly: string | null;
  readonly copy: string | null;
}

/**
 * By `lstat`, because SQLite follows symbolic links and reports a FIFO as a disk error. Opening it would drop SQLite's locks.
 * @throws Fault("storage") for what is no file of this account alone; Fault("corrupt") for an empty one
 */
async function isThere(path: string, form: DatabaseForm): Promise<boolean> {
  const found = await look(path);
  for (const log of ["-wal", "-shm"]) await look(path + log);
  if (found === null) return false;
  // It is made whole, and SQLite would remove the log beside an empty one.
  if (found.size === 0) {
    throw corrupt`${path} is damaged, because the file is empty; ${whole(form.upkeep)}.`;
  }
  return true;
}

async function look(path: string): Promise<Stats | null> {
  let found;
  try {
    found = await lstat(path);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return null;
    throw error;
  }
  const said = (what: string): Fault => storage`${path} ${whole(what)}.`;
  if (found.isSymbolicLink()) throw said(REASONS.ELOOP!);
  if (found.isDirectory()) throw said(REASONS.EISDIR!);
  if (!found.isFile()) throw said(REASONS.ENXIO!);
  requireOwn(path, found);
  requireOwnWriter(path, found);
  return found;
}

/** What lies beside a database, or did when it was set aside. @throws Fault("corrupt") where a missing one has been */
async function requireNoTrace(path: string, form: DatabaseForm): Promise<void> {
  requireNoSalvage(path);
  const name = basename(path);
  const traces = await readdir(dirname(path)).then(
    (names) =>
      names.filter(
        (each) =>
          /^(?:-wal|-shm|\.mark|\.corrupt-\w+)$/.test(each.slice(name.length)) && each.startsWith(name),
      ),
    (error: unknown) => {
      if (systemCode(error) === "ENOENT") return [];
      throw error;
    },
  );
  // Another process may have made it since.
  if (traces.length === 0 || (await look(path)) !== null) return;
  const shown = traces.map((each) => escapeText(each)).join(", ");
  throw corrupt`${path} is missing, but ${shown} ${traces.length === 1 ? "is" : "are"} still there; restore ${path} from a backup, or move ${traces.length === 1 ? "that" : "those"} away to start with no ${form.holds}.`;
}

/** The new file of a salvage: while it is filled, and while it waits for its place. */
export const SALVAGING = ".salvage";
export const SALVAGED = ".salvaged";

/** @throws Fault("corrupt") while the file may be exchanged */
function requireNoSalvage(path: string): void {
  const isThere = (suffix: string): boolean =>
    lstatSync(path + suffix, { throwIfNoEntry: false }) !== undefined;
  if (!isThere(SALVAGING) && !isThere(SALVAGED)) return;
  throw corrupt`${path} is being salvaged, or its salvage was interrupted; wait for it to end, or run "verdict history salvage" again.`;
}

/** Creates the file whole and with a private mode, which SQLite's companion files copy. */
async function createEmpty(path: string, form: DatabaseForm): Promise<void> {
  const temporary = temporaryName(path);
  await (await createPrivate(temporary, nodeFileSystem)).close();
  try {
    const connection = new DatabaseSync(temporary);
    try {
      // Nobody reads it before it is whole, and a journal would be left by a kill.
      connection.exec("PRAGMA journal_mode=OFF; PRAGMA synchronous=FULL");
      connection.exec(`BEGIN; ${form.schema}`);
      connection.exec(
        `PRAGMA application_id=${form.applicationId}; PRAGMA user_version=${form.version}; COMMIT`,
      );
    } finally {
      connection.close();
    }
    await nodeFileSystem.link(temporary, path).catch((error: unknown) => {
      if (!NO_LINKS.has(systemCode(error))) throw error;
      copyFileSync(temporary, path, constants.COPYFILE_EXCL);
    });
  } catch (error) {
    // Another process was faster.
    if (systemCode(error) === "EEXIST") return;
    throw error;
  } finally {
    await nodeFileSystem.unlink(temporary).catch(() => undefined);
  }
  await syncFolder(dirname(path), nodeFileSystem);
}

/** @param isReading a full disk is no obstacle */
async function connect(path: string, form: DatabaseForm, isReading: boolean): Promise<Opened> {
  const folder = dirname(path);
  const isRemote = await statfs(folder).then(
    ({ type }) => isRemoteFileSystem(type),
    () => false,
  );
  try {
    await access(folder, constants.W_OK);
    return connectWritable(path, form, isRemote);
  } catch (error) {
    const code = systemCode(error) ?? whyUnopened(error, path);
    if (code === "EROFS" || code === "EACCES" || code === "EPERM") {
      return connectReadOnly(path, form, readOnlyPlace(path));
    }
    // Its shared memory has no room, so no process has it open.
    if (isReading && (code === "ENOSPC" || code === "EDQUOT")) {
      return connectReadOnly(path, form, `${escapeText(path)} ${REASONS[code]!}.`);
    }
    throw error;
  }
}

function connectWritable(path: string, form: DatabaseForm, isRemote: boolean): Opened {
  // The timeout must be set before the first pragma, or processes that start at once fail on it.
  const connection = new DatabaseSync(path, {
    timeout: BUSY_MS,
    defensive: true,
    enableForeignKeyConstraints: true,
  });
  try {
    protect(connection, form);
    const version = versionOf(connection, path, form);
    if (version > form.version) {
      connection.close();
      const reading = new DatabaseSync(path, { timeout: BUSY_MS, defensive: true, readOnly: true });
      protect(reading, form);
      return { connection: reading, whyReadOnly: newer(path), copy: null };
    }
    // WAL's shared memory does not work between machines.
    connection.exec(isRemote ? "PRAGMA journal_mode=TRUNCATE" : "PRAGMA journal_mode=WAL");
    connection.exec("PRAGMA synchronous=FULL");
    // Deleted rows would stay readable in free pages.
    connection.exec("PRAGMA secure_delete=ON");
    return { connection, whyReadOnly: null, copy: null };
  } catch (error) {
    if (connection.isOpen) connection.close();
    throw error;
  }
}

/** Copies a database with its log from where the shared memory for reading it cannot be created. */
function connectReadOnly(path: string, form: DatabaseForm, whyReadOnly: string): Opened {
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false });
  let copy: string | null = null;
  let connection: DatabaseSync;
  if (log === undefined || log.size === 0) {
    const immutable = pathToFileURL(path);
    immutable.searchParams.set("immutable", "1");
    connection = new DatabaseSync(immutable, { readOnly: true, defensive: true });
  } else {
    copy = mkdtempSync(join(tmpdir(), "verdict-database-"));
    // No connection of this process is open yet, so no lock is lost.
    for (const name of [basename(path), `${basename(path)}-wal`]) {
      copyFileSync(join(dirname(path), name), join(copy, name), constants.COPYFILE_EXCL);
    }
    connection = new DatabaseSync(join(copy, basename(path)), { timeout: BUSY_MS, defensive: true });
  }
  try {
    protect(connection, form);
    versionOf(connection, path, form);
    return { connection, whyReadOnly, copy };
  } catch (error) {
    discard(connection, copy);
    throw error;
  }
}

function discard(connection: DatabaseSync, copy: string | null): void {
  if (connection.isOpen) connection.close();
  if (copy !== null) rmSync(copy, { recursive: true, force: true });
}

function protect(connection: DatabaseSync, form: DatabaseForm): void {
  connection.exec("PRAGMA trusted_schema=OFF");
  connection.exec("PRAGMA cell_size_check=ON");
  connection.exec(`PRAGMA cache_size=-${form.cacheKiB}`);
  if (form.checkpointPages !== undefined)
    connection.exec(`PRAGMA wal_autocheckpoint=${form.checkpointPages}`);
  for (const [name, work] of Object.entries(form.functions ?? {}))
    connection.function(name, { deterministic: true, directOnly: true }, work);
}

/** @throws Fault("storage") for a database of another program; Fault("corrupt") for a damaged one, and one that runs what others put into it */
function versionOf(connection: DatabaseSync, path: string, form: DatabaseForm): number {
  // Of one moment: between two of these another process may fill it.
  connection.exec("BEGIN");
  const all = (sql: string): Row[] => connection.prepare(sql).all();
  const id = Number(all("PRAGMA application_id")[0]!.application_id);
  const version = Number(all("PRAGMA user_version")[0]!.user_version);
  const isEmpty = version === 0 && id === 0 && all("SELECT 1 FROM sqlite_schema").length === 0;
  const hasAll = hasTables(form, all);
  const isForm = hasAll && foreignName(form, form.version, all) === undefined;
  const isOurs = isForm || id === form.applicationId;
  // A schema and its numbers change together.
  const isDamaged = isForm
    ? id !== form.applicationId || version !== form.version
    : version <= 0 || (version === form.version && !hasAll);
  const foreign = isDamaged ? undefined : foreignName(form, version, all);
  connection.exec("COMMIT");
  if (isEmpty || (isOurs && isDamaged)) {
    throw corrupt`${path} is damaged; ${whole(form.upkeep)}.`;
  }
  if (isOurs && foreign === undefined) return version;
  if (isOurs) {
    throw corrupt`${path} is not used because verdict did not make "${String(foreign)}" in it; ${whole(form.upkeep)}.`;
  }
  // Not "corrupt", because there is nothing to salvage.
  throw storage`${path} is a database of another program; move it away.`;
}

/** A trigger, view or table that a form does not declare, and that statements may run; undefined without one. */
function foreignName(
  form: DatabaseForm,
  version: number,
  all: (sql: string) => Row[],
): Row[string] | undefined {
  const declared = new Set(form.schema.split(";").map((sql) => sql.trim()));
  const found = all("SELECT name, type, sql FROM sqlite_schema WHERE sql IS NOT NULL");
  return found.find(({ type, sql }) =>
    // A newer version has tables of its own.
    version === form.version
      ? !declared.has(String(sql))
      : type === "trigger" || type === "view" || /^CREATE VIRTUAL/i.test(String(sql)),
  )?.name;
}

/** Retries while another process holds the database, with growing, random pauses. */
async function patiently<R>(
  path: string,
  form: DatabaseForm,
  onNotice: OnNotice,
  isReading: boolean,
  attempt: () => Promise<R>,
): Promise<R> {
  const began = performance.now();
  let isSaid = false;
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      const waited = performance.now() - began;
      if (!isBusy(error) || waited > PATIENCE_MS) throw databaseFault(error, path, form.upkeep, isReading);
      if (waited > WAIT_NOTICE_MS && !isSaid) {
        isSaid = true;
        onNotice(`${escapeText(path)} is locked by another process; verdict waits for the lock.`);
      }
    }
    await sleep(Math.random() * Math.min(LONGEST_RETRY_MS, tries * 5));
  }
}

/** Null where there is no file. */
export function inodeOf(path: string): bigint | null {
  return lstatSync(path, { throwIfNoEntry: false, bigint: true })?.ino ?? null;
}

const moved = (path: string): Fault => storage`${path} ${MOVED}.`;

const readOnlyPlace = (path: string): string => `${escapeText(path)} ${REASONS.EROFS!}.`;

const newer = (path: string): string =>
  `${escapeText(path)} was written by a newer version of verdict; it is only read here, so start that version to write.`;
