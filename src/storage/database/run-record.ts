// What a run's journal holds: sessions with the run's header, intents, results, and how each session ended.

import { findCardData } from "#src/contract/fields/card-data.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { Fault } from "#src/contract/fault.ts";
import type {
  RunHeader,
  RunItem,
  RunResult,
  RunRow,
  RunState,
  RunSummary,
} from "#src/contract/records/run.ts";

/** `withdrawn` takes intents back whose first byte never left. */
export type RunRecord =
  | { readonly type: "session"; readonly header: RunHeader; readonly at: Milliseconds }
  | { readonly type: "intent"; readonly item: RunItem; readonly at: Milliseconds }
  | { readonly type: "result"; readonly seq: number; readonly result: RunResult; readonly at: Milliseconds }
  | { readonly type: "withdrawn"; readonly seqs: readonly number[]; readonly at: Milliseconds }
  | {
      readonly type: "finish";
      readonly state: RunState;
      readonly summary: RunSummary;
      /** Sessions so far: 1 for a run that was never continued. */
      readonly sessions: number;
      readonly at: Milliseconds;
    };

/**
 * The named fields of an item and nothing else that an object might carry along.
 * @throws Fault("bad_input") for card data
 */
export function intentRecord(item: RunItem, at: Milliseconds): RunRecord {
  const { seq, key, origin, request, expect, tags, was } = item;
  const card = findCardData(request);
  if (card !== null) {
    const what = card.kind === "card_number" ? "holds a full card number" : "is card verification data";
    throw new Fault(
      "bad_input",
      `${card.path} ${what}, which is never saved or sent; remove it and try again.`,
    );
  }
  return { type: "intent", item: { seq, key, origin, request, expect, tags, was }, at };
}

const LEFT_OUT = "(left out: it holds a card number)";

/** Card numbers that a service echoes are left out: the verdict counts, and must be kept. */
export function resultRecord(seq: number, result: RunResult, at: Milliseconds): RunRecord {
  const clean = (text: string): string => (findCardData(text) === null ? text : LEFT_OUT);
  const cleaned = {
    ...result,
    message: result.message === null ? null : clean(result.message),
    explanation: clean(result.explanation),
  };
  return { type: "result", seq, result: cleaned, at };
}

/** Joins intents with their results, oldest first. Memory holds the intents whose result is still to come. */
export class RunFold {
  readonly #open = new Map<number, RunRow>();

  /** The whole row when the record is a result; null for anything else, and for a result whose intent is lost. */
  take(record: RunRecord): RunRow | null {
    switch (record.type) {
      case "intent":
        this.#open.set(record.item.seq, { ...record.item, at: record.at, result: null });
        return null;
      case "result": {
        const row = this.#open.get(record.seq);
        this.#open.delete(record.seq);
        return row === undefined ? null : { ...row, result: record.result };
      }
      case "withdrawn":
        for (const seq of record.seqs) this.#open.delete(seq);
        return null;
      default:
        return null;
    }
  }

  /** Rows without an outcome: in flight, or lost in a crash. */
  withoutOutcome(): Iterable<RunRow> {
    return this.#open.values();
  }
}
