// The sources of a replay as one stream of items in constant memory: files, folders, saved payloads, the history, an earlier
// run, standard input.

import { basename } from "node:path";
import type { CurrencyNumbering } from "#src/contract/records/profile.ts";

import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { usage } from "#src/contract/fault.ts";
import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import type { RunHeader, RunRow } from "#src/contract/records/run.ts";
import type { StrictJson } from "#src/contract/text/strict-json.ts";
import {
  fileChunks,
  findFiles,
  requireReadable,
  withDistinctLabels,
  type Found,
  type SourceFile,
} from "./source-files.ts";
import {
  createSourceItems,
  createSourceTimes,
  NO_IRREGULAR_NUMBERS,
  shownName,
  type Recorded,
  type SourceItems,
  type SourceLine,
  type SourceSink,
} from "./source-items.ts";
import { payloadTable, type TableSink } from "./source-csv.ts";
import { readText } from "./source-text.ts";

export interface SourcePlaces {
  readonly now: Milliseconds;
  /** Currency numbering of the profile; ISO 4217 by default. */
  readonly numbering?: CurrencyNumbering | undefined;
  /** Path of a saved payload by name. @throws Fault for an invalid name */
  readonly payloadPath: (name: string) => string | Promise<string>;
  /** Matching entries of the history, oldest first. @param onCount told how many, before the first */
  history(filter: string, onCount: (count: number) => void): AsyncIterable<HistoryEntry>;
  /** Rows of `<id>` or, for `<id>:<kinds>`, some of them. @throws Fault("usage") for an unknown run or kind */
  run(word: string): AsyncIterable<SourceRow>;
  /** For the source `-`. */
  readonly stdin: AsyncIterable<Uint8Array> | null;
  /** Columns of CSV sources that are left out. */
  readonly ignoredColumns?: readonly string[] | undefined;
}

/** A row of an earlier run, optionally with profile and project of its header. */
export type SourceRow = RunRow & Partial<Pick<RunHeader, "profile" | "project">>;

export interface SourceReading {
  /**
   * Items with growing seq from 1, and bad lines, in the order of the sources.
   * @throws Fault("bad_input") for the first bad line when strict; Fault("usage") for a missing source, before the first item
   */
  readonly lines: AsyncIterable<SourceLine>;
  /** The same in batches, which is faster. Only one of the two may be iterated, once. */
  readonly batches: AsyncIterable<readonly SourceLine[]>;
  /** Share of the bytes, or of the history's entries, that was read, 0 to 1; null when the size is unknown (run, stdin). */
  fraction(): number | null;
}

const HISTORY = "history:";
const RUN = "run:";
const STDIN = "-";

/** Batch size for items of the history or a run. */
const BATCH = 256;

/**
 * Reads payloads from sources: files, folders, names of saved payloads, `history:<filter>`, `run:<id>`, `run:<id>:<kinds>`,
 * `-`. Nothing is
 * opened before the first item is requested.
 * @param options.strict true to throw at the first line that is no payload
 * @param options.signal ends the wait for more of a pipe, as if it had ended
 */
export function readSources(
  sources: readonly string[],
  places: SourcePlaces,
  options: { readonly strict: boolean; readonly signal?: AbortSignal },
): SourceReading {
  const progress = { read: 0, total: 0 };
  const measurable =
    sources.every((source) => !isStream(source)) || sources.every((source) => source.startsWith(HISTORY));
  const batches = readBatches(sources, places, options, progress);
  return {
    batches,
    lines: flat(batches),
    fraction: () => {
      if (!measurable || Number.isNaN(progress.total)) return null;
      return progress.total === 0 ? 0 : Math.min(1, progress.read / progress.total);
    },
  };
}

/**
 * When each payment happened, read without the rest of it.
 * @returns null where a source can be read once only: standard input, a named pipe
 * @throws as `readSources` does
 */
export async function readTimes(
  sources: readonly string[],
  places: SourcePlaces,
  signal: AbortSignal,
): Promise<AsyncIterable<readonly (Recorded | undefined)[]> | null> {
  const parts = await findParts(sources, places);
  if (parts.some((part) => part === STDIN || (isFile(part) && part.bytes === null))) return null;
  return readParts(parts, places, createSourceTimes(), { read: 0, total: 0 }, signal);
}

/**
 * Checks that every file and folder among the sources exists and can be opened.
 * @throws Fault("usage" | "bad_input") for the first one that cannot
 */
export async function requireSources(sources: readonly string[], places: SourcePlaces): Promise<void> {
  for (const part of await findParts(sources, places)) if (isFile(part)) await requireReadable(part);
}

interface Progress {
  read: number;
  /** NaN with a pipe among the sources. */
  total: number;
}

/** The word of a stream (history, run, stdin), or a file. */
type Part = string | Found;

async function* readBatches(
  sources: readonly string[],
  places: SourcePlaces,
  { strict, signal = new AbortController().signal }: Parameters<typeof readSources>[2],
  progress: Progress,
): AsyncGenerator<readonly SourceLine[], void, undefined> {
  const parts = await findParts(sources, places);
  for (const part of parts) if (isFile(part)) progress.total += part.bytes ?? Number.NaN;

  yield* readParts(
    parts,
    places,
    createSourceItems({ strict, now: places.now, numbering: places.numbering }),
    progress,
    signal,
  );
}

async function* readParts<T>(
  parts: readonly Part[],
  places: SourcePlaces,
  items: SourceItems<T>,
  progress: Progress,
  signal: AbortSignal,
): AsyncGenerator<readonly T[], void, undefined> {
  try {
    for (const part of parts) {
      for await (const _ of readPart(part, places, items, progress, signal)) {
        const batch = items.take();
        if (batch.length > 0) yield batch;
      }
    }
    progress.read = progress.total;
  } catch (error) {
    // Items before the bad line are valid.
    const batch = items.take();
    if (batch.length > 0) yield batch;
    throw error;
  }
}

/** Finds every source before reading the first, so that a wrong name is reported before any payment is sent. */
async function findParts(sources: readonly string[], places: SourcePlaces): Promise<Part[]> {
  if (sources.length === 0) throw usage`There is no source; name a file, a folder or a saved payload.`;
  if (sources.filter((source) => source === STDIN).length > 1) {
    throw usage`Standard input can be read once only; name - once.`;
  }
  if (sources.includes(STDIN) && places.stdin === null) {
    throw usage`There is no standard input to read here; name a file instead of -.`;
  }
  const words: string[] = [];
  const found: Found[] = [];
  const order: (() => Part)[] = [];
  for (const source of sources) {
    if (isStream(source)) {
      const index = words.push(source) - 1;
      order.push(() => words[index]!);
      continue;
    }
    for (const file of await findFiles(source, places.payloadPath)) {
      const index = found.push(file) - 1;
      order.push(() => labelled[index]!);
    }
  }
  const labelled = withDistinctLabels(found);
  return order.map((part) => part());
}

async function* readPart(
  part: Part,
  places: SourcePlaces,
  items: SourceSink,
  progress: Progress,
  signal: AbortSignal,
): AsyncGenerator<void, void, undefined> {
  const table = (): TableSink => payloadTable(items, places.ignoredColumns ?? []);
  if (isFile(part)) {
    const onBytes = (bytes: number): void => void (progress.read += bytes);
    const name = basename(part.path);
    yield* readText(fileChunks(part, signal), { name, label: part.label, table: table() }, items, onBytes);
  } else if (typeof part !== "string") {
    items.reject(shownName(part.path), part.message);
    yield;
  } else if (part === STDIN) {
    yield* readText(places.stdin!, { name: "", label: "stdin", table: table() }, items, () => undefined);
  } else if (part.startsWith(HISTORY)) {
    const entries = places.history(part.slice(HISTORY.length), (count) => void (progress.total += count));
    yield* readHistory(entries, items, progress);
  } else {
    yield* readRun(places.run(part.slice(RUN.length)), items);
  }
}

async function* readHistory(
  entries: AsyncIterable<HistoryEntry>,
  items: SourceSink,
  progress: Progress,
): AsyncGenerator<void, void, undefined> {
  let count = 0;
  for await (const entry of entries) {
    const { id, at, profile, project, request, result } = entry;
    const was = result?.recommendation ?? null;
    const recorded = { at, virtualAt: result?.virtualTimeMs ?? null, place: { profile, project } };
    items.value(`${HISTORY}${id}`, asRead({ request }), { was, recorded });
    progress.read += 1;
    if (++count % BATCH === 0) yield;
  }
  yield;
}

async function* readRun(
  rows: AsyncIterable<SourceRow>,
  items: SourceSink,
): AsyncGenerator<void, void, undefined> {
  let count = 0;
  for await (const {
    key,
    origin,
    request,
    expect,
    tags,
    label,
    result,
    at,
    time,
    profile,
    project,
  } of rows) {
    const was = result?.recommendation ?? null;
    const place = profile === undefined || project === undefined ? null : { profile, project };
    const facts = { was, key, time, recorded: { at: time ?? at, virtualAt: null, place } };
    items.value(origin, asRead({ request, expect, tags, outcome: label }), facts);
    if (++count % BATCH === 0) yield;
  }
  yield;
}

function asRead(envelope: object): StrictJson {
  return { value: envelope, irregularNumbers: NO_IRREGULAR_NUMBERS };
}

function isStream(source: string): boolean {
  return source === STDIN || source.startsWith(HISTORY) || source.startsWith(RUN);
}

function isFile(part: Part): part is SourceFile {
  return typeof part !== "string" && "label" in part;
}

async function* flat(
  batches: AsyncIterable<readonly SourceLine[]>,
): AsyncGenerator<SourceLine, void, undefined> {
  for await (const batch of batches) for (const line of batch) yield line;
}
