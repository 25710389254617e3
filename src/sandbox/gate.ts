// Lets requests through side by side, and one exchange of the whole state alone.

export interface Gate {
  /** For who comes often: null once inside, else what to wait for before asking again. Whoever entered leaves. */
  enter(): Promise<void> | null;
  leave(): void;
  /** Runs at once, or after the exchange that goes on. */
  through<R>(work: () => Promise<R>): Promise<R>;
  /** Waits for everyone inside; nobody enters until it is over. One after another. */
  alone<R>(work: () => Promise<R>): Promise<R>;
}

export function createGate(): Gate {
  let inside = 0;
  let closed: Promise<void> | null = null;
  let emptied: (() => void) | null = null;

  function enter(): Promise<void> | null {
    if (closed === null) inside += 1;
    return closed;
  }

  function leave(): void {
    inside -= 1;
    if (inside === 0) emptied?.();
  }

  return {
    enter,
    leave,
    async through(work) {
      for (let wait = enter(); wait !== null; wait = enter()) await wait;
      try {
        return await work();
      } finally {
        leave();
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
