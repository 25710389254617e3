// Sources of a replay as one stream of items: files of every kind, folders, saved payloads, the history, an earlier run,
// standard input. Memory stays flat, whatever their size.

import { basename } from "node:path";
import type { CurrencyNumbering } from "#src/contract/records/profile.ts";

import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { Fault } from "#src/contract/fault.ts";
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
import { createSourceItems, shownName, type SourceItems, type SourceLine } from "./source-items.ts";
import { readText } from "./source-text.ts";

export interface SourcePlaces {
  readonly now: Milliseconds;
  /** What the profile says of currencies; those of ISO 4217 without it. */
  readonly numbering?: CurrencyNumbering | undefined;
  /** Saved payloads: a bare name that is no file is looked up here. @throws Fault for a name that can be none */
  readonly payloadPath: (name: string) => string;
  /** Entries of the history that match, oldest first. */
  history(filter: string): AsyncIterable<HistoryEntry>;
  /** Its rows, perhaps with where they were sent to. @throws Fault("usage") for an unknown run */
  run(id: string): AsyncIterable<SourceRow>;
  /** For the source `-`. */
  readonly stdin: AsyncIterable<Uint8Array> | null;
}

/** A row of an earlier run, with what its header says where somebody asks for that. */
export type SourceRow = RunRow & Partial<Pick<RunHeader, "profile" | "project">>;

export interface SourceReading {
  /**
   * Items with growing seq from 1, and bad lines, in the order of the sources.
   * @throws Fault("bad_input") for the first bad line when strict; Fault("usage") for a source that is not there, before the first item
   */
  readonly lines: AsyncIterable<SourceLine>;
  /** The same by the hundred, which costs a fraction. A reading is gone through once, by one of the two. */
  readonly batches: AsyncIterable<readonly SourceLine[]>;
  /** Share of the sources that was read, 0..1, by bytes; null where it cannot be known (history, run, stdin). */
  fraction(): number | null;
}

const HISTORY = "history:";
const RUN = "run:";
const STDIN = "-";
const NO_IRREGULAR_NUMBERS: ReadonlyMap<string, string> = new Map();

/** Items that come one by one, from the history or a run, are handed on by this many. */
const BATCH = 256;

/**
 * Reads payloads from sources in the user's words: files, folders, names of saved payloads, `history:<filter>`, `run:<id>`, `-`.
 * Nothing is opened before the first item is asked for.
 * @param options.strict true to throw at the first line that is no payload
 * @param options.signal ends the wait for more of a pipe, as if it had ended
 */
export function readSources(
  sources: readonly string[],
  places: SourcePlaces,
  options: { readonly strict: boolean; readonly signal?: AbortSignal },
): SourceReading {
  const progress = { read: 0, total: 0 };
  const measurable = sources.every((source) => !isStream(source));
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
 * Looks whether every source that is a file or a folder is there and can be opened, without reading any.
 * @throws Fault("usage" | "bad_input") that names the first which is not
 */
export async function requireSources(sources: readonly string[], places: SourcePlaces): Promise<void> {
  for (const part of await findParts(sources, places)) if (isFile(part)) await requireReadable(part);
}

interface Progress {
  read: number;
  /** NaN with a pipe among the sources. */
  total: number;
}

/** A word that is read from somewhere else than a file, or what a word led to. */
type Part = string | Found;

async function* readBatches(
  sources: readonly string[],
  places: SourcePlaces,
  { strict, signal = new AbortController().signal }: Parameters<typeof readSources>[2],
  progress: Progress,
): AsyncGenerator<readonly SourceLine[], void, undefined> {
  const parts = await findParts(sources, places);
  for (const part of parts) if (isFile(part)) progress.total += part.bytes ?? Number.NaN;

  const items = createSourceItems({ strict, now: places.now, numbering: places.numbering });
  try {
    for (const part of parts) {
      for await (const _ of readPart(part, places, items, progress, signal)) {
        const batch = items.take();
        if (batch.length > 0) yield batch;
      }
    }
    progress.read = progress.total;
  } catch (error) {
    // What stands before the bad line is as good as ever.
    const batch = items.take();
    if (batch.length > 0) yield batch;
    throw error;
  }
}

/** Looks for every source before the first is read: a wrong name must not come out after half of the payments were sent. */
async function findParts(sources: readonly string[], places: SourcePlaces): Promise<Part[]> {
  if (sources.length === 0)
    throw new Fault("usage", "There is no source; name a file, a folder or a saved payload.");
  if (sources.filter((source) => source === STDIN).length > 1) {
    throw new Fault("usage", "Standard input can be read once only; name - once.");
  }
  if (sources.includes(STDIN) && places.stdin === null) {
    throw new Fault("usage", "There is no standard input to read here; name a file instead of -.");
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
  items: SourceItems,
  progress: Progress,
  signal: AbortSignal,
): AsyncGenerator<void, void, undefined> {
  if (isFile(part)) {
    const onBytes = (bytes: number): void => void (progress.read += bytes);
    yield* readText(fileChunks(part, signal), basename(part.path), part.label, items, onBytes);
  } else if (typeof part !== "string") {
    items.reject(shownName(part.path), part.message);
    yield;
  } else if (part === STDIN) {
    yield* readText(places.stdin!, "", "stdin", items, () => undefined);
  } else if (part.startsWith(HISTORY)) {
    yield* readHistory(places.history(part.slice(HISTORY.length)), items);
  } else {
    yield* readRun(places.run(part.slice(RUN.length)), shownName(part), items);
  }
}

async function* readHistory(
  entries: AsyncIterable<HistoryEntry>,
  items: SourceItems,
): AsyncGenerator<void, void, undefined> {
  let count = 0;
  for await (const entry of entries) {
    const { id, at, profile, project, request, result } = entry;
    const was = result?.recommendation ?? null;
    const recorded = { at, virtualAt: result?.virtualTimeMs ?? null, place: { profile, project } };
    items.value(`${HISTORY}${id}`, asRead({ request }), { was, recorded });
    if (++count % BATCH === 0) yield;
  }
  yield;
}

async function* readRun(
  rows: AsyncIterable<SourceRow>,
  label: string,
  items: SourceItems,
): AsyncGenerator<void, void, undefined> {
  let count = 0;
  for await (const { seq, key, request, expect, tags, result, at, profile, project } of rows) {
    const was = result?.recommendation ?? null;
    const place = profile === undefined || project === undefined ? null : { profile, project };
    const known = { was, key, recorded: { at, virtualAt: null, place } };
    items.value(`${label}:${seq}`, asRead({ request, expect, tags }), known);
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
