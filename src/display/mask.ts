// Masks for secrets, and for personal data in presenter mode. A mask does not reveal the length of what it hides.

import type { CheckRequest } from "#src/contract/wire/wire.ts";

/** Shown instead of any hidden value; ASCII, so that every terminal shows the same. */
export const MASK = "********";

/**
 * Fields that belong to a person, and what they are called where they are hidden in a sentence. `description` is free text
 * and may name a person; BIN, amount and order id do not.
 */
const PERSONAL_FIELDS = {
  description: "description",
  "payer.payer_ip": "address",
  "payer.email": "e-mail",
  "payer.number_phone": "telephone",
  "payer.payer_id": "payer id",
  "card.holder": "holder",
  "card.cin_card": "last four",
  "card.expiration_month": "expiry",
  "card.expiration_year": "expiry",
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

/** A copy of any value with everything personal replaced by the mask, for presenter mode. */
export function redactRequest(request: CheckRequest): unknown {
  return redact(request, "");
}

function redact(value: unknown, path: string): unknown {
  // The contract has no lists: mask one whole, because its content is unknown.
  if (isPersonal(path) || Array.isArray(value)) return MASK;
  if (typeof value !== "object" || value === null) return value;
  const inner = Object.entries(value).map(([key, part]): [string, unknown] => [
    key,
    redact(part, path === "" ? key : `${path}.${key}`),
  ]);
  return Object.fromEntries(inner);
}

/** Shorter personal texts would be found inside ordinary words. */
const SHORTEST_PERSONAL_TEXT = 3;

/** What is hidden in a text: a pattern without groups of its own, and the word in its place. */
export type Hidden = readonly [pattern: string, word: string];

/**
 * A text about a request, such as the reason of a rule, with every personal text of that request in it hidden, and its
 * card's last four digits and expiry in the forms in which they are written.
 * Works on the raw text: mask first, then make it safe.
 */
export function redactText(text: string, request: CheckRequest): string {
  return hide(text, personalForms(request));
}

/** In one pass: a word in place of a value is not searched itself. Of patterns that match at one place the first counts. */
export function hide(text: string, hidden: readonly Hidden[]): string {
  if (hidden.length === 0) return text;
  const pattern = new RegExp(hidden.map(([each]) => `(${each})`).join("|"), "giu");
  return text.replaceAll(
    pattern,
    (_, ...groups: unknown[]) => hidden[groups.findIndex((group) => group !== undefined)]![1],
  );
}

/** Every personal value of a request as it is written in texts, the longest texts first. */
export function personalForms(request: CheckRequest): Hidden[] {
  const texts = personalTexts(request, "").sort(([one], [other]) => other.length - one.length);
  return [...texts.map(([text, path]): Hidden => [literally(text), hiddenWord(path)]), ...cardForms(request)];
}

/** Last four digits and expiry as they stand alone: `0042`, `09/2029`, `9/29`, `2029-09`. */
function cardForms({ card }: CheckRequest): Hidden[] {
  if (typeof card !== "object" || card === null) return [];
  const { cin_card: lastFour, expiration_month: month, expiration_year: year } = card;
  const alone = (form: string, path: PersonalField): Hidden => [
    `(?<![\\d.])${form}(?![\\d.]\\d|\\d)`,
    hiddenWord(path),
  ];
  const short = isDigits(year) ? String(year % 100).padStart(2, "0") : "";
  return [
    ...(isDigits(lastFour) ? [alone(String(lastFour).padStart(4, "0"), "card.cin_card")] : []),
    ...(isDigits(month) && isDigits(year)
      ? [
          alone(`0?${month}\\s*[/\\-]\\s*(?:\\d\\d)?${short}`, "card.expiration_month"),
          alone(`\\d\\d${short}-0?${month}`, "card.expiration_year"),
        ]
      : []),
  ];
}

function isDigits(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

/** A pattern that matches just this text. */
export function literally(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

function personalTexts(value: unknown, path: string): [string, PersonalField][] {
  if (typeof value === "string") {
    return isPersonal(path) && value.length >= SHORTEST_PERSONAL_TEXT ? [[value, path]] : [];
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) =>
    personalTexts(part, path === "" ? key : `${path}.${key}`),
  );
}
