// Whole numbers in as few bytes as they need: seven bits a byte, least first, the eighth bit set where more follow (LEB128),
// with the sign in the lowest bit (zigzag).

const MORE = 0x80;
const SEVEN = 0x7f;
/** Most bytes of a safe integer. */
const MOST_BYTES = 8;

/** @param numbers safe integers; negative ones above -2^52 */
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

export function mostBytes(numbers: readonly unknown[]): number {
  return numbers.length * MOST_BYTES;
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
