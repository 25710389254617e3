// The journal of requests: what was received, its string to sign, and the answer. The newest are in memory; the store keeps more.
// What they came to is counted for metrics.

import { hash } from "node:crypto";
import { escapeText } from "#src/contract/text/escape-text.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { JournalEntry, JournalPage } from "#src/contract/wire/sandbox-wire.ts";
import type { MaybePromise } from "./turns.ts";
import type { Store } from "./store.ts";

/** Entries that are kept in memory. */
export const JOURNAL_ENTRIES = 1_000;

/** Entries that the store keeps, and after how many the older ones go. */
const STORED_ENTRIES = 20_000;
const FORGET_EVERY = 1_000;
/** Entries are stored together, because each transaction of its own would cost as much as a check's. */
const MOST_WAITING = 64;
const STORE_MS: Milliseconds = 200;
const TEXT_LIMIT = 4_096;

/** One that the journal has yet to number. */
export type NewJournalEntry = { -readonly [K in keyof JournalEntry]: JournalEntry[K] };

export type RequestJournal = Awaited<ReturnType<typeof openRequestJournal>>;

/** That of a store. A damaged entry is left out. */
export async function openRequestJournal(store: Store) {
  const recent: JournalEntry[] = [];
  const from = store.last("request") - JOURNAL_ENTRIES;
  for await (const { items } of store.rows("request", Math.max(from, 0)))
    recent.push(...((items ?? []) as JournalEntry[]));
  recent.splice(0, recent.length - JOURNAL_ENTRIES);
  // Also where its last row is damaged.
  let last = Math.max(recent.at(-1)?.number ?? 0, store.last("request"));
  let waiting: NewJournalEntry[] = [];
  let timer: NodeJS.Timeout | undefined;
  const counts = new CountedRequests();

  /** No request waits for its entry, and the store says itself when it cannot be written. */
  function storeWaiting(): void {
    clearTimeout(timer);
    timer = undefined;
    for (const entry of waiting) {
      store.append("request", entry.number, entry).catch(() => undefined);
      if (entry.number % FORGET_EVERY === 0)
        store.forget("request", entry.number - STORED_ENTRIES).catch(() => undefined);
    }
    waiting = [];
  }

  return {
    /** What the requests since the start of the process came to. */
    counts: counts as RequestCounts,
    /** Numbers and stores the entry, which must not be changed afterwards. */
    write(entry: NewJournalEntry): void {
      counts.note(entry);
      last += 1;
      entry.number = last;
      recent.push(entry);
      if (recent.length > JOURNAL_ENTRIES) recent.shift();
      waiting.push(entry);
      if (waiting.length >= MOST_WAITING) storeWaiting();
      else timer ??= setTimeout(storeWaiting, STORE_MS).unref();
    },
    /** @param after only entries beyond this number */
    page(limit: number, after: number): MaybePromise<JournalPage> {
      const entries = recent.filter(({ number }) => number > after);
      return { entries: limit < entries.length ? entries.slice(entries.length - limit) : entries, last };
    },
    close: storeWaiting,
  };
}

/** A string to sign that may be stored: without the body, without secrets, limited in length. */
export function keptStringToSign(
  stringToSign: string | null | undefined,
  body: Buffer | undefined,
  secret: string | null,
): string | null {
  if (stringToSign === null || stringToSign === undefined) return null;
  let text = stringToSign;
  if (body !== undefined && body.length > 1) {
    for (const sent of [body.toString("utf8"), body.toString("latin1")]) {
      if (!text.includes(sent)) continue;
      const digest = hash("sha256", body, "hex");
      text = text.replaceAll(sent, () => `<body, ${body.length} bytes, SHA-256 ${digest}>`);
    }
  }
  if (secret !== null && text.includes(secret)) text = text.replaceAll(secret, "<secret>");
  return text.length > TEXT_LIMIT ? `${text.slice(0, TEXT_LIMIT)}...` : text;
}

/** Path of a request line without its query, which may hold secrets. */
export function keptPath(url: string | undefined): string {
  if (url === undefined) return "";
  const query = url.indexOf("?");
  return escapeText(query === -1 ? url : url.slice(0, query), 200);
}

/** Upper bounds of the histogram of latencies, in seconds; above the last there is one more bucket. */
export const LATENCY_BOUNDS_S: readonly number[] = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];

export interface Latencies {
  /** Requests by bucket; a request counts in one bucket alone. */
  readonly buckets: number[];
  sumS: number;
}

export type RequestCounts = Readonly<Omit<CountedRequests, "note">>;

export class CountedRequests {
  /** By call and status, as in `check 200`; `other` for no call of the service, `none` for no answer. */
  readonly requests: Map<string, number> = new Map();
  /** By recommendation. */
  readonly verdicts: Map<string, number> = new Map();
  /** By call, or `other`. */
  readonly latencies: Map<string, Latencies> = new Map();
  total = 0;
  repeats = 0;
  forced = 0;
  /** Faults that were injected. */
  faults = 0;

  note(
    entry: Pick<
      JournalEntry,
      "call" | "status" | "latency_ms" | "recommendation" | "repeat" | "magic" | "faults"
    >,
  ): void {
    this.total += 1;
    const call = entry.call ?? "other";
    increment(this.requests, `${call} ${entry.status ?? "none"}`);
    const latencies = this.latencies.get(call) ?? noLatencies();
    this.latencies.set(call, latencies);
    const seconds = entry.latency_ms / 1000;
    const bucket = LATENCY_BOUNDS_S.findIndex((bound) => seconds <= bound);
    latencies.buckets[bucket < 0 ? LATENCY_BOUNDS_S.length : bucket]! += 1;
    latencies.sumS += seconds;
    if (entry.recommendation !== null) increment(this.verdicts, entry.recommendation);
    if (entry.repeat) this.repeats += 1;
    if (entry.magic !== null) this.forced += 1;
    this.faults += entry.faults.length;
  }
}

function noLatencies(): Latencies {
  return { buckets: Array.from({ length: LATENCY_BOUNDS_S.length + 1 }, () => 0), sumS: 0 };
}

function increment(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
