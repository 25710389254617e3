// The records of the history: an intent, and its later outcome.

import { refuseCardData } from "#src/contract/fields/card-data.ts";
import type { HistoryEntry, SignedWith } from "#src/contract/records/history-entry.ts";
import type { OrderLabel } from "#src/contract/records/label.ts";
import { withoutCardNumbers } from "./stored-result.ts";

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
  refuseCardData(entry.request);
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
