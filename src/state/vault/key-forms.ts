// Forms for keys from the administrative panel that are entered by hand (spec 1.4 and section 3).

import { MERCHANT_ID_FIELD, RISK_LEVEL_FIELD } from "#src/contract/fields/registration-fields.ts";
import { KIND_WORD, type Key, type KeyKind } from "#src/contract/records/key.ts";
import { projectKey, type Project } from "#src/contract/records/project.ts";
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
import { entryField, riskLevelOf } from "#src/state/request-fields.ts";

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
function keyKind(form: EntryForm): KeyKind {
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

/** For the credential of a project that is known, whose 24 hours are over. */
export function projectCredentialForm(): EntryForm {
  return createForm([KEY_ID, PROJECT_ID, ALGORITHM, SECRET], KEY_ID.path);
}

/**
 * The key that was entered.
 * @param project the one that a credential is for, where the form does not ask
 */
export function enteredKey(form: EntryForm, project?: Project): Key {
  const value = ({ path }: EntryField): string => textOf(form, path).trim();
  const shared = {
    keyId: value(KEY_ID),
    algorithm: value(ALGORITHM),
    secret: secretOf(form, SECRET.path),
  };
  if (project === undefined && keyKind(form) === "integration_key") {
    return { kind: "integration_key", ...shared, companyId: value(COMPANY_ID) };
  }
  const projectId = value(PROJECT_ID);
  const merchantId = project === undefined ? value(MERCHANT) : "";
  const named = merchantId === "" ? projectId : projectKey(merchantId, riskLevelOf(form));
  return { kind: "project_credential", ...shared, projectId, projectKey: project?.key ?? named };
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
