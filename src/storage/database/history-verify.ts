// Reads every byte of the history and says what is whole: lines, sequence numbers, checksums, and whether the index fits.

import { join } from "node:path";

import type { FileSystem } from "#src/storage/file-system.ts";
import { readIndexFile } from "./history-index-file.ts";
import type { HistoryRecord } from "./history-record.ts";
import { isLocked } from "#src/storage/documents/file-lock.ts";
import { openSegment } from "./journal-reader.ts";
import { endsEarly, listSegments, lockOf } from "./segment-name.ts";
import type { Segment } from "./segment-name.ts";
import { readForward } from "./segment-reader.ts";
import type { DamagedStretch } from "./segment-reader.ts";

export interface SegmentCheck {
  readonly path: string;
  readonly bytes: number;
  /** Whole lines. */
  readonly lines: number;
  readonly entries: number;
  /** Bytes that are no lines: from the first, up to the one behind the last. */
  readonly damaged: readonly { readonly start: number; readonly end: number }[];
  /** Sequence numbers that are missing although nothing is damaged there. */
  readonly missing: readonly { readonly first: number; readonly last: number }[];
  /** Lines are missing at its end although nothing is damaged there. */
  readonly endsEarly: boolean;
  /** A living process writes to it. */
  readonly inUse: boolean;
  /** `none` for a segment that may grow, or that nobody has looked at yet; `misfit` is made anew when it is next needed. */
  readonly index: "fits" | "none" | "misfit";
}

/** About the bytes of one chunk, for the progress alone. */
const READ_STEP = 256 * 1024;

/** One check a segment, oldest first. @param onProgress bytes read, of all */
export async function* verifyHistory(
  dir: string,
  fs: FileSystem,
  onProgress: (done: number, all: number) => void,
): AsyncGenerator<SegmentCheck> {
  const segments = await listSegments(dir, fs);
  let all = 0;
  for (const { file } of segments) all += (await fs.stat(join(dir, file)).catch(() => ({ size: 0 }))).size;
  let before = 0;
  for (const segment of segments) {
    const check = await verifySegment(dir, segment, fs, (done) => onProgress(before + done, all));
    if (check === null) continue;
    before += check.bytes;
    yield check;
  }
}

/** Null for a segment that is gone. */
async function verifySegment(
  dir: string,
  segment: Segment,
  fs: FileSystem,
  onProgress: (done: number) => void,
): Promise<SegmentCheck | null> {
  const file = await openSegment(dir, segment, fs);
  if (file === null) return null;
  try {
    const { size, mtimeMs } = await file.stat();
    const damaged: DamagedStretch[] = [];
    const missing: { first: number; last: number }[] = [];
    let lines = 0;
    let entries = 0;
    let last = 0;
    let newest = 0;
    const chunks = readForward(
      file,
      size,
      (stretch) => damaged.push(stretch),
      (first, last) => missing.push({ first, last }),
    );
    for await (const chunk of chunks) {
      lines += chunk.length;
      newest = chunk.at(-1)?.time ?? newest;
      for (const { record } of chunk) if ((record as HistoryRecord).type === "intent") entries += 1;
      onProgress(Math.min((last += READ_STEP), size));
    }
    const inUse = await isLocked(lockOf(dir, segment), fs);
    const kept =
      segment.lastTime === null
        ? null
        : await readIndexFile(dir, segment.id, { size, changedAt: mtimeMs }, fs);
    const fits = kept !== null && kept.rows.rows === entries;
    return {
      path: join(dir, segment.file),
      bytes: size,
      lines,
      entries,
      // A living process may be in the middle of its last line.
      damaged: damaged.filter(({ open }) => !(open && inUse)).map(({ start, end }) => ({ start, end })),
      missing,
      endsEarly: damaged.length === 0 && !(inUse && segment.lastTime === null) && endsEarly(segment, newest),
      inUse,
      index: fits ? "fits" : kept === null ? "none" : "misfit",
    };
  } finally {
    await file.close();
  }
}
