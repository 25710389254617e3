// Replay protection: accepted signatures are remembered for as long as they could be replayed, by the minute that was signed.

import { hash } from "node:crypto";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { createFingerprintSet, FINGERPRINT_BYTES, type FingerprintSet } from "./fingerprint-set.ts";
import type { Store } from "./store.ts";

const MINUTE: Milliseconds = 60_000;
/** The lowest minute that is remembered. */
export const SIGNED_FLOOR = "lowest signed minute";

/**
 * - `new`: remembered now; `durable` resolves once a restart cannot forget it
 * - `seen`: a replay
 * - `forgotten`: signed so long ago that its minute has been forgotten (the real clock went back)
 * - `full`: no room; entries are never evicted, because each could then be replayed
 */
export type Remembered =
  | { readonly state: "new"; readonly durable: Promise<void> }
  | { readonly state: "seen" | "forgotten" | "full" };

/** An item of the log: the minute, and the fingerprint in base64url. */
type LoggedSignature = readonly [minute: number, fingerprint: string];

export class UsedSignatures {
  readonly #store: Store;
  readonly #windowMs: Milliseconds;
  readonly #capacity: number;
  readonly #minutes = new Map<number, FingerprintSet>();
  #size = 0;
  /** What is below was forgotten, and is refused. */
  #floor: number;
  /** Minutes below this one are forgotten already. */
  #swept = 0;
  /** Of the last item. Numbers are times of the real clock as far as they grow, so that old rows can be told. */
  #number = 0;

  private constructor(store: Store, windowMs: Milliseconds, capacity: number) {
    this.#store = store;
    this.#windowMs = windowMs;
    this.#capacity = capacity;
    this.#floor = (store.value(SIGNED_FLOOR) as number | undefined) ?? 0;
  }

  /**
   * Opens those of a store.
   * @param windowMs accepted distance between the signed time and the clock, each way
   * @param onDamage called where some are lost
   */
  static async open(
    store: Store,
    windowMs: Milliseconds,
    capacity: number,
    onDamage: () => void,
  ): Promise<UsedSignatures> {
    const opened = new UsedSignatures(store, windowMs, capacity);
    for await (const { number, items } of store.rows("signature")) {
      if (items === null) onDamage();
      const signatures = (items ?? []) as LoggedSignature[];
      for (const [minute, print] of signatures) {
        if (minute >= opened.#floor) opened.#add(minute, Buffer.from(print, "base64url").toString("latin1"));
      }
      opened.#number = Math.max(number, number + signatures.length - 1);
    }
    return opened;
  }

  /** Signatures that are remembered. */
  get size(): number {
    return this.#size;
  }

  /**
   * @param identity what makes the signature unique: key id and nonce, or the signature itself
   * @param signedAt the time that was signed, real
   */
  async remember(identity: string, signedAt: Milliseconds, realNow: Milliseconds): Promise<Remembered> {
    const lowest = Math.floor((realNow - this.#windowMs) / MINUTE);
    if (lowest !== this.#swept) await this.#forgetBefore(lowest, realNow);
    const minute = Math.floor(signedAt / MINUTE);
    if (minute < this.#floor) return { state: "forgotten" };
    const print = hash("sha256", identity, "latin1").slice(0, FINGERPRINT_BYTES);
    if (this.#size >= this.#capacity)
      return { state: this.#minutes.get(minute)?.has(print) === true ? "seen" : "full" };
    if (!this.#add(minute, print)) return { state: "seen" };
    this.#number = Math.max(this.#number + 1, realNow);
    const item: LoggedSignature = [minute, Buffer.from(print, "latin1").toString("base64url")];
    return { state: "new", durable: this.#store.append("signature", this.#number, item) };
  }

  /** @returns false where it is there */
  #add(minute: number, print: string): boolean {
    let set = this.#minutes.get(minute);
    if (set === undefined) this.#minutes.set(minute, (set = createFingerprintSet()));
    if (!set.add(print)) return false;
    this.#size += 1;
    return true;
  }

  /**
   * Forgets the minutes that no acceptable signature can fall into. If the real clock goes back, their times are refused;
   * times of minutes that were always empty are not.
   */
  async #forgetBefore(lowest: number, realNow: Milliseconds): Promise<void> {
    this.#swept = lowest;
    const gone = [...this.#minutes].filter(([minute]) => minute < lowest);
    if (gone.length === 0) return;
    this.#floor = Math.max(this.#floor, ...gone.map(([minute]) => minute + 1));
    for (const [minute, set] of gone) {
      this.#minutes.delete(minute);
      this.#size -= set.size;
    }
    await this.#store.change({ [SIGNED_FLOOR]: this.#floor }, "NORMAL");
    // A row may hold times that were ahead of the clock. No request waits for it.
    this.#store.forget("signature", realNow - 2 * (this.#windowMs + MINUTE)).catch(() => undefined);
  }
}
