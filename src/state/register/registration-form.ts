// The registration form, built from the field table of the contract, and the request that it forms.

import type { FieldValue } from "#src/contract/fields/field.ts";
import { registrationFields } from "#src/contract/fields/registration-fields.ts";
import { readField } from "#src/contract/fields/validate.ts";
import type { CurrencyNumbering } from "#src/contract/records/profile.ts";
import type { RegistrationRequest } from "#src/contract/wire/wire.ts";
import { createForm, textOf, type EntryForm } from "#src/state/entry-form.ts";
import { entryField, riskLevelOf } from "#src/state/request-fields.ts";

/** An empty form with the focus on its button. */
export function createRegistrationForm(numbering?: CurrencyNumbering): EntryForm {
  return createForm(registrationFields(numbering).map(entryField));
}

/** The request that a form without errors stands for (spec 2.5). */
export function registrationRequest(form: EntryForm, numbering?: CurrencyNumbering): RegistrationRequest {
  const value = (path: string): FieldValue => {
    const field = registrationFields(numbering).find((each) => each.path === path)!;
    const read = readField(field, textOf(form, path));
    return "value" in read ? read.value : "";
  };
  const description = textOf(form, "description");
  return {
    merchant_id: String(value("merchant_id")),
    name: String(value("name")),
    ...(description === "" ? {} : { description }),
    currency: Number(value("currency")),
    risk_level: riskLevelOf(form),
  };
}
