// The format of the vault's document: the fields of an entry in the clear, its secret sealed.

import {
  anyNumber,
  anyText,
  choice,
  flag,
  list,
  openMap,
  optional,
  or,
  orNothing,
  variants,
  type Of,
} from "#src/contract/text/shape.ts";
import type { Changing } from "#src/storage/documents/document.ts";

/** An integration key as the vault describes it (spec 1.4). */
const INTEGRATION_KEY = openMap({
  kind: choice(["integration_key"]),
  profile: anyText(),
  companyId: anyText(),
  keyId: anyText(),
  algorithm: anyText(),
  projectsUrl: anyText("The only address that it signs for."),
});

/** A project credential as the vault describes it (spec 2.8). */
const PROJECT_CREDENTIAL = openMap({
  kind: choice(["project_credential"]),
  profile: anyText(),
  projectKey: anyText("`<merchant_id>/<risk_level>`"),
  projectId: anyText(),
  keyId: anyText(),
  algorithm: anyText(),
  baseUrl: anyText("The only address that it signs for."),
});

export const ENTRY_DETAILS = {
  integration_key: INTEGRATION_KEY.properties,
  project_credential: PROJECT_CREDENTIAL.properties,
} as const;

export type EntryDetails = Of<typeof INTEGRATION_KEY> | Of<typeof PROJECT_CREDENTIAL>;

const SEALED = { id: anyText(), sealed: anyText("The secret, as `Sealed`.") };
const ENTRY = variants("kind", [
  openMap({ ...INTEGRATION_KEY.properties, ...SEALED }),
  openMap({ ...PROJECT_CREDENTIAL.properties, ...SEALED }),
]);

export type StoredEntry = Of<typeof ENTRY>;

const REPLACED = { ...SEALED, replacedAt: anyNumber("ms since the epoch") };
/** An entry that was replaced: it signs nothing, and can be put back. */
const FORMER_ENTRY = variants("kind", [
  openMap({ ...INTEGRATION_KEY.properties, ...REPLACED }),
  openMap({ ...PROJECT_CREDENTIAL.properties, ...REPLACED }),
]);

export type FormerEntry = Of<typeof FORMER_ENTRY>;

/** Cost of the key derivation (RFC 7914). */
const SCRYPT = openMap({ n: anyNumber(), r: anyNumber(), p: anyNumber(), salt: anyText("In base64.") });

export type ScryptParameters = Of<typeof SCRYPT>;

/** How the data key is wrapped: by the key of the key file, or by a key that is derived from a passphrase. */
const WRAPPED_KEY = variants("scheme", [
  openMap({ scheme: choice(["key-file"]), sealed: anyText() }),
  openMap({ scheme: choice(["passphrase"]), scrypt: SCRYPT, sealed: anyText() }),
]);

export type WrappedKey = Of<typeof WRAPPED_KEY>;

export const VAULT = openMap({
  /** Null before the first entry. */
  wrapped: orNothing(WRAPPED_KEY),
  outdated: optional(
    flag("True from a change of the protection until nothing on disk opens with what protected it before."),
  ),
  entries: list(ENTRY),
  former: or(list(FORMER_ENTRY, "In the order in which they were replaced."), []),
});

export type VaultData = Changing<Of<typeof VAULT>>;
