// Masks personal data in sentences: the values of the requests that they are about, and anything of a personal form.

import type { CheckRequest } from "#src/contract/wire/wire.ts";
import { hiddenWord, hide, literally, MASK, personalForms, type Hidden, type PersonalField } from "./mask.ts";

/** E-mail addresses, telephone numbers with their plus, and IPv4 addresses that are no part of a URL. */
const FORMS: readonly Hidden[] = [
  ["[\\p{L}\\p{N}._%+\\-]+@[\\p{L}\\p{N}\\-]+(?:\\.[\\p{L}\\p{N}\\-]+)+", hiddenWord("payer.email")],
  ["\\+\\d[\\d \\(\\)\\-]{6,}\\d", hiddenWord("payer.number_phone")],
  ["(?<![\\d.\\/])(?:\\d{1,3}\\.){3}\\d{1,3}(?![\\d.])", hiddenWord("payer.payer_ip")],
];

/** The text without any value of the payers and cards of some requests, or anything in the form of one. */
export function maskedWords(text: string, requests: readonly CheckRequest[]): string {
  if (text.length < 3) return text;
  return hide(text, [...requests.flatMap(personalForms), ...requests.flatMap(partForms), ...FORMS]);
}

/** Shorter ones would be found inside ordinary words. */
const SHORTEST_PART = 4;

/** Parts of a personal text that stand alone: both sides of an e-mail address, a number without its plus. */
function partForms({ payer }: CheckRequest): Hidden[] {
  if (typeof payer !== "object" || payer === null) return [];
  const { email, number_phone: phone } = payer as Readonly<Record<string, unknown>>;
  const digits =
    typeof phone === "string" || typeof phone === "number" ? String(phone).replaceAll(/\D/g, "") : "";
  const parts: readonly (readonly [string, PersonalField])[] = [
    ...(typeof email === "string" ? email.split("@") : []).map((part) => [part, "payer.email"] as const),
    [digits, "payer.number_phone"],
  ];
  return parts
    .filter(([part]) => part.length >= SHORTEST_PART)
    .map(([part, path]) => [literally(part), hiddenWord(path)]);
}

/** Fields of the filter language that are not personal. */
const PUBLIC_FIELDS: ReadonlySet<string> = new Set(
  "verdict outcome final amount latency currency since before bin order operation project profile id".split(
    " ",
  ),
);

/** A filter or a search with the values of personal fields, and free text, masked. */
export function maskedFilter(filter: string): string {
  return filter.replaceAll(
    /(-?)(?:([a-z_]+)([:=<>]+))?("[^"]*"?|[^\s"]+)/gi,
    (term: string, minus: string, field: string | undefined, operator: string | undefined) =>
      field !== undefined && PUBLIC_FIELDS.has(field.toLowerCase())
        ? term
        : `${minus}${field ?? ""}${operator ?? ""}${MASK}`,
  );
}
