// A run that this process writes to, batching records that arrive during a transaction into the next one.

import type { RunHeader, RunItem, RunState, RunSummary } from "#src/contract/records/run.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { CheckResult } from "#src/contract/wire/outcome.ts";
import type { Hosted } from "./hosted-table.ts";
import { intentWrite, resultWrite, type RunWrite } from "./run-form.ts";
import type { RunPast, RunTable } from "./run-table.ts";

/** Records per transaction, which takes a few milliseconds and blocks other processes. */
const BATCH_LIMIT = 256;

interface Waiting {
  readonly write: RunWrite;
  resolve(): void;
  reject(reason: unknown): void;
}

export class OpenRun {
  readonly header: RunHeader;
  /** Items of earlier sessions that must not be sent again. */
  readonly sentBefore: number;
  readonly #store: Hosted<RunTable>;
  readonly #past: RunPast;
  readonly #release: () => Promise<void>;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | null = null;

  /** @param release gives the run back, once nothing is written any more */
  constructor(
    header: RunHeader,
    store: Hosted<RunTable>,
    release: () => Promise<void>,
    past: RunPast,
    sentBefore: number,
  ) {
    this.header = header;
    this.sentBefore = sentBefore;
    this.#store = store;
    this.#release = release;
    this.#past = past;
  }

  /** Active time of earlier sessions, without pauses if they were recorded. */
  get durationMs(): Milliseconds {
    return this.#past.durationMs;
  }

  /** Rejected lines of earlier sessions. */
  get rejected(): number {
    return this.#past.rejected;
  }

  /** Number of the last item that earlier sessions intended. */
  get highest(): number {
    return this.#past.highest;
  }

  /**
   * Numbers of the items that an earlier session sent, or may have sent.
   * @param items in the order of the sources
   * @throws Fault("usage") when an earlier session intended something else under one of the numbers
   */
  async findSent(items: readonly RunItem[]): Promise<ReadonlySet<number>> {
    const earlier = items.filter(({ seq }) => seq <= this.highest);
    return new Set(
      earlier.length === 0 ? [] : await this.#store.findSent(this.header.id, earlier, this.#past.isWhole),
    );
  }

  /** Writes an intent durably. @returns the JSON of its request, as it is stored and is to be sent @throws Fault("storage") when it could not be saved and must not be sent; Fault("bad_input") for card data */
  async intend(item: RunItem, at: Milliseconds): Promise<string> {
    const body = JSON.stringify(item.request);
    await this.#write(intentWrite(item, at, body));
    return body;
  }

  /** Withdraws intents whose first byte was not sent. @throws Fault("storage") */
  async withdraw(seqs: readonly number[]): Promise<void> {
    await Promise.all(seqs.map((seq) => this.#write(resultWrite(seq, "withdrawn"))));
  }

  /** Writes the result of an item durably. @throws Fault("storage") */
  async settle(seq: number, result: CheckResult): Promise<void> {
    await this.#write(resultWrite(seq, result));
  }

  /** Writes the end of this session durably. @throws Fault("storage") */
  async finish(state: RunState, summary: RunSummary): Promise<void> {
    await this.#write({ type: "finish", state, summary });
  }

  /** Waits for running writes and releases the run. */
  async close(): Promise<void> {
    await this.#writing;
    await this.#release();
  }

  async #write(write: RunWrite): Promise<void> {
    const written = new Promise<void>((resolve, reject) => {
      this.#waiting.push({ write, resolve, reject });
    });
    this.#writing ??= this.#writeWaiting();
    await written;
  }

  async #writeWaiting(): Promise<void> {
    // Records of the same turn of the event loop share a transaction.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, BATCH_LIMIT);
      try {
        await this.#store.commit(
          this.header.id,
          batch.map(({ write }) => write),
        );
        for (const { resolve } of batch) resolve();
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#writing = null;
  }
}
