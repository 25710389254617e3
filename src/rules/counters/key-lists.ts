// Linked lists of records by key: the slot of a key has the first record of each of its lists.

import { FIRST_LIST } from "./key-slots.ts";
import { Records } from "./records.ts";

/** A record: the next one of its list, integers, and doubles behind an even number of words. */
export class KeyLists {
  /** Numbers of a record as it is written. */
  readonly numbers: number;
  /** Index in `Records.doubles` of the first double, from half the index of its record on. */
  readonly #firstDouble: number;
  /** Behind their own methods, for whoever copies them. */
  readonly records: Records;
  readonly #slots: Pick<Records, "ints">;
  /** Word of a slot in which its first list of these begins. */
  readonly #heads: number;
  readonly #ints: number;

  /** @param list number of the first list of these in a slot */
  constructor(slots: Pick<Records, "ints">, list: number, ints: number, doubles: number) {
    this.#slots = slots;
    this.#heads = FIRST_LIST + list;
    this.#ints = ints;
    this.numbers = ints + doubles;
    this.#firstDouble = (ints + 2) >> 1;
    this.records = new Records(2 * (this.#firstDouble + doubles));
  }

  get bytes(): number {
    return this.records.bytes;
  }

  clear(slot: number, list = 0): void {
    this.giveAll(this.head(slot, list));
    this.setHead(slot, list, 0);
  }

  /** Records from the head of a list on: integers, then doubles, and so on. */
  write(slot: number, list: number, out: number[]): void {
    const { ints, doubles } = this.records;
    for (let row = this.head(slot, list); row !== 0; row = ints[row]!) {
      for (let i = 1; i <= this.#ints; i++) out.push(ints[row + i]!);
      const first = (row >> 1) + this.#firstDouble;
      for (let i = 0; i < this.numbers - this.#ints; i++) out.push(doubles[first + i]!);
    }
  }

  /** Inserts a record at the head of a list, as `write` wrote it. */
  put(slot: number, list: number, from: ArrayLike<number>, start = 0): number {
    const row = this.records.take();
    const { ints, doubles } = this.records;
    for (let i = 0; i < this.#ints; i++) ints[row + 1 + i] = from[start + i]!;
    const first = (row >> 1) + this.#firstDouble - this.#ints;
    for (let i = this.#ints; i < this.numbers; i++) doubles[first + i] = from[start + i]!;
    ints[row] = this.head(slot, list);
    this.setHead(slot, list, row);
    return row;
  }

  protected head(slot: number, list = 0): number {
    return this.#slots.ints[slot + this.#heads + list]!;
  }

  protected setHead(slot: number, list: number, row: number): void {
    this.#slots.ints[slot + this.#heads + list] = row;
  }

  /** Frees a record and those behind it. */
  protected giveAll(first: number): void {
    for (let row = first; row !== 0;) {
      const next = this.records.ints[row]!;
      this.records.give(row);
      row = next;
    }
  }
}
