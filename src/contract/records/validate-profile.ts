// Validates a profile before it is stored or used.

import { findCardData } from "#src/contract/fields/card-data.ts";
import type { Finding } from "#src/contract/fields/field.ts";
import { checkField } from "#src/contract/fields/validate.ts";
import { PROFILE_FIELDS, profileValues } from "./profile-fields.ts";
import { SANDBOX_PROFILE, type Profile } from "./profile.ts";

/** Empty in the built-in sandbox only, whose addresses are found at run time. */
const ADDRESSES = ["base_url", "projects_url"];

/** Findings about a profile; empty for a valid one. */
export function validateProfile(profile: Profile): Finding[] {
  const builtIn = profile.name === SANDBOX_PROFILE.name;
  const values = profileValues(profile);
  // No profile field depends on another one or on the clock.
  const context = { body: values, now: 0, amountUnit: "minor" } as const;
  return PROFILE_FIELDS.flatMap((field) => {
    const value = values[field.path];
    if (value === undefined || (builtIn && value === "" && ADDRESSES.includes(field.path))) return [];
    if (findCardData({ [field.path]: value }) !== null) {
      return [{ path: field.path, severity: "error", message: `${field.path} must not hold a card number.` }];
    }
    // A field may be absent, but not present and empty.
    return checkField({ ...field, required: true }, value, context);
  });
}
