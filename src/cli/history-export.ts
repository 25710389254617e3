// verdict history export: the history as a JSON array or as CSV, streamed, oldest first.

import { once } from "node:events";
import { oldestFirst } from "#src/actions/find-history.ts";
import { createWhole } from "#src/actions/whole-file.ts";
import { escapeText } from "#src/contract/escape-text.ts";
import { Fault } from "#src/contract/fault.ts";
import type { HistoryEntry } from "#src/contract/history-entry.ts";
import { csvLine } from "#src/display/csv.ts";
import { safeJson } from "#src/display/safe.ts";
import type { CommandRun } from "./command.ts";
import { EXIT } from "./exit-code.ts";
import { pointedAt } from "./filter-caret.ts";
import { progressBar } from "./history-upkeep.ts";
import { checkJson } from "./json-shapes.ts";

type Cell = string | number | boolean | null | undefined;

/** Columns of the CSV: what a row of the history says, then the request under the names that a replay reads. */
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

export const exportHistory: CommandRun = async ({ context, options, output, signal }) => {
  const opened = await context();
  const where = options.text("where");
  const path = options.text("output");
  const isCsv = options.text("format") === "csv";
  let count = 0;
  const entries = async function* (): AsyncGenerator<HistoryEntry> {
    const bar = path === undefined ? undefined : progressBar(output, "Exporting the history");
    for await (const entry of oldestFirst(opened, where, bar)) {
      if (signal.aborted) throw new Fault("interrupted", "Stopped; no file was written.");
      count += 1;
      yield entry;
    }
  };
  const text = isCsv ? csvText(entries()) : jsonText(entries());
  await pointedAt(output, where, () =>
    path === undefined ? toStdout(text, output.raw, signal) : createWhole(path, text),
  );
  output.progress(null);
  for (const { message } of (await opened.history()).problems) output.complain(message);
  if (path !== undefined) {
    output.line(
      `${count} ${count === 1 ? "entry is" : "entries are"} in ${escapeText(path)}, with the personal data of payers as it was sent.`,
    );
  }
  return EXIT.done;
};

/** An array, one entry a line, so that it reads as JSON and greps as lines. */
async function* jsonText(entries: AsyncIterable<HistoryEntry>): AsyncGenerator<string> {
  let before = "[\n";
  for await (const entry of entries) {
    const { request, explanation, note } = entry;
    yield `${before}${safeJson({ ...checkJson(entry), request, explanation, note })}`;
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

async function toStdout(
  text: AsyncIterable<string>,
  write: (piece: string) => void,
  signal: AbortSignal,
): Promise<void> {
  for await (const piece of text) {
    write(piece);
    // A pipe that is read slowly must not fill the memory.
    if (process.stdout.writableNeedDrain)
      await once(process.stdout, "drain", { signal }).catch(() => undefined);
  }
}
