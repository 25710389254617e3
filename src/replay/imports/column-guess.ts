// Guesses which field a column of a foreign table may be, by the words in its name.

/** The first that matches counts. */
const GUESSES: readonly (readonly [pattern: RegExp, field: string])[] = [
  [/\b(?:bin|iin)\b/, "card.bin_card"],
  [/\blast ?(?:4|four)\b|\bcin\b/, "card.cin_card"],
  [/\bholder\b|\bname on card\b/, "card.holder"],
  [/\bexp\w* month\b/, "card.expiration_month"],
  [/\bexp\w* year\b/, "card.expiration_year"],
  [/\be ?mail\b/, "payer.email"],
  [/\b(?:phone|msisdn|mobile|tel)\b/, "payer.number_phone"],
  [/\bip\b/, "payer.payer_ip"],
  [/\b(?:currency|ccy|cur)\b/, "currency"],
  [/\b(?:amount|amt|total|sum|price|value)\b/, "amount:major"],
  [/\b(?:fraud|chargeback|label|class|outcome)\b/, "outcome:1=fraud,0=good"],
  [/\bunix\b|\bepoch\b|\btimestamp\b/, "at:epoch"],
  [/\b(?:time|date|datetime|created|when|ts)\b/, "at"],
  [/\b(?:customer|client|payer|user|account|buyer)\b/, "payer.payer_id"],
  [/\b(?:terminal|pos)\b/, "terminal_id"],
  [/\b(?:order|transaction|trans|tx|payment|invoice)(?: ?(?:id|num|number|no|ref))?\b/, "order_id"],
  [/\b(?:description|merchant|category)\b/, "description"],
  [/\b(?:city|country|channel|state|region|type)\b/, "tags"],
];

/** The field, with a conversion where it likely needs one; null for no idea. */
export function guessOf(column: string): string | null {
  // `cardBIN`, `card_bin` and `Card-BIN` are the words "card bin".
  const words = column
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replaceAll(/[^A-Za-z0-9]+/g, " ")
    .toLowerCase();
  return GUESSES.find(([pattern]) => pattern.test(words))?.[1] ?? null;
}
