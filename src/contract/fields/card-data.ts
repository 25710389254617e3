// Finds card data that must never be sent or saved: full card numbers, and keys named after card verification data.

import { badInput } from "#src/contract/fault.ts";
import { beginsWith, CARD_SCHEMES } from "#src/contract/lists/card-schemes.ts";

/** Names of keys, as letters and digits alone in lower case, whose mere presence is refused. */
const CARD_DATA_KEYS: ReadonlySet<string> = new Set(
  (
    "cvv cvv2 cvc cvc2 cid csc cav2 cvn cvd securitycode cardcvv cardcvv2 cardcvc cardcvc2 cvvcode cvv2code cvccode " +
    "cvc2code cardsecuritycode verificationvalue cardverificationvalue cardverificationcode pin pinblock pan cardpan " +
    "primaryaccountnumber cardnumber track track1 track2 trackdata track1data track2data magstripe"
  ).split(" "),
);

/** Fields whose digits are never a card number: the Luhn check alone would refuse a tenth of all phone numbers. */
const EXEMPT_KEYS: ReadonlySet<string> = new Set(["number_phone", "amount"]);

/** Cache of keys known to be harmless, because bodies repeat the same keys. */
const HARMLESS_KEYS = new Set<string>();
const MOST_KEYS = 1_000;

const LOW_LINE = 0x5f;
const SHORTEST = 14;
const LONGEST = 19;
/** The smallest integer of SHORTEST digits. */
const LEAST_NUMBER = 1e13;

/** Digits in each group as cards of 16, 15, 14 and 19 digits are printed. */
const PRINTED: readonly (readonly number[])[] = [
  [4, 4, 4, 4],
  [4, 6, 5],
  [4, 6, 4],
  [4, 4, 4, 4, 3],
];

/** One punctuation mark with optional spaces around it, or spaces alone. */
const SEPARATOR = String.raw`\s*[\p{Pd}\u2212./_,*+\u00b7\u2022]\s*|\s+`;
const RUN = new RegExp(`[0-9]+(?:(?:${SEPARATOR})[0-9]+)*`, "gu");
const SPLIT = new RegExp(`(${SEPARATOR})`, "u");

/** Invisible characters, which would hide a number from the pattern. */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
const OTHER_DIGIT = /(?![0-9])\p{Nd}/gu;
/** A UUID, or a word of 32 or more hexadecimal digits with a letter among them, such as a hash. */
const RANDOM_ID =
  /(?<![\p{L}\p{N}])(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?=[0-9]*[a-f])[0-9a-f]{32,})(?![\p{L}\p{N}])/giu;

/** Those of them that name the number of a card, which can be reduced. */
const NUMBER_KEYS: ReadonlySet<string> = new Set(["pan", "cardpan", "primaryaccountnumber", "cardnumber"]);

/** Digits with spaces or hyphens between them; or with what stands for hidden ones after the first six or eight of them. */
const FULL_NUMBER = /^\d(?:[ -]?\d){11,18}$/;
const HIDDEN_NUMBER = /^(\d{6})\d{0,2}[*xX\u2022.\u00b7]{3,}(\d{4})$/;

export interface CardDataFound {
  /** Dotted path of the field or key (`card.holder`, `list.0.note`); empty for a bare text. Never holds the data itself. */
  readonly path: string;
  readonly kind: "card_number" | "forbidden_key";
}

/**
 * Looks for card data in a body or a text, at any depth: a card number in any text, number or key, or a key such as `cvv`.
 * A card number is 14 to 19 digits of any script, in one piece or in the groups in which cards are printed, that pass the
 * Luhn check AND have the prefix and length of a card scheme. It may stand beside letters and words, but not inside a longer
 * number, among further groups that the same mark joins to it, or inside a UUID or another random id in hexadecimal.
 * `bin_card` and `cin_card` are fine; `number_phone` and `amount` are exempt.
 * @returns the first find, or null
 */
export function findCardData(value: unknown): CardDataFound | null {
  const found = search(value);
  return found === null ? null : { path: found.keys.reduceRight(join, ""), kind: found.kind };
}

/** Of what is to be saved or sent. @throws Fault("bad_input") for card data, naming its place alone */
export function refuseCardData(value: unknown): void {
  const found = findCardData(value);
  if (found === null) return;
  const what = found.kind === "card_number" ? "holds a full card number" : "is card verification data";
  throw badInput`${found.path} ${what}, which is never saved or sent; remove it and try again.`;
}

/** A foreign text that is kept beside a verdict, which must not be lost with it. */
export function withoutCardNumber(text: string): string {
  return findCardData(text) === null ? text : "(left out: it holds a card number)";
}

/**
 * What may be kept of a card number: its first six and last four digits (PCI DSS 3.4.1).
 * @param text 12 to 19 digits with a valid check digit, also in groups; or with the digits between those hidden already
 * @returns null for anything else
 */
export function reduceCardNumber(text: string): { readonly bin: string; readonly lastFour: string } | null {
  const bare = text.trim().replaceAll(/[ -]/g, "");
  const hidden = HIDDEN_NUMBER.exec(bare);
  if (hidden !== null) return { bin: hidden[1]!, lastFour: hidden[2]! };
  if (!FULL_NUMBER.test(text.trim()) || !passesLuhn(bare)) return null;
  return { bin: bare.slice(0, 6), lastFour: bare.slice(-4) };
}

/** True for a name of a column or key that says it holds a card number, which may be reduced; other card data may not. */
export function namesCardNumber(key: string): boolean {
  return NUMBER_KEYS.has(bareName(key));
}

interface Found {
  readonly kind: CardDataFound["kind"];
  /** Innermost key first, so that a path is built only when something is found. */
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
    if (!HARMLESS_KEYS.has(key)) {
      // The key itself holds the card number, so it must not be repeated.
      if (holdsCardNumber(key)) return { kind: "card_number", keys: ["(a key)"] };
      if (CARD_DATA_KEYS.has(bareName(key))) return { kind: "forbidden_key", keys: [key] };
      if (HARMLESS_KEYS.size < MOST_KEYS) HARMLESS_KEYS.add(key);
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

function bareName(key: string): string {
  return key
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
}

/** Fast path: true when no run of digits is as long as a card number. */
function hasFewDigits(text: string): boolean {
  if (text.length < SHORTEST) return true;
  let digits = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= 0x30 && code <= 0x39) {
      digits += 1;
      if (digits === SHORTEST) return false;
    } else if (code > 0x39 && code < 0x7f && code !== LOW_LINE) {
      // A character that normalization cannot turn into a separator ends the run.
      digits = 0;
    } else if (!isNoDigit(code)) return false;
  }
  return true;
}

/** True for characters that normalization never turns into digits: ASCII, Latin, Greek, Cyrillic and punctuation. */
function isNoDigit(code: number): boolean {
  return code < 0xb0 || (code >= 0xc0 && code < 0x530) || (code >= 0x2000 && code < 0x2060);
}

function holdsCardNumber(text: string): boolean {
  if (hasFewDigits(text)) return false;
  const plain = text
    .normalize("NFKC")
    .replace(INVISIBLE, "")
    .replace(OTHER_DIGIT, asciiDigit)
    .replace(RANDOM_ID, "x");
  for (const [run] of plain.matchAll(RUN)) {
    // Groups of digits at even indexes, separators at odd ones.
    const parts = run.split(SPLIT);
    for (let first = 0; first < parts.length; first += 2) {
      if (isCardNumber(parts[first]!)) return true;
      for (const sizes of PRINTED) {
        const last = first + 2 * (sizes.length - 1);
        if (!sizes.every((size, index) => parts[first + 2 * index]?.length === size)) continue;
        if (isJoined(parts[first - 1], parts[first + 1]) || isJoined(parts[last + 1], parts[last - 1]))
          continue;
        if (isCardNumber(sizes.map((_, index) => parts[first + 2 * index]).join(""))) return true;
      }
    }
  }
  return false;
}

/** True where a further group is joined by the same mark; spaces do not join, because they also separate words. */
function isJoined(outside: string | undefined, inside: string | undefined): boolean {
  const mark = outside?.trim() ?? "";
  return mark !== "" && mark === inside?.trim();
}

/** The ASCII form of any decimal digit: the ten digits of a script have consecutive code points. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0)!;
  let value = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1;
  return String(value % 10);
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
