// Heuristics for implausible names, mailboxes and telephone numbers: explainable, and linear in the length of the text.

import { E164 } from "#src/contract/fields/payer-checks.ts";
import { countriesOfPhone } from "#src/contract/lists/calling-codes.ts";

/** Placeholders that scripts enter instead of a name. */
const PLACEHOLDERS: ReadonlySet<string> = new Set([
  "TEST",
  "TEST TEST",
  "TEST USER",
  "TEST CARD",
  "TESTER",
  "CARD HOLDER",
  "CARDHOLDER",
  "CARDHOLDER NAME",
  "NAME SURNAME",
  "FIRST LAST",
  "FIRSTNAME LASTNAME",
  "NO NAME",
  "NONAME",
  "UNKNOWN",
  "NULL",
  "UNDEFINED",
  "NONE",
  "ASDF",
  "ASD ASD",
  "QWERTY",
  "ABC",
]);

/** Two or more words of different letters and of a usual length: nearly every name (fast path). */
const PLAIN_NAME = /^(?=.{4,40}$)([A-Z])(?:\1*)(?!\1)[A-Z]+(?: [A-Z]+){1,3}$/;

/** More than a card can carry (ISO/IEC 7813: 26), with room for names that are typed in full. */
const LONGEST_NAME = 60;

/** Which of a name and its heirs it is: JOHN SMITH 3RD. */
const ORDINAL = /(?<![\p{L}\p{N}])\d{1,2}(?:ST|ND|RD|TH)(?![\p{L}\p{N}])/gu;

/** What a firm is by law, without its points: firms may have a number in their names, as in CAFE 1908 GMBH. */
const LEGAL_FORM =
  /(?:^| )(?:AB|AG|AS|APS|ASA|BV|CO|CORP|DOO|EG|EK|EOOD|EV|GBR|GMBH|INC|JSC|KFT|KG|LIMITED|LLC|LLP|LTD|LTDA|MBH|NV|OHG|OOD|OU|OY|OYJ|PLC|PTY|SA|SARL|SAS|SE|SIA|SL|SPA|SPJ|SP Z OO|SPZOO|SRL|SRO|UAB|UG|ZRT|ТОВ|ПП|ФОП|ПРАТ|ООО|ИП|АО)(?: |$)/u;
const MOST_DIGITS_OF_FIRM = 4;

/** @returns the anomaly of a card holder's name, in words; empty for none. The holder is a person or a firm. */
export function holderAnomaly(holder: string): string {
  const name = holder.trim().toUpperCase();
  if (PLAIN_NAME.test(name) && !PLACEHOLDERS.has(name)) return "";
  const bare = name.replaceAll(ORDINAL, "");
  const digits = bare.match(/\p{N}/gu)?.length ?? 0;
  if (digits > 0 && !(digits <= MOST_DIGITS_OF_FIRM && isFirm(name))) return "has digits in it";
  if (/[^\p{L}\p{M}\p{N}\s.,'’`´"/()&+–-]/u.test(name)) return "has characters that names do not have";
  const letters = bare.replaceAll(/[^\p{L}]/gu, "");
  if (letters.length < 2) return "has fewer than two letters";
  if (new Set(letters).size === 1) return "repeats one letter";
  if (PLACEHOLDERS.has(name.replaceAll(/\s+/g, " "))) return "is a placeholder";
  return name.length > LONGEST_NAME ? `is longer than ${LONGEST_NAME} characters` : "";
}

function isFirm(name: string): boolean {
  return LEGAL_FORM.test(name.replaceAll(".", "").replaceAll(/[^\p{L}\p{N}]+/gu, " "));
}

/** Shorter mailboxes are too short to judge. */
const SHORTEST_LOCAL = 8;
/** Class of each UTF-16 code under 256; higher codes have none. */
const [DIGIT, CONSONANT, VOWEL, FOREIGN_VOWEL] = [1, 2, 3, 4];
const SIGNS = new Uint8Array(256);
for (const sign of "0123456789") SIGNS[sign.charCodeAt(0)] = DIGIT;
for (const sign of "bcdfghjklmnpqrstvwxz") SIGNS[sign.charCodeAt(0)] = CONSONANT;
for (const sign of "aeiouy") SIGNS[sign.charCodeAt(0)] = VOWEL;
for (const sign of "äöüáéíóúàèìòùâêîôûåøæ") SIGNS[sign.charCodeAt(0)] = FOREIGN_VOWEL;

/**
 * How random a mailbox looks, 0 to 100: changes between letters and digits beyond the first (20 each), consonants in a row
 * beyond four (15 each), and few vowels among six letters or more (30). Only a to z is judged, other scripts are not.
 * @param local the part before the `@`, in lower case and without a tag
 */
export function localRandomness(local: string): number {
  if (local.length < SHORTEST_LOCAL) return 0;
  let turns = 0;
  let consonants = 0;
  let longest = 0;
  let letters = 0;
  let vowels = 0;
  let before: "letter" | "digit" | null = null;
  for (let i = 0; i < local.length; i++) {
    const sign = SIGNS[local.charCodeAt(i)];
    const isLetter = sign === CONSONANT || sign === VOWEL;
    const kind = isLetter ? "letter" : sign === DIGIT ? "digit" : null;
    if (kind !== null && before !== null && kind !== before) turns += 1;
    before = kind;
    consonants = sign === CONSONANT ? consonants + 1 : 0;
    if (consonants > longest) longest = consonants;
    if (isLetter) letters += 1;
    if (sign === VOWEL || sign === FOREIGN_VOWEL) vowels += 1;
  }
  const bare = letters >= 6 && vowels / letters < 0.15 ? 30 : 0;
  return Math.min(100, Math.max(0, turns - 1) * 20 + Math.max(0, longest - 4) * 15 + bare);
}

const ONE = "1".charCodeAt(0);
/** The shortest numbers in use, with their country code. */
const FEWEST_DIGITS = 7;
/** Numbers of the North American plan have ten digits, and neither area code nor exchange begins with 0 or 1. */
const NORTH_AMERICAN = /^\+1[2-9]\d{2}[2-9]\d{6}$/;

/** So many equal digits at the end are not a subscriber number. */
const REPEATED = /(.)\1{6}$/;

/**
 * Judges a telephone number by structure and country code (ITU-T E.164).
 * @returns why the number is impossible, in words; empty if it is possible
 */
export function phoneProblem(phone: string): string {
  const text = E164.test(phone) ? phone : phone.replaceAll(/[\s().-]/g, "");
  if (!E164.test(text)) return "is not + and 2 to 15 digits";
  if (countriesOfPhone(text, 1) === null) return "begins with no assigned country code";
  if (text.length <= FEWEST_DIGITS) return "is shorter than any number in use";
  if (text.charCodeAt(1) === ONE && !NORTH_AMERICAN.test(text)) return "does not fit the North American plan";
  return REPEATED.test(text) ? "repeats one digit" : "";
}
