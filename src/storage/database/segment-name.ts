// Names of journal segments. A segment is `<first time>-<random>.jsonl` while it may grow and
// `<first time>-<random>-<last time>.jsonl` once it is full, so that a listing tells which ones a reader needs.

import { randomBytes } from "node:crypto";
import { join } from "node:path";

import type { FileSystem } from "#src/storage/file-system.ts";
import { systemCode } from "#src/storage/write-fault.ts";

export interface Segment {
  /** Stays the same when the segment is sealed. */
  readonly id: string;
  readonly file: string;
  /** Time of its first record, in ms since the epoch. */
  readonly firstTime: number;
  /** Time of its last record; null while it may grow. */
  readonly lastTime: number | null;
}

const NAME = /^((\d{15})-[0-9a-f]{8})(?:-(\d{15}))?\.jsonl$/;

/** Temporary files of the locks of segments, as a killed process leaves them. */
const ORPHAN = /^\.(?:\d{15}-[0-9a-f]{8}|prune)\.lock(?:\.break)*\.[0-9a-f]{16}\.tmp$/;

export function newSegment(firstTime: number): Segment {
  const id = `${digits(firstTime)}-${randomBytes(4).toString("hex")}`;
  return { id, file: `${id}.jsonl`, firstTime, lastTime: null };
}

/**
 * Whether lines are missing at the end of a segment in which nothing is damaged: its name tells the time of its first
 * record and, of a full one, that of its last.
 * @param newest time of its newest line in ms since the epoch; 0 where there is none
 */
export function endsEarly({ firstTime, lastTime }: Segment, newest: number): boolean {
  return newest < (lastTime ?? firstTime);
}

/** The name that a full segment gets. */
export function sealedName(segment: Segment, lastTime: number): string {
  return `${segment.id}-${digits(lastTime)}.jsonl`;
}

export function lockOf(dir: string, segment: Segment): string {
  return join(dir, `${segment.id}.lock`);
}

export function isOrphan(name: string): boolean {
  return ORPHAN.test(name);
}

export function parseSegment(name: string): Segment | null {
  const match = NAME.exec(name);
  if (match === null) return null;
  const [file, id = "", first, last] = match;
  return { id, file, firstTime: Number(first), lastTime: last === undefined ? null : Number(last) };
}

/** The segments of a folder, oldest first; none when there is no folder. */
export async function listSegments(dir: string, fs: FileSystem): Promise<Segment[]> {
  let names: string[];
  try {
    names = await fs.readdir(dir);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return [];
    throw error;
  }
  const segments = names.map(parseSegment).filter((segment) => segment !== null);
  return segments.sort((a, b) => a.firstTime - b.firstTime || (a.id < b.id ? -1 : 1));
}

function digits(time: number): string {
  return String(time).padStart(15, "0");
}
