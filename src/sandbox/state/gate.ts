// Lets requests through side by side, and one exchange of the whole state alone.

export interface Gate {
  /** Runs at once, or after the exchange that goes on. */
  through<R>(work: () => Promise<R>): Promise<R>;
  /** Waits for everyone inside; nobody enters until it is over. One after another. */
  alone<R>(work: () => Promise<R>): Promise<R>;
}

export function createGate(): Gate {
  let inside = 0;
  let closed: Promise<void> | null = null;
  let emptied: (() => void) | null = null;

  return {
    async through(work) {
      for (let wait = closed; wait !== null; wait = closed) await wait;
      inside += 1;
      try {
        return await work();
      } finally {
        inside -= 1;
        if (inside === 0) emptied?.();
      }
    },
    async alone(work) {
      for (let wait = closed; wait !== null; wait = closed) await wait;
      const { promise, resolve } = Promise.withResolvers<void>();
      closed = promise;
      try {
        if (inside > 0) await new Promise<void>((done) => (emptied = done));
        emptied = null;
        return await work();
      } finally {
        closed = null;
        resolve();
      }
    },
  };
}
