// A set of 64-bit fingerprints in flat memory: a replay window may hold millions of them.

/** Bytes of one fingerprint. */
export const FINGERPRINT_BYTES = 8;

/** Fingerprints are byte strings: one character a byte. */
export interface FingerprintSet {
  readonly size: number;
  /** @returns false if it was there already */
  add(fingerprint: string): boolean;
  has(fingerprint: string): boolean;
}

/** Open addressing in a typed array, at most half full: 16 bytes an entry, no object per entry. */
export function createFingerprintSet(): FingerprintSet {
  let slots = new Uint32Array(2 * 64);
  let size = 0;

  /** Index of the fingerprint's slot, or of the free one where it belongs. Zero marks a free slot. */
  function find(table: Uint32Array, high: number, low: number): number {
    const mask = table.length / 2 - 1;
    let index = low & mask;
    for (;;) {
      const at = index * 2;
      if ((table[at] === 0 && table[at + 1] === 0) || (table[at] === high && table[at + 1] === low))
        return at;
      index = (index + 1) & mask;
    }
  }

  function grow(): void {
    const larger = new Uint32Array(slots.length * 2);
    for (let at = 0; at < slots.length; at += 2) {
      const high = slots[at]!;
      const low = slots[at + 1]!;
      if (high === 0 && low === 0) continue;
      const to = find(larger, high, low);
      larger[to] = high;
      larger[to + 1] = low;
    }
    slots = larger;
  }

  return {
    get size() {
      return size;
    },
    has(fingerprint) {
      const high = word(fingerprint, 0);
      const low = lowWord(fingerprint, high);
      const at = find(slots, high, low);
      return slots[at] === high && slots[at + 1] === low;
    },
    add(fingerprint) {
      const high = word(fingerprint, 0);
      const low = lowWord(fingerprint, high);
      const at = find(slots, high, low);
      if (slots[at] === high && slots[at + 1] === low) return false;
      slots[at] = high;
      slots[at + 1] = low;
      size += 1;
      if (size * 4 > slots.length) grow();
      return true;
    },
  };
}

/** Four bytes as an unsigned number. */
function word(bytes: string, at: number): number {
  const high = (bytes.charCodeAt(at) << 8) | bytes.charCodeAt(at + 1);
  return ((high << 16) | (bytes.charCodeAt(at + 2) << 8) | bytes.charCodeAt(at + 3)) >>> 0;
}

/** Two words of zeros would look like a free slot. */
function lowWord(fingerprint: string, high: number): number {
  const low = word(fingerprint, 4);
  return high === 0 && low === 0 ? 1 : low;
}
