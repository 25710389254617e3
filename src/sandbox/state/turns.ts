// Asynchronous work, one piece after another.

/** At once from a state in this process, by promise from one behind a network. */
export type MaybePromise<T> = T | Promise<T>;

export interface Turns {
  /** Runs the work when all before it has ended, whether or not that failed. */
  inTurn<R>(work: () => Promise<R>): Promise<R>;
  /** Resolves when all so far has ended. */
  idle(): Promise<unknown>;
}

export function createTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve();
  return {
    inTurn(work) {
      const mine = last.then(work);
      last = mine.catch(() => undefined);
      return mine;
    },
    idle: () => last,
  };
}
