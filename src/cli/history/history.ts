// verdict history, history show and history export: the recorded checks, their results and explanations.

import { checkJson } from "#src/actions/check/check-json.ts";
import { attemptNumbers } from "#src/actions/check/send-again.ts";
import { exportedSentence, exportText } from "#src/actions/history/export-history.ts";
import { findEntry, findHistory } from "#src/actions/history/find-history.ts";
import { unitsByProfile } from "#src/app/amount-units.ts";
import { entryLines, historyRows } from "#src/cli/check/entry-text.ts";
import { explanationLines } from "#src/cli/check/explanation-text.ts";
import type { CommandRun } from "#src/cli/command.ts";
import { openOutput } from "#src/cli/output-file.ts";
import { progressBar } from "#src/cli/progress-bar.ts";
import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import { counted } from "#src/display/count.ts";
import { trustedExplanation } from "#src/display/decision.ts";
import { exchangeLines } from "#src/cli/exchange-lines.ts";
import { safe, safeJson } from "#src/display/safe.ts";
import { formatZoned } from "#src/display/time.ts";
import { pointedAt } from "./filter-caret.ts";
import type { HISTORY, HISTORY_EXPORT, HISTORY_SHOW } from "./history-options.ts";

const DEFAULT_LIMIT = 20;

export const list: CommandRun<typeof HISTORY> = async ({ context, options, output }) => {
  const limit = options.limit ?? DEFAULT_LIMIT;
  const where = options.where;
  const opened = await context();
  const { entries, problems } = await pointedAt(output, where, () => findHistory(opened, where, limit));
  for (const problem of problems) output.complain(problem);
  if (options.json) return entries.forEach((entry) => output.json(checkJson(entry)));
  if (entries.length === 0)
    return output.advise(
      where === undefined
        ? 'Nothing has been checked yet; "verdict check" sends a payment.'
        : "No entry matches the filter.",
    );
  const attempts = await attemptNumbers(opened, entries);
  output.lines(historyRows(entries, await unitsByProfile(opened), output.style, attempts));
};

export const show: CommandRun<typeof HISTORY_SHOW> = async ({ args, context, options, output }) => {
  const opened = await context();
  const entry = await findEntry(opened, args[0]!);
  if (options.json)
    return output.json({
      ...checkJson(entry),
      request: entry.request,
      decision: entry.explanation,
      note: entry.note,
      ...(options.exchange ? { exchange: entry.exchange ?? null } : {}),
    });
  const unit = (await unitsByProfile(opened))(entry.profile);
  const attempt = (await attemptNumbers(opened, [entry])).get(entry.id) ?? null;
  output.lines(entryLines(entry, unit, output.style, attempt));
  output.line(`  ${facts(entry).join(", ")}`);
  if (entry.label !== undefined) output.line(`  Outcome: ${entry.label}`);
  if (entry.note !== null) output.line(`  Note: ${safe(entry.note)}`);
  output.line();
  output.line(output.style.paint("heading", "Request"));
  for (const line of safeJson(entry.request, 2).split("\n")) output.line(`  ${line}`);
  const explanation = trustedExplanation(entry.result, entry.explanation);
  if (explanation !== null) {
    output.line();
    output.lines(explanationLines(explanation, output.style));
  }
  if (options.exchange) {
    output.line();
    output.lines(keptExchange(entry));
  }
};

function keptExchange({ exchange, request }: HistoryEntry): readonly string[] {
  if (exchange !== undefined) return exchangeLines(exchange, JSON.stringify(request));
  return [
    'No exchange is saved: the check got a verdict, or was not sent. "verdict check --verbose" shows the exchange of a new check.',
  ];
}

/** Streams the history as a JSON array or as CSV to standard output or into a new file. */
export const exportHistory: CommandRun<typeof HISTORY_EXPORT> = async (invocation) => {
  const { context, options, output, signal } = invocation;
  const data = openOutput(invocation);
  const opened = await context();
  const where = options.where;
  const format = options.format === "csv" ? "csv" : "json";
  const bar = data.file === null ? undefined : progressBar(output, "Exporting the history");
  const { text, count } = exportText(opened, { where, format }, signal, bar);
  await pointedAt(output, where, () => data.write(text));
  output.progress(null);
  for (const { message } of (await opened.history()).problems) output.complain(message);
  if (data.file !== null) output.line(exportedSentence(count(), data.file));
};

function facts({ id, at, result }: HistoryEntry): string[] {
  const status = result?.httpStatus ?? null;
  const attempts = result?.attempts ?? 0;
  return [
    `id ${id}`,
    formatZoned(at),
    ...(status === null ? [] : [`HTTP ${status}`]),
    counted(attempts, "request"),
  ];
}
