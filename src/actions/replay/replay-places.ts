// Where the sources of a replay are found: saved payloads, the history, earlier runs, standard input.

import type { ActionContext } from "#src/actions/action-context.ts";
import { CHECK_FIELDS } from "#src/contract/fields/check-fields.ts";
import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import type { RunItem } from "#src/contract/records/run.ts";
import type { SourcePlaces } from "#src/replay/sources/source.ts";
import { compileFilter } from "#src/storage/database/history-filter.ts";
import { runRows } from "./run-source.ts";

export async function sourcePlaces(
  context: ActionContext,
  stdin: AsyncIterable<Uint8Array> | null,
): Promise<SourcePlaces> {
  return {
    now: context.now(),
    numbering: context.profile.currencyNumbering,
    payloadPath: async (name) => (await context.payloads()).path(name),
    history: (filter, onCount) => historyEntries(context, filter, onCount),
    run: (word) => runRows(context, word),
    stdin,
  };
}

/** Oldest first. The history reads from its end, so that what fits is kept until its beginning is reached. */
async function* historyEntries(
  context: ActionContext,
  filter: string,
  onCount: (count: number) => void,
): AsyncGenerator<HistoryEntry> {
  const now = context.now();
  compileFilter(filter, now);
  const found: HistoryEntry[] = [];
  for await (const entry of (await context.history()).entries(filter, now)) {
    // The explanation is what is large in an entry, and a replay asks for a new decision.
    found.push({ ...entry, explanation: null });
  }
  onCount(found.length);
  yield* found.reverse();
}

const ORDER_ID_LIMIT = CHECK_FIELDS.find(({ path }) => path === "order_id")?.maxLength ?? 128;
const TAIL = 6;

/** The item under an order id of this run's own, `<order id>-<end of the run's id>`; one without an order id stays. */
export function withFreshOrderId(item: RunItem, runId: string): RunItem {
  const orderId = item.request.order_id;
  if (orderId === undefined) return item;
  const tail = `-${runId.slice(-TAIL)}`;
  const fresh = `${orderId.slice(0, ORDER_ID_LIMIT - tail.length)}${tail}`;
  return { ...item, request: { ...item.request, order_id: fresh } };
}

/**
 * An id for a run with fresh order ids: its tail starts with a letter, because digits behind an order id of digits could
 * read as a card number.
 */
export function runIdForOrders(newId: () => string): string {
  let id = newId();
  for (let attempt = 0; attempt < 64 && !/[a-z]/i.test(id.at(-TAIL) ?? ""); attempt += 1) id = newId();
  return id;
}
