// Holds the data key of an open vault in memory, until its time limits are over.

import { Fault, whole } from "#src/contract/fault.ts";
import type { WrappedKey } from "./vault-file.ts";

/** A vault with a passphrase is locked after this time without use. */
export const IDLE_LIMIT_MS = 10 * 60_000;
/** A vault with a passphrase is locked this long after it was opened. */
export const HARD_LIMIT_MS = 2 * 60 * 60_000;

/** Times and timers of the lock. */
export interface VaultClock {
  /** ms since the epoch; goes on while the machine is suspended, and may be set back. */
  readonly wall: () => number;
  /** Monotonic ms; may stand still while the machine is suspended. */
  readonly steady: () => number;
  /** Runs something later; returns a function that cancels it. */
  readonly after: (delayMs: number, run: () => void) => () => void;
}

export const systemClock: VaultClock = {
  wall: Date.now,
  steady: () => performance.now(),
  after: (delayMs, run) => {
    // A lock that is due must not keep the program alive.
    const timer = setTimeout(run, delayMs).unref();
    return () => clearTimeout(timer);
  },
};

export type LockState = "open" | "locked";

export const LOCKED =
  'The vault is locked; unlock it with its passphrase, or set a passphrase command with "verdict vault passphrase --command".';

interface Moment {
  readonly wall: number;
  readonly steady: number;
}

interface Held {
  readonly dataKey: Buffer;
  /** What it was unwrapped from: another wrapping on disk means another key. */
  readonly wrapped: WrappedKey;
  readonly openedAt: Moment;
  usedAt: Moment;
}

/** The limits apply only with a passphrase: with a key file a lock would protect nothing. */
export class OpenKey {
  readonly #clock: VaultClock;
  readonly #listeners = new Set<(state: LockState) => void>();
  #held: Held | null = null;
  #holds = 0;
  #cancel: (() => void) | null = null;

  constructor(clock: VaultClock) {
    this.#clock = clock;
  }

  /** Keeps a data key; the buffer belongs to this object from now on. */
  set(dataKey: Buffer, wrapped: WrappedKey): void {
    const wasOpen = this.#held !== null;
    this.#forget();
    const now = this.#now();
    this.#held = { dataKey, wrapped, openedAt: now, usedAt: now };
    this.#arm();
    if (!wasOpen) this.#tell("open");
  }

  /** Forgets the data key: its memory is overwritten. */
  clear(): void {
    if (this.#held === null) return;
    this.#forget();
    this.#tell("locked");
  }

  /** Whether there is a key. Checks the limits, because timers stand still in a suspended process. */
  get isOpen(): boolean {
    if (this.#held !== null && this.#isOver(this.#held)) this.clear();
    return this.#held !== null;
  }

  /** Whether the held key belongs to this wrapping. */
  fits(wrapped: WrappedKey): boolean {
    return this.isOpen && this.#held?.wrapped.sealed === wrapped.sealed;
  }

  /**
   * Lends the key to a synchronous action: nothing can overwrite it in between.
   * @param counts false for an access that does not count as use, so that drawing the screen does not keep the vault open
   * @throws Fault("vault_locked")
   */
  use<R>(action: (dataKey: Buffer) => R, counts: boolean = true): R {
    if (!this.isOpen || this.#held === null) throw new Fault("vault_locked", whole(LOCKED));
    if (counts) {
      this.#held.usedAt = this.#now();
      this.#arm();
    }
    return action(this.#held.dataKey);
  }

  /** Time until the nearer limit, in ms; null without a limit: no key, a key file, or a hold. */
  get locksIn(): number | null {
    if (!this.isOpen || this.#held === null || this.#holds > 0) return null;
    const left = this.#left(this.#held);
    return left === Infinity ? null : left;
  }

  /** No limit closes the vault until the returned function is called; `clear` still does. */
  hold(): () => void {
    this.#holds += 1;
    let released = false;
    return () => {
      if (released) return;
      released = true;
      this.#holds -= 1;
      if (this.isOpen) this.#arm();
    };
  }

  onChange(listener: (state: LockState) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #now(): Moment {
    return { wall: this.#clock.wall(), steady: this.#clock.steady() };
  }

  #isOver(held: Held): boolean {
    return this.#holds === 0 && this.#left(held) <= 0;
  }

  /** Time until the nearer limit, in ms; Infinity with a key file. */
  #left({ wrapped, openedAt, usedAt }: Held): number {
    if (wrapped.scheme === "key-file") return Infinity;
    const now = this.#now();
    // The longer of both: the wall clock may have been set back, the steady one may have stood still.
    const since = (then: Moment): number => Math.max(now.wall - then.wall, now.steady - then.steady);
    return Math.min(IDLE_LIMIT_MS - since(usedAt), HARD_LIMIT_MS - since(openedAt));
  }

  #arm(): void {
    this.#cancel?.();
    this.#cancel = null;
    if (this.#held === null || this.#holds > 0) return;
    const left = this.#left(this.#held);
    if (left === Infinity) return;
    this.#cancel = this.#clock.after(Math.max(1, left), () => {
      this.#cancel = null;
      // Timers may fire early, by a part of a millisecond.
      if (this.isOpen) this.#arm();
    });
  }

  #forget(): void {
    this.#cancel?.();
    this.#cancel = null;
    this.#held?.dataKey.fill(0);
    this.#held = null;
  }

  #tell(state: LockState): void {
    for (const listener of this.#listeners) listener(state);
  }
}
