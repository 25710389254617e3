// What stand-ins are drawn from: HMAC-SHA-256 under a key, as words, as bytes, and as permutations of whole numbers.

import { createHmac, createSecretKey } from "node:crypto";

const CONSONANTS = "bdfgklmnprstvz";
const VOWELS = "aeiou";
/** As in FF1 of NIST SP 800-38G. */
const ROUNDS = 10;
/** Permuted numbers that are remembered, because customers come back. */
const MOST_KNOWN = 50_000;
/** Steps after which a walk gives up. */
const MOST_STEPS = 1_000;

export type KeyedDraws = ReturnType<typeof createKeyedDraws>;

/** @param key at least 32 random bytes */
export function createKeyedDraws(key: Uint8Array) {
  const secret = createSecretKey(key);
  const known = new Map<string, bigint>();

  /** The same 32 bytes for the same value of a kind; nothing can be told from them without the key. */
  const bytes = (kind: string, value: string): Buffer =>
    createHmac("sha256", secret).update(`${kind}\0${value}`).digest();

  function feistel(kind: string, half: bigint, mask: bigint, number: bigint): bigint {
    let [left, right] = [number >> half, number & mask];
    for (let round = 0; round < ROUNDS; round++) {
      const drawn = bytes(kind, `${half} ${round} ${right}`).readBigUInt64LE() & mask;
      [left, right] = [right, left ^ drawn];
    }
    return (left << half) | right;
  }

  return {
    bytes,
    /**
     * A word that can be spoken. Each syllable holds 6.1 bits, so of n values two have one word with a chance of less than
     * n squared / 2 to the power of 6.1 times the syllables plus 1.
     * @param syllables at most 16
     */
    word(kind: string, value: string, syllables: number): string {
      const drawn = bytes(kind, value);
      let text = "";
      for (let at = 0; at < syllables; at++) {
        const sound = drawn.readUInt16LE(at * 2) % (CONSONANTS.length * VOWELS.length);
        text += CONSONANTS[Math.floor(sound / VOWELS.length)]! + VOWELS[sound % VOWELS.length]!;
      }
      return text;
    },
    /**
     * Where a permutation of 0 to below `size` puts a number: never two to one place. It is a balanced Feistel network that is
     * walked until it is back in the range (Black and Rogaway 2002, "Ciphers with arbitrary finite domains").
     */
    permuted(kind: string, size: bigint, number: bigint): bigint {
      const name = `${kind}\0${size} ${number}`;
      let place = known.get(name);
      if (place !== undefined) return place;
      const half = BigInt(Math.ceil((size - 1n).toString(2).length / 2));
      const mask = (1n << half) - 1n;
      place = number;
      do place = feistel(`${kind} ${size}`, half, mask, place);
      while (place >= size);
      if (known.size >= MOST_KNOWN) known.clear();
      known.set(name, place);
      return place;
    },
  };
}

/**
 * Permutes on until what is found is like the start, so that each class is permuted within itself: one of a single value
 * stays. The classes are to be large, or the steps enough for all that is permuted: a walk that gives up ends at its start.
 */
export function walkWithin<T>(start: T, step: (from: T) => T, isAlike: (other: T) => boolean): T {
  let found = step(start);
  for (let steps = 0; steps < MOST_STEPS; steps++) {
    if (isAlike(found)) return found;
    found = step(found);
  }
  return start;
}
