// Masks for secrets, and for personal data in presenter mode. A mask does not reveal the length of what it hides.

import { ownValue } from "#src/contract/fields/body-path.ts";
import { normalEmail } from "#src/contract/text/normal-email.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";

/** Shown instead of any hidden value; ASCII, so that every terminal shows the same. */
export const MASK = "********";

/** All of a request that may be seen: what is neither here nor a part of the contract may belong to a person. */
export const PUBLIC_FIELDS: ReadonlySet<string> = new Set(
  "operation order_id amount currency terminal_id card.bin_card".split(" "),
);

/** The other fields of the contract, and what they are called where they are hidden in a sentence. */
const PERSONAL_FIELDS = {
  description: "description",
  "payer.payer_ip": "address",
  "payer.email": "e-mail",
  "payer.number_phone": "telephone",
  "payer.payer_id": "payer id",
  "card.holder": "holder",
  "card.cin_card": "last four",
  "card.expiration_month": "month",
  "card.expiration_year": "month",
} as const;

export type PersonalField = keyof typeof PERSONAL_FIELDS;

/** Stands in a sentence in place of a personal value, so that the sentence keeps its point: `(address hidden)`. */
export function hiddenWord(path: PersonalField): string {
  return `(${PERSONAL_FIELDS[path]} hidden)`;
}

/** True for a field of the check request, by its dotted path, that presenter mode masks. */
export function isPersonal(path: string): path is PersonalField {
  return Object.hasOwn(PERSONAL_FIELDS, path);
}

/** A copy of a request with all but its public fields replaced by the mask, for presenter mode. */
export function redactRequest(request: CheckRequest): unknown {
  return redact(request, "", request);
}

function redact(value: unknown, path: string, request: CheckRequest): unknown {
  if (value === null || value === undefined) return value;
  if (isGroup(path) && typeof value === "object" && !Array.isArray(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([key, part]) => [key, redact(part, inside(path, key), request)]),
    );
  }
  if (!PUBLIC_FIELDS.has(path) || typeof value === "object") return MASK;
  return typeof value === "string" && path !== "order_id" ? redactText(value, request) : value;
}

/** The request itself, and its objects that the contract knows. */
function isGroup(path: string): boolean {
  return path === "" || path === "payer" || path === "card";
}

/** A dot in a key makes no path: it would be read as a known one. */
function inside(path: string, key: string): string {
  const name = key.replaceAll(".", "\\");
  return path === "" ? name : `${path}.${name}`;
}

/** Shorter personal texts would be found inside ordinary words, and shorter numbers among counts. */
const SHORTEST_PERSONAL_TEXT = 3;
const SHORTEST_NUMBER = 4;

/**
 * What is hidden in a text: a pattern without groups of its own, and the word in its place; null for what stays as it is.
 * `holds` is in every text that the pattern matches, apart from case.
 */
export type Hidden = readonly [pattern: string, word: string | null, holds?: string];

/**
 * A text about a request, such as the reason of a rule, with every personal text of that request in it hidden where it is
 * a word of its own, its mailbox in any spelling, and its card's last four digits and expiry in the forms in which they are
 * written. Its order id stays, whatever is in it.
 * Works on the raw text: mask first, then make it safe.
 */
export function redactText(text: string, request: CheckRequest): string {
  return hide(text, personalForms(request, text));
}

/** In one pass: a word in place of a value is not searched itself. Of patterns that match at one place the first counts. */
export function hide(text: string, hidden: readonly Hidden[]): string {
  // Each new pattern costs milliseconds, and most texts hold nothing of a request.
  const folded = withoutCase(text);
  const possible = hidden.filter(([, , holds = ""]) => folded.includes(withoutCase(holds)));
  if (possible.every(([, word]) => word === null)) return text;
  const pattern = new RegExp(possible.map(([each]) => `(${each})`).join("|"), "giu");
  return text.replaceAll(
    pattern,
    (found: string, ...groups: unknown[]) =>
      possible[groups.findIndex((group) => group !== undefined)]![1] ?? found,
  );
}

/** Equal for two texts that a pattern with the flags `iu` takes for each other. */
export function withoutCase(text: string): string {
  return text.toLowerCase().toUpperCase();
}

/** A text that is looked for, and how. */
type Form = readonly [text: string, hidden: Hidden];

/** The order id, which stays, and every personal value of a request as it is written in a text, the longest texts first. */
export function personalForms(request: CheckRequest, text: string): Hidden[] {
  const { order_id: order } = request;
  const kept: Form[] = typeof order === "string" && order !== "" ? [[order, wholeWord(order, null)]] : [];
  const personal = [...personalValues(request, ""), ...mailboxForms(request, text), ...cardForms(request)];
  return [...kept, ...personal.filter(([value]) => value !== order)]
    .sort(([one], [other]) => other.length - one.length)
    .map(([, hidden]) => hidden);
}

/** An e-mail address in a text. Its mailbox is bounded, as a long word would be searched anew from each of its letters. */
export const EMAIL_FORM = "[\\p{L}\\p{N}._%+\\-]{1,256}@[\\p{L}\\p{N}\\-]+(?:\\.[\\p{L}\\p{N}\\-]+)+";

/** The addresses in a text that are other spellings of the payer's mailbox. */
function mailboxForms({ payer }: CheckRequest, text: string): Form[] {
  const mailbox = text.includes("@") ? normalEmail(ownValue(payer, "email")) : null;
  if (mailbox === null) return [];
  const found = text.match(new RegExp(EMAIL_FORM, "gu")) ?? [];
  return found
    .filter((each) => normalEmail(each) === mailbox)
    .map((each) => [each, wholeWord(each, hiddenWord("payer.email"))]);
}

/** Last four digits and expiry as they stand alone: `0042`, `09/2029`, `9/29`, `2029-09`. */
function cardForms({ card }: CheckRequest): Form[] {
  if (typeof card !== "object" || card === null) return [];
  const { cin_card: lastFour, expiration_month: month, expiration_year: year } = card;
  const short = isDigits(year) ? String(year % 100).padStart(2, "0") : "";
  return [
    ...(isDigits(lastFour) ? [digits(String(lastFour).padStart(4, "0"), hiddenWord("card.cin_card"))] : []),
    ...(isDigits(month) && isDigits(year)
      ? [
          expiry(`0?${month}\\s*[/\\-]\\s*(?:\\d\\d)?${short}`, hiddenWord("card.expiration_month"), short),
          expiry(`\\d\\d${short}-0?${month}`, hiddenWord("card.expiration_year"), short),
        ]
      : []),
  ];
}

function digits(text: string, word: string): Form {
  return [text, [alone(text), word, text]];
}

/** Written longer than an order id that could be the year of it. */
function expiry(form: string, word: string, year: string): Form {
  return ["MM/YYYY", [alone(form), word, year]];
}

/** Digits that are no part of a longer number or word; behind an `x` they are the end of a card number. */
function alone(form: string): string {
  return `(?<!\\d|\\.|(?!x)\\p{L})${form}(?![\\d.]\\d|\\d|\\p{L})`;
}

function isDigits(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

/** This text where it is no part of a longer word, and the word in its place. */
export function wholeWord(text: string, word: string | null): Hidden {
  return [`(?<![\\p{L}\\p{N}])${literally(text)}(?![\\p{L}\\p{N}])`, word, text];
}

/** A pattern that matches just this text. */
export function literally(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

function personalValues(value: unknown, path: string): Form[] {
  if (typeof value === "object" && value !== null) {
    return Object.entries(value).flatMap(([key, part]) => personalValues(part, inside(path, key)));
  }
  if (PUBLIC_FIELDS.has(path)) return [];
  const word = isPersonal(path) ? hiddenWord(path) : "(hidden)";
  if (typeof value === "string" && value.length >= SHORTEST_PERSONAL_TEXT) {
    return [[value, wholeWord(value, word)]];
  }
  const text = String(value);
  const isLong =
    typeof value === "number" && text.length >= SHORTEST_NUMBER && !path.startsWith("card.expiration_");
  return isLong ? [digits(text, word)] : [];
}
