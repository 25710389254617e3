// The form of a profile, built from the field table of the contract, and the profile that it forms.

import type { Field } from "#src/contract/fields/field.ts";
import { showField } from "#src/contract/fields/validate.ts";
import {
  NEW_PROFILE,
  PROFILE_FIELDS,
  profileOfTexts,
  profileValues,
} from "#src/contract/records/profile-fields.ts";
import type { Profile } from "#src/contract/records/profile.ts";
import {
  choiceOf,
  createForm,
  SUBMIT,
  textOf,
  type EntryField,
  type EntryForm,
} from "#src/state/entry-form.ts";
import { fieldRemark } from "#src/state/request-fields.ts";

const NAME = "name";
/** The sandbox is built in: a profile that is added has a service with an address. */
const ENVIRONMENTS_OFFERED = ["TEST", "LIVE"] as const;

/** The words in place of an empty value. */
const WHEN_EMPTY: Readonly<Record<string, string>> = {
  projects_url: "as the check address",
  company_id: "the company of the newest key",
  answers: "JSON alone",
  deadline_s: "30",
  ca: "system certificates",
  proxy: "from the environment",
};

/**
 * The form of a profile.
 * @param shown the profile as it is stored; null for a new one
 * @param recipes ids of the recipes there are: another one is remarked upon
 */
export function createProfileForm(shown: Profile | null, recipes: readonly string[]): EntryForm {
  const values = profileValues(shown ?? NEW_PROFILE);
  const fields = PROFILE_FIELDS
    // The name is what history, vault and projects hang on; another name is another profile.
    .filter((field) => field.path !== NAME || shown === null)
    .map((field) => entryField(field, showField(field, values[field.path]), recipes));
  return createForm(fields, shown === null ? NAME : SUBMIT);
}

/** The profile that a form stands for. @param before as it is stored; null for a new one */
export function formProfile(form: EntryForm, before: Profile | null): Profile {
  const typed = Object.fromEntries(
    form.fields.map((field) => [
      field.path,
      field.kind === "choice" ? choiceOf(form, field.path) : textOf(form, field.path),
    ]),
  );
  return profileOfTexts(before === null ? typed : { ...typed, name: before.name }, before);
}

/** What a form says of each field now, by path: to tell whether anything was typed. */
export function formTexts(form: EntryForm): Readonly<Record<string, string>> {
  return Object.fromEntries(
    form.fields.map(({ kind, path }) => [
      path,
      kind === "choice" ? choiceOf(form, path) : textOf(form, path),
    ]),
  );
}

function entryField(field: Field, initial: string, recipes: readonly string[]): EntryField {
  const { path, label, help } = field;
  const [first, ...others] = path === "environment" ? ENVIRONMENTS_OFFERED : (field.choices ?? []);
  if (first !== undefined) {
    return { kind: "choice", path, label, help, choices: [first, ...others], initial };
  }
  const placeholder = WHEN_EMPTY[path];
  return {
    kind: "text",
    path,
    label,
    help,
    initial,
    ...(path === "ca" ? { isPath: true } : {}),
    ...(placeholder === undefined ? {} : { placeholder }),
    remark: (text) => {
      const remark = fieldRemark(field, text.trim());
      if (remark !== null || path !== "recipe" || text.trim() === "" || recipes.length === 0) return remark;
      return recipes.includes(text.trim())
        ? null
        : { severity: "error", text: 'is not a known recipe; "verdict recipe list" lists the recipes' };
    },
  };
}
