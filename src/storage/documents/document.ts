// A document: one small body of data that several processes read and change, held by lowdb's `Low`.

import { isDeepStrictEqual } from "node:util";

import { Low } from "lowdb";

import { Fault } from "#src/contract/fault.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import type { FileSystem } from "#src/storage/file-system.ts";
import { nodeFileSystem } from "#src/storage/file-system.ts";
import { watchFile } from "#src/storage/file-watch.ts";
import type { OnProblem } from "#src/storage/store-problem.ts";
import { isSyncFailure, readOnlyFault, withStorageFaults } from "#src/storage/write-fault.ts";
import { DamagedDocument, DocumentAdapter } from "./document-adapter.ts";
import type { DocumentShape } from "./document-adapter.ts";
import { withLock } from "./file-lock.ts";

export interface DocumentOptions<T> extends DocumentShape<T> {
  readonly path: string;
  /** Hears once of damage that was found: whoever opens a document has a place where the user reads of it. */
  readonly onProblem: OnProblem;
  /** Wall time in ms since the epoch; names what is set aside. */
  readonly now?: () => number;
  readonly fs?: FileSystem;
}

/** What a change was thought out on: the part of the data that somebody was looking at while they made it. */
export interface Basis<T> {
  /** The part that counts; changes elsewhere in the document do not. */
  readonly of: (data: T) => unknown;
  /** That part as it was shown. */
  readonly was: unknown;
  /** What the part is called at the beginning of a sentence: `The profile "acme"`. */
  readonly name: string;
}

export interface Document<T> {
  /** The data as it is on disk now; a copy of the caller's own. Creates nothing. */
  read(): Promise<T>;
  /**
   * Reads the data under the lock, lets `change` alter it in place, and writes it durably; nothing is written when `change`
   * throws. Returns what `change` returned.
   * @param basis refuses the change when that part of the data is not what it was any more
   * @throws Fault("storage") when it could not be saved, or was changed in another session: the file is then as it was
   */
  update<R>(change: (data: T) => R | Promise<R>, basis?: Basis<T>): Promise<R>;
  /**
   * Calls back within a second of a change of the file, by whomever; also of one by this process.
   * @returns to be called when it is enough
   */
  watch(onChange: () => void): () => void;
}

/**
 * Opens a document; touches no file before the first read.
 * @throws (each method) Fault("corrupt") when neither the file nor its previous generation is good
 */
export function openDocument<T extends object>(options: DocumentOptions<T>): Document<T> {
  const { path, onProblem, fs = nodeFileSystem, now = Date.now } = options;
  if ((options.migrations?.length ?? 0) !== options.schema - 1) {
    throw new TypeError(`${options.format} needs a migration for each schema below ${options.schema}`);
  }
  let readOnly: Fault | null = null;
  let swept = false;
  let turn: Promise<unknown> = Promise.resolve();

  /** A model of its own for each operation, so that reading beside an update never replaces the data under change. */
  const model = (): { low: Low<T>; adapter: DocumentAdapter<T> } => {
    const adapter = new DocumentAdapter<T>(path, options, fs);
    return { low: new Low<T>(adapter, options.initial()), adapter };
  };

  const underLock = <R>(action: () => Promise<R>): Promise<R> => withLock(`${path}.lock`, fs, action);

  const readLocked = async ({ low, adapter }: ReturnType<typeof model>): Promise<void> => {
    try {
      await low.read();
    } catch (error) {
      if (!(error instanceof DamagedDocument)) throw error;
      const problem = await adapter.recover(now());
      if (problem !== null) onProblem(problem);
      await low.read();
    }
  };

  const read = async (): Promise<T> => {
    const opened = model();
    try {
      await opened.low.read();
    } catch (error) {
      if (!(error instanceof DamagedDocument)) throw error;
      await underLock(() => readLocked(opened));
    }
    return opened.low.data;
  };

  const update = async <R>(change: (data: T) => R | Promise<R>, basis?: Basis<T>): Promise<R> => {
    if (readOnly !== null) throw readOnly;
    return await underLock(async () => {
      const opened = model();
      if (!swept) {
        await opened.adapter.removeOrphans();
        swept = true;
      }
      await readLocked(opened);
      if (basis !== undefined && !isDeepStrictEqual(basis.of(opened.low.data), basis.was)) {
        throw changedElsewhere(basis.name);
      }
      const result = await change(opened.low.data);
      try {
        await opened.low.write();
      } catch (error) {
        if (isSyncFailure(error)) readOnly = readOnlyFault(path, error);
        throw error;
      }
      return result;
    });
  };

  return {
    read: () => withStorageFaults(path, read),
    update: (change, basis) => {
      // In this process updates take turns instead of meeting at the lock file.
      const mine = turn.then(() => withStorageFaults(path, () => update(change, basis)));
      turn = mine.catch(() => {});
      return mine;
    },
    watch: (onChange) => watchFile(path, onChange),
  };
}

/**
 * The fault of a change that was made on a state of things that is gone.
 * @param name what it is about, at the beginning of a sentence; untrusted
 */
export function changedElsewhere(name: string): Fault {
  return new Fault(
    "storage",
    `${escapeText(name)} was changed in another session; look at it as it is now, and make the change again.`,
  );
}
