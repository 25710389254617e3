// One record of a journal as one line: {"c":"<CRC-32>","n":<sequence>,"t":<ms>,"r":<record>}.
// The checksum covers every byte between it and the line feed, so that checking needs no parsing.

import { crc32 } from "node:zlib";

export interface JournalLine {
  /** Counts the lines of a segment, from 1. */
  readonly sequence: number;
  /** When it was appended, in ms since the epoch; never falls within a segment. */
  readonly time: number;
  readonly record: unknown;
}

export const LINE_FEED = 0x0a;

const HEAD = Buffer.from('{"c":"');
const AFTER_SUM = Buffer.from('",');
const SUM_END = HEAD.length + 8;
const REST = SUM_END + AFTER_SUM.length;

/** The line with its line feed. */
export function encodeLine({ sequence, time, record }: JournalLine): Buffer {
  const json = JSON.stringify(record);
  if (json === undefined) throw new TypeError("a journal record must survive JSON");
  const rest = `"n":${sequence},"t":${time},"r":${json}}`;
  return Buffer.from(`{"c":"${sum(rest)}",${rest}\n`, "utf8");
}

/** Reads a line without its line feed; null when it is torn or damaged. */
export function decodeLine(bytes: Buffer): JournalLine | null {
  if (bytes.length <= REST) return null;
  if (bytes.compare(HEAD, 0, HEAD.length, 0, HEAD.length) !== 0) return null;
  if (bytes.compare(AFTER_SUM, 0, AFTER_SUM.length, SUM_END, REST) !== 0) return null;
  if (sumIn(bytes) !== crc32(bytes.subarray(REST))) return null;
  try {
    const { n, t, r } = JSON.parse(bytes.toString("utf8")) as { n: unknown; t: unknown; r: unknown };
    if (typeof n !== "number" || typeof t !== "number" || r === undefined) return null;
    return { sequence: n, time: t, record: r };
  } catch {
    return null;
  }
}

/** The checksum that the line carries; -1 for anything but eight small hexadecimal digits. */
function sumIn(bytes: Buffer): number {
  let value = 0;
  for (let index = HEAD.length; index < SUM_END; index += 1) {
    const byte = bytes[index]!;
    const isLetter = byte >= 0x61 && byte <= 0x66;
    if (!isLetter && (byte < 0x30 || byte > 0x39)) return -1;
    value = value * 16 + byte - (isLetter ? 0x57 : 0x30);
  }
  return value;
}

function sum(bytes: string): string {
  return crc32(bytes).toString(16).padStart(8, "0");
}
