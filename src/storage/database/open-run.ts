// A run that this process writes to, and what its earlier sessions left behind.

import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type {
  RunHeader,
  RunItem,
  RunResult,
  RunRow,
  RunState,
  RunSummary,
} from "#src/contract/records/run.ts";
import type { FileLock } from "#src/storage/documents/file-lock.ts";
import type { Journal } from "./journal.ts";
import { intentRecord, resultRecord, RunFold } from "./run-record.ts";
import type { RunRecord } from "./run-record.ts";
import { SentItems } from "./sent-items.ts";

export interface RunJournal {
  readonly header: RunHeader;
  /** Time under way in earlier sessions; without the pauses, where they could be noted. */
  readonly durationMs: Milliseconds;
  /** Bad lines that earlier sessions counted. */
  readonly rejected: number;
  /** Items of earlier sessions that must not be sent again. */
  readonly sentBefore: number;
  /** Number of the last item that earlier sessions meant to send. */
  readonly highest: number;
  alreadySent(seq: number): boolean;
  /** @throws Fault("usage") when an earlier session intended something else under this number */
  expectSame(item: RunItem): void;
  /** Writes an intent, durably. @throws Fault("storage") when it could not be saved: then do not send. Fault("bad_input") for card data */
  intend(item: RunItem, at: Milliseconds): Promise<void>;
  /** Takes back intents whose first byte never left. @throws Fault("storage") */
  withdraw(seqs: readonly number[]): Promise<void>;
  /** Writes what became of an item, durably. @throws Fault("storage") */
  settle(seq: number, result: RunResult): Promise<void>;
  /** Writes how this session ended, durably. @throws Fault("storage") */
  finish(state: RunState, summary: RunSummary): Promise<void>;
  /** Waits for writes under way and gives the run back. */
  close(): Promise<void>;
}

/** What earlier sessions left behind. */
interface Past {
  readonly sent: SentItems;
  readonly sessions: number;
  readonly rejected: number;
  readonly durationMs: Milliseconds;
  /** The latest time of any record. */
  readonly lastTime: Milliseconds;
}

export class OpenRun implements RunJournal {
  readonly header: RunHeader;
  readonly #journal: Journal<RunRecord>;
  readonly #lock: FileLock;
  readonly #now: () => number;
  readonly #past: Past;

  constructor(
    header: RunHeader,
    journal: Journal<RunRecord>,
    lock: FileLock,
    now: () => number,
    past: Past = { sent: new SentItems(), sessions: 0, rejected: 0, durationMs: 0, lastTime: 0 },
  ) {
    this.header = header;
    this.#journal = journal;
    this.#lock = lock;
    this.#now = now;
    this.#past = past;
  }

  get durationMs(): Milliseconds {
    return this.#past.durationMs;
  }

  get rejected(): number {
    return this.#past.rejected;
  }

  get sentBefore(): number {
    return this.#past.sent.count;
  }

  get highest(): number {
    return this.#past.sent.highest;
  }

  async begin(): Promise<void> {
    try {
      await this.#journal.append({ type: "session", header: this.header, at: this.#now() });
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  alreadySent(seq: number): boolean {
    return this.#past.sent.has(seq);
  }

  expectSame(item: RunItem): void {
    this.#past.sent.expectSame(item);
  }

  async intend(item: RunItem, at: Milliseconds): Promise<void> {
    await this.#journal.append(intentRecord(item, at));
  }

  async withdraw(seqs: readonly number[]): Promise<void> {
    if (seqs.length > 0) await this.#journal.append({ type: "withdrawn", seqs, at: this.#now() });
  }

  async settle(seq: number, result: RunResult): Promise<void> {
    await this.#journal.append(resultRecord(seq, result, this.#now()));
  }

  async finish(state: RunState, summary: RunSummary): Promise<void> {
    const sessions = this.#past.sessions + 1;
    await this.#journal.append({ type: "finish", state, summary, sessions, at: this.#now() });
  }

  async close(): Promise<void> {
    await this.#journal.close();
    await this.#lock.release();
  }
}

/**
 * Reads what earlier sessions wrote.
 * @param onSent gets each row that is not sent again; those without an outcome last
 */
export async function readPast(
  journal: Journal<RunRecord>,
  onSent: (row: RunRow) => void,
  noteProblems: (journal: Journal<RunRecord>) => void,
): Promise<Past> {
  const sent = new SentItems();
  const fold = new RunFold();
  let [sessions, rejected, durationMs, lastTime, startedAt, sessionAt] = [0, 0, 0, 0, 0, 0];
  for await (const record of journal.records()) {
    if (record.type === "session") {
      sessions += 1;
      durationMs += Math.max(0, sessionAt - startedAt);
      startedAt = record.at;
    }
    sessionAt = record.at;
    lastTime = Math.max(lastTime, record.at);
    sent.take(record);
    const row = fold.take(record);
    if (row !== null && row.result?.outcome !== "not_sent") onSent(row);
    if (record.type === "finish") {
      rejected = record.summary.rejected;
      durationMs = record.summary.durationMs;
      startedAt = sessionAt;
    }
  }
  durationMs += Math.max(0, sessionAt - startedAt);
  for (const row of fold.withoutOutcome()) onSent(row);
  noteProblems(journal);
  return { sent, sessions, rejected, durationMs, lastTime };
}
