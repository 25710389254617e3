// What each key has counted as one value of bytes, for counters that lie in another process: an image of the key, and behind
// it the attempts since. Whoever counts appends; whoever reads counts them with the code of the counters in memory.

import { Fault, whole } from "#src/contract/fault.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { AttemptCounts, stepOf, sumsOf, type Attempt, type AttemptView, type Store } from "./attempt-view.ts";
import { COUNTED_KEYS, KIND, keysByIndex } from "./counter-keys.ts";
import { putLists, writeLists } from "./counters-image.ts";
import { bitsOf, createStore, forget, pairKinds } from "./counters.ts";
import { keyBits, type KeyBits } from "./key-slots.ts";
import { MINUTE } from "./window.ts";

/*
 * A value: length of the image (u32); the image, which is the number of the last attempt in it (6 bytes) and the lists of
 * `writeLists` (f64 each), or nothing; then attempts, oldest first. An attempt: its number (6 bytes); flags and companions
 * (u8 each); time, and as the flags say cents, then amount and currency (f64 each); per companion its kind (u8) and both
 * halves of its key (i32 each); three letters of the day on which it was appended. All little-endian.
 */
const NUMBER_BYTES = 6;
const LENGTH_BYTES = 4;
const COMPANION_BYTES = 9;
const DAY_BYTES = 3;
const COUNTED = 1;
const MICRO = 2;
const VALUED = 4;
const STEP = 8;

/** Before this many attempts since its image, a key is left as it is ... */
const MANY = 48;
/** ... and so many stay behind the new one: whoever decides a check again finds the counts that it had. */
const LEFT = 16;

/** What an attempt adds to its keys. */
export interface PackedAttempt {
  /** Indexes in COUNTER_KEYS of the keys that it is added to. */
  readonly kinds: readonly number[];
  readonly keys: readonly string[];
  /** Per key the attempt without number and day, its length (u8) before it. */
  readonly records: Buffer;
}

/** A shorter form of a value. */
export interface Compaction {
  /** First bytes of the value that it was made from: others by now mean that it is out of date. */
  readonly head: Buffer;
  /** Bytes of that value that `image` takes the place of. */
  readonly length: number;
  readonly image: Buffer;
}

export const HEAD_BYTES = LENGTH_BYTES + NUMBER_BYTES;

export function packAttempt(at: Milliseconds, attempt: Attempt): PackedAttempt {
  const names = keysByIndex(attempt.keys);
  const pairs = pairKinds(attempt.pairs);
  const sums = sumsOf(attempt);
  const step = stepOf(at, attempt);
  const bits: (KeyBits | undefined)[] = [];
  const kinds: number[] = [];
  const keys: string[] = [];
  let end = 0;
  for (let kind = 0; kind < names.length; kind++) {
    const key = names[kind];
    if (key === undefined) continue;
    const start = end;
    const isCounted = kind < COUNTED_KEYS.length;
    const pushed = kind === KIND.card ? step : null;
    let flags = 0;
    if (isCounted) flags = COUNTED + (sums.micro === 1 ? MICRO : 0) + (sums.valued === 1 ? VALUED : 0);
    if (pushed !== null) flags += STEP;
    end = packed.writeDoubleLE(at, start + 3);
    if (isCounted) end = packed.writeDoubleLE(sums.cents, end);
    if (pushed !== null)
      end = packed.writeDoubleLE(pushed.currency, packed.writeDoubleLE(pushed.amount, end));
    let companions = 0;
    for (let i = 0; i < pairs.length; i += 2) {
      if (pairs[i + 1] !== kind) continue;
      const of = pairs[i]!;
      const value = names[of];
      if (value === undefined) continue;
      const { high, low } = (bits[of] ??= keyBits(value));
      packed[end] = of;
      end = packed.writeInt32LE(low, packed.writeInt32LE(high, end + 1));
      companions += 1;
    }
    if (!isCounted && companions === 0) {
      end = start;
      continue;
    }
    packed[start] = end - start - 1;
    packed[start + 1] = flags;
    packed[start + 2] = companions;
    kinds.push(kind);
    keys.push(key);
  }
  return { kinds, keys, records: Buffer.from(packed.subarray(0, end)) };
}

/** More than twelve keys with a companion of each kind. */
const packed = Buffer.alloc(4_096);

/** The keys whose values `peekPacked` reads. */
export function keysToPeek({ keys, pairs }: Attempt): string[] {
  const kinds = pairKinds(pairs);
  const isOwner = (kind: number): boolean => kinds.some((other, i) => other === kind && i % 2 === 1);
  return keysByIndex(keys).filter(
    (key, kind): key is string => key !== undefined && (kind < COUNTED_KEYS.length || isOwner(kind)),
  );
}

/** Where values are unpacked to be read. One for all: reading is synchronous, and making one takes as long as a decision. */
const scratch: Store = createStore();
let inScratch: number[] = [];
let holder: unknown = null;

function emptyScratch(next: unknown): void {
  for (const slot of inScratch) forget(scratch, slot);
  inScratch = [];
  holder = next;
}

/**
 * The counts of an attempt that is being counted, including it.
 * @param values of `packAttempt(...).keys`, before it was added or after
 * @param number of the attempt when it was added before; later ones do not count, unless the image has taken them in
 */
export function countsPacked(
  at: Milliseconds,
  attempt: Attempt,
  { kinds, records }: PackedAttempt,
  values: readonly (Buffer | null)[],
  number: number | null,
): AttemptView {
  return packedView(() => {
    const bits = bitsOf(attempt);
    const slots = bits.map(() => 0);
    const chargedBefore = new Map<number, Milliseconds>();
    let start = 0;
    for (const [i, kind] of kinds.entries()) {
      const slot = take(bits[kind]!);
      slots[kind] = slot;
      const noteOwn: NoteCharge = (before) => {
        if (before !== null) chargedBefore.set(kind, before);
      };
      const value = values[i] ?? null;
      if (value !== null) load(slot, value, number, noteOwn);
      const length = records[start]!;
      if (number === null) replay(slot, records, start + 1, noteOwn);
      start += 1 + length;
    }
    return new AttemptCounts(scratch, at, { bits, slots, chargedBefore }, null);
  });
}

/**
 * The counts as if the attempt had been counted.
 * @param values by key; one that is missing has counted nothing
 */
export function peekPacked(
  at: Milliseconds,
  attempt: Attempt,
  values: ReadonlyMap<string, Buffer | null>,
): AttemptView {
  return packedView(() => {
    const bits = bitsOf(attempt);
    const slots = keysByIndex(attempt.keys).map((key, kind) => {
      const value = key === undefined ? undefined : values.get(key);
      if (value == null) return 0;
      const slot = take(bits[kind]!);
      load(slot, value, null);
      return slot;
    });
    return new AttemptCounts(scratch, at, { bits, slots }, attempt);
  });
}

/** @returns null for a value that is short enough as it is */
export function compactionOf(value: Buffer): Compaction | null {
  return intact(() => compacted(value));
}

function compacted(value: Buffer): Compaction | null {
  const starts = attemptsIn(value);
  // At every eighth only: other checks of a busy key see the same value.
  if (starts.length < MANY || starts.length % 8 !== 0) return null;
  const length = starts[starts.length - LEFT]!;
  emptyScratch(null);
  const slot = take({ high: 0, low: 0 });
  const kept = value.subarray(0, length);
  load(slot, kept, null);
  const lists = writeLists(scratch, slot);
  const image = Buffer.allocUnsafe(HEAD_BYTES + lists.length * MOST_BYTES);
  const end = packNumbers(lists, image, HEAD_BYTES);
  image.writeUInt32LE(end - LENGTH_BYTES);
  const last = starts[starts.length - LEFT - 1]!;
  value.copy(image, LENGTH_BYTES, last, last + NUMBER_BYTES);
  return { head: value.subarray(0, HEAD_BYTES), length, image: image.subarray(0, end) };
}

/** @throws Fault `corrupt` for bytes that are no value; they read beyond their end, or hold no lists */
function intact<R>(read: () => R): R {
  try {
    return read();
  } catch (error) {
    holder = null;
    const sentence = "The server has a damaged counter; reset the sandbox, or restore a snapshot of it.";
    throw new Fault("corrupt", whole(sentence)).causedBy(error);
  }
}

/** Receives when the same charge was made before. */
type NoteCharge = (before: Milliseconds | null) => void;

const ignore: NoteCharge = () => undefined;

function take(bits: KeyBits): number {
  const slot = scratch.slots.use(bits);
  inScratch.push(slot);
  return slot;
}

/** Where the attempts since the image begin. */
function attemptsIn(value: Buffer): number[] {
  const starts: number[] = [];
  for (let at = LENGTH_BYTES + value.readUInt32LE(0); at < value.length; at += lengthAt(value, at))
    starts.push(at);
  return starts;
}

function lengthAt(value: Buffer, at: number): number {
  const flags = value[at + NUMBER_BYTES]!;
  const numbers = 1 + (flags & COUNTED ? 1 : 0) + (flags & STEP ? 2 : 0);
  return NUMBER_BYTES + 2 + 8 * numbers + COMPANION_BYTES * value[at + NUMBER_BYTES + 1]! + DAY_BYTES;
}

let numbers = new Float64Array(1_024);

/**
 * @param last number of the attempt behind which there is nothing to read; null for the end
 * @param noteOwn called for the charge of the attempt with that number
 */
function load(slot: number, value: Buffer, last: number | null, noteOwn: NoteCharge = ignore): void {
  const behind = LENGTH_BYTES + value.readUInt32LE(0);
  if (behind > LENGTH_BYTES) {
    if (numbers.length < behind) numbers = new Float64Array(2 * behind);
    const lists = numbers.subarray(0, unpackNumbers(value, HEAD_BYTES, behind, numbers));
    if (putLists(scratch, slot, lists, 0) !== lists.length) throw new RangeError("more than lists");
  }
  for (let at = behind; at < value.length; at += lengthAt(value, at)) {
    const number = value.readUIntLE(at, NUMBER_BYTES);
    if (last !== null && number > last) break;
    replay(slot, value, at + NUMBER_BYTES, number === last ? noteOwn : ignore);
  }
}

/** Adds one attempt, as `record` of the counters does for one of its keys. */
function replay(slot: number, bytes: Buffer, start: number, noteCharge: NoteCharge): void {
  const flags = bytes[start]!;
  const companions = bytes[start + 1]!;
  const at = bytes.readDoubleLE(start + 2);
  let next = start + 10;
  if (flags & COUNTED) {
    const cents = bytes.readDoubleLE(next);
    next += 8;
    scratch.buckets.add(slot, Math.floor(at / MINUTE), {
      attempts: 1,
      micro: flags & MICRO ? 1 : 0,
      valued: flags & VALUED ? 1 : 0,
      cents,
    });
  }
  if (flags & STEP) {
    const amount = bytes.readDoubleLE(next);
    scratch.trails.push(slot, { amount, currency: bytes.readDoubleLE(next + 8), at });
    next += 16;
  }
  for (let i = 0; i < companions; i++, next += COMPANION_BYTES) {
    const kind = bytes[next]!;
    const bits = { high: bytes.readInt32LE(next + 1), low: bytes.readInt32LE(next + 5) };
    const before = scratch.companions.note(slot, kind, bits, at);
    if (kind === KIND.charge) noteCharge(before);
  }
}

/** Unpacks the values when it is read, and again where another one was read in between. */
function packedView(unpack: () => AttemptCounts): AttemptView {
  let counts: AttemptCounts | null = null;
  function read(): AttemptCounts {
    if (holder !== view || counts === null) {
      emptyScratch(view);
      counts = intact(unpack);
    }
    return counts;
  }
  const view: AttemptView = {
    sum: (...of) => read().sum(...of),
    distinct: (...of) => read().distinct(...of),
    run: (...of) => read().run(...of),
    trail: () => read().trail(),
    earlierCharges: (kind) => read().earlierCharges(kind),
  };
  return view;
}

const MORE = 0x80;
const SEVEN = 0x7f;
/** Most bytes of a safe integer. */
const MOST_BYTES = 8;

/**
 * Whole numbers in as few bytes as they need: seven bits a byte, least first, the eighth bit set where more follow (LEB128),
 * with the sign in the lowest bit (zigzag).
 * @param numbers safe integers; negative ones above -2^52
 */
export function packNumbers(numbers: readonly number[], into: Buffer, start: number): number {
  let at = start;
  for (const number of numbers) {
    let rest = number < 0 ? -2 * number - 1 : 2 * number;
    while (rest >= MORE) {
      into[at++] = (rest % MORE) + MORE;
      rest = Math.floor(rest / MORE);
    }
    into[at++] = rest;
  }
  return at;
}

/** @returns how many numbers were read into `numbers` */
export function unpackNumbers(bytes: Uint8Array, start: number, end: number, numbers: Float64Array): number {
  let count = 0;
  let at = start;
  while (at < end) {
    // Integers as far as they go, which is three times as fast.
    let byte = bytes[at++]!;
    let small = byte & SEVEN;
    for (let shift = 7; byte >= MORE && shift < 28; shift += 7) {
      byte = bytes[at++]!;
      small |= (byte & SEVEN) << shift;
    }
    if (byte < MORE) {
      numbers[count++] = (small >>> 1) ^ -(small & 1);
      continue;
    }
    let large = small;
    for (let scale = 2 ** 28; byte >= MORE; scale *= MORE) {
      byte = bytes[at++]!;
      large += (byte & SEVEN) * scale;
    }
    numbers[count++] = (small & 1) === 0 ? large / 2 : -(large + 1) / 2;
  }
  return count;
}
