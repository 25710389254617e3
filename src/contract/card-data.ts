// Finds what must never be sent or saved: full card numbers, and keys that are named after card verification data.

import { beginsWith, CARD_SCHEMES } from "./card-schemes.ts";

/** Key names, in lower case, whose mere presence is refused. */
const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(["cvv", "cvc", "cvv2", "pan", "track"]);

/** Fields of digits that are no card number by their meaning: Luhn alone would refuse a tenth of all phone numbers. */
const EXEMPT_KEYS: ReadonlySet<string> = new Set(["number_phone", "amount"]);

const SHORTEST = 12;
const LONGEST = 19;

/** Digits with any spaces and dashes between them. */
const RUN = /[0-9](?:[\s\p{Pd}\u2212]*[0-9])*/gu;
const GROUP = /[0-9]+/g;
/** Plain ASCII with fewer digits than any card number has: nearly every text, told at a glance. */
const FEW_DIGITS = /^[ -/:-~]*(?:[0-9][ -/:-~]*){0,11}$/;

export interface CardDataFound {
  /** Dotted path of the field or key (`card.holder`, `list.0.note`); empty for a bare text. Never holds the data itself. */
  readonly path: string;
  readonly kind: "card_number" | "forbidden_key";
}

/**
 * Looks for card data in a body or a text, at any depth: a card number in any text, number or key, or a key such as `cvv`.
 * A card number is a run of digits, spaces and dashes ignored, that passes the Luhn check AND has the prefix and length
 * of a card scheme. It may stand in a sentence or between other groups of digits, but not inside a longer unbroken number.
 * `bin_card` and `cin_card` are fine; `number_phone` and `amount` are exempt.
 * @returns the first find, or null
 */
export function findCardData(value: unknown): CardDataFound | null {
  return search(value, "");
}

function search(value: unknown, path: string): CardDataFound | null {
  if (typeof value === "string") return holdsCardNumber(value) ? { path, kind: "card_number" } : null;
  if (typeof value === "number") return holdsCardNumber(String(value)) ? { path, kind: "card_number" } : null;
  if (typeof value !== "object" || value === null) return null;

  for (const [key, inner] of Object.entries(value)) {
    // The key itself is the data here, so that only its parent may be named.
    if (holdsCardNumber(key)) return { path: join(path, "(a key)"), kind: "card_number" };
    const innerPath = join(path, key);
    if (FORBIDDEN_KEYS.has(key.toLowerCase())) return { path: innerPath, kind: "forbidden_key" };
    if (EXEMPT_KEYS.has(key) && typeof inner !== "object") continue;
    const found = search(inner, innerPath);
    if (found !== null) return found;
  }
  return null;
}

function join(path: string, key: string): string {
  return path === "" ? key : `${path}.${key}`;
}

function holdsCardNumber(text: string): boolean {
  if (text.length < SHORTEST || FEW_DIGITS.test(text)) return false;
  // Full-width digits and invisible characters between digits would carry a card number past a plain comparison.
  const plain = text.normalize("NFKC").replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, "");
  for (const [run] of plain.matchAll(RUN)) {
    const groups = run.match(GROUP)!;
    for (let first = 0; first < groups.length; first++) {
      let digits = "";
      for (let next = first; next < groups.length && digits.length <= LONGEST; next++) {
        digits += groups[next]!;
        if (isCardNumber(digits)) return true;
      }
    }
  }
  return false;
}

function isCardNumber(digits: string): boolean {
  if (digits.length < SHORTEST || digits.length > LONGEST) return false;
  return hasSchemeShape(digits) && passesLuhn(digits);
}

function hasSchemeShape(digits: string): boolean {
  return CARD_SCHEMES.some((scheme) => scheme.lengths.includes(digits.length) && beginsWith(digits, scheme));
}

/** The check digit of ISO/IEC 7812-1, annex B. */
function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[digits.length - 1 - index]);
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
