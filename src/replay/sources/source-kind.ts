// Detects the format of a payload file: by its name, else by the beginning of its text.

import { looksLikeHeader, SEPARATOR_LINE } from "./source-csv.ts";
import { looksLikeCurl } from "./source-curl.ts";

export type SourceKind = "document" | "list" | "lines" | "csv" | "curl";

/** Bytes that are examined; a payload is no longer. */
export const HEAD_BYTES = 64 * 1024;

const KINDS: ReadonlyMap<string, SourceKind | "json"> = new Map([
  ["json", "json"],
  ["ndjson", "lines"],
  ["jsonl", "lines"],
  ["csv", "csv"],
  ["tsv", "csv"],
  ["curl", "curl"],
  ["sh", "curl"],
]);

/** For messages. */
export const KNOWN_ENDINGS = ".json, .ndjson, .jsonl, .csv, .tsv, .curl or .sh, also with .gz behind it";

/** File signatures of binary formats and of UTF-16. */
const SIGNATURES: readonly {
  readonly bytes: readonly number[];
  readonly what: string;
  readonly next: string;
}[] = [
  { bytes: [0x28, 0xb5, 0x2f, 0xfd], what: "compressed with zstd", next: "unpack it first" },
  { bytes: [0xfd, 0x37, 0x7a, 0x58, 0x5a], what: "compressed with xz", next: "unpack it first" },
  { bytes: [0x42, 0x5a, 0x68], what: "compressed with bzip2", next: "unpack it first" },
  {
    bytes: [0x50, 0x4b, 0x03, 0x04],
    what: "a ZIP file or a spreadsheet",
    next: "unpack it, or save it as CSV",
  },
  { bytes: [0xff, 0xfe], what: "written in UTF-16", next: "save it as UTF-8" },
  { bytes: [0xfe, 0xff], what: "written in UTF-16", next: "save it as UTF-8" },
];

/** True for a file extension that replay reads. */
export function hasKnownEnding(name: string): boolean {
  return KINDS.has(ending(name));
}

/** One sentence for bytes that are not UTF-8 text; null when they may be. */
export function notText(head: Uint8Array): string | null {
  const found = SIGNATURES.find(({ bytes }) => bytes.every((byte, index) => head[index] === byte));
  if (found !== undefined) return `It is ${found.what}, not UTF-8 text; ${found.next}.`;
  return head.includes(0) ? "It holds binary data, not UTF-8 text; save it as UTF-8." : null;
}

/**
 * @param name base name; empty for standard input
 * @param head the first bytes, without a byte order mark
 * @returns null for an unknown format
 */
export function kindOf(name: string, head: Uint8Array): SourceKind | null {
  const named = KINDS.get(ending(name));
  if (named !== undefined && named !== "json") return named;
  const text = new TextDecoder().decode(head).trimStart();
  const json = jsonKind(text);
  if (json !== null || named === "json") return json ?? "document";
  if (looksLikeCurl(text)) return "curl";
  const table = text.replace(SEPARATOR_LINE, "");
  return table !== text || looksLikeHeader(firstLine(table).trimEnd()) ? "csv" : null;
}

/** True when enough of a text has arrived to detect its format. */
export function isEnough(head: Uint8Array): boolean {
  if (head.length >= HEAD_BYTES) return true;
  // Shell comments may precede the first command.
  const text = new TextDecoder()
    .decode(head)
    .replace(/^(?:\s*#[^\n]*\n)+/, "")
    .trimStart();
  return text.startsWith("[") || (!text.startsWith("#") && text.slice(firstLine(text).length).trim() !== "");
}

/** Many programs write one object per line to a `.json` file. */
function jsonKind(text: string): SourceKind | null {
  if (text.startsWith("[")) return "list";
  if (!text.startsWith("{")) return null;
  const line = firstLine(text);
  return isWholeObject(line) && text.slice(line.length).trim() !== "" ? "lines" : "document";
}

function isWholeObject(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

function firstLine(text: string): string {
  const end = text.indexOf("\n");
  return end < 0 ? text : text.slice(0, end);
}

/** In lower case, without a .gz behind it. */
function ending(name: string): string {
  const plain = name.toLowerCase().replace(/\.gz$/, "");
  const dot = plain.lastIndexOf(".");
  return dot <= 0 ? "" : plain.slice(dot + 1);
}
