// Fault injection orders in the store, as an embedded sandbox stops between two commands.

import type { FaultReading } from "#src/contract/wire/sandbox-fault.ts";
import type { Issuer } from "./issuer.ts";
import type { Store } from "./store.ts";
import { createFaultOrders, type FaultOrders } from "./fault-orders.ts";

/** The value of the store. */
export const FAULTS = "faults";

export interface SavedFaultOrders extends FaultOrders {
  /** Writes how often each has been applied, which a change does, too. */
  save(): Promise<void>;
}

/** The orders of one process. */
export function openFaultOrders(store: Store, issuer: Issuer): SavedFaultOrders {
  const orders = createFaultOrders(issuer, (store.value(FAULTS) as FaultReading[] | undefined) ?? []);
  const save = (): Promise<void> => store.change({ [FAULTS]: orders.list });
  return {
    get isEmpty() {
      return orders.isEmpty;
    },
    list: () => orders.list,
    take: (call) => orders.take(call),
    async change(work) {
      const result = work(orders);
      await save();
      return result;
    },
    save,
  };
}
