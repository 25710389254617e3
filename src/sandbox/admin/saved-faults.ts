// Fault injection orders on disk, as an embedded sandbox stops between two commands.

import { join } from "node:path";
import { becomes } from "#src/contract/text/shape.ts";
import { checkFaultOrder, type FaultReading } from "#src/contract/wire/sandbox-fault.ts";
import type { Issuer } from "#src/sandbox/state/issuer.ts";
import { openDocument } from "#src/storage/documents/document.ts";
import { createFaultOrders, type FaultOrders } from "./fault-orders.ts";

export interface SavedFaultOrders extends FaultOrders {
  /** Writes how often each has been applied, which a change does, too. */
  save(): Promise<void>;
}

/**
 * The orders of one process.
 * @param onProblem receives one sentence for a damaged file
 */
export async function openFaultOrders(
  dir: string,
  issuer: Issuer,
  onProblem: (sentence: string) => void,
): Promise<SavedFaultOrders> {
  const document = openDocument<{ faults: FaultReading[] }>({
    path: join(dir, "faults.json"),
    format: "verdict/sandbox-faults",
    schema: 1,
    initial: () => ({ faults: [] }),
    shape: becomes({}, parseFaults),
    onProblem: ({ message }) => onProblem(message),
  });
  const orders = createFaultOrders(issuer, (await document.read()).faults);
  const save = (): Promise<void> =>
    document.update((data) => {
      data.faults = [...orders.list];
    });
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

/** @throws TypeError or Fault when the data is not of this shape */
function parseFaults(data: unknown): { faults: FaultReading[] } {
  const { faults } = data as { faults: FaultReading[] };
  return {
    faults: faults.map((fault) => {
      if (!/^f-\d{1,12}$/.test(fault.id) || !Number.isSafeInteger(fault.made)) {
        throw new TypeError("not the faults of a sandbox");
      }
      return { ...checkFaultOrder(fault), id: fault.id, made: fault.made };
    }),
  };
}
