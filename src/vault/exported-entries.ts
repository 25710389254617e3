// The content of an exported age file: entries with their secrets as JSON, readable after `age -d`.

import { badInput, Fault, whole } from "#src/contract/fault.ts";
import { Secret } from "#src/contract/secret.ts";
import { parseStrictJson, StrictJsonError } from "#src/contract/text/strict-json.ts";
import { serviceUrlProblem } from "#src/contract/wire/service-url.ts";
import { asList, asObject, asText } from "#src/storage/record-shape.ts";
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
  let entries: readonly unknown[];
  try {
    const document = asObject(parseStrictJson(plain, { maxBytes: LIMIT_BYTES }).value);
    if (document["format"] !== FORMAT) throw new TypeError("another format");
    if (document["schema"] !== SCHEMA) {
      throw badInput`The export was made by a newer version of verdict; use that version.`;
    }
    entries = asList(document["entries"]);
  } catch (error) {
    if (error instanceof Fault) throw error;
    if (!(error instanceof TypeError) && !(error instanceof StrictJsonError)) throw error;
    throw badInput`The file opens, but it holds no export of a vault; nothing was imported.`;
  }
  return entries.map((value, index) => {
    try {
      return readEntry(value);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      throw badInput`Entry ${index + 1} of the export cannot be used because ${whole(error.message)}; nothing was imported.`;
    }
  });
}

/** @throws TypeError whose message is the end of a sentence */
function readEntry(value: unknown): OpenedEntry {
  let read: OpenedEntry;
  try {
    const fields = asObject(value);
    const text = (name: string): string => asText(fields[name]);
    const common = {
      profile: text("profile"),
      keyId: text("key_id"),
      algorithm: text("algorithm"),
      secret: new Secret(text("secret")),
    };
    if (fields["kind"] === "integration_key") {
      read = {
        kind: "integration_key",
        ...common,
        companyId: text("company_id"),
        projectsUrl: text("bound_to"),
      };
    } else if (fields["kind"] === "project_credential") {
      const [projectKey, projectId] = [text("project"), text("project_id")];
      read = { kind: "project_credential", ...common, projectKey, projectId, baseUrl: text("bound_to") };
    } else {
      throw new TypeError();
    }
  } catch {
    throw new TypeError("fields of it are missing, or are not text");
  }
  const { secret, ...details } = read;
  const unusable = unusableValue(details, secret);
  if (unusable !== null) {
    throw new TypeError(`its ${unusable} is not 1 to 256 printable ASCII characters without blanks`);
  }
  if (!PROFILE.test(read.profile)) throw new TypeError("its profile is no name of a profile");
  // Without the labels of merchant and risk level, a project is named by its id.
  if (
    read.kind === "project_credential" &&
    read.projectKey !== read.projectId &&
    !PROJECT_KEY.test(read.projectKey)
  ) {
    throw new TypeError("its project is not written as merchant/risk-level, and is not its project id");
  }
  const address = addressOf(read);
  const problem = EMBEDDED.test(address) ? null : serviceUrlProblem(address);
  if (problem !== null) throw new TypeError(`its address ${problem}`);
  return read;
}
