// The record of a tenant in its own folder.

import { join } from "node:path";
import { becomes } from "#src/contract/text/shape.ts";
import { openDocument, type Document } from "#src/storage/documents/document.ts";
import type { OnProblem } from "#src/storage/store-problem.ts";
import type { StoredTenant } from "./tenant-record.ts";

/** Null before it is written. */
interface OwnRecord {
  record: StoredTenant | null;
}

export function openTenantFile(dir: string, name: string, onProblem: OnProblem): Document<OwnRecord> {
  return openDocument<OwnRecord>({
    path: join(dir, "tenant.json"),
    format: "verdict/sandbox-tenant",
    schema: 1,
    initial: () => ({ record: null }),
    shape: becomes({}, (data) => parseRecord(data as { record: StoredTenant }, name)),
    onProblem,
  });
}

/** @throws TypeError when the data is not of this shape, or of another tenant, whose folder was copied */
function parseRecord({ record }: { record: StoredTenant }, name: string): OwnRecord {
  const { createdAt, expiresAt, seed, magic, quota, tokenDigest } = record;
  const good =
    record.name === name &&
    [createdAt, expiresAt ?? 0, seed ?? 0, quota.projects, quota.decisions].every(Number.isSafeInteger) &&
    typeof magic === "boolean" &&
    /^[0-9a-f]{64}$/.test(tokenDigest);
  if (!good) throw new TypeError("not the record of this tenant");
  return { record };
}
