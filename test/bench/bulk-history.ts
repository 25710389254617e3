// A history of any size in seconds: lines in the real form of segments, without a sync for each.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { intentRecord, outcomeRecord } from "#src/storage/database/history-record.ts";
import { encodeLine } from "#src/storage/database/journal-line.ts";
import { newSegment, sealedName } from "#src/storage/database/segment-name.ts";
import { SEGMENT_LIMIT } from "#src/storage/database/segment-writer.ts";
import { entryOf, type Owner } from "../captures/full-history.ts";

/**
 * Writes `count` checks that end at `now`, one every `stepMs`, into full segments and one that may grow.
 * @returns bytes
 */
export function writeBulkHistory(
  dir: string,
  count: number,
  of: Owner,
  now: number,
  stepMs = 30_000,
): number {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  let lines: Buffer[] = [];
  let size = 0;
  let total = 0;
  let sequence = 0;
  let segment = newSegment(now - count * stepMs);
  let last = 0;
  const add = (record: unknown, time: number): void => {
    const line = encodeLine({ sequence: ++sequence, time, record });
    lines.push(line);
    size += line.length;
    last = time;
  };
  const flush = (full: boolean): void => {
    if (lines.length === 0) return;
    const name = full ? sealedName(segment, last) : segment.file;
    writeFileSync(join(dir, name), Buffer.concat(lines), { mode: 0o600 });
    total += size;
    lines = [];
    size = 0;
    sequence = 0;
  };
  for (let age = count - 1; age >= 0; age -= 1) {
    const at = now - age * stepMs;
    const entry = { ...entryOf(age, of, now), at };
    const id = `${at.toString(36).padStart(9, "0")}${(age % 0xffffffffff).toString(16).padStart(10, "0")}`;
    if (size === 0) segment = newSegment(at);
    add(intentRecord({ ...entry, id }), at);
    if (entry.result !== null) add(outcomeRecord({ ...entry, id }), at + 80);
    if (size >= SEGMENT_LIMIT) flush(true);
  }
  flush(false);
  return total;
}
