// How long something is waited for, in all its steps together: a caller of a state on a server is answered or refused in time.

import { Fault, storage } from "#src/contract/fault.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { MaybePromise } from "./turns.ts";

/** A caller has 250 ms; the rest is for reading the request and sending the answer. */
export const WAIT_MS: Milliseconds = 230;

/** How long a server may take to write to its disk. */
export const DISK_MS: Milliseconds = 1_500;

const LATE = storage`The server of the state does not answer in time; see whether it is overloaded, or the network is.`;

export class Patience {
  #left: Milliseconds;
  #isOver = false;
  readonly #late: Fault;

  /** @param left Infinity to wait for everything. @param late what is said when it is over */
  constructor(left: Milliseconds, late = LATE) {
    this.#left = left;
    this.#late = late;
  }

  /**
   * Waits for work, which goes on unheard when the time is over: what it has written by then is found by the next attempt.
   * @param isHeld whether the time stands still, because requests are to wait for something else
   * @throws Fault `late` when the time is over
   */
  async wait<R>(work: MaybePromise<R>, isHeld: () => boolean = () => false): Promise<R> {
    if (this.#left === Infinity) return await work;
    const late = Promise.withResolvers<never>();
    let began = performance.now();
    const look = (): void => {
      if (isHeld()) {
        began = performance.now();
        timer = setTimeout(look, this.#left);
        return;
      }
      this.#isOver = true;
      late.reject(this.#late);
    };
    let timer = setTimeout(look, this.#left);
    try {
      return await Promise.race([work, late.promise]);
    } finally {
      clearTimeout(timer);
      this.#left -= performance.now() - began;
    }
  }

  /** Before work that is not to be begun for a caller who was refused. @throws Fault `late` */
  require(): void {
    if (this.#isOver) throw this.#late;
  }
}
