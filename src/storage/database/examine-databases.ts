// Examines the databases of a home for `verdict doctor`: those that cannot be read, or not be written.

import { Fault } from "#src/contract/fault.ts";
import { findingsOf, type Finding } from "#src/contract/finding.ts";
import { Database } from "./database.ts";
import { HISTORY } from "./history-form.ts";
import { RUNS } from "./run-form.ts";

const finding = findingsOf("files");

/** Looks at no row. @param history path of its database @param runs path of theirs */
export async function examineDatabases(history: string, runs: string): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [path, form] of [
    [history, HISTORY],
    [runs, RUNS],
  ] as const) {
    try {
      const database = await Database.open(path, form, false);
      if (typeof database?.whyReadOnly === "string") findings.push(finding("problem", database.whyReadOnly));
      database?.close();
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      findings.push(finding("problem", error.message));
    }
  }
  return findings;
}
