// Keys that stay the same from run to run: the second item of a key becomes `key#2`. A million of them fit into 40 MB,
// because only a fingerprint of 64 bits and a count are kept of each.

const FIRST_SLOTS = 1 << 12;
/** Linear probing stays short below this share of used slots. */
const FULLEST = 0.6;

export interface SourceKeys {
  /** The key itself when it is new, else the first free one of `key#2`, `key#3`, ... */
  unique(key: string): string;
}

/**
 * Remembers keys by fingerprint. Two different keys with the same one (some 3 in 10^8 readings of 1,000,000 keys) cost the
 * later a needless `#2`; none is lost.
 */
export function createSourceKeys(): SourceKeys {
  const table = new FingerprintTable();
  return {
    unique: (key) => {
      let count = table.add(key);
      if (count === 1) return key;
      // `a#2` may be taken by a payload of that very name.
      for (;;) {
        const candidate = `${key}#${count}`;
        if (table.add(candidate) === 1) return candidate;
        count = table.add(key);
      }
    },
  };
}

/** Open addressing over typed arrays; a count of 0 marks a free slot. */
class FingerprintTable {
  #high = new Uint32Array(FIRST_SLOTS);
  #low = new Uint32Array(FIRST_SLOTS);
  #counts = new Uint32Array(FIRST_SLOTS);
  #used = 0;

  /** @returns how often the key was added, this time included */
  add(key: string): number {
    if (this.#used >= this.#counts.length * FULLEST) this.#grow();
    const [high, low] = fingerprint(key);
    const slot = this.#slot(high, low);
    if (this.#counts[slot] === 0) {
      this.#high[slot] = high;
      this.#low[slot] = low;
      this.#used += 1;
    }
    return (this.#counts[slot]! += 1);
  }

  #slot(high: number, low: number): number {
    const mask = this.#counts.length - 1;
    let slot = low & mask;
    while (this.#counts[slot] !== 0 && (this.#high[slot] !== high || this.#low[slot] !== low)) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  #grow(): void {
    const [high, low, counts] = [this.#high, this.#low, this.#counts];
    this.#high = new Uint32Array(counts.length * 2);
    this.#low = new Uint32Array(counts.length * 2);
    this.#counts = new Uint32Array(counts.length * 2);
    for (let old = 0; old < counts.length; old++) {
      if (counts[old] === 0) continue;
      const slot = this.#slot(high[old]!, low[old]!);
      this.#high[slot] = high[old]!;
      this.#low[slot] = low[old]!;
      this.#counts[slot] = counts[old]!;
    }
  }
}

/** Two multiply-and-shift hashes side by side with the finaliser of MurmurHash3; not for anything that must resist an attacker. */
function fingerprint(text: string): readonly [number, number] {
  let high = 0xdeadbeef ^ text.length;
  let low = 0x41c6ce57 ^ text.length;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    high = Math.imul(high ^ unit, 0x9e3779b1);
    low = Math.imul(low ^ unit, 0x5f356495);
    high = (high << 13) | (high >>> 19);
    low = (low << 17) | (low >>> 15);
  }
  return [mixed(high ^ Math.imul(low, 0x85ebca6b)), mixed(low ^ Math.imul(high, 0xc2b2ae35))];
}

function mixed(hash: number): number {
  let value = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
