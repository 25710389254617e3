// The filter language of the history as plain comparisons of an entry, to test what the database makes of it.

import { currencyByAlpha } from "#src/contract/lists/currency.ts";
import { parseDuration } from "#src/contract/text/duration.ts";
import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import { readTerms, type Operator } from "#src/storage/database/filter-tokens.ts";
import { momentOf } from "#src/storage/database/history-filter.ts";
import { folded, verdictOf } from "#src/storage/database/history-form.ts";

const WORDS: Readonly<Record<string, (entry: HistoryEntry) => string>> = {
  verdict: verdictOf,
  outcome: ({ result }) => result?.outcome ?? "unknown",
  label: ({ label }) => label ?? "none",
  final: ({ finalAction }) => finalAction ?? "none",
};
const TEXTS: Readonly<Record<string, (entry: HistoryEntry) => string | undefined>> = {
  order: ({ request }) => request.order_id,
  operation: ({ request }) => request.operation,
  email: ({ request }) => request.payer?.email,
  ip: ({ request }) => request.payer?.payer_ip,
  payer: ({ request }) => request.payer?.payer_id,
  bin: ({ request }) => request.card?.bin_card?.toString(),
  project: ({ project }) => project,
  profile: ({ profile }) => profile,
};
const NUMBERS: Readonly<Record<string, (entry: HistoryEntry) => number | null | undefined>> = {
  amount: ({ request }) => request.amount,
  currency: ({ request }) => request.currency,
  latency: ({ result }) => result?.latencyMs,
};

/** Whether an entry matches a filter that the program accepts. */
export function plainFilter(filter: string, now: number): (entry: HistoryEntry) => boolean {
  const tests = readTerms(filter).map((term) => {
    const test =
      term.kind === "words"
        ? saying(term.words.text)
        : fieldTest(term.field.text, term.operator, term.value.text, term.quoted, now);
    return (entry: HistoryEntry): boolean => test(entry) !== term.negated;
  });
  return (entry) => tests.every((test) => test(entry));
}

function fieldTest(
  field: string,
  operator: Operator,
  wanted: string,
  quoted: boolean,
  now: number,
): (entry: HistoryEntry) => boolean {
  const [word, text, number] = [WORDS[field], TEXTS[field], NUMBERS[field]];
  if (field === "text") return saying(wanted);
  if (field === "id") return ({ id }) => wanted.split(",").includes(id);
  if (field === "since") return ({ at }) => at >= momentOf(wanted, now)!;
  if (field === "before") return ({ at }) => at < momentOf(wanted, now)!;
  if (word !== undefined) return (entry) => isLike(word(entry), wanted, !quoted);
  if (text !== undefined) {
    return (entry) => {
      const value = text(entry);
      if (value === undefined) return false;
      // A lone half of a pair is no text to SQLite.
      if (operator === "=") return value.isWellFormed() && value === wanted.toWellFormed();
      return isLike(value, wanted, !quoted);
    };
  }
  const limit = Number.isNaN(Number(wanted))
    ? (currencyByAlpha(wanted)?.numeric ?? parseDuration(wanted)!)
    : Number(wanted);
  return (entry) => {
    const value = number!(entry);
    if (typeof value !== "number") return false;
    if (operator === ">") return value > limit;
    if (operator === "<") return value < limit;
    if (operator === ">=") return value >= limit;
    if (operator === "<=") return value <= limit;
    return value === limit;
  };
}

function isLike(value: string, wanted: string, mayBePattern: boolean): boolean {
  if (!mayBePattern) return folded(value) === folded(wanted);
  const pieces = folded(wanted).split("*");
  const escaped = pieces.map((piece) => piece.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return new RegExp(`^${escaped.join("[^]*")}$`, "u").test(folded(value));
}

function saying(words: string): (entry: HistoryEntry) => boolean {
  return ({ id, project, note, request, result }) => {
    const { order_id, description, terminal_id, operation, payer, card } = request;
    return [id, project, note, order_id, description, terminal_id, operation, card?.holder]
      .concat(result?.message, result?.reason, result?.rawCode)
      .concat(Object.values(payer ?? {}).filter((value) => typeof value === "string"))
      .some((text) => typeof text === "string" && folded(text).includes(folded(words)));
  };
}
