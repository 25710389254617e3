// What of one entry of the history can be copied. Pure; untrusted text is made safe, because it will be pasted somewhere.

import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import { safe, safeJson } from "#src/display/safe.ts";
import { outcomeReason } from "#src/display/verdict.ts";

/** Parts of an entry, each in words for a sentence, and how to read it; null where there is none. */
export const COPIED = {
  order: { what: "order id", read: ({ request }) => whole(request.order_id) },
  decision: { what: "decision id", read: ({ result }) => whole(result?.decisionId) },
  reason: { what: "reason", read: ({ result }) => whole(outcomeReason(result)) },
  request: { what: "request as JSON", read: ({ request }) => safeJson(request, 2) },
  entry: { what: "entry as JSON", read: (entry) => safeJson(entry, 2) },
} as const satisfies Record<
  string,
  { readonly what: string; readonly read: (entry: HistoryEntry) => string | null }
>;

export type CopiedPart = keyof typeof COPIED;

/** What is asked while the menu is open. */
export function copyQuestion({ request }: HistoryEntry): string {
  return `What do you want to copy from ${safe(request.order_id ?? "this check")}? Request and all are JSON.`;
}

/** More is not read by anybody, and terminals take less than a megabyte. */
const LONGEST = 4_000;

function whole(text: string | null | undefined): string | null {
  return text == null || text === "" ? null : safe(text, { max: LONGEST });
}
