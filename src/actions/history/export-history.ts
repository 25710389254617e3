// Exports the history as a JSON array or as CSV, oldest first, in constant memory.

import { extname } from "node:path";
import type { ActionContext } from "#src/actions/action-context.ts";
import { checkJson } from "#src/actions/check/check-json.ts";
import { createWhole, expectNewFile } from "#src/actions/whole-file.ts";
import { interrupted, usage } from "#src/contract/fault.ts";
import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import { counted } from "#src/display/count.ts";
import { csvLine } from "#src/replay/csv.ts";
import { safeJson } from "#src/display/safe.ts";
import { oldestFirst } from "./find-history.ts";

export type ExportFormat = "json" | "csv";

export interface ExportInput {
  /** Filter; undefined for everything. */
  readonly where: string | undefined;
  readonly format: ExportFormat;
}

/** The export, piece by piece. */
export interface ExportText {
  readonly text: AsyncIterable<string>;
  /** Entries in it so far. */
  count(): number;
}

/**
 * The format of a file name's extension.
 * @throws Fault("usage") for another ending than `.json` and `.csv`
 */
export function exportFormat(path: string): ExportFormat {
  const ending = extname(path).toLowerCase();
  if (ending === ".json") return "json";
  if (ending === ".csv") return "csv";
  throw usage`"${path}" does not tell the format of the export; end its name in .json or .csv.`;
}

/**
 * Exports the entries that match a filter.
 * @param onProgress entries done, of all
 * @throws (while it is read) Fault("usage") pointing at the token of the filter that is wrong; Fault("interrupted")
 */
export function exportText(
  context: ActionContext,
  { where, format }: ExportInput,
  signal: AbortSignal,
  onProgress?: (done: number, all: number) => void,
): ExportText {
  let count = 0;
  const entries = async function* (): AsyncGenerator<HistoryEntry> {
    for await (const entry of oldestFirst(context, where, onProgress)) {
      if (signal.aborted) throw interrupted`Stopped; no file was written.`;
      count += 1;
      yield entry;
    }
  };
  return { text: format === "csv" ? csvText(entries()) : jsonText(entries()), count: () => count };
}

/**
 * Writes the export into a new file, 0600, which appears when it is whole.
 * @returns entries in it
 * @throws Fault("usage") when a file of that name is there, or no such folder; Fault("storage") when it could not be written, and nothing of it
 *   is left; Fault("interrupted")
 */
export async function exportHistory(
  context: ActionContext,
  input: ExportInput & { readonly path: string },
  signal: AbortSignal,
  onProgress?: (done: number, all: number) => void,
): Promise<number> {
  expectNewFile(input.path);
  const { text, count } = exportText(context, input, signal, onProgress);
  await createWhole(input.path, text);
  return count();
}

/** A sentence about a finished export. @param path escaped */
export function exportedSentence(count: number, path: string): string {
  return `${counted(count, "entry is", "entries are")} in ${path}, with the personal data of payers as it was sent.`;
}

type Cell = string | number | boolean | null | undefined;

/** Columns of the CSV: those of a history row, then the request under the names that a replay reads. */
const COLUMNS: readonly (readonly [string, (entry: HistoryEntry) => Cell])[] = [
  ["id", ({ id }) => id],
  ["at", ({ at }) => new Date(at).toISOString()],
  ["profile", ({ profile }) => profile],
  ["project", ({ project }) => project],
  ["outcome", ({ result }) => result?.outcome ?? "unknown"],
  ["recommendation", ({ result }) => result?.recommendation],
  ["final_action", ({ finalAction }) => finalAction],
  ["message", ({ result }) => result?.message],
  ["reason", ({ result }) => result?.reason],
  ["http_status", ({ result }) => result?.httpStatus],
  ["latency_ms", ({ result }) => result?.latencyMs],
  ["attempts", ({ result }) => result?.attempts ?? 0],
  ["repeats", ({ repeats }) => repeats],
  ["label", ({ label }) => label],
  ["note", ({ note }) => note],
  ["warnings", ({ warnings }) => warnings.join(" | ")],
  ["operation", ({ request }) => request.operation],
  ["order_id", ({ request }) => request.order_id],
  ["amount", ({ request }) => request.amount],
  ["currency", ({ request }) => request.currency],
  ["description", ({ request }) => request.description],
  ["terminal_id", ({ request }) => request.terminal_id],
  ["payer.payer_ip", ({ request }) => request.payer?.payer_ip],
  ["payer.email", ({ request }) => request.payer?.email],
  ["payer.number_phone", ({ request }) => request.payer?.number_phone],
  ["payer.payer_id", ({ request }) => request.payer?.payer_id],
  ["card.bin_card", ({ request }) => request.card?.bin_card],
  ["card.cin_card", ({ request }) => request.card?.cin_card],
  ["card.holder", ({ request }) => request.card?.holder],
  ["card.expiration_month", ({ request }) => request.card?.expiration_month],
  ["card.expiration_year", ({ request }) => request.card?.expiration_year],
];

/** An array, one entry a line, so that it reads as JSON and greps as lines. */
async function* jsonText(entries: AsyncIterable<HistoryEntry>): AsyncGenerator<string> {
  let before = "[\n";
  for await (const entry of entries) {
    const { request, explanation: decision, note } = entry;
    yield `${before}${safeJson({ ...checkJson(entry), request, decision, note })}`;
    before = ",\n";
  }
  yield before === "[\n" ? "[]\n" : "\n]\n";
}

async function* csvText(entries: AsyncIterable<HistoryEntry>): AsyncGenerator<string> {
  yield csvLine(COLUMNS.map(([name]) => name));
  for await (const entry of entries) {
    yield csvLine(COLUMNS.map(([, read]) => String(read(entry) ?? "")));
  }
}
