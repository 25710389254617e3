// What an entry of the sandbox's journal says, in the words of both front ends.

import type { JournalEntry } from "#src/contract/wire/sandbox-wire.ts";
import { safe } from "./safe.ts";

/** The call, or method and path of anything else: `check`, `GET /favicon.ico`. Safe to show. */
export function journalCall({ call, method, path }: JournalEntry): string {
  return call !== null ? safe(call) : method === null ? "not HTTP" : `${safe(method)} ${safe(path ?? "")}`;
}

/** What came of a request: its decision, why it was refused, what was forced. Safe to show. */
export function journalOutcome(entry: JournalEntry): string {
  const { recommendation, decision, repeat, error, reason, magic, faults, status } = entry;
  const parts = [
    recommendation === null ? null : `${recommendation} (${decision}${repeat ? ", repeat" : ""})`,
    error,
    reason === null ? null : safe(reason),
    magic === null ? null : `forced by ${magic}`,
    faults.length === 0 ? null : `fault ${faults.join(", ")}`,
    status === null ? "no answer was sent" : null,
  ];
  return (
    parts
      .filter((part) => part !== null)
      .map((part) => safe(part))
      .join("; ") || "ok"
  );
}
