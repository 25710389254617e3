// Masks for secrets, and for personal data in presenter mode. A mask does not reveal the length of what it hides.

import type { CheckRequest } from "#src/contract/wire/wire.ts";

/** Shown instead of any hidden value; ASCII, so that every terminal shows the same. */
export const MASK = "********";

/** Fields that belong to a person; `description` is free text and may name one. BIN, amount and order id do not. */
const PERSONAL_FIELDS: ReadonlySet<string> = new Set([
  "description",
  "payer.payer_ip",
  "payer.email",
  "payer.number_phone",
  "payer.payer_id",
  "card.holder",
  "card.cin_card",
  "card.expiration_month",
  "card.expiration_year",
]);

/** True for a field of the check request, by its dotted path, that presenter mode masks. */
export function isPersonal(path: string): boolean {
  return PERSONAL_FIELDS.has(path);
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

/**
 * A text about a request, such as the reason of a rule, with every personal text of that request in it masked, and its
 * card's last four digits and expiry in the forms in which they are written.
 * Works on the raw text: mask first, then make it safe.
 */
export function redactText(text: string, request: CheckRequest): string {
  const masked = personalTexts(request, "")
    .sort((one, other) => other.length - one.length)
    .reduce((hidden, personal) => hidden.replaceAll(inAnyCase(personal), MASK), text);
  return cardTexts(request).reduce((hidden, form) => hidden.replaceAll(form, MASK), masked);
}

/** Last four digits and expiry as they stand alone: `0042`, `09/2029`, `9/29`, `2029-09`. */
function cardTexts({ card }: CheckRequest): RegExp[] {
  if (typeof card !== "object" || card === null) return [];
  const { cin_card: lastFour, expiration_month: month, expiration_year: year } = card;
  const alone = (form: string): RegExp => new RegExp(`(?<![\\d.])${form}(?![\\d.]\\d|\\d)`, "g");
  return [
    ...(isDigits(lastFour) ? [alone(String(lastFour).padStart(4, "0"))] : []),
    ...(isDigits(month) && isDigits(year)
      ? [
          alone(`0?${month}\\s*[/-]\\s*(?:\\d\\d)?${String(year % 100).padStart(2, "0")}`),
          alone(`\\d\\d${String(year % 100).padStart(2, "0")}-0?${month}`),
        ]
      : []),
  ];
}

function isDigits(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function inAnyCase(text: string): RegExp {
  return new RegExp(text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), "giu");
}

function personalTexts(value: unknown, path: string): string[] {
  if (typeof value === "string") {
    return isPersonal(path) && value.length >= SHORTEST_PERSONAL_TEXT ? [value] : [];
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) =>
    personalTexts(part, path === "" ? key : `${path}.${key}`),
  );
}
