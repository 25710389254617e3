// The situation that rules evaluate: request fields, project, time, and counts that include this attempt.

import { NO_CURRENCY, currencyOfNumber, minorUnits } from "#src/contract/lists/currency.ts";
import type { AmountUnit, CurrencyNumbering } from "#src/contract/records/profile.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { RISK_LEVELS, type CheckRequest, type RiskLevel } from "#src/contract/wire/wire.ts";
import { keysByIndex, type CounterKeys } from "#src/rules/counters/counter-keys.ts";
import { amountInEur, type EurRates } from "#src/rules/rule-file/eur-rates.ts";
import { readAddress, type Address } from "#src/rules/values/address.ts";
import { emailDomain } from "#src/rules/values/normal-forms.ts";
import { normalEmail } from "#src/contract/text/normal-email.ts";

export interface NamedList {
  /** As they stand in the file. */
  readonly entries: readonly { readonly type: string; readonly text: string }[];
  /** The first matching entry, e.g. `email fraud@example.com`; null for none. */
  find(situation: Situation): string | null;
  /** Why a match cannot be ruled out for lack of a field; null if it can, or if there is a match. */
  missing(situation: Situation): string | null;
}

export type NamedLists = ReadonlyMap<string, NamedList>;

export interface ProjectFacts {
  readonly projectId: string;
  readonly riskLevel: RiskLevel;
  /** ISO 4217 numeric; null when unknown. */
  readonly currency: number | null;
}

/** Input of a decision. */
export interface DecisionInput {
  readonly request: CheckRequest;
  readonly project: ProjectFacts;
  /** Virtual time. */
  readonly now: Milliseconds;
}

/**
 * Converts the input of a service that sends countries for currencies to ISO 4217. The currency of a country with none or
 * several is missing, and so is that of a project in XXX.
 * @param ofProject numbering of registrations, where it is another one
 */
export function inIso4217(
  given: DecisionInput,
  numbering: CurrencyNumbering,
  ofProject: CurrencyNumbering = numbering,
): DecisionInput {
  let { request, project } = given;
  if (numbering !== "iso-4217") {
    const { currency, ...rest } = request;
    const converted = numericOf(currency, numbering);
    request = converted === null ? rest : { ...rest, currency: converted };
  }
  if (project.currency === NO_CURRENCY) project = { ...project, currency: null };
  else if (ofProject !== "iso-4217")
    project = { ...project, currency: numericOf(project.currency, ofProject) };
  return { ...given, request, project };
}

/** Converts the input of a service that sends major units to minor ones; it is unchanged without a currency. */
export function inMinorUnits(input: DecisionInput, unit: AmountUnit): DecisionInput {
  const { amount, currency } = input.request;
  const digits = unit === "minor" || currency === undefined ? null : minorUnits(currency);
  if (amount === undefined || digits === null) return input;
  return { ...input, request: { ...input.request, amount: Math.round(amount * 10 ** digits) } };
}

function numericOf(number: unknown, numbering: CurrencyNumbering): number | null {
  return (typeof number === "number" ? currencyOfNumber(number, numbering)?.numeric : null) ?? null;
}

type FieldType = "string" | "int";

/** Fields without a parent that expressions may read: those of the check request (spec 2.1). */
export const PLAIN_FIELDS = {
  operation: "string",
  order_id: "string",
  amount: "int",
  currency: "int",
  description: "string",
  terminal_id: "string",
} as const satisfies Record<string, FieldType>;

/** The engine checks types with `instanceof`, so each group of fields has a class; a missing field is undefined. */
export class Payer {}
export class Card {}
export class Project {}

/** Groups of fields that expressions may read: spec 2.2 and 2.3, and the project. */
export const FIELD_GROUPS = {
  payer: {
    type: Payer,
    fields: { payer_ip: "string", email: "string", number_phone: "string", payer_id: "string" },
  },
  card: {
    type: Card,
    fields: {
      holder: "string",
      bin_card: "int",
      cin_card: "int",
      expiration_month: "int",
      expiration_year: "int",
    },
  },
  project: { type: Project, fields: { risk_level: "string", currency: "int" } },
} as const satisfies Record<string, { type: new () => object; fields: Record<string, FieldType> }>;

/** Data of the rule file that conditions read. */
export interface RuleData {
  readonly rates: EurRates | null;
  readonly lists: NamedLists;
}

export interface Situation {
  readonly input: DecisionInput;
  /** Index of the project's risk level in RISK_LEVELS. */
  readonly level: number;
  readonly keys: CounterKeys;
  /** Counts with this attempt in them, in the order of `RuleSet.countReads`. */
  readonly counts: readonly number[];
  readonly data: RuleData;
  /** Parsed payer_ip; null when missing or unreadable. */
  readonly address: Address | null;
  /** Value of the amount in EUR; null without a rate. */
  readonly eur: number | null;
  /** Of payer.email, as `emailDomain` reads it. */
  readonly domain: string | null;
  /** The part of payer.email before the `@`, as `normalEmail` has it; null when it is not an address. */
  readonly mailbox: string | null;
  /** All fields, all keys, the address and the worth in EUR are there, as in most attempts. */
  readonly isComplete: boolean;
}

/**
 * @param counts in the order of `RuleSet.countReads`
 * @param address `payer_ip` as `readAddress` reads it, where that was done before
 */
export function createSituation(
  input: DecisionInput,
  keys: CounterKeys,
  counts: readonly number[],
  data: RuleData,
  address: Address | null = readAddress(input.request.payer?.payer_ip),
): Situation {
  const level = RISK_LEVELS.indexOf(input.project.riskLevel);
  const written = input.request.payer?.email;
  const email = normalEmail(written);
  const eur = worthInEur(input, data.rates);
  const hasAll =
    READ_ALL.every((read) => read({ input }) !== undefined) && !keysByIndex(keys).includes(undefined);
  return {
    input,
    level,
    keys,
    counts,
    data,
    address,
    eur,
    domain: emailDomain(written),
    mailbox: email === null ? null : email.slice(0, email.lastIndexOf("@")),
    isComplete: hasAll && eur !== null && address !== null,
  };
}

/** Value of the attempt in EUR; null where amount, currency or rate is missing. */
export function worthInEur(
  { request: { amount, currency } }: DecisionInput,
  rates: EurRates | null,
): number | null {
  const known = Number.isSafeInteger(amount) && Number.isSafeInteger(currency);
  return known ? amountInEur(amount!, currency!, rates) : null;
}

/** A field that rules may read; undefined where it is missing, or of another type. */
interface RuleField {
  readonly type: FieldType;
  read(situation: Pick<Situation, "input">): string | number | undefined;
}

/** Requests are untrusted: a value of another type is missing, and a group that is no object has no fields. */
function field(type: FieldType, valueOf: (input: DecisionInput) => unknown): RuleField {
  const isRight = type === "string" ? (value: unknown) => typeof value === "string" : Number.isSafeInteger;
  return {
    type,
    read({ input }) {
      const value = valueOf(input);
      return isRight(value) ? (value as string | number) : undefined;
    },
  };
}

function fieldsOf(group: "payer" | "card"): (readonly [path: string, RuleField])[] {
  return Object.entries(FIELD_GROUPS[group].fields).map(([name, type]) => [
    `${group}.${name}`,
    field(type, ({ request }) => (request[group] as Readonly<Record<string, unknown>> | undefined)?.[name]),
  ]);
}

/** By dotted name. */
export const RULE_FIELDS: ReadonlyMap<string, RuleField> = new Map([
  ...Object.entries(PLAIN_FIELDS).map(
    ([name, type]) =>
      [name, field(type, ({ request }) => request[name as keyof typeof PLAIN_FIELDS])] as const,
  ),
  ...fieldsOf("payer"),
  ...fieldsOf("card"),
  ["project.risk_level", field("string", ({ project }) => project.riskLevel)],
  ["project.currency", field("int", ({ project }) => project.currency)],
]);

const READ_ALL = Array.from(RULE_FIELDS.values(), ({ read }) => read);

/** Reads a field by its dotted name. */
export function fieldReader(path: string): RuleField["read"] {
  return RULE_FIELDS.get(path)!.read;
}
