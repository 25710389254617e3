// Finds what must never be sent or saved: full card numbers, and keys that are named after card verification data.

import { beginsWith, CARD_SCHEMES } from "./card-schemes.ts";

/** Key names, in lower case, whose mere presence is refused. */
const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(["cvv", "cvc", "cvv2", "pan", "track"]);

/** Fields of digits that are no card number by their meaning: Luhn alone would refuse a tenth of all phone numbers. */
const EXEMPT_KEYS: ReadonlySet<string> = new Set(["number_phone", "amount"]);

/** Characters of the longest forbidden key; no other text becomes shorter in lower case. */
const LONGEST_FORBIDDEN = 5;

const SHORTEST = 12;
/** The least integer with so many digits. */
const LEAST_NUMBER = 1e11;
const LONGEST = 19;

/** Digits with any spaces and dashes between them. */
const RUN = /[0-9](?:[\s\p{Pd}\u2212]*[0-9])*/gu;
const GROUP = /[0-9]+/g;
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
  const found = search(value);
  return found === null ? null : { path: found.keys.reduceRight(join, ""), kind: found.kind };
}

interface Found {
  readonly kind: CardDataFound["kind"];
  /** From the find outwards: nearly every search ends without one, and makes no path. */
  readonly keys: string[];
}

function search(value: unknown): Found | null {
  if (typeof value === "string") return holdsCardNumber(value) ? { kind: "card_number", keys: [] } : null;
  if (typeof value === "number") {
    if (Number.isInteger(value) && Math.abs(value) < LEAST_NUMBER) return null;
    return holdsCardNumber(String(value)) ? { kind: "card_number", keys: [] } : null;
  }
  if (typeof value !== "object" || value === null) return null;

  const object = value as Record<string, unknown>;
  for (const key in object) {
    if (!Object.hasOwn(object, key)) continue;
    // The key itself is the data here, so that only its parent may be named.
    if (holdsCardNumber(key)) return { kind: "card_number", keys: ["(a key)"] };
    if (key.length <= LONGEST_FORBIDDEN && FORBIDDEN_KEYS.has(key.toLowerCase())) {
      return { kind: "forbidden_key", keys: [key] };
    }
    const inner = object[key];
    if (EXEMPT_KEYS.has(key) && typeof inner !== "object") continue;
    const found = search(inner);
    if (found !== null) {
      found.keys.push(key);
      return found;
    }
  }
  return null;
}

function join(path: string, key: string): string {
  return path === "" ? key : `${path}.${key}`;
}

/** Fewer digits in each of its runs than any card number has: nearly every text, told at a glance. */
function hasFewDigits(text: string): boolean {
  if (text.length < SHORTEST) return true;
  let digits = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= 0x30 && code <= 0x39) {
      digits += 1;
      if (digits === SHORTEST) return false;
    } else if (code > 0x39 && code < 0x7f) {
      // A letter or a sign that no normal form turns into a space or a dash ends the run.
      digits = 0;
    } else if (!isNoDigit(code)) return false;
  }
  return true;
}

/** True for what no normal form turns into digits: ASCII, letters of Latin, Greek and Cyrillic, and punctuation. */
function isNoDigit(code: number): boolean {
  return code < 0xb0 || (code >= 0xc0 && code < 0x530) || (code >= 0x2000 && code < 0x2060);
}

function holdsCardNumber(text: string): boolean {
  if (hasFewDigits(text)) return false;
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
