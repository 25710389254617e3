// A small number for each of very many keys, in 16 bytes a slot: 1,000,000 keys take 32 MiB, off the heap, whatever their length.

import { hash, randomBytes } from "node:crypto";

export interface KeyTable {
  /** Remembers a number from 0 to 2^32-2 for a key; a later one for the same key replaces it. */
  set(key: string, value: number): void;
  get(key: string): number | undefined;
  /** Keys that are remembered. */
  readonly size: number;
}

/** Three words of the key's hash, and its number plus one; zero there means that the slot is free. */
const WORDS = 4;
const FIRST_SLOTS = 1_024;

/**
 * Open addressing over one typed array; keys are known by 96 bits of their hash and are not kept.
 *
 * Two keys taken for one would invent a flip, so that a fast hash of 32 or 64 bits is not enough: keys are order ids
 * and names of files, and whoever chooses them could choose them to collide. SHA-256 behind a random salt leaves
 * chance alone, which is 6e-18 for any two of 1,000,000 keys, and costs about 1 us a key, all told, where reading its row costs 5.
 */
export function createKeyTable(): KeyTable {
  const salt = randomBytes(16).toString("hex");
  let slots = FIRST_SLOTS;
  let words = new Uint32Array(slots * WORDS);
  let size = 0;

  const grow = (): void => {
    const old = words;
    slots *= 2;
    words = new Uint32Array(slots * WORDS);
    for (let from = 0; from < old.length; from += WORDS) {
      if (old[from + 3] === 0) continue;
      const to = find(words, slots, old[from]!, old[from + 1]!, old[from + 2]!);
      words.set(old.subarray(from, from + WORDS), to);
    }
  };
  const slotOf = (key: string): { slot: number; digest: string } => {
    const digest = digestOf(key, salt);
    return { slot: find(words, slots, word(digest, 0), word(digest, 4), word(digest, 8)), digest };
  };

  return {
    get size() {
      return size;
    },
    get(key) {
      const held = words[slotOf(key).slot + 3]!;
      return held === 0 ? undefined : held - 1;
    },
    set(key, value) {
      // Half full at most: a probe then looks at one or two slots.
      if ((size + 1) * 2 > slots) grow();
      const { slot, digest } = slotOf(key);
      if (words[slot + 3] === 0) size += 1;
      words[slot] = word(digest, 0);
      words[slot + 1] = word(digest, 4);
      words[slot + 2] = word(digest, 8);
      words[slot + 3] = value + 1;
    },
  };
}

/** Index of the slot that holds this hash, or of the free one where it belongs. */
function find(words: Uint32Array, slots: number, a: number, b: number, c: number): number {
  let slot = a & (slots - 1);
  for (;;) {
    const at = slot * WORDS;
    if (words[at + 3] === 0) return at;
    if (words[at] === a && words[at + 1] === b && words[at + 2] === c) return at;
    slot = (slot + 1) & (slots - 1);
  }
}

/** One byte a character. Lone surrogates have no UTF-8 and would all be one: such a key is hashed by its JSON. */
function digestOf(key: string, salt: string): string {
  const text = key.isWellFormed() ? `${salt}=${key}` : `${salt}!${JSON.stringify(key)}`;
  return hash("sha256", text, "binary");
}

function word(digest: string, at: number): number {
  return (
    (digest.charCodeAt(at) |
      (digest.charCodeAt(at + 1) << 8) |
      (digest.charCodeAt(at + 2) << 16) |
      (digest.charCodeAt(at + 3) << 24)) >>>
    0
  );
}
