// The store of the Labels screen: what became of payments, and what the rules caught of them.

import { createStore } from "zustand/vanilla";
import { findHistory } from "#src/actions/history/find-history.ts";
import type { Context } from "#src/app/context.ts";
import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import type { Label, LabelledOrder } from "#src/contract/records/label.ts";
import type { Sort } from "#src/contract/records/list-sort.ts";
import type { RuleRecords } from "#src/contract/records/rule-record.ts";
import { counted } from "#src/display/count.ts";
import { safe } from "#src/display/safe.ts";
import { changedSort, sortedRows } from "#src/state/list-selection.ts";
import { LISTING, listingVerbs, matching, selectedOf, type ListingState } from "#src/state/listing.ts";
import { problemIn, reportFaults, sentenceOf } from "#src/state/report-faults.ts";
import type { Session } from "#src/state/session.ts";
import { askLabel, sayChanged } from "./history-labels.ts";

export interface LabelsState extends ListingState {
  readonly sort: LabelSort;
  /** The newest, at most `LISTED`; null before the first read. */
  readonly orders: readonly LabelledOrder[] | null;
  /** Of all orders. */
  readonly counts: Readonly<Record<Label, number>>;
  /** The newest checks of an order; null before the first read. */
  readonly checks: { readonly orderId: string; readonly entries: readonly HistoryEntry[] } | null;
  /** A day, a time or an age, from which on the rules are judged. */
  readonly since: string;
  readonly records: RuleRecords | null;
  /** Why the labels could not be read; null when they could. */
  readonly fault: string | null;
}

/** Older labels are counted, and found by `verdict label list`. */
const LISTED = 10_000;
const CHECKS = 20;
const NONE = { fraud: 0, chargeback: 0, refund: 0, good: 0 };

export const LABEL_ORDERS = ["time", "order", "label"] as const;
type LabelSort = Sort<(typeof LABEL_ORDERS)[number]>;

/** The orders that the filter lets through, by order id and label, in their order. */
export function listedOrders({ orders, filter, sort }: LabelsState): readonly LabelledOrder[] {
  const listed = matching(orders ?? [], filter, ({ orderId, label }) => `${orderId} ${label}`);
  return sortedRows(listed, sort, ({ at, orderId, label }) => ({ time: at, order: orderId, label })[sort.by]);
}

const ORDERS = { items: listedOrders, id: ({ orderId }: LabelledOrder) => orderId };

/** The selected order, else the first; null while none is listed. */
export function selectedOrder(state: LabelsState): LabelledOrder | null {
  return selectedOf(ORDERS, state);
}

const newestFirst = (one: LabelledOrder, other: LabelledOrder): number =>
  (other.at ?? -Infinity) - (one.at ?? -Infinity) || (one.orderId < other.orderId ? -1 : 1);

export function createLabels(context: Context, session: Session) {
  const store = createStore<LabelsState>(() => ({
    orders: null,
    counts: NONE,
    ...LISTING,
    sort: { by: "time", turned: false },
    checks: null,
    since: "30d",
    records: null,
    fault: null,
  }));
  const { getState: get, setState: set } = store;

  const load = async (): Promise<void> => {
    try {
      const { labels } = await context.history();
      const counts: Record<Label, number> = { ...NONE };
      let orders: LabelledOrder[] = [];
      for await (const order of labels.list()) {
        counts[order.label] += 1;
        orders.push(order);
        if (orders.length > 2 * LISTED) orders = orders.toSorted(newestFirst).slice(0, LISTED);
      }
      set({ orders: orders.toSorted(newestFirst).slice(0, LISTED), counts, fault: null });
      await judge(get().since);
    } catch (error) {
      set({ fault: sentenceOf(error) });
    }
  };

  /** @throws Fault("usage") for an invalid time */
  const judge = async (since: string): Promise<void> => {
    const { readRuleRecords } = await import("#src/actions/rules/rule-records.ts");
    set({ records: await readRuleRecords(context, since), since });
  };

  return {
    store,
    /** Reads labels and records. */
    load,
    /** Reads them again where they were read before. */
    reload: () => (get().orders === null ? Promise.resolve() : load()),
    ...listingVerbs(store, session, ORDERS, "fraud o-1041"),
    sort: (how: "next" | "turned") => set(({ sort }) => ({ sort: changedSort(LABEL_ORDERS, sort, how) })),
    /** Reads the checks of an order, which are shown while it stays selected. */
    async readChecks(orderId: string) {
      try {
        const { entries } = await findHistory(context, `order:${JSON.stringify(orderId)}`, CHECKS);
        if (selectedOrder(get())?.orderId === orderId) set({ checks: { orderId, entries } });
      } catch (error) {
        session.say(sentenceOf(error), "error");
      }
    },
    /** Asks for another label of the selected order. */
    async label() {
      const order = selectedOrder(get());
      if (order === null) return;
      const { orderId } = order;
      await askLabel(context, session, { id: orderId, request: { order_id: orderId } }, load);
    },
    async undo() {
      await session.undo();
      await load();
    },
    /** Asks from when on the rules are judged. */
    async askSince() {
      const question = { label: "Rules since", initial: get().since, placeholder: "30d, 2026-01-31" };
      await session.askUntil(question, (since) => problemIn(() => judge(since)));
    },
    /** Removes all labels of the selected order, after a question. */
    async remove() {
      const order = selectedOrder(get());
      if (order === null) return;
      const known = counted(order.known.length, "label");
      const agreed = await session.agree({
        text: `Order ${safe(order.orderId)} has ${known}, ${order.label} in effect. Remove all of them?`,
        yes: "remove",
      });
      if (!agreed) return;
      await reportFaults(session, async () => {
        const { labels } = await context.history();
        const { orderId, label, known } = order;
        // Those that the question counted: what another session has added since stays.
        await labels.withdraw(known);
        const left = (await labels.of([orderId], null)).size > 0;
        const said = `The labels of order ${safe(orderId)} are removed.`;
        sayChanged(session, left ? `${said} Another session has added one, which stays.` : said, {
          labels,
          before: new Map([[orderId, label]]),
          undo: () => labels.set(known),
        });
        await load();
      });
    },
  };
}

export type LabelsBook = ReturnType<typeof createLabels>;
