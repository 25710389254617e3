// A profile: addresses of a service, how requests are signed, and which safeguards apply.

import { escapeText } from "#src/contract/text/escape-text.ts";
import type { ANSWER_FORMS, CURRENCY_NUMBERINGS, StoredProfile } from "./profile-fields.ts";

export type Environment = Profile["environment"];
/** Unit in which amounts are written: minor (cents) or major units of the currency. */
export type AmountUnit = Profile["amountUnit"];
export type CurrencyNumbering = (typeof CURRENCY_NUMBERINGS)[number];
export type AnswerForm = (typeof ANSWER_FORMS)[number];

export type Profile = StoredProfile & {
  /** Not stored: set when the profiles were restored from their previous generation and may be out of date. */
  readonly rolledBack?: boolean;
};

/** How a service numbers `currency` in a registration. */
export function registrationNumbering({
  currencyNumbering,
  registrationCurrencyNumbering,
}: Pick<Profile, "currencyNumbering" | "registrationCurrencyNumbering">): CurrencyNumbering {
  return registrationCurrencyNumbering ?? currencyNumbering ?? "iso-4217";
}

/** Whether a service is known to accept what a recipe signs. */
export type RecipeStatus = "assumed" | "confirmed";

/**
 * Whether the recipe of a profile is confirmed for its service.
 * @param own status of the recipe itself
 * @returns null for the sandbox, which accepts any recipe
 */
export function recipeStatus(profile: Profile, own: RecipeStatus = "assumed"): RecipeStatus | null {
  if (profile.environment === "SANDBOX") return null;
  return profile.confirmedRecipe === profile.recipe ? "confirmed" : own;
}

/** Why nothing is sent through profiles that were rolled back, and how that ends. */
export const ROLLED_BACK =
  'The profiles were damaged. verdict reads the version before the last change and sends nothing: look at addresses and read-only with "verdict profile list", then accept them with "verdict profile use NAME", or on the screen Profiles.';

/** Why nothing is sent through a profile, as a sentence; null when it may be. @param lift what ends read-only; the command unless told */
export function whyNotSend(
  { name, readOnly, rolledBack }: Pick<Profile, "name" | "readOnly" | "rolledBack">,
  lift?: string,
): string | null {
  if (rolledBack === true) return ROLLED_BACK;
  if (readOnly !== true) return null;
  const shown = escapeText(name, 64);
  return `The profile ${shown} is read-only, so nothing is sent through it; ${lift ?? `"verdict profile add ${shown} --no-read-only"`} ends that.`;
}

/** The forms of answers that are accepted as well. The sandbox never has one. */
export function acceptedForms({ answers = [], environment }: Profile): readonly AnswerForm[] {
  return environment === "SANDBOX" ? [] : answers;
}

/** What a verdict of this profile may have come from, as a sentence; null for the standard form alone. */
export function answersWarning(profile: Profile): string | null {
  const forms = acceptedForms(profile).join(", ");
  return forms === "" ? null : `Answers of the profile ${escapeText(profile.name, 64)} may also be ${forms}.`;
}

/** A warning about the addresses of a profile, as a sentence; null for none. */
export function addressWarning({
  name,
  environment,
  baseUrl,
  projectsUrl,
}: Pick<Profile, "name" | "environment" | "baseUrl" | "projectsUrl">): string | null {
  const plain = [baseUrl, projectsUrl].find((url) => url.toLowerCase().startsWith("http:"));
  if (environment !== "LIVE" || plain === undefined) return null;
  return `The profile ${escapeText(name, 64)} is LIVE, and ${escapeText(plain)} is this machine, without encryption: make sure that a tunnel to the service listens there, and no other program.`;
}

/** The profile that always exists: the embedded sandbox of this home. */
export const SANDBOX_PROFILE: Profile = {
  name: "sandbox",
  environment: "SANDBOX",
  baseUrl: "",
  projectsUrl: "",
  recipe: "http-signatures",
  amountUnit: "minor",
  credentialWaitS: 5,
};
