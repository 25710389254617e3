// Asynchronous work, one piece after another.

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
