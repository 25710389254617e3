// What a decision is made about: the attempt, its project, the time, and the counts with this attempt in them.

import { currencyOfNumber, minorUnits } from "#src/contract/lists/currency.ts";
import type { AmountUnit, CurrencyNumbering } from "#src/contract/records/profile.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { RISK_LEVELS, type CheckRequest, type RiskLevel } from "#src/contract/wire/wire.ts";
import { inKeyOrder, type CounterKeys } from "#src/rules/counters/counter-keys.ts";
import type { ValueType } from "#src/rules/expressions/host-function.ts";
import { amountInEur, type EurRates } from "#src/rules/rule-file/eur-rates.ts";
import { readAddress, type Address } from "#src/rules/values/address.ts";
import { emailDomain } from "#src/rules/values/email-domain.ts";
import { normalEmail } from "#src/rules/values/normal-forms.ts";

export interface NamedList {
  /** The first entry that the attempt is under, in words such as `email fraud@example.com`; null when none. */
  find(situation: Situation): string | null;
  /** Why it cannot be said whether the attempt is listed; null when it can, and when it is. */
  missing(situation: Situation): string | null;
}

export type NamedLists = ReadonlyMap<string, NamedList>;

export interface ProjectFacts {
  readonly projectId: string;
  readonly riskLevel: RiskLevel;
  /** ISO 4217 numeric; null when unknown. */
  readonly currency: number | null;
}

/**
 * Data from outside, e.g. a table of addresses. None ships with the program: rules that need it are not evaluated
 * without it.
 */
export interface OutsideData {
  /** ISO 3166-1 alpha-2; null where it is not known for this address. */
  ipCountry(address: string): string | null;
}

/** Input of a decision. */
export interface Facts {
  readonly request: CheckRequest;
  readonly project: ProjectFacts;
  /** Virtual time. */
  readonly now: Milliseconds;
  readonly outside?: OutsideData;
}

/**
 * The facts of a service whose currencies are countries, as rules take them: in ISO 4217. The currency of a country that has
 * none or several is missing.
 */
export function inIso4217(facts: Facts, numbering: CurrencyNumbering): Facts {
  if (numbering === "iso-4217") return facts;
  const { currency, ...request } = facts.request;
  const converted = numericOf(currency, numbering);
  return {
    ...facts,
    request: converted === null ? request : { ...request, currency: converted },
    project: { ...facts.project, currency: numericOf(facts.project.currency, numbering) },
  };
}

/** The facts of a service whose amounts are major units, as rules take them; without a currency nobody knows their worth. */
export function inMinorUnits(facts: Facts, unit: AmountUnit): Facts {
  const { amount, currency } = facts.request;
  const digits = unit === "minor" || currency === undefined ? null : minorUnits(currency);
  if (amount === undefined || digits === null) return facts;
  return { ...facts, request: { ...facts.request, amount: Math.round(amount * 10 ** digits) } };
}

function numericOf(number: unknown, numbering: CurrencyNumbering): number | null {
  return (typeof number === "number" ? currencyOfNumber(number, numbering)?.numeric : null) ?? null;
}

/** Fields without a parent that expressions may read: those of the check request (spec 2.1). */
export const PLAIN_FIELDS = {
  operation: "string",
  order_id: "string",
  amount: "int",
  currency: "int",
  description: "string",
  terminal_id: "string",
} as const satisfies Record<string, ValueType>;

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
} as const satisfies Record<string, { type: new () => object; fields: Record<string, ValueType> }>;

/** What rules know besides the attempt. */
export interface RuleData {
  readonly rates: EurRates | null;
  readonly lists: NamedLists;
}

export interface Situation {
  readonly facts: Facts;
  /** Place of the project's risk level among RISK_LEVELS. */
  readonly level: number;
  readonly keys: CounterKeys;
  /** Counts with this attempt in them, in the order of `RuleSet.countReads`. */
  readonly counts: readonly number[];
  readonly data: RuleData;
  /** Values of the fields in the order of RULE_FIELDS; undefined where one is missing or of another type. */
  readonly fields: readonly (string | number | undefined)[];
  /** Parsed payer_ip; null when missing or unreadable. */
  readonly address: Address | null;
  /** Worth of the amount in EUR; null without a rate. */
  readonly eur: number | null;
  /** Of payer.email, as `emailDomain` reads it. */
  readonly domain: string | null;
  /** The part of payer.email before the `@`, as `normalEmail` has it; null when it is not an address. */
  readonly mailbox: string | null;
  /** Every field is there, every key, the address and a worth: nothing that hangs on these alone is missing. */
  readonly isComplete: boolean;
}

/**
 * Takes every field whose type is right; one of another type counts as missing.
 * @param counts in the order of `RuleSet.countReads`
 * @param address `payer_ip` as `readAddress` reads it, where that was done before
 */
export function createSituation(
  facts: Facts,
  keys: CounterKeys,
  counts: readonly number[],
  data: RuleData,
  address: Address | null = readAddress(facts.request.payer?.payer_ip),
): Situation {
  const fields = readFields(facts);
  const eur = worthInEur(facts, data.rates);
  const hasAll = !fields.includes(undefined) && !inKeyOrder(keys).includes(undefined);
  const isComplete = hasAll && eur !== null && address !== null;
  return new AttemptSituation(facts, keys, counts, data, fields, address, eur, isComplete);
}

/** What several rules ask for is made once, at the first question. */
class AttemptSituation implements Situation {
  readonly facts: Facts;
  readonly level: number;
  readonly keys: CounterKeys;
  readonly counts: readonly number[];
  readonly data: RuleData;
  readonly fields: Situation["fields"];
  readonly address: Address | null;
  readonly eur: number | null;
  readonly isComplete: boolean;
  #domain: string | null | undefined;
  #mailbox: string | null | undefined;

  constructor(
    facts: Facts,
    keys: CounterKeys,
    counts: readonly number[],
    data: RuleData,
    fields: Situation["fields"],
    address: Address | null,
    eur: number | null,
    isComplete: boolean,
  ) {
    this.facts = facts;
    this.level = RISK_LEVELS.indexOf(facts.project.riskLevel);
    this.keys = keys;
    this.counts = counts;
    this.data = data;
    this.fields = fields;
    this.address = address;
    this.eur = eur;
    this.isComplete = isComplete;
  }

  get domain(): string | null {
    if (this.#domain === undefined) this.#domain = emailDomain(this.fields[EMAIL]);
    return this.#domain;
  }

  get mailbox(): string | null {
    if (this.#mailbox === undefined) {
      const email = normalEmail(this.fields[EMAIL]);
      this.#mailbox = email === null ? null : email.slice(0, email.lastIndexOf("@"));
    }
    return this.#mailbox;
  }
}

/** In the order of RULE_FIELDS. Written out, because a table would make of every name a search. */
function readFields({ request, project }: Facts): (string | number | undefined)[] {
  const payer = asObject(request.payer);
  const card = asObject(request.card);
  return [
    text(request.operation),
    text(request.order_id),
    whole(request.amount),
    whole(request.currency),
    text(request.description),
    text(request.terminal_id),
    text(payer.payer_ip),
    text(payer.email),
    text(payer.number_phone),
    text(payer.payer_id),
    text(card.holder),
    whole(card.bin_card),
    whole(card.cin_card),
    whole(card.expiration_month),
    whole(card.expiration_year),
    project.riskLevel,
    whole(project.currency),
  ];
}

/** What a request may hold is anybody's choice: a group that is no object has no fields. */
function asObject<T extends object>(group: T | undefined): Partial<T> {
  return typeof group === "object" && group !== null ? group : {};
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function whole(value: unknown): number | undefined {
  return Number.isSafeInteger(value) ? (value as number) : undefined;
}

/** Worth of the attempt in EUR; null where amount, currency or rate is missing. */
export function worthInEur({ request: { amount, currency } }: Facts, rates: EurRates | null): number | null {
  const known = Number.isSafeInteger(amount) && Number.isSafeInteger(currency);
  return known ? amountInEur(amount!, currency!, rates) : null;
}

/** Dotted names of every field that rules may read. */
export const RULE_FIELDS: ReadonlySet<string> = new Set([
  ...Object.keys(PLAIN_FIELDS),
  ...Object.entries(FIELD_GROUPS).flatMap(([group, { fields }]) =>
    Object.keys(fields).map((name) => `${group}.${name}`),
  ),
]);

const FIELD_AT = new Map(Array.from(RULE_FIELDS, (path, at) => [path, at]));

/** Place of a field among `Situation.fields`. */
export function fieldPlace(path: string): number {
  return FIELD_AT.get(path)!;
}

const EMAIL = fieldPlace("payer.email");

/** A field by its dotted name; undefined when it is missing. */
export function fieldValue(situation: Situation, path: string): string | number | undefined {
  return situation.fields[FIELD_AT.get(path)!];
}

/** Reads a field by its dotted name. */
export function fieldReader(path: string): (situation: Situation) => string | number | undefined {
  const at = FIELD_AT.get(path)!;
  return ({ fields }) => fields[at];
}
