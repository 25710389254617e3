// Reads payloads from a file or standard input: detects the format, then feeds its reader chunk by chunk.

import { asSentence, foreignTextProblem } from "#src/contract/fields/not-a-payment.ts";
import { unpacked } from "./gzip.ts";
import { ArraySplitter } from "./source-array.ts";
import { CsvReader, type TableSink } from "./source-csv.ts";
import { readCurlCommands } from "./source-curl.ts";
import type { SourceSink } from "./source-items.ts";
import { isEnough, kindOf, KNOWN_ENDINGS, notText, type SourceKind } from "./source-kind.ts";
import { LineSplitter } from "./source-lines.ts";

/** Largest text that is read as a whole: a JSON object or curl commands. */
const DOCUMENT_LIMIT_BYTES = 5 * 1024 * 1024;

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const BOM = [0xef, 0xbb, 0xbf];

/** `push` returns false when the rest cannot be read. */
interface Reader {
  push(chunk: Uint8Array): boolean;
  end(): void;
}

export interface TextSource {
  /** Base name, for its ending; empty for standard input. */
  readonly name: string;
  /** Name in origins. */
  readonly label: string;
  /** Takes the rows of a CSV table. */
  readonly table: TableSink;
  /** Another way to detect the format. */
  readonly kindOf?: typeof kindOf;
  /** Largest text that is read as a whole; 5 MiB by default. */
  readonly documentBytes?: number;
  /** What it should hold; `payload` by default. */
  readonly what?: string;
}

/**
 * Reads payloads from chunks of bytes, which may be compressed with gzip, into `items`.
 * @param onBytes called with the size of each chunk
 * @yields after each chunk, so that collected items can be taken
 */
export async function* readText(
  chunks: AsyncIterable<Uint8Array>,
  source: TextSource,
  items: SourceSink,
  onBytes: (bytes: number) => void,
): AsyncGenerator<void, void, undefined> {
  const { label, what = "payload" } = source;
  const before = items.count;
  let damaged = false;
  const onDamage = (): void => void (damaged = true);
  let head: Uint8Array = new Uint8Array();
  let reader: Reader | null = null;
  for await (const chunk of unpacked(counting(chunks, onBytes), onDamage)) {
    if (reader === null) {
      head = Buffer.concat([head, chunk]);
      if (!isEnough(head)) continue;
      reader = start(head, source, items);
      if (reader === null) return yield;
    } else if (!reader.push(chunk)) return yield;
    yield;
  }
  if (damaged) {
    // What follows the last whole line may be a part of a payment.
    items.reject(
      label,
      "It is compressed with gzip, and cut off or damaged after what was read; pack it again.",
    );
    return yield;
  }
  reader ??= start(head, source, items);
  if (reader === null) return yield;
  reader.end();
  if (items.count === before) items.reject(label, `It holds no ${what}.`);
  yield;
}

async function* counting(
  chunks: AsyncIterable<Uint8Array>,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of chunks) {
    onBytes(chunk.length);
    yield chunk;
  }
}

export const IS_EMPTY = "It is empty; give a file with data.";

/** @returns null after rejecting a text that cannot be read */
function start(head: Uint8Array, source: TextSource, items: SourceSink): Reader | null {
  const { name, label } = source;
  const text = BOM.every((byte, index) => head[index] === byte) ? head.subarray(BOM.length) : head;
  const problem = text.length === 0 ? IS_EMPTY : notText(head);
  if (problem !== null) {
    items.reject(label, problem);
    return null;
  }
  const kind = (source.kindOf ?? kindOf)(name, text);
  const foreign = kind === null ? foreignTextProblem(text) : null;
  if (kind === null) {
    items.reject(
      label,
      foreign === null
        ? `It is neither JSON nor CSV nor curl commands; name it with ${KNOWN_ENDINGS} to say what it holds.`
        : asSentence(foreign),
    );
    return null;
  }
  if ((kind === "csv" || kind === "lines") && text.includes(CARRIAGE_RETURN) && !text.includes(LINE_FEED)) {
    items.reject(
      label,
      "Its lines end in carriage returns alone; save it with line feeds, as other programs do.",
    );
    return null;
  }
  const reader = readerOf(kind, source, items);
  return reader.push(text) ? reader : null;
}

function readerOf(kind: SourceKind, source: TextSource, items: SourceSink): Reader {
  const { label, table, documentBytes = DOCUMENT_LIMIT_BYTES } = source;
  switch (kind) {
    case "lines":
      return lines(label, items);
    case "list":
      return list(label, items);
    case "csv":
      return new CsvReader(label, table);
    case "curl":
      return whole(label, items, documentBytes, (bytes) => curl(bytes, label, items));
    case "document":
      return whole(label, items, documentBytes, (bytes) =>
        items.json(label, bytes, (line, column) => `Line ${line}, column ${column}`),
      );
  }
}

function lines(label: string, items: SourceSink): Reader {
  const splitter = new LineSplitter((number, text, problem) => {
    const origin = `${label}:${number}`;
    if (text === null) items.reject(origin, problem);
    else if (text.trim() !== "") items.json(origin, text, (_line, column) => `Column ${column}`);
  });
  return {
    push: (chunk) => {
      splitter.push(chunk);
      return true;
    },
    end: () => splitter.end(),
  };
}

function list(label: string, items: SourceSink): Reader {
  const splitter = new ArraySplitter((index, line, bytes) => {
    // Counted from 0, as jq and most programs do.
    const origin = `${label}[${index}]`;
    if (bytes === null) items.reject(origin, `The element in line ${line} is larger than 1 MiB.`);
    else items.json(origin, bytes, (within) => `Line ${line + within - 1}`);
  });
  const rejected = (problem: string | null): boolean => {
    if (problem !== null) items.reject(label, problem);
    return problem !== null;
  };
  return { push: (chunk) => !rejected(splitter.push(chunk)), end: () => void rejected(splitter.end()) };
}

/** A reader that collects the whole text. */
function whole(label: string, items: SourceSink, limit: number, read: (bytes: Uint8Array) => void): Reader {
  const kept: Uint8Array[] = [];
  let size = 0;
  return {
    push: (chunk) => {
      size += chunk.length;
      if (size <= limit) {
        kept.push(Uint8Array.prototype.slice.call(chunk));
        return true;
      }
      const foreign = foreignTextProblem(kept[0] ?? chunk);
      items.reject(
        label,
        foreign === null
          ? `It is larger than ${limit / 1024 / 1024} MiB; split it, or write one payload a line as .ndjson.`
          : asSentence(foreign),
      );
      return false;
    },
    end: () => read(Buffer.concat(kept)),
  };
}

function curl(bytes: Uint8Array, label: string, items: SourceSink): void {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return items.reject(label, "It is not valid UTF-8 text; save it as UTF-8.");
  }
  readCurlCommands(text, label, items);
}
