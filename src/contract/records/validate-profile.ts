// A profile before it is stored or used.

import { findCardData } from "#src/contract/fields/card-data.ts";
import type { Finding } from "#src/contract/fields/field.ts";
import { checkField } from "#src/contract/fields/validate.ts";
import { PROFILE_FIELDS, profileValues } from "./profile-fields.ts";
import { SANDBOX_PROFILE, type Profile } from "./profile.ts";

/** Only the built-in sandbox leaves them empty: they are found at run time. */
const ADDRESSES = ["base_url", "projects_url"];

/** What is wrong with a profile; empty when all is well. */
export function validateProfile(profile: Profile): Finding[] {
  const builtIn = profile.name === SANDBOX_PROFILE.name;
  const values = profileValues(profile);
  // No field of a profile looks at another one, and none at the clock.
  const context = { body: values, now: 0, amountUnit: "minor" } as const;
  return PROFILE_FIELDS.flatMap((field) => {
    const value = values[field.path];
    if (value === undefined || (builtIn && value === "" && ADDRESSES.includes(field.path))) return [];
    if (findCardData({ [field.path]: value }) !== null) {
      return [{ path: field.path, severity: "error", message: `${field.path} must not hold a card number.` }];
    }
    // Left out is one thing, and there without a value another.
    return checkField({ ...field, required: true }, value, context);
  });
}
