// Opens, reads and writes a SQLite database so that nothing acknowledged is lost. The only module that opens one.

import {
  closeSync,
  constants,
  copyFileSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { access, lstat, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { crc32 } from "node:zlib";

import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import { Fault } from "#src/contract/fault.ts";
import { createPrivate, ensureFolder, syncFolder } from "#src/storage/documents/durable-file.ts";
import { nodeFileSystem } from "#src/storage/file-system.ts";
import { isRemoteFileSystem } from "#src/storage/file-watch.ts";
import { MOVED, readOnlyFault, REASONS, systemCode, withStorageFaults } from "#src/storage/write-fault.ts";
import { databaseFault, isBusy, isIndexDamage, isReadOnlyPlace, isUnconfirmed } from "./database-fault.ts";

export type Row = Record<string, SQLOutputValue>;

/** CRC-32 of a row: SQLite has no checksum of its own, and a flipped bit would be read as another amount. */
export function checksum(...values: readonly (string | number)[]): number {
  return crc32(values.join("\n"));
}

/** A kind of database: its application id, version and schema. */
export interface DatabaseForm {
  /** `PRAGMA application_id`, which distinguishes this file from other databases. */
  readonly applicationId: number;
  /** `PRAGMA user_version`: a newer one opens read-only. */
  readonly version: number;
  /** Creates every table in an empty database. */
  readonly schema: string;
  /** By name: tables and indexes that are made when they are first needed, as `sqlite_schema` declares them. */
  readonly later?: Readonly<Record<string, string>>;
  /** The next step for a user whose file is damaged. */
  readonly upkeep: string;
  /** Pages that a connection keeps in memory, in KiB. */
  readonly cacheKiB: number;
}

/** SQLite's own wait blocks the thread and is unfair, so it is short, and longer waits are asynchronous. */
const BUSY_MS: Milliseconds = 20;
const LONGEST_RETRY_MS: Milliseconds = 50;
/** A wait for another process is reported after this long, and ends after this long. */
const WAIT_NOTICE_MS: Milliseconds = 1_000;
const PATIENCE_MS: Milliseconds = 10_000;

/** Called with a sentence about a long wait or a repair. */
export type OnNotice = (sentence: string) => void;

export class Database {
  readonly path: string;
  /** Why nothing can be written, as a sentence; null when it can. */
  readonly whyReadOnly: string | null;
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

  private constructor(path: string, form: DatabaseForm, onNotice: OnNotice, opened: Opened) {
    this.path = path;
    this.#form = form;
    this.#onNotice = onNotice;
    this.#connection = opened.connection;
    this.whyReadOnly = opened.whyReadOnly;
    this.#inode = inodeOf(path);
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
      if (!(await isThere(path))) {
        if (!mayCreate) return null;
        await ensureFolder(dirname(path), nodeFileSystem);
        await createEmpty(path);
      }
      const opened = await patiently(path, form, onNotice, async () => await connect(path, form));
      if (opened !== null) return new Database(path, form, onNotice, opened);
      if (mayCreate) throw new Fault("storage", readOnlyPlace(path));
      return null;
    });
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

  get(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#prepare(sql).get(...values);
  }

  /** @returns rows changed */
  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.#prepare(sql).run(...values).changes);
  }

  /** Reads, and tries again while another process recovers the log. @throws Fault("storage" | "corrupt") */
  async read<R>(work: () => R): Promise<R> {
    return await this.#attempt(work);
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
      const isFixed = other.#copy === null && other.whyReadOnly === readOnlyPlace(path);
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
   * @throws Fault("storage" | "corrupt")
   */
  async write<R>(work: () => R): Promise<R> {
    return await this.#attempt(() => this.#transaction(work));
  }

  async #attempt<R>(work: () => R): Promise<R> {
    return await patiently(this.path, this.#form, this.#onNotice, async () => {
      try {
        return work();
      } catch (error) {
        if (!isIndexDamage(error) || this.whyReadOnly !== null) throw error;
        this.#connection.exec("REINDEX");
        this.#onNotice(`An index of ${escapeText(this.path)} did not fit its table and was rebuilt.`);
        return work();
      }
    });
  }

  #transaction<R>(work: () => R): R {
    if (this.whyReadOnly !== null) throw new Fault("storage", this.whyReadOnly);
    if (this.#unconfirmed !== null) throw this.#unconfirmed;
    if (inodeOf(this.path) !== this.#inode) throw moved(this.path);
    const { user_version: version } = this.get("PRAGMA user_version")!;
    if (Number(version) !== this.#form.version) throw new Fault("storage", newer(this.path));
    // A transaction that starts as a reader fails if another process has written before its first write.
    this.#connection.exec("BEGIN IMMEDIATE");
    try {
      const result = work();
      this.#connection.exec("COMMIT");
      return result;
    } catch (error) {
      if (isUnconfirmed(error)) this.#unconfirmed = readOnlyFault(this.path, error);
      if (this.#connection.isTransaction) this.#connection.exec("ROLLBACK");
      throw error;
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
  checkpoint(how: "PASSIVE" | "TRUNCATE" = "PASSIVE"): void {
    if (this.whyReadOnly === null) this.#connection.exec(`PRAGMA wal_checkpoint(${how})`);
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
 * Opens a database that has been set aside. If its first page is damaged, a copy gets the first page of an empty one, because
 * the tables of one form always begin on the same pages.
 */
export function openDamaged(path: string, form: DatabaseForm): DamagedDatabase {
  const read = (connection: DatabaseSync, sql: string, ...values: SQLInputValue[]): Row[] | null => {
    try {
      return connection.prepare(sql).all(...values);
    } catch {
      return null;
    }
  };
  const inPlace = new DatabaseSync(path, { readOnly: true });
  if (hasTables(form, (sql) => read(inPlace, sql) ?? [])) {
    return { all: (sql, ...values) => read(inPlace, sql, ...values), close: () => inPlace.close() };
  }
  inPlace.close();
  const copy = `${path}.graft`;
  graftFirstPage(path, copy, form);
  const grafted = new DatabaseSync(copy);
  return {
    all: (sql, ...values) => read(grafted, sql, ...values),
    close: () => {
      grafted.close();
      rmSync(copy, { force: true });
    },
  };
}

/** True when the declarations of the tables are intact; a flipped bit there renames a column or a table. */
function hasTables({ schema, later = {} }: DatabaseForm, all: (sql: string) => Row[]): boolean {
  const found = all("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL");
  const isDeclared = (wanted: string): boolean => found.some(({ sql }) => sql === wanted);
  return (
    schema.split(";").every((sql) => sql.trim() === "" || isDeclared(sql.trim())) &&
    Object.entries(later).every(([name, wanted]) =>
      found.every(({ name: its, sql }) => (its === name) === (sql === wanted)),
    )
  );
}

/** Offset of the number of pages in the first page (sqlite.org/fileformat.html, 1.3). */
const PAGE_COUNT_AT = 28;
const PAGE_BYTES = 4096;

function graftFirstPage(path: string, copy: string, form: DatabaseForm): void {
  rmSync(copy, { force: true });
  closeSync(openSync(copy, "wx", 0o600));
  const empty = new DatabaseSync(copy);
  empty.exec(form.schema);
  empty.close();
  const first = readFileSync(copy).subarray(0, PAGE_BYTES);
  copyFileSync(path, copy);
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

/** By `lstat`, because SQLite follows symbolic links and reports a FIFO as a disk error. Opening it would drop SQLite's locks. */
async function isThere(path: string): Promise<boolean> {
  let found;
  try {
    found = await lstat(path);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return false;
    throw error;
  }
  const said = (what: string): Fault => new Fault("storage", `${escapeText(path)} ${what}.`);
  if (found.isSymbolicLink()) throw said(REASONS.ELOOP!);
  if (found.isDirectory()) throw said(REASONS.EISDIR!);
  if (!found.isFile()) throw said(REASONS.ENXIO!);
  const self = process.geteuid?.();
  if (self !== undefined && found.uid !== self) {
    throw said("belongs to another account; choose another --home");
  }
  return true;
}

/** Creates the file with a private mode, which SQLite's companion files copy. */
async function createEmpty(path: string): Promise<void> {
  try {
    await (await createPrivate(path, nodeFileSystem)).close();
  } catch (error) {
    // Another process was faster.
    if (systemCode(error) === "EEXIST") return;
    throw error;
  }
  await syncFolder(dirname(path), nodeFileSystem);
}

/** Null for an empty file that is not writable, which another process may be filling. */
async function connect(path: string, form: DatabaseForm): Promise<Opened | null> {
  const isRemote = await statfs(dirname(path)).then(
    ({ type }) => isRemoteFileSystem(type),
    () => false,
  );
  try {
    await access(dirname(path), constants.W_OK);
    return connectWritable(path, form, isRemote);
  } catch (error) {
    if (!isReadOnlyPlace(error) && systemCode(error) !== "EROFS" && systemCode(error) !== "EACCES")
      throw error;
    return connectReadOnly(path, form);
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
    const version = versionOf(connection, path, form);
    if (version > form.version) {
      connection.close();
      const reading = new DatabaseSync(path, { timeout: BUSY_MS, defensive: true, readOnly: true });
      return { connection: reading, whyReadOnly: newer(path), copy: null };
    }
    // WAL's shared memory does not work between machines.
    connection.exec(isRemote ? "PRAGMA journal_mode=TRUNCATE" : "PRAGMA journal_mode=WAL");
    connection.exec("PRAGMA synchronous=FULL");
    // Deleted rows would stay readable in free pages.
    connection.exec("PRAGMA secure_delete=ON");
    protect(connection, form);
    if (version === 0) fill(connection, form);
    return { connection, whyReadOnly: null, copy: null };
  } catch (error) {
    if (connection.isOpen) connection.close();
    throw error;
  }
}

/** Copies a database with its log from a read-only folder, where the shared memory for reading it cannot be created. */
function connectReadOnly(path: string, form: DatabaseForm): Opened | null {
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
    if (versionOf(connection, path, form) > 0) {
      return { connection, whyReadOnly: readOnlyPlace(path), copy };
    }
  } catch (error) {
    discard(connection, copy);
    throw error;
  }
  discard(connection, copy);
  return null;
}

function discard(connection: DatabaseSync, copy: string | null): void {
  if (connection.isOpen) connection.close();
  if (copy !== null) rmSync(copy, { recursive: true, force: true });
}

function protect(connection: DatabaseSync, form: DatabaseForm): void {
  connection.exec("PRAGMA trusted_schema=OFF");
  connection.exec("PRAGMA cell_size_check=ON");
  connection.exec(`PRAGMA cache_size=-${form.cacheKiB}`);
}

/** 0 for an empty database. @throws Fault("corrupt") for a database of another program */
function versionOf(connection: DatabaseSync, path: string, form: DatabaseForm): number {
  // Of one moment: between two of these another process may fill it.
  connection.exec("BEGIN");
  const id = Number(connection.prepare("PRAGMA application_id").get()!.application_id);
  const version = Number(connection.prepare("PRAGMA user_version").get()!.user_version);
  const isEmpty =
    version === 0 && id === 0 && connection.prepare("SELECT 1 FROM sqlite_schema").get() === undefined;
  const isDamaged =
    version === 0
      ? !isEmpty && id === form.applicationId
      : version === form.version && !hasTables(form, (sql) => connection.prepare(sql).all());
  connection.exec("COMMIT");
  if (isDamaged) throw new Fault("corrupt", `${escapeText(path)} is damaged; ${form.upkeep}.`);
  if (isEmpty || id === form.applicationId) return version;
  throw new Fault("corrupt", `${escapeText(path)} is a database of another program; move it away.`);
}

/** Creates the tables in one transaction, so that one of several starting processes does it. */
function fill(connection: DatabaseSync, form: DatabaseForm): void {
  connection.exec("BEGIN IMMEDIATE");
  try {
    if (Number(connection.prepare("PRAGMA user_version").get()!.user_version) === 0) {
      connection.exec(form.schema);
      connection.exec(`PRAGMA application_id=${form.applicationId}; PRAGMA user_version=${form.version}`);
    }
    connection.exec("COMMIT");
  } catch (error) {
    if (connection.isTransaction) connection.exec("ROLLBACK");
    throw error;
  }
}

/** Retries while another process holds the database, with growing, random pauses. */
async function patiently<R>(
  path: string,
  form: DatabaseForm,
  onNotice: OnNotice,
  attempt: () => Promise<R>,
): Promise<R> {
  const began = performance.now();
  let isSaid = false;
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      const waited = performance.now() - began;
      if (!isBusy(error) || waited > PATIENCE_MS) throw databaseFault(error, path, form.upkeep);
      if (waited > WAIT_NOTICE_MS && !isSaid) {
        isSaid = true;
        onNotice(`${escapeText(path)} is in use by another process; waiting until it lets go.`);
      }
    }
    await sleep(Math.random() * Math.min(LONGEST_RETRY_MS, tries * 5));
  }
}

function inodeOf(path: string): bigint | null {
  return lstatSync(path, { throwIfNoEntry: false, bigint: true })?.ino ?? null;
}

const moved = (path: string): Fault => new Fault("storage", `${escapeText(path)} ${MOVED}.`);

const readOnlyPlace = (path: string): string => `${escapeText(path)} ${REASONS.EROFS!}.`;

const newer = (path: string): string =>
  `${escapeText(path)} was written by a newer version of verdict; it is only read here, so start that version to write.`;
