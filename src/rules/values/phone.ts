// Plausibility of telephone numbers by structure and country code (ITU-T E.164).

import { E164 } from "#src/contract/fields/payer-checks.ts";
import { countriesOfPhone } from "#src/contract/lists/calling-codes.ts";

const ONE = "1".charCodeAt(0);
/** The shortest numbers in use, with their country code. */
const FEWEST_DIGITS = 7;
/** Numbers of the North American plan have ten digits, and neither area code nor exchange begins with 0 or 1. */
const NORTH_AMERICAN = /^\+1[2-9]\d{2}[2-9]\d{6}$/;

/** So many equal digits at the end are not a subscriber number. */
const REPEATED = /(.)\1{6}$/;

/** @returns why the number is impossible, in words; empty if it is possible */
export function phoneProblem(phone: string): string {
  const text = E164.test(phone) ? phone : phone.replaceAll(/[\s().-]/g, "");
  if (!E164.test(text)) return "is not + and 2 to 15 digits";
  if (countriesOfPhone(text, 1) === null) return "begins with no assigned country code";
  if (text.length <= FEWEST_DIGITS) return "is shorter than any number in use";
  if (text.charCodeAt(1) === ONE && !NORTH_AMERICAN.test(text)) return "does not fit the North American plan";
  return REPEATED.test(text) ? "repeats one digit" : "";
}
