// The journal of requests as a stream of the server, which all workers write to and read.

import type { JournalEntry } from "#src/contract/wire/sandbox-wire.ts";
import { type RequestJournal, CountedRequests } from "#src/sandbox/state/request-journal.ts";
import type { Valkey } from "./connection.ts";
import { listOf, textOf, wrongReply } from "./replies.ts";

/** The server keeps about as many. */
const MOST_ENTRIES = "10000";

/** Entries of one millisecond that have a number of their own. */
const PER_MS = 1_000;

/**
 * @param prefix of the tenant's keys
 * @param onLost receives a sentence when entries could not be written, once they can be again
 */
export function openValkeyJournal(
  valkey: Pick<Valkey, "send">,
  prefix: string,
  onLost: (sentence: string) => void,
): RequestJournal {
  const key = `${prefix}requests`;
  const counts = new CountedRequests();
  let lost = 0;

  async function add(entry: string): Promise<void> {
    try {
      await valkey.send(["XADD", key, "MAXLEN", "~", MOST_ENTRIES, "*", "e", entry]);
    } catch {
      lost += 1;
      return;
    }
    if (lost > 0) onLost(lostText(lost));
    lost = 0;
  }

  /** Newest first. */
  async function read(from: string, limit: number): Promise<JournalEntry[]> {
    const found = await valkey.send(["XREVRANGE", key, "+", from, "COUNT", String(limit)]);
    return listOf(found).map((each) => {
      const [id, fields] = listOf(each);
      return { ...readEntry(textOf(listOf(fields)[1])), number: numberOf(textOf(id)) };
    });
  }

  return {
    counts,
    write(entry) {
      counts.note(entry);
      // No request waits for its entry.
      void add(JSON.stringify(entry));
    },
    async page(limit, after) {
      const newest = limit > 0 ? await read(after > 0 ? `(${idOf(after)}` : "-", limit) : [];
      const last = newest[0] ?? (await read("-", 1))[0];
      return { entries: newest.reverse(), last: last?.number ?? 0 };
    },
    close: () => undefined,
  };
}

/** It is plain: nothing is decided by it. @throws Fault `storage` */
function readEntry(text: string): JournalEntry {
  try {
    return JSON.parse(text) as JournalEntry;
  } catch {
    throw wrongReply();
  }
}

/** Of a stream's id, which is a time and a number in its millisecond. */
function numberOf(id: string): number {
  const [ms, sequence] = id.split("-").map(Number) as [number, number];
  return ms * PER_MS + sequence;
}

function idOf(number: number): string {
  return `${Math.floor(number / PER_MS)}-${number % PER_MS}`;
}

function lostText(lost: number): string {
  return lost === 1
    ? "1 request is missing in the journal, as the server did not take it."
    : `${lost} requests are missing in the journal, as the server did not take them.`;
}
