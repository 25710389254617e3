// The content of an exported age file: entries with their secrets as JSON, readable after `age -d`.

import { badInput, whole } from "#src/contract/fault.ts";
import { Secret } from "#src/contract/secret.ts";
import { jsonPlace, type Place } from "#src/contract/text/place.ts";
import { readShape } from "#src/contract/text/read-shape.ts";
import { anyNumber, anyText, choice, openMap, placed, variants } from "#src/contract/text/shape.ts";
import { parseStrictJson, StrictJsonError } from "#src/contract/text/strict-json.ts";
import { serviceUrlProblem } from "#src/contract/wire/service-url.ts";
import { addressOf, unusableValue } from "./entry-details.ts";
import type { EntryDetails } from "./vault-file.ts";

export type OpenedEntry = EntryDetails & { readonly secret: Secret };

const FORMAT = "verdict/vault-export";
const SCHEMA = 1;
const LIMIT_BYTES = 5 * 1024 * 1024;
/** The embedded sandbox has no fixed address; its keys are bound to a name. */
const EMBEDDED = /^embedded:[a-z]{1,32}$/;
const PROFILE = /^[^\p{C}\p{Z}/\\]{1,64}$/u;
const PROJECT_KEY = /^[^\p{Cc}]{1,300}\/(?:low|medium|high)$/u;

const EXPORT = openMap({ format: choice([FORMAT]), schema: anyNumber(), entries: placed({}) });
const COMMON = {
  profile: anyText(),
  key_id: anyText(),
  algorithm: anyText(),
  bound_to: anyText(),
  secret: anyText(),
};
const ENTRY = variants("kind", [
  openMap({ kind: choice(["integration_key"]), ...COMMON, company_id: anyText() }),
  openMap({ kind: choice(["project_credential"]), ...COMMON, project: anyText(), project_id: anyText() }),
]);

/** @param at when it is exported, in ms since the epoch */
export function renderEntries(entries: readonly OpenedEntry[], at: number): Buffer {
  const document = {
    format: FORMAT,
    schema: SCHEMA,
    exported_at: new Date(at).toISOString(),
    entries: entries.map((entry) => ({
      kind: entry.kind,
      profile: entry.profile,
      ...(entry.kind === "integration_key"
        ? { company_id: entry.companyId }
        : { project: entry.projectKey, project_id: entry.projectId }),
      key_id: entry.keyId,
      algorithm: entry.algorithm,
      bound_to: addressOf(entry),
      secret: entry.secret.expose(),
    })),
  };
  return Buffer.from(`${JSON.stringify(document, null, 2)}\n`, "utf8");
}

/**
 * Reads exported entries and checks each as on receipt. A fault repeats nothing of the content.
 * @throws Fault("bad_input") naming the entry by its number, from 1
 */
export function readEntries(plain: Uint8Array): OpenedEntry[] {
  let entries: readonly Place[];
  try {
    const { value } = parseStrictJson(plain, { maxBytes: LIMIT_BYTES });
    const document = readShape(EXPORT, jsonPlace(value), "the export");
    if (document.schema !== SCHEMA) {
      throw badInput`The export was made by a newer version of verdict; use that version.`;
    }
    entries = document.entries.items("the entries");
  } catch (error) {
    if (!(error instanceof TypeError) && !(error instanceof StrictJsonError)) throw error;
    throw badInput`The file opens, but it holds no export of a vault; nothing was imported.`;
  }
  return entries.map((place, index) => {
    try {
      return readEntry(place);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      throw badInput`Entry ${index + 1} of the export cannot be used because ${whole(error.message)}; nothing was imported.`;
    }
  });
}

/** @throws TypeError whose message is the end of a sentence */
function readEntry(place: Place): OpenedEntry {
  const fields = readShape(ENTRY, place, "it");
  const { profile, key_id: keyId, algorithm, bound_to: address } = fields;
  const common = { profile, keyId, algorithm, secret: new Secret(fields.secret) };
  const read: OpenedEntry =
    fields.kind === "integration_key"
      ? { kind: fields.kind, ...common, companyId: fields.company_id, projectsUrl: address }
      : {
          kind: fields.kind,
          ...common,
          projectKey: fields.project,
          projectId: fields.project_id,
          baseUrl: address,
        };
  const { secret, ...details } = read;
  const unusable = unusableValue(details, secret);
  if (unusable !== null) {
    throw new TypeError(`its ${unusable} is not 1 to 256 printable ASCII characters without blanks`);
  }
  if (!PROFILE.test(read.profile)) throw new TypeError("its profile is not a valid profile name");
  // Without the labels of merchant and risk level, a project is named by its id.
  if (
    read.kind === "project_credential" &&
    read.projectKey !== read.projectId &&
    !PROJECT_KEY.test(read.projectKey)
  ) {
    throw new TypeError("its project is neither merchant/risk-level nor its project id");
  }
  const problem = EMBEDDED.test(address) ? null : serviceUrlProblem(address);
  if (problem !== null) throw new TypeError(`its address ${problem}`);
  return read;
}
