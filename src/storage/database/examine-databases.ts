// Examines the databases of a home for `verdict doctor`: those that cannot be read, or not be written.

import { Fault } from "#src/contract/fault.ts";
import { findingsOf, type Finding } from "#src/contract/finding.ts";
import { Database, type DatabaseForm } from "./database.ts";

const finding = findingsOf("files");

/** Looks at no row. */
export async function examineDatabases(
  databases: readonly (readonly [path: string, form: DatabaseForm])[],
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [path, form] of databases) {
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
