// The tenants of a sandbox on disk, without the default one. What they hold is in their own folders.

import { join } from "node:path";
import { DEFAULT_TENANT, TENANT_NAME } from "#src/contract/wire/sandbox-wire.ts";
import { openDocument, type Document } from "#src/storage/documents/document.ts";
import type { OnProblem } from "#src/storage/store-problem.ts";
import type { StoredTenant } from "./tenant-record.ts";

interface StoredTenants {
  tenants: StoredTenant[];
}

export function openTenantsDocument(dir: string, onProblem: OnProblem): Document<StoredTenants> {
  return openDocument<StoredTenants>({
    path: join(dir, "tenants.json"),
    format: "verdict/sandbox-tenants",
    schema: 1,
    initial: () => ({ tenants: [] }),
    parse: parseTenants,
    onProblem,
  });
}

/** @throws TypeError when the data is not of this shape */
function parseTenants(data: unknown): StoredTenants {
  const { tenants } = data as StoredTenants;
  const isTime = (at: unknown): boolean => Number.isSafeInteger(at);
  const good = tenants.every(
    ({ name, createdAt, expiresAt, seed, magic, quota, tokenDigest }) =>
      TENANT_NAME.test(name) &&
      name !== DEFAULT_TENANT &&
      isTime(createdAt) &&
      (expiresAt === null || isTime(expiresAt)) &&
      (seed === null || Number.isSafeInteger(seed)) &&
      typeof magic === "boolean" &&
      [quota.projects, quota.decisions].every(Number.isSafeInteger) &&
      /^[0-9a-f]{64}$/.test(tokenDigest),
  );
  if (!good) throw new TypeError("not the tenants of a sandbox");
  return { tenants };
}
