// Masks personal data in sentences: the values of the requests that they are about, and anything of a personal form.

import { ownValue } from "#src/contract/fields/body-path.ts";
import { OUTCOMES } from "#src/contract/wire/outcome.ts";
import { RECOMMENDATIONS } from "#src/contract/wire/recommendation.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import {
  EMAIL_FORM,
  hiddenWord,
  hide,
  MASK,
  personalForms,
  wholeWord,
  type Hidden,
  type PersonalField,
} from "./mask.ts";

/** Before what is an example of verdict's own. Bounded for the same reason as a mailbox. */
const NO_EXAMPLE = "(?<!such as \\S{0,80})";

/** E-mail addresses, telephone numbers with their plus, IPv4 addresses that are no part of a URL, and months of a year. */
const FORMS: readonly Hidden[] = [
  [EMAIL_FORM, hiddenWord("payer.email"), "@"],
  ["\\+\\d[\\d \\(\\)\\-]{6,}\\d", hiddenWord("payer.number_phone"), "+"],
  ["(?<![\\d.\\/])(?:\\d{1,3}\\.){3}\\d{1,3}(?![\\d.])", hiddenWord("payer.payer_ip"), "."],
  ["(?<![\\d.\\/])(?:0?[1-9]|1[0-2])\\/20\\d\\d(?![\\d\\/])", hiddenWord("card.expiration_month"), "/20"],
].map(([form, word, holds]): Hidden => [`${NO_EXAMPLE}${form}`, word!, holds]);

/** What a message repeats of what was typed; commands to type are no such thing. */
const QUOTED: Hidden = ['(?<![\\p{L}\\p{N}(])"(?!verdict )[^"]*"', "(hidden)"];

/** Files that a message is about: paths, with blanks in them as far as a usual ending, and names with such an ending. */
const ENDINGS = "ndjson|jsonl?|csv|tsv|ya?ml|har|cast|html?|md|xml|age|http|txt|sh|pem|crt|db|lock";
const FILES: Hidden = [
  `${NO_EXAMPLE}(?<![^\\s"(])(?:(?:~|\\.{1,2})?\\/(?=[\\p{L}\\p{N}._~\\-])(?:[^:;]{0,400}?\\.(?:${ENDINGS})\\b|[^\\s,;:)]+)|[^\\s":;(]+\\.(?:${ENDINGS})\\b)`,
  "(file hidden)",
];

/** The text without any value of the payers and cards of some requests, or anything in the form of one. */
export function maskedWords(text: string, requests: readonly CheckRequest[]): string {
  if (text.length < 3) return text;
  const personal = requests.flatMap((request) => personalForms(request, text));
  const written = text.replaceAll(/\D/g, "");
  const phones = requests.flatMap((request) => phoneForms(request, written));
  const hidden = hide(text, [...personal, ...requests.flatMap(partForms), ...phones, ...FORMS]);
  return hidden.replaceAll(NAMED_TWICE, "$1 (hidden)");
}

/** `email (e-mail hidden)` */
const NAMED_TWICE =
  /\b((?:e-?mail|phone|telephone|address|ip|holder|payer id|expiry)(?: address| domain)?) \([a-z-]+(?: id)? hidden\)/giu;

/** Lines that end with a name that a user chose. */
const NAMED = /^((?:load payload|(?:verdict +)?(?:sandbox +)?(?:restore|snapshot)) +).+/;

/** What became of payments, which the lists hide as well. */
const LABELLED = /^(Label of .+: )\w+ \(was [^)]*\)/;

/** The same for a message, which may quote what was typed, and name files, and for a line of the palette. */
export function maskedMessage(text: string, requests: readonly CheckRequest[]): string {
  const nameless = text.replace(NAMED, `$1${MASK}`).replace(LABELLED, `$1${MASK}`);
  return maskedWords(hide(nameless, [QUOTED, FILES]), requests);
}

/** Shorter ones are ordinary words. */
const SHORTEST_PART = 4;

/** Words of a personal text: both sides of an e-mail address, and the parts of a name. */
function partForms({ payer, card }: CheckRequest): Hidden[] {
  const parts: readonly (readonly [string, PersonalField])[] = [
    ...wordsOf(ownValue(payer, "email"), "@").map((part) => [part, "payer.email"] as const),
    ...wordsOf(ownValue(card, "holder"), /[^\p{L}\p{N}]+/u).map((part) => [part, "card.holder"] as const),
  ];
  return parts
    .filter(([part]) => part.length >= SHORTEST_PART)
    .map(([part, path]) => wholeWord(part, hiddenWord(path)));
}

/** Digits of the longest code of a country, and the fewest behind it by which a number is known. */
const COUNTRY_CODE = 3;
const SHORTEST_PHONE = 7;
/** What stands between digits of a telephone number. */
const BETWEEN = "[\\s().\\/_*\\-\\u00ad\\u00b7\\u200b\\u2010-\\u2015\\u2212]{0,3}";

/**
 * The payer's telephone number as people write it: without the code of its country, with a 0 or 00 before it, in groups.
 * @param written all digits of the text
 */
function phoneForms({ payer }: CheckRequest, written: string): Hidden[] {
  const phone = ownValue(payer, "number_phone");
  if (typeof phone !== "string") return [];
  const digits = phone.replaceAll(/\(0\)|\D/g, "").replace(/^00/, "");
  const head = Math.max(0, Math.min(COUNTRY_CODE, digits.length - SHORTEST_PHONE));
  const own = digits.slice(head);
  if (own.length < SHORTEST_PHONE || !written.includes(own)) return [];
  const zero = `(?:0${BETWEEN})?`;
  // Any end of the code of the country; where the number itself has none, whatever stands there.
  const code = digits
    .slice(0, head)
    .split("")
    .reduce((before, digit) => `(?:${before}${digit}${BETWEEN}${zero})?`, "");
  const isInternational = /^\s*(?:\+|00)/.test(phone);
  const start = `[+(]{0,2}${zero.repeat(2)}${isInternational ? "" : "\\d{0,3}"}`;
  const form = `(?<!\\d)${start}${code}${own.split("").join(BETWEEN)}(?!\\d)`;
  return [[form, hiddenWord("payer.number_phone"), own.at(-1)]];
}

function wordsOf(value: unknown, between: string | RegExp): string[] {
  return typeof value === "string" ? value.split(between) : [];
}

const WORD = (value: string): boolean =>
  [...RECOMMENDATIONS, ...OUTCOMES, "continue", "3ds", "none"].some((word) => word.startsWith(value));
const NUMBER = (value: string): boolean => /^[\d.,:*smhdt-]*$/.test(value);
const ANY = (): boolean => true;

/** The fields of the filter language that presenter mode shows, and which of their values hold no personal data. */
const PUBLIC_TERMS: ReadonlyMap<string, (value: string) => boolean> = new Map([
  ...["verdict", "outcome", "final", "was", "now", "expected"].map((field) => [field, WORD] as const),
  ...["amount", "latency", "since", "before", "bin"].map((field) => [field, NUMBER] as const),
  ["currency", (value) => /^(?:[a-z]{0,3}|\d{0,3})$/.test(value)],
  ...["order", "operation", "project", "profile", "id", "rule"].map((field) => [field, ANY] as const),
]);

/** A filter or a search with all masked but the terms, also half typed ones, of public fields. */
export function maskedFilter(filter: string): string {
  const masked = filter.replaceAll(
    /(-?)(?:([a-z_]+)([:=<>]+))?("[^"]*"?|[^\s"]+)/gi,
    (term: string, minus: string, field: string | undefined, operator: string | undefined, value: string) => {
      const names = [...PUBLIC_TERMS.keys()];
      const isPublic =
        field === undefined
          ? names.some((name) => name.startsWith(value.toLowerCase().replace(/[:=<>]+$/, "")))
          : PUBLIC_TERMS.get(field.toLowerCase())?.(value.toLowerCase()) === true;
      return isPublic ? term : `${minus}${field ?? ""}${operator ?? ""}${MASK}`;
    },
  );
  return maskedWords(masked, []);
}
