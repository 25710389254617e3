// verdict history: what was checked, what became of it, and why.

import { checkJson } from "#src/actions/check/check-json.ts";
import { attemptNumbers } from "#src/actions/check/send-again.ts";
import { findHistory } from "#src/actions/history/find-history.ts";
import type { Context } from "#src/app/context.ts";
import { entryLines, historyRows } from "#src/cli/check/entry-text.ts";
import { explanationLines } from "#src/cli/check/explanation-text.ts";
import type { CommandRun } from "#src/cli/command.ts";
import { EXIT } from "#src/cli/exit-code.ts";
import { Fault } from "#src/contract/fault.ts";
import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import type { Profile } from "#src/contract/records/profile.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import { safe, safeJson } from "#src/display/safe.ts";
import { formatDateTime } from "#src/display/time.ts";
import { pointedAt } from "./filter-caret.ts";

const DEFAULT_LIMIT = 20;

export const list: CommandRun = async ({ context, options, output }) => {
  const limit = options.integer("limit", "--limit", { min: 1, max: 1_000_000 }) ?? DEFAULT_LIMIT;
  const where = options.text("where");
  const opened = await context();
  const { entries, problems } = await pointedAt(output, where, () => findHistory(opened, where, limit));
  for (const problem of problems) output.complain(problem);
  if (options.flag("json")) {
    for (const entry of entries) output.json(checkJson(entry));
    return EXIT.done;
  }
  if (entries.length === 0) {
    output.line(
      where === undefined
        ? 'Nothing has been checked yet; "verdict check" sends a payment.'
        : "No entry matches the filter.",
    );
    return EXIT.done;
  }
  const attempts = await attemptNumbers(opened, entries);
  for (const line of historyRows(entries, await unitsByProfile(opened), output.style, attempts))
    output.line(line);
  return EXIT.done;
};

export const show: CommandRun = async ({ args, context, options, output }) => {
  const opened = await context();
  const entry = await (await opened.history()).find(args[0]!);
  if (entry === null) {
    throw new Fault(
      "usage",
      `The history has no entry "${escapeText(args[0]!, 40)}"; "verdict history" lists the ids.`,
    );
  }
  if (options.flag("json")) {
    output.json({
      ...checkJson(entry),
      request: entry.request,
      explanation: entry.explanation,
      note: entry.note,
    });
    return EXIT.done;
  }
  const unit = (await unitsByProfile(opened))(entry.profile);
  const attempt = (await attemptNumbers(opened, [entry])).get(entry.id) ?? null;
  for (const line of entryLines(entry, unit, output.style, attempt)) output.line(line);
  output.line(`  ${facts(entry).join(", ")}`);
  if (entry.note !== null) output.line(`  Note: ${safe(entry.note)}`);
  output.line();
  output.line(output.style.paint("heading", "Request"));
  for (const line of safeJson(entry.request, 2).split("\n")) output.line(`  ${line}`);
  if (entry.explanation !== null) {
    output.line();
    for (const line of explanationLines(entry.explanation, output.style)) output.line(line);
  }
  return EXIT.done;
};

/** Each row's amount is in the unit of its own profile; that of a profile which is gone in minor units, the default. */
export async function unitsByProfile(context: Context): Promise<(profile: string) => Profile["amountUnit"]> {
  const units = new Map(
    (await (await context.profiles()).list()).map((each) => [each.name, each.amountUnit]),
  );
  return (profile) => units.get(profile) ?? "minor";
}

function facts({ id, at, result }: HistoryEntry): string[] {
  const status = result?.httpStatus ?? null;
  const attempts = result?.attempts ?? 0;
  return [
    `id ${id}`,
    formatDateTime(at),
    ...(status === null ? [] : [`HTTP ${status}`]),
    attempts === 1 ? "1 request" : `${attempts} requests`,
  ];
}
