// Card schemes by the leading digits (ISO/IEC 7812 issuer identification) and the lengths of their numbers.

export interface CardScheme {
  readonly name: string;
  /** Range of leading digits, ends included; both have the same number of digits. */
  readonly from: number;
  readonly to: number;
  /** Lengths from 14 digits at which a number is recognized in a text; empty where too much else would match. */
  readonly lengths: readonly number[];
}

const UP_TO_19 = [16, 17, 18, 19];
const DINERS = [14, ...UP_TO_19];
const MAESTRO = [14, 15, ...UP_TO_19];

export const CARD_SCHEMES: readonly CardScheme[] = [
  { name: "Visa", from: 4, to: 4, lengths: [16, 19] },
  { name: "Mastercard", from: 51, to: 55, lengths: [16] },
  { name: "Mastercard", from: 2221, to: 2720, lengths: [16] },
  { name: "American Express", from: 34, to: 34, lengths: [15] },
  { name: "American Express", from: 37, to: 37, lengths: [15] },
  { name: "Diners Club", from: 300, to: 305, lengths: DINERS },
  { name: "Diners Club", from: 3095, to: 3095, lengths: DINERS },
  { name: "Diners Club", from: 36, to: 36, lengths: [14, 15, ...UP_TO_19] },
  { name: "Diners Club", from: 38, to: 39, lengths: DINERS },
  { name: "JCB", from: 3528, to: 3589, lengths: UP_TO_19 },
  { name: "Discover", from: 6011, to: 6011, lengths: UP_TO_19 },
  { name: "Discover", from: 644, to: 659, lengths: UP_TO_19 },
  { name: "UnionPay", from: 62, to: 62, lengths: UP_TO_19 },
  { name: "UnionPay", from: 81, to: 81, lengths: UP_TO_19 },
  { name: "Maestro", from: 5018, to: 5018, lengths: MAESTRO },
  { name: "Maestro", from: 5020, to: 5020, lengths: MAESTRO },
  { name: "Maestro", from: 5038, to: 5038, lengths: MAESTRO },
  { name: "Maestro", from: 5893, to: 5893, lengths: MAESTRO },
  { name: "Maestro", from: 6304, to: 6304, lengths: MAESTRO },
  { name: "Maestro", from: 6759, to: 6763, lengths: MAESTRO },
  // Further Maestro ranges: with lengths of 12 to 19, too many other numbers would pass for a card number.
  { name: "Maestro", from: 50, to: 50, lengths: [] },
  { name: "Maestro", from: 56, to: 58, lengths: [] },
  { name: "Maestro", from: 63, to: 63, lengths: [] },
  { name: "Maestro", from: 66, to: 69, lengths: [] },
  { name: "Mir", from: 2200, to: 2204, lengths: UP_TO_19 },
  { name: "RuPay", from: 60, to: 60, lengths: [16] },
  { name: "RuPay", from: 508, to: 508, lengths: [16] },
  { name: "RuPay", from: 82, to: 82, lengths: [16] },
  { name: "Verve", from: 506099, to: 506198, lengths: [16, 18, 19] },
  { name: "Dankort", from: 5019, to: 5019, lengths: [16] },
  { name: "Prostir", from: 9804, to: 9804, lengths: [16] },
  { name: "Troy", from: 9792, to: 9792, lengths: [16] },
  { name: "Belkart", from: 9112, to: 9112, lengths: [16] },
  { name: "Uzcard", from: 8600, to: 8600, lengths: [16] },
  { name: "Humo", from: 9860, to: 9860, lengths: [16] },
];

/** True for digits that begin with a scheme's range. */
export function beginsWith(digits: string, { from, to }: Pick<CardScheme, "from" | "to">): boolean {
  const prefix = Number(digits.slice(0, String(from).length));
  return prefix >= from && prefix <= to;
}

/**
 * The card scheme of a BIN; of several ranges the narrowest one, as 6011 is Discover within RuPay's 60.
 * @param bin six or eight digits
 * @returns null for an unknown scheme
 */
export function schemeOfBin(bin: number): string | null {
  const digits = String(bin);
  const found = CARD_SCHEMES.filter((scheme) => beginsWith(digits, scheme));
  return (
    found.reduce<CardScheme | null>(
      (best, each) => (best === null || each.from > best.from ? each : best),
      null,
    )?.name ?? null
  );
}
