// Hot swap of the sandbox's state: requests share the open state until it is closed, replaced on disk and opened again.

import { storage } from "#src/contract/fault.ts";
import type { ReadyCounters } from "#src/sandbox/decisions/counters-file.ts";
import type { FileState } from "./file-state.ts";
import { createSharedLock, type SharedLock } from "./shared-lock.ts";

export interface SwappableState extends SharedLock {
  /** Delegates to the state that is open now. */
  readonly state: FileState;
  /** Exclusive work with the state closed; it is opened again afterwards. One swap after another. */
  swap<R>(swap: Swap<R>): Promise<R>;
}

export interface Swap<R> {
  /** Counters of the state to be opened, read in advance so that it opens without delay. */
  readonly ready?: ReadyCounters;
  /** Runs while no state is open, so it may change the files. The state is opened again even if this fails. */
  readonly work: () => Promise<R>;
  /** Runs with the new state, if the work succeeded. */
  readonly after?: () => Promise<void>;
}

/** @param onLost called when the state could not be opened again; every use of it is refused from then on */
export async function openSwappable(
  open: (ready: ReadyCounters | null) => Promise<FileState>,
  onLost: (error: unknown) => void,
): Promise<SwappableState> {
  const lock = createSharedLock();
  let inner: FileState | null = await open(null);
  const current = (): FileState => {
    if (inner !== null) return inner;
    throw storage`The sandbox's state is not open; see its log, then start it again.`;
  };

  const own: Partial<FileState> = {
    isWritable: () => inner?.isWritable() ?? false,
    close: async () => {
      await lock.exclusive(async () => {
        await inner?.close();
        inner = null;
      });
    },
  };
  // The methods of a state are closures, which need no `this`.
  const state = new Proxy({} as FileState, {
    get: (_, name: keyof FileState) => own[name] ?? current()[name],
  });

  return {
    state,
    ...lock,
    swap: ({ ready = null, work, after }) =>
      lock.exclusive(async () => {
        const closing = current();
        inner = null;
        let result;
        let done = false;
        try {
          await closing.close(false);
          result = await work();
          done = true;
        } finally {
          try {
            inner = await open(done ? ready : null);
          } catch (error) {
            onLost(error);
          }
        }
        await after?.();
        return result;
      }),
  };
}
