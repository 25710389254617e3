// The two kinds of keys a caller holds (spec sections 1.3, 2.8 and 5).

import type { Secret } from "#src/contract/secret.ts";

/** From the "integration keys" section of the administrative panel: signs registration and credential requests (spec 5.3, 5.4). */
export interface IntegrationKey {
  /** header x-key-id */
  readonly keyId: string;
  /** header x-company-id */
  readonly companyId: string;
  readonly secret: Secret;
  /** signing algorithm, e.g. `hmac-sha256` */
  readonly algorithm: string;
}

/** From the credential response: signs checks (spec 2.8, 5.2). */
export interface ProjectCredential {
  /** header x-key-id */
  readonly keyId: string;
  /** header x-project-id */
  readonly projectId: string;
  readonly secret: Secret;
  /** signing algorithm, e.g. `hmac-sha256`; an unknown one is stored, but not signed with */
  readonly algorithm: string;
}

/** The algorithm of the spec (2.8), and the default for a key entered by hand. */
export const DEFAULT_ALGORITHM = "hmac-sha256";
