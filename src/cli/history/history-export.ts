// verdict history export: the history as a JSON array or as CSV, streamed to standard output or into a new file.

import { exportedSentence, exportText } from "#src/actions/history/export-history.ts";
import { createWhole } from "#src/actions/whole-file.ts";
import type { CommandRun } from "#src/cli/command.ts";
import { EXIT } from "#src/cli/exit-code.ts";
import type { Output } from "#src/cli/output.ts";
import { progressBar } from "#src/cli/progress-bar.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import { pointedAt } from "./filter-caret.ts";

export const exportHistory: CommandRun = async ({ context, options, output, signal }) => {
  const opened = await context();
  const where = options.text("where");
  const path = options.text("output");
  const format = options.text("format") === "csv" ? "csv" : "json";
  const bar = path === undefined ? undefined : progressBar(output, "Exporting the history");
  const { text, count } = exportText(opened, { where, format }, signal, bar);
  await pointedAt(output, where, () =>
    path === undefined ? toStdout(text, output, signal) : createWhole(path, text),
  );
  output.progress(null);
  for (const { message } of (await opened.history()).problems) output.complain(message);
  if (path !== undefined) output.line(exportedSentence(count(), escapeText(path)));
  return EXIT.done;
};

async function toStdout(text: AsyncIterable<string>, output: Output, signal: AbortSignal): Promise<void> {
  for await (const piece of text) {
    output.exact(piece);
    await output.drained(signal);
  }
}
