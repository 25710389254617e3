// What earlier sessions of a run sent, as compactly as a million items need it: nine bytes each.

import { hash } from "node:crypto";

import { escapeText } from "#src/contract/text/escape-text.ts";
import { Fault } from "#src/contract/fault.ts";
import type { RunItem } from "#src/contract/records/run.ts";
import type { RunRecord } from "./run-record.ts";

export class SentItems {
  /** 48 bits of a digest of key and request; 0 where none is known. */
  #fingerprints = new Float64Array(1024);
  /** 1 for an item that certainly never left, so that it may be sent again. */
  #unsent = new Uint8Array(1024);
  #unsentCount = 0;
  /** Intents are written in the order of the sources, so that everything up to here was intended. */
  #highest = 0;

  take(record: RunRecord): void {
    switch (record.type) {
      case "intent":
        this.#reach(record.item.seq);
        this.#fingerprints[record.item.seq] = fingerprint(record.item);
        this.#setUnsent(record.item.seq, false);
        return;
      case "result":
        this.#reach(record.seq);
        this.#setUnsent(record.seq, record.result.outcome === "not_sent");
        return;
      case "withdrawn":
        for (const seq of record.seqs) {
          this.#reach(seq);
          this.#setUnsent(seq, true);
        }
    }
  }

  /** The last item that was ever meant to be sent. */
  get highest(): number {
    return this.#highest;
  }

  get count(): number {
    return this.#highest - this.#unsentCount;
  }

  /** An item whose records are damaged counts as sent: a second payment is worse than an unknown one. */
  has(seq: number): boolean {
    return seq <= this.#highest && this.#unsent[seq] !== 1;
  }

  /** @throws Fault("usage") when something else was intended under this number */
  expectSame(item: RunItem): void {
    const known = item.seq <= this.#highest ? this.#fingerprints[item.seq]! : 0;
    if (known === 0 || known === fingerprint(item)) return;
    throw new Fault(
      "usage",
      `Item ${item.seq} of the sources is not what the run sent; ${escapeText(item.origin, 120)} has changed since, so replay the sources as a new run.`,
    );
  }

  #setUnsent(seq: number, unsent: boolean): void {
    this.#unsentCount += Number(unsent) - this.#unsent[seq]!;
    this.#unsent[seq] = Number(unsent);
  }

  #reach(seq: number): void {
    this.#highest = Math.max(this.#highest, seq);
    if (seq < this.#unsent.length) return;
    const size = Math.max(seq + 1, this.#unsent.length * 2);
    const [fingerprints, unsent] = [new Float64Array(size), new Uint8Array(size)];
    fingerprints.set(this.#fingerprints);
    unsent.set(this.#unsent);
    this.#fingerprints = fingerprints;
    this.#unsent = unsent;
  }
}

/** Never 0, which stands for unknown. */
function fingerprint({ key, request }: RunItem): number {
  const digest = hash("sha256", JSON.stringify([key, request]), "hex");
  return Number.parseInt(digest.slice(0, 12), 16) || 1;
}
