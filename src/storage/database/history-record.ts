// The records of the history: an intent, and its later outcome.

import { findCardData } from "#src/contract/fields/card-data.ts";
import { badInput, whole } from "#src/contract/fault.ts";
import type { HistoryEntry, SignedWith } from "#src/contract/records/history-entry.ts";
import type { OrderLabel } from "#src/contract/records/label.ts";
import type { CheckResult } from "#src/contract/wire/outcome.ts";

/** Every field of an entry that is learned after the intent. */
export type Learned = Pick<
  HistoryEntry,
  "result" | "finalAction" | "warnings" | "explanation" | "note" | "exchange"
>;

/** `learned` holds only the fields that are new. */
export type HistoryRecord =
  | { readonly type: "intent"; readonly entry: HistoryEntry }
  | { readonly type: "learned"; readonly id: string; readonly learned: Partial<Learned> }
  | { readonly type: "labelled"; readonly labels: readonly OrderLabel[] }
  | { readonly type: "unlabelled"; readonly orderId: string };

/** The record of an intent: only the named fields of the entry. */
export function intentRecord(entry: HistoryEntry): HistoryRecord {
  const found = findCardData(entry.request);
  if (found !== null) {
    const what = found.kind === "card_number" ? "holds a full card number" : "is card verification data";
    throw badInput`${found.path} ${whole(what)}, which is never saved or sent; remove it and try again.`;
  }
  const { id, at, profile, project, request, repeats, warnings, signed } = entry;
  const kept = signed === undefined ? {} : { signed: signedRecord(signed) };
  const intent = { id, at, profile, project, request, repeats, warnings, ...kept };
  return {
    type: "intent",
    entry: { ...intent, result: null, finalAction: null, explanation: null, note: null },
  };
}

function signedRecord({ recipe, keyId, projectId, algorithm }: SignedWith): SignedWith {
  return { recipe, keyId, projectId, algorithm };
}

/** The record of an outcome, without card numbers that a service echoes, because the verdict must be stored. */
export function outcomeRecord({
  id,
  result,
  finalAction,
  warnings,
  explanation,
  exchange,
}: HistoryEntry): HistoryRecord {
  const cleaned = result === null ? null : withoutCardNumbers(result);
  return {
    type: "learned",
    id,
    learned: {
      result: cleaned,
      finalAction,
      warnings,
      ...(explanation === null ? {} : { explanation }),
      ...(exchange === undefined ? {} : { exchange }),
    },
  };
}

const LEFT_OUT = "(left out: it holds a card number)";

function withoutCardNumbers(result: CheckResult): CheckResult {
  const clean = (text: string | null): string | null =>
    text !== null && findCardData(text) !== null ? LEFT_OUT : text;
  return {
    ...result,
    message: clean(result.message),
    rawCode: clean(result.rawCode),
    explanation: clean(result.explanation) ?? LEFT_OUT,
  };
}
