// Asynchronous work, one piece after another, or many pieces together and one of another kind alone; and
// the steps that close what was opened.

/** At once from a state in this process, by promise from one behind a network. */
export type MaybePromise<T> = T | Promise<T>;

export function createTurns() {
  let last: Promise<unknown> = Promise.resolve();
  return {
    /** Runs the work when all before it has ended, whether or not that failed. */
    inTurn<R>(work: () => Promise<R>): Promise<R> {
      const mine = last.then(work);
      last = mine.catch(() => undefined);
      return mine;
    },
    /** Resolves when all so far has ended. */
    idle: () => last,
  };
}

export type SharedLock = ReturnType<typeof createSharedLock>;

/** A readers-writer lock: requests share the state, a swap or snapshot has it exclusively. */
export function createSharedLock() {
  let running = 0;
  let closed: Promise<void> | null = null;
  let drained: (() => void) | null = null;

  return {
    /** Runs at once, or after the exclusive work in progress. */
    async shared<R>(work: () => Promise<R>): Promise<R> {
      for (let wait = closed; wait !== null; wait = closed) await wait;
      running += 1;
      try {
        return await work();
      } finally {
        running -= 1;
        if (running === 0) drained?.();
      }
    },
    /** Waits until no shared work runs and lets none start before it ends. One exclusive work after another. */
    async exclusive<R>(work: () => Promise<R>): Promise<R> {
      for (let wait = closed; wait !== null; wait = closed) await wait;
      const { promise, resolve } = Promise.withResolvers<void>();
      closed = promise;
      try {
        if (running > 0) await new Promise<void>((done) => (drained = done));
        drained = null;
        return await work();
      } finally {
        closed = null;
        resolve();
      }
    },
  };
}

/** Runs the steps in reverse order. Every step is tried; then the first failure is thrown. */
export async function undoAll(undo: (() => Promise<unknown>)[]): Promise<void> {
  let failure: { error: unknown } | null = null;
  for (let step = undo.pop(); step !== undefined; step = undo.pop()) {
    try {
      await step();
    } catch (error) {
      failure ??= { error };
    }
  }
  if (failure !== null) throw failure.error;
}
