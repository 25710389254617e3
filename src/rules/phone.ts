// Telephone numbers: what is impossible about one, by its structure and country code (ITU-T E.164).

import { countriesOfPhone } from "#src/contract/calling-codes.ts";

const E164 = /^\+[1-9]\d{1,14}$/;
/** The shortest numbers in use, with their country code. */
const FEWEST_DIGITS = 7;
/** Numbers of the North American plan have ten digits, and neither area code nor exchange begins with 0 or 1. */
const NORTH_AMERICAN = /^1[2-9]\d{2}[2-9]\d{6}$/;

/** So many equal digits at the end are no subscriber's number. */
const LONGEST_REPEAT = 7;

/** @returns what is impossible about the number, in words; empty when it could exist */
export function phoneProblem(phone: string): string {
  const text = E164.test(phone) ? phone : phone.replaceAll(/[\s().-]/g, "");
  if (!E164.test(text)) return "is not + and 2 to 15 digits";
  const digits = text.slice(1);
  if (countriesOfPhone(digits) === null) return "begins with no assigned country code";
  if (digits.length < FEWEST_DIGITS) return "is shorter than any number in use";
  if (digits.startsWith("1") && !NORTH_AMERICAN.test(digits)) return "does not fit the North American plan";
  return endsInOneDigit(digits) ? "repeats one digit" : "";
}

function endsInOneDigit(digits: string): boolean {
  const last = digits.at(-1)!;
  return digits.length >= LONGEST_REPEAT && digits.endsWith(last.repeat(LONGEST_REPEAT));
}
