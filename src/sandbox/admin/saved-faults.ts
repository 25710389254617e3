// Fault injection orders on disk, as an embedded sandbox stops between two commands.

import { join } from "node:path";
import { checkFaultOrder, type FaultReading } from "#src/contract/wire/sandbox-fault.ts";
import { openDocument, type Document } from "#src/storage/documents/document.ts";
import type { OnProblem } from "#src/storage/store-problem.ts";

export const FAULTS_FILE = "faults.json";

export function openFaultsDocument(dir: string, onProblem: OnProblem): Document<{ faults: FaultReading[] }> {
  return openDocument<{ faults: FaultReading[] }>({
    path: join(dir, FAULTS_FILE),
    format: "verdict/sandbox-faults",
    schema: 1,
    initial: () => ({ faults: [] }),
    parse: parseFaults,
    onProblem,
  });
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
