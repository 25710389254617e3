// verdict sandbox journal: shows the requests that the sandbox received, with the string to sign.

import { setTimeout as delay } from "node:timers/promises";
import type { CommandRun, Invocation } from "#src/cli/command.ts";
import { sandboxFault } from "#src/contract/fault.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { JournalEntry } from "#src/contract/wire/sandbox-wire.ts";
import { journalCall, journalOutcome } from "#src/display/journal-text.ts";
import { safe } from "#src/display/safe.ts";
import { formatClock, formatLatency } from "#src/display/time.ts";
import { withSandbox } from "./sandbox-session.ts";
import type { SANDBOX_JOURNAL } from "./sandbox-options.ts";

const POLL_MS: Milliseconds = 300;
const DEFAULT_ENTRIES = 20;
/** Entries that the sandbox holds. */
const MOST_ENTRIES = 1_000;

export const journal: CommandRun<typeof SANDBOX_JOURNAL> = async (invocation) => {
  const { options, output, signal } = invocation;
  const limit = options.limit ?? DEFAULT_ENTRIES;
  return withSandbox(invocation, async ({ admin }) => {
    let { entries, last } = await admin.journal(limit);
    if (last === 0 && !options.follow && !options.json) {
      output.line("The journal is empty: no request has arrived yet.");
    }
    for (;;) {
      for (const entry of entries) show(invocation, entry);
      if (!options.follow) return;
      await delay(POLL_MS, undefined, { signal }).catch(() => undefined);
      if (signal.aborted || output.isUnread) return;
      const page = await admin.journal(MOST_ENTRIES, last);
      // The sandbox was restarted with a new journal.
      if (page.last < last) throw sandboxFault`The sandbox was restarted; start the command again.`;
      ({ entries, last } = page);
    }
  });
};

function show({ options, output }: Invocation<typeof SANDBOX_JOURNAL>, entry: JournalEntry): void {
  if (options.json) output.json({ schema: 1, ...entry });
  else output.lines(entryLines(entry, options.signed));
}

/** A line for the request, with the string to sign below it after a 401 or on request. */
function entryLines(entry: JournalEntry, signed: boolean): string[] {
  const { number, status } = entry;
  const head = [
    String(number).padStart(5),
    formatClock(Date.parse(entry.at)),
    status === null ? "---" : String(status),
    journalCall(entry).padEnd(10),
    formatLatency(entry.latency_ms).padStart(8),
    journalOutcome(entry),
  ].join("  ");
  const lines = [safe(head, { max: 1_000 })];
  if (entry.key_id !== null && (signed || entry.reason !== null)) {
    lines.push(
      `         key ${safe(entry.key_id)}${entry.project_id === null ? "" : `, project ${safe(entry.project_id)}`}`,
    );
  }
  if (entry.string_to_sign !== null && (signed || status === 401)) {
    lines.push("         string to sign:");
    for (const line of entry.string_to_sign.split("\n")) lines.push(`           ${safe(line)}`);
  }
  return lines;
}
