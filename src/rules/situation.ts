// What a decision is made about: the attempt, its project, the time, and the counts with this attempt in them.

import type { Milliseconds } from "#src/contract/clock.ts";
import type { CheckRequest, RiskLevel } from "#src/contract/wire.ts";
import { readAddress, type Address } from "./address.ts";
import { COUNTER_KEYS, type CounterKeys } from "./counter-keys.ts";
import type { CounterView } from "./counters.ts";
import { amountInEur, type EurRates } from "./eur-rates.ts";
import type { Value, ValueType } from "./expression.ts";
import type { NamedLists } from "./lists.ts";

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
  readonly keys: CounterKeys;
  readonly counts: CounterView;
  readonly data: RuleData;
  /** Variables of expressions by name; integers are BigInt. Evaluation adds the parameters of the rule at hand. */
  readonly variables: Record<string, unknown>;
  /** Parsed payer_ip; null when missing or unreadable. */
  readonly address: Address | null;
  /** Worth of the amount in EUR; null without a rate. */
  readonly eur: number | null;
  /** Values of calls by number, each made once. */
  readonly memo: (Value | undefined)[];
  /** Every field is there and every key, and the amount has a worth: nothing that hangs on these alone is missing. */
  readonly isComplete: boolean;
}

/**
 * Takes every field whose type is right; one of another type counts as missing.
 * @param address `payer_ip` as `readAddress` reads it, where that was done before
 */
export function createSituation(
  facts: Facts,
  keys: CounterKeys,
  counts: CounterView,
  data: RuleData,
  address: Address | null = readAddress(facts.request.payer?.payer_ip),
): Situation {
  const { request, project } = facts;
  const variables: Record<string, unknown> = readFields({}, PLAIN_FIELDS, request);
  variables["payer"] = readFields(new Payer(), FIELD_GROUPS.payer.fields, request.payer);
  variables["card"] = readFields(new Card(), FIELD_GROUPS.card.fields, request.card);
  const projectFields = { risk_level: project.riskLevel, currency: project.currency };
  variables["project"] = readFields(new Project(), FIELD_GROUPS.project.fields, projectFields);
  const eur = worthInEur(facts, data.rates);
  const isComplete = eur !== null && hasEveryKey(keys) && hasEveryField(variables);
  return { facts, keys, counts, data, variables, address, eur, memo: [], isComplete };
}

function hasEveryKey(keys: CounterKeys): boolean {
  for (const key of COUNTER_KEYS) if (keys[key] === undefined) return false;
  return true;
}

function hasEveryField(variables: Readonly<Record<string, unknown>>): boolean {
  for (const [group, name] of FIELDS.values()) {
    const holder = group === null ? variables : (variables[group] as Record<string, unknown>);
    if (holder[name] === undefined) return false;
  }
  return true;
}

/** Worth of the attempt in EUR; null where amount, currency or rate is missing. */
export function worthInEur({ request: { amount, currency } }: Facts, rates: EurRates | null): number | null {
  const known = Number.isSafeInteger(amount) && Number.isSafeInteger(currency);
  return known ? amountInEur(amount!, currency!, rates) : null;
}

/** Dotted names of every field that rules may read, each with its group (null for none) and its own name. */
const FIELDS = new Map<string, readonly [group: string | null, name: string]>([
  ...Object.keys(PLAIN_FIELDS).map((name) => [name, [null, name]] as const),
  ...Object.entries(FIELD_GROUPS).flatMap(([group, { fields }]) =>
    Object.keys(fields).map((name) => [`${group}.${name}`, [group, name]] as const),
  ),
]);

export const RULE_FIELDS: ReadonlySet<string> = new Set(FIELDS.keys());

/** A field by its dotted name; undefined when it is missing. */
export function fieldValue(situation: Situation, path: string): Value | undefined {
  return fieldReader(path)(situation);
}

type FieldReader = (situation: Situation) => Value | undefined;

const readers = new Map<string, FieldReader>();

/** Reads a field by its dotted name; made once a name. */
export function fieldReader(path: string): FieldReader {
  let reader = readers.get(path);
  if (reader !== undefined) return reader;
  const [group, name] = FIELDS.get(path) ?? [null, path];
  reader =
    group === null
      ? ({ variables }) => variables[name] as Value | undefined
      : ({ variables }) => (variables[group] as Record<string, Value | undefined>)[name];
  if (FIELDS.has(path)) readers.set(path, reader);
  return reader;
}

function readFields<T extends object>(
  target: T,
  fields: Readonly<Record<string, ValueType>>,
  source: unknown,
): T {
  const values = (typeof source === "object" && source !== null ? source : {}) as Record<string, unknown>;
  const read = target as Record<string, Value | undefined>;
  for (const name in fields) {
    const value = values[name];
    if (fields[name] === "int")
      read[name] = Number.isSafeInteger(value) ? BigInt(value as number) : undefined;
    else read[name] = typeof value === "string" ? value : undefined;
  }
  return target;
}
