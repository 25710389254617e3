// Forms for keys from the administrative panel that are entered by hand (spec 1.4 and section 3).

import type { ActionContext } from "#src/actions/action-context.ts";
import { addCredential, addIntegrationKey, keyByHand } from "#src/actions/register/add-key.ts";
import { MERCHANT_ID_FIELD, RISK_LEVEL_FIELD } from "#src/contract/fields/registration-fields.ts";
import type { Project } from "#src/contract/records/project.ts";
import { CREDENTIAL_VALUE, pastedSecretProblem, type Secret } from "#src/contract/secret.ts";
import { DEFAULT_ALGORITHM } from "#src/contract/wire/credential.ts";
import {
  choiceOf,
  createForm,
  secretOf,
  textOf,
  type EntryField,
  type EntryForm,
  type Remark,
} from "#src/state/entry-form.ts";
import { entryField, riskLevelOf } from "#src/state/register/registration-form.ts";

const KEY_ID = keyText(
  "key_id",
  "Key id",
  "Key id from the administrative panel; goes into the header x-key-id.",
);
const COMPANY_ID = keyText("company_id", "Company id", "Company id; goes into the header x-company-id.");
const PROJECT_ID = keyText("project_id", "Project id", "Project id; goes into the header x-project-id.");
const ALGORITHM = keyText(
  "algorithm",
  "Algorithm",
  "Signing algorithm that the panel names.",
  DEFAULT_ALGORITHM,
);
const SECRET: EntryField = {
  kind: "secret",
  path: "secret",
  label: "Secret",
  help: "Type or paste it; it is not shown, and goes sealed into the vault.",
  remark: (secret) => remarkOnSecret(secret),
};

const MERCHANT = entryField({
  ...MERCHANT_ID_FIELD,
  required: false,
  help: "Names the project here, with the risk level; may be empty.",
});

/** The two kinds of keys that the vault holds. */
export type KeyKind = "integration_key" | "project_credential";

export const KIND_WORD: Readonly<Record<KeyKind, string>> = {
  integration_key: "integration key",
  project_credential: "credential",
};

const KIND = "kind";

/** For a key of either kind; the kind is its first field, and in focus. */
export function keyForm(kind: KeyKind): EntryForm {
  const choice: EntryField = {
    kind: "choice",
    path: KIND,
    label: "Kind",
    help: "An integration key registers projects; a credential signs the checks of one project.",
    choices: [KIND_WORD.integration_key, KIND_WORD.project_credential],
    initial: KIND_WORD[kind],
  };
  const owner =
    kind === "integration_key" ? [COMPANY_ID] : [MERCHANT, entryField(RISK_LEVEL_FIELD), PROJECT_ID];
  return createForm([choice, ...owner, KEY_ID, ALGORITHM, SECRET], KIND);
}

/** The kind that is chosen in a form for either. */
export function keyKind(form: EntryForm): KeyKind {
  return choiceOf(form, KIND) === KIND_WORD.integration_key ? "integration_key" : "project_credential";
}

/** A form for either kind with the fields of the kind that is chosen now; what was typed for both stays. */
export function ofItsKind(form: EntryForm): EntryForm {
  const next = keyForm(keyKind(form));
  const same = next.fields.every((field, index) => field.path === form.fields[index]?.path);
  if (same && next.fields.length === form.fields.length) return form;
  return {
    ...next,
    texts: { ...next.texts, ...form.texts },
    choices: { ...next.choices, ...form.choices },
    secrets: form.secrets,
    tried: form.tried,
  };
}

/** The owner of the key in a form for either kind: the company, or the project. */
export function keyOwner(form: EntryForm): string {
  if (keyKind(form) === "integration_key") return textOf(form, COMPANY_ID.path).trim();
  return keyByHand({ label: credentialOwner(form), projectId: textOf(form, PROJECT_ID.path).trim() });
}

/** For the credential of a project that is known, whose 24 hours are over. */
export function projectCredentialForm(): EntryForm {
  return createForm([KEY_ID, PROJECT_ID, ALGORITHM, SECRET], KEY_ID.path);
}

/**
 * Saves the key of a form for either kind.
 * @param replaces id of the entry that the user has agreed to replace, null for none
 * @returns the entry, and the former one; throws what the actions for keys by hand throw
 */
export function saveKey(
  context: ActionContext,
  form: EntryForm,
  replaces: string | null,
): ReturnType<typeof addCredential> {
  return keyKind(form) === "integration_key"
    ? saveIntegrationKey(context, form, replaces)
    : saveCredential(context, form, credentialOwner(form), replaces);
}

function saveIntegrationKey(
  context: ActionContext,
  form: EntryForm,
  replaces: string | null,
): ReturnType<typeof addIntegrationKey> {
  const key = {
    keyId: textOf(form, KEY_ID.path).trim(),
    companyId: textOf(form, COMPANY_ID.path).trim(),
    algorithm: textOf(form, ALGORITHM.path).trim(),
    secret: secretOf(form, SECRET.path),
  };
  return addIntegrationKey(context, key, replaces);
}

/**
 * Saves the credential of a form.
 * @param label of the project it belongs to, where the form does not ask
 * @param replaces as for `saveKey`; any entry by default
 * @returns and throws what `addCredential` does
 */
export function saveCredential(
  context: ActionContext,
  form: EntryForm,
  label: Pick<Project, "merchantId" | "riskLevel"> | null = credentialOwner(form),
  replaces?: string | null,
): ReturnType<typeof addCredential> {
  const credential = {
    label: label === null ? null : { merchantId: label.merchantId, riskLevel: label.riskLevel },
    keyId: textOf(form, KEY_ID.path).trim(),
    projectId: textOf(form, PROJECT_ID.path).trim(),
    algorithm: textOf(form, ALGORITHM.path).trim(),
    secret: secretOf(form, SECRET.path),
  };
  return addCredential(context, credential, replaces);
}

/** The label of the project that a form for either kind names; null without a merchant. */
function credentialOwner(form: EntryForm): Pick<Project, "merchantId" | "riskLevel"> | null {
  const merchantId = textOf(form, MERCHANT_ID_FIELD.path).trim();
  return merchantId === "" ? null : { merchantId, riskLevel: riskLevelOf(form) };
}

function keyText(path: string, label: string, help: string, initial: string = ""): EntryField {
  return { kind: "text", path, label, help, initial, remark: (text) => remarkOnValue(text.trim()) };
}

function remarkOnValue(value: string): Remark | null {
  if (value === "") return { severity: "error", text: "is required" };
  return CREDENTIAL_VALUE.test(value)
    ? null
    : { severity: "error", text: "must be 1 to 256 printable ASCII characters without blanks" };
}

/** The length shows whether a paste is complete. */
function remarkOnSecret(secret: Secret): Remark | null {
  const typed = secret.expose();
  const problem = remarkOnValue(typed);
  if (problem !== null) return problem;
  const pasted = pastedSecretProblem(typed);
  return pasted === null
    ? { severity: "note", text: `${typed.length} characters` }
    : { severity: "error", text: pasted };
}
