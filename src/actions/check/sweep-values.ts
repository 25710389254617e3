// Reads the field of a sweep and its values, a range or a list, and proposes values for common fields.

import { badInput, Fault, usage, whole } from "#src/contract/fault.ts";
import { findCardData } from "#src/contract/fields/card-data.ts";
import { CHECK_FIELDS } from "#src/contract/fields/check-fields.ts";
import type { Field, FieldValue } from "#src/contract/fields/field.ts";
import { readField } from "#src/contract/fields/validate.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { MOST_VALUES, type SweepRange, type SweepValues } from "#src/contract/records/sweep.ts";

/** Samples of a range before the changes between them are narrowed down. */
export const STEPS = { sandbox: 48, real: 12, most: 200 } as const;

/**
 * The field that a sweep changes.
 * @param name its dotted path, or the last part of it: `amount`, `bin_card`
 * @throws Fault("usage") for anything else
 */
export function sweptField(name: string): Field {
  const field =
    CHECK_FIELDS.find(({ path }) => path === name) ??
    CHECK_FIELDS.find(({ path }) => path.split(".").at(-1) === name);
  if (field !== undefined) return field;
  throw usage`There is no field "${name}"; the fields are ${whole(CHECK_FIELDS.map(({ path }) => path).join(", "))}.`;
}

/**
 * Reads a range such as `1000..500000`.
 * @throws Fault("usage") for a text field, and for an invalid range
 */
export function readSweepRange(field: Field, text: string, steps: number): SweepRange {
  const ends = text.split("..");
  if (field.type !== "integer") {
    throw usage`${field.path} is a text and has no range; give values separated by commas.`;
  }
  if (ends.length !== 2) {
    throw usage`"${text}" is not a valid range; write for example 1000..500000.`;
  }
  const [from, to] = ends.map((end) => Number(valueOf(field, end.trim()))) as [number, number];
  if (from >= to) throw usage`A range goes from a smaller number to a larger one.`;
  return { kind: "range", from, to, steps };
}

/**
 * Reads values separated by commas: `UAH,EUR,USD`.
 * @throws Fault("usage") for a value that the field cannot hold, and for more than MOST_VALUES
 */
export function readSweepList(field: Field, text: string): SweepValues {
  const words = text.split(",").map((word) => word.trim());
  const values = words.filter((word) => word !== "").map((word) => valueOf(field, word));
  if (values.length === 0) throw usage`The list is empty; give values separated by commas.`;
  if (values.length > MOST_VALUES) {
    throw usage`A list has at most ${MOST_VALUES} values, and this one has ${values.length}.`;
  }
  return { kind: "list", values: [...new Set(values)] };
}

/** Reads a range or a list. @throws Fault as both do */
export function readSweepValues(field: Field, text: string, steps: number): SweepValues {
  const isRange = field.type === "integer" && text.includes("..");
  return isRange ? readSweepRange(field, text, steps) : readSweepList(field, text);
}

function valueOf(field: Field, text: string): FieldValue {
  // The message names the field only, because card digits must not be repeated anywhere.
  if (findCardData({ [field.path.split(".").at(-1)!]: text }) !== null) {
    throw badInput`${field.path}: a full card number never belongs here; use BIN and last four.`;
  }
  const read = readField(field, text);
  if ("error" in read) throw new Fault("usage", whole(read.error));
  return read.value;
}

/** Fields with proposed values, the most common first. */
export const PROPOSED_FIELDS: readonly string[] = [
  "amount",
  "currency",
  "payer.number_phone",
  "card.bin_card",
  "payer.payer_ip",
  "card.expiration_year",
  "payer.email",
];

/**
 * Proposed values for a field, as `readSweepValues` reads them; null for none.
 * @param now ms since the epoch, for years
 */
export function proposedValues(path: string, now: Milliseconds): string | null {
  if (path !== "card.expiration_year") return PROPOSALS[path] ?? null;
  const year = new Date(now).getUTCFullYear();
  return `${year - 2}..${year + 20}`;
}

const PROPOSALS: Readonly<Record<string, string>> = {
  operation: "payment,payout,recurring,refund,verification",
  // From 1.00 to 1 000 000.00, which covers the usual limits of every currency.
  amount: "100..100000000",
  currency: "UAH,EUR,USD,GBP,PLN,JPY,KWD",
  "payer.number_phone":
    "+380501234567,+4915123456789,+12025550143,+447700900123,+2348012345678,+88161234567,+21012345678",
  "payer.payer_ip": "91.198.36.14,10.0.0.7,127.0.0.1,100.64.0.9,203.0.113.7,2a00:1450::7,2001:db8::7",
  "payer.email":
    "olena.kovalenko@shop-customer.example,xq7k2zt9v4@shop-customer.example,somebody@mailinator.com,a@b.example",
  "card.bin_card": "444433,411111,510510,222100,378282,601100,620000,123456",
  "card.expiration_month": "1..12",
};
