// A document: one small JSON file that several processes read and change, through lowdb's `Low`.

import { isDeepStrictEqual } from "node:util";

import { Low } from "lowdb";

import { Fault, storage } from "#src/contract/fault.ts";
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
  /** Called once for damage that was found, so that the user is informed. */
  readonly onProblem: OnProblem;
  /** Wall time in ms since the epoch, for the names of files that are set aside. */
  readonly now?: () => number;
  readonly fs?: FileSystem;
}

/** The part of the data that a change is based on, for optimistic concurrency. */
export interface Basis<T> {
  /** Selects the part; concurrent changes elsewhere in the document are allowed. */
  readonly of: (data: T) => unknown;
  /** The part as it was shown. */
  readonly was: unknown;
  /** Name of the part at the beginning of a sentence: `The profile "acme"`. */
  readonly name: string;
}

/** Data with members that can be replaced. */
export type Changing<T> = { -readonly [K in keyof T]: T[K] };

export interface Document<T> {
  /** The current data on disk, as a copy. Creates nothing. */
  read(): Promise<T>;
  /**
   * Reads the data under the lock, lets `change` alter it in place, and writes it durably; nothing is written when `change`
   * throws. Returns the result of `change`.
   * @param basis refuses the change when that part of the data has changed
   * @throws Fault("storage") when it could not be saved, or was changed in another session; the file is unchanged
   */
  update<R>(change: (data: Changing<T>) => R | Promise<R>, basis?: Basis<T>): Promise<R>;
  /**
   * Calls back within a second of a change of the file by any process, this one included.
   * @returns ends the watch
   */
  watch(onChange: () => void): () => void;
}

/**
 * Opens a document; touches no file before the first read.
 * @throws (each method) Fault("corrupt") when neither the file nor its previous generation is valid
 */
export function openDocument<T extends object>(options: DocumentOptions<T>): Document<T> {
  const { path, onProblem, fs = nodeFileSystem, now = Date.now } = options;
  let readOnly: Fault | null = null;
  let swept = false;
  let turn: Promise<unknown> = Promise.resolve();

  /** A separate model for each operation, so that a read never replaces the data of a concurrent update. */
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

  const update = async <R>(change: (data: Changing<T>) => R | Promise<R>, basis?: Basis<T>): Promise<R> => {
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
      // Updates of this process are queued instead of competing for the lock file.
      const mine = turn.then(() => withStorageFaults(path, () => update(change, basis)));
      turn = mine.catch(() => {});
      return mine;
    },
    watch: (onChange) => watchFile(path, onChange),
  };
}

/**
 * The fault of a change whose basis was changed by another session.
 * @param name as in `Basis`; untrusted
 */
export function changedElsewhere(name: string): Fault {
  return storage`${name} was changed in another session; look at it as it is now, and make the change again.`;
}
