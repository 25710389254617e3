// Finds what must never be sent or saved: full card numbers, and keys that are named after card verification data.

/** Key names, in lower case, whose mere presence is refused. */
const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(["cvv", "cvc", "cvv2", "pan", "track"]);

/** Fields of digits that are no card number by their meaning: Luhn alone would refuse a tenth of all phone numbers. */
const EXEMPT_KEYS: ReadonlySet<string> = new Set(["number_phone", "amount"]);

/** Ranges of leading digits and the lengths that card schemes issue under them. */
const SCHEMES: readonly {
  readonly from: number;
  readonly to: number;
  readonly lengths: readonly number[];
}[] = [
  // Visa
  { from: 4, to: 4, lengths: [13, 16, 19] },
  // Mastercard
  { from: 51, to: 55, lengths: [16] },
  { from: 2221, to: 2720, lengths: [16] },
  // American Express
  { from: 34, to: 34, lengths: [15] },
  { from: 37, to: 37, lengths: [15] },
  // Diners Club
  { from: 300, to: 305, lengths: [14, 16, 17, 18, 19] },
  { from: 3095, to: 3095, lengths: [14, 16, 17, 18, 19] },
  { from: 36, to: 36, lengths: [14, 15, 16, 17, 18, 19] },
  { from: 38, to: 39, lengths: [14, 16, 17, 18, 19] },
  // JCB
  { from: 3528, to: 3589, lengths: [16, 17, 18, 19] },
  // Discover
  { from: 6011, to: 6011, lengths: [16, 17, 18, 19] },
  { from: 644, to: 659, lengths: [16, 17, 18, 19] },
  // UnionPay
  { from: 62, to: 62, lengths: [16, 17, 18, 19] },
  { from: 81, to: 81, lengths: [16, 17, 18, 19] },
  // Maestro
  { from: 5018, to: 5018, lengths: [12, 13, 14, 15, 16, 17, 18, 19] },
  { from: 5020, to: 5020, lengths: [12, 13, 14, 15, 16, 17, 18, 19] },
  { from: 5038, to: 5038, lengths: [12, 13, 14, 15, 16, 17, 18, 19] },
  { from: 5893, to: 5893, lengths: [12, 13, 14, 15, 16, 17, 18, 19] },
  { from: 6304, to: 6304, lengths: [12, 13, 14, 15, 16, 17, 18, 19] },
  { from: 6759, to: 6763, lengths: [12, 13, 14, 15, 16, 17, 18, 19] },
  // Mir
  { from: 2200, to: 2204, lengths: [16, 17, 18, 19] },
  // RuPay
  { from: 60, to: 60, lengths: [16] },
  { from: 508, to: 508, lengths: [16] },
  { from: 82, to: 82, lengths: [16] },
  // Verve
  { from: 506099, to: 506198, lengths: [16, 18, 19] },
  // Dankort, Prostir, Troy, Belkart, Uzcard, Humo
  { from: 5019, to: 5019, lengths: [16] },
  { from: 9804, to: 9804, lengths: [16] },
  { from: 9792, to: 9792, lengths: [16] },
  { from: 9112, to: 9112, lengths: [16] },
  { from: 8600, to: 8600, lengths: [16] },
  { from: 9860, to: 9860, lengths: [16] },
];

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
  return SCHEMES.some(({ from, to, lengths }) => {
    const prefix = Number(digits.slice(0, String(from).length));
    return prefix >= from && prefix <= to && lengths.includes(digits.length);
  });
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
