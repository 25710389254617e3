// The history of checks, on a journal: an intent is on disk before the first byte leaves, and nothing is ever rewritten.

import { findCardData } from "#src/contract/card-data.ts";
import { escapeText } from "#src/contract/escape-text.ts";
import { Fault } from "#src/contract/fault.ts";
import type { Explanation } from "#src/contract/explanation.ts";
import type { HistoryEntry } from "#src/contract/history-entry.ts";
import type { FinalAction } from "#src/contract/recommendation.ts";
import type { FileSystem } from "./file-system.ts";
import { HistoryFold, intentRecord, outcomeRecord } from "./history-record.ts";
import type { HistoryRecord } from "./history-record.ts";
import { openJournal } from "./journal.ts";
import type { StoreProblem } from "./store-problem.ts";

export interface History {
  /**
   * Writes the intent of a check, durably. Without a later outcome it is read back with `result: null`: unknown.
   * @throws Fault("storage") when it could not be saved: then do not send. Fault("bad_input") when the request holds card data
   */
  intend(entry: HistoryEntry): Promise<void>;
  /** Writes what became of an intent: result, final action, warnings and explanation of the entry. @throws Fault("storage") */
  settle(entry: HistoryEntry): Promise<void>;
  /** Writes the final action of a `3ds_or_block` that was open. @throws Fault("storage") */
  decide(id: string, finalAction: FinalAction): Promise<void>;
  /** Writes an explanation that came after the outcome. @throws Fault("storage") */
  explain(id: string, explanation: Explanation): Promise<void>;
  /** Writes the user's note, in place of an earlier one; null removes it. @throws Fault("storage"), Fault("bad_input") */
  annotate(id: string, note: string | null): Promise<void>;
  /** The newest `n` entries that the predicate accepts, newest first. Reads from the end and stops when it has them. */
  latest(n: number, predicate?: (entry: HistoryEntry) => boolean): Promise<HistoryEntry[]>;
  /**
   * The entry with this id, or the only one whose id starts with it; null when there is none.
   * @throws Fault("usage") when several start with it
   */
  find(idOrPrefix: string): Promise<HistoryEntry | null>;
  /** Every entry, newest first; flat memory. */
  entries(): AsyncGenerator<HistoryEntry>;
  /** Waits for writes under way. */
  close(): Promise<void>;
  /** Damage that reading has met since this history was opened. */
  readonly problems: readonly StoreProblem[];
}

/**
 * Opens a history; touches no file before the first call.
 * @param options.dir folder of its journal
 * @param options.now wall time in ms since the epoch
 */
export function openHistory(options: {
  readonly dir: string;
  readonly now: () => number;
  readonly fs?: FileSystem;
}): History {
  const journal = openJournal<HistoryRecord>(options);

  async function* entries(): AsyncGenerator<HistoryEntry> {
    const fold = new HistoryFold();
    for await (const record of journal.newestFirst()) {
      const entry = fold.take(record);
      if (entry !== null) yield entry;
    }
  }

  const learn = (
    id: string,
    learned: Extract<HistoryRecord, { type: "learned" }>["learned"],
  ): Promise<void> => journal.append({ type: "learned", id, learned });

  return {
    get problems() {
      return journal.problems;
    },
    intend: async (entry) => await journal.append(intentRecord(entry)),
    settle: async (entry) => await journal.append(outcomeRecord(entry)),
    decide: (id, finalAction) => learn(id, { finalAction }),
    explain: (id, explanation) => learn(id, { explanation }),
    annotate: async (id, note) => {
      if (findCardData(note) !== null) {
        throw new Fault(
          "bad_input",
          "The note holds a full card number and was not saved; remove it and try again.",
        );
      }
      await learn(id, { note });
    },
    latest: async (n, predicate = () => true) => {
      const found: HistoryEntry[] = [];
      if (n <= 0) return found;
      for await (const entry of entries()) {
        if (predicate(entry) && found.push(entry) >= n) break;
      }
      return found;
    },
    find: async (idOrPrefix) => {
      let found: HistoryEntry | null = null;
      let others = 0;
      for await (const entry of entries()) {
        if (entry.id === idOrPrefix) return entry;
        if (!entry.id.startsWith(idOrPrefix)) continue;
        if (found === null) found = entry;
        else others += 1;
      }
      if (others === 0) return found;
      throw new Fault(
        "usage",
        `${others + 1} entries start with "${escapeText(idOrPrefix, 40)}"; give more of the id.`,
      );
    },
    entries,
    close: () => journal.close(),
  };
}
