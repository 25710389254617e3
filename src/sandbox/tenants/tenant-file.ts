// The record of a tenant in its own folder.

import { join } from "node:path";
import { checked, openMap, orNothing, type Of } from "#src/contract/text/shape.ts";
import { openDocument, type Document } from "#src/storage/documents/document.ts";
import type { OnProblem } from "#src/storage/store-problem.ts";
import { TENANT } from "./tenant-record.ts";

const OWN_RECORD = openMap({ record: orNothing(TENANT) });

/** Null before it is written. */
type OwnRecord = Of<typeof OWN_RECORD>;

export function openTenantFile(dir: string, name: string, onProblem: OnProblem): Document<OwnRecord> {
  return openDocument({
    path: join(dir, "tenant.json"),
    format: "verdict/sandbox-tenant",
    schema: 1,
    initial: () => ({ record: null }),
    // Its folder may have been copied.
    shape: checked(OWN_RECORD, ({ record }) => (record?.name === name ? null : "is of another tenant")),
    onProblem,
  });
}
