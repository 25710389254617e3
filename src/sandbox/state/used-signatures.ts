// Replay protection: accepted signatures are remembered for as long as they could be replayed, by the minute that was signed.

import { hash } from "node:crypto";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
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
    if (set === undefined) this.#minutes.set(minute, (set = new FingerprintSet()));
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

/** Bytes of one fingerprint. */
export const FINGERPRINT_BYTES = 8;

/**
 * Fingerprints in flat memory, as a replay window may hold millions of them: open addressing in a typed array, at most half
 * full, 16 bytes an entry. They are byte strings, one character a byte.
 */
export class FingerprintSet {
  size = 0;
  /** Two words each; zeros where a slot is free. */
  #slots = new Uint32Array(2 * 64);

  has(fingerprint: string): boolean {
    return !this.#isFree(this.#find(...wordsOf(fingerprint)));
  }

  /** @returns false if it was there already */
  add(fingerprint: string): boolean {
    const isNew = this.#put(...wordsOf(fingerprint));
    if (isNew) this.size += 1;
    if (this.size * 4 > this.#slots.length) this.#grow();
    return isNew;
  }

  /** Index of the fingerprint's slot, or of the free one where it belongs. */
  #find(high: number, low: number): number {
    const slots = this.#slots;
    const mask = slots.length / 2 - 1;
    for (let index = low & mask; ; index = (index + 1) & mask) {
      const at = index * 2;
      if (this.#isFree(at) || (slots[at] === high && slots[at + 1] === low)) return at;
    }
  }

  #isFree(at: number): boolean {
    return this.#slots[at] === 0 && this.#slots[at + 1] === 0;
  }

  #put(high: number, low: number): boolean {
    const at = this.#find(high, low);
    if (!this.#isFree(at)) return false;
    this.#slots[at] = high;
    this.#slots[at + 1] = low;
    return true;
  }

  #grow(): void {
    const before = this.#slots;
    this.#slots = new Uint32Array(before.length * 2);
    for (let at = 0; at < before.length; at += 2)
      if (before[at] !== 0 || before[at + 1] !== 0) this.#put(before[at]!, before[at + 1]!);
  }
}

/** Two words of zeros would look like a free slot. */
function wordsOf(fingerprint: string): [high: number, low: number] {
  const [high, low] = [word(fingerprint, 0), word(fingerprint, 4)];
  return [high, high === 0 && low === 0 ? 1 : low];
}

/** Four bytes as an unsigned number. */
function word(bytes: string, at: number): number {
  const high = (bytes.charCodeAt(at) << 8) | bytes.charCodeAt(at + 1);
  return ((high << 16) | (bytes.charCodeAt(at + 2) << 8) | bytes.charCodeAt(at + 3)) >>> 0;
}
