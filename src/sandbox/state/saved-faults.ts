// Fault injection orders in the store, as an embedded sandbox stops between two commands.

import { NO_FAULTS, openFaults, type FaultOrders, type FaultsMoment } from "./fault-orders.ts";
import type { Issuer } from "./issuer.ts";
import type { Store } from "./store.ts";

/** The value of the store. */
export const FAULTS = "faults";

/** The orders of one process. */
export function openSavedFaults(store: Store, issuer: Issuer): FaultOrders {
  let { length } = saved().faults;

  function saved(): FaultsMoment {
    return (store.value(FAULTS) as FaultsMoment | undefined) ?? NO_FAULTS;
  }

  const place = {
    get isEmpty() {
      return length === 0;
    },
    async write(next: FaultsMoment, before: FaultsMoment, isChange: boolean): Promise<null> {
      if (isChange) await store.change({ [FAULTS]: next });
      else if (JSON.stringify(next) !== JSON.stringify(before)) await store.keep(FAULTS, next);
      ({ length } = next.faults);
      return null;
    },
  };
  return openFaults(issuer, place, saved());
}
