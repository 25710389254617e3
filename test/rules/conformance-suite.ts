// The conformance tests of the Common Expression Language as conditions of rules: each is one that ought to hold, or to have no value.

import { tests } from "@bufbuild/cel-spec/testdata/conformance.js";
import type { Params, Value, ValueType } from "#src/rules/expressions/host-function.ts";

/** A test as a condition. */
export interface ConformanceCase {
  /** E.g. `lists/index/zero_based_int`. */
  readonly name: string;
  readonly section: string;
  /** The condition; null where rules have nothing of the kind, e.g. a parameter that is a map. */
  readonly source: string | null;
  /** The same where its value is no bool: both sides of an equality, so that an error shows. */
  readonly twice: string;
  readonly types: Readonly<Record<string, ValueType>>;
  readonly params: Params;
  /** Null where it must have no value. */
  readonly expected: boolean | null;
}

type Json = Readonly<Record<string, unknown>>;
type Suite = typeof tests;

export function conformanceCases(): ConformanceCase[] {
  return tests.suites!.flatMap((section) => casesOf(section, section.name, section.name));
}

function casesOf(suite: Suite, section: string, path: string): ConformanceCase[] {
  return [
    ...(suite.suites ?? []).flatMap((inner) => casesOf(inner, section, `${path}/${inner.name}`)),
    ...(suite.tests ?? []).map(({ original }) => caseOf(original, section, path)),
  ];
}

function caseOf(test: Json, section: string, path: string): ConformanceCase {
  const expression = String(test["expr"]);
  const named = Object.entries((test["bindings"] ?? {}) as Record<string, Json>).map(
    ([name, { value }]) => [name, paramOf(value as Json | undefined)] as const,
  );
  const known = named.flatMap(([name, param]) =>
    param === null || name.includes(".") ? [] : [[name, param]],
  );
  const params = Object.fromEntries(known) as Record<string, Param>;
  const declares = ((test["typeEnv"] ?? []) as Json[]).some((entry) => "function" in entry);
  const expected = expectation(test);
  const askable = !declares && known.length === named.length && expected !== null;
  return {
    name: `${path}/${String(test["name"])}`,
    section,
    source: askable
      ? expected.equals === null
        ? expression
        : `(${expression}\n) == ${expected.equals}`
      : null,
    // A comment may end the expression.
    twice: `(${expression}\n) == (${expression}\n)`,
    types: mapped(params, ({ type }) => type),
    params: mapped(params, ({ value }) => value),
    expected: expected?.value ?? null,
  };
}

/** Value of the condition, after the comparison with a literal where there is one; null where rules cannot write it. */
function expectation(test: Json): { readonly value: boolean | null; readonly equals: string | null } | null {
  if ("evalError" in test || "anyEvalErrors" in test) return { value: null, equals: null };
  if ("unknown" in test || "anyUnknowns" in test) return null;
  const typed = test["typedResult"] as Json | undefined;
  if (typed !== undefined && !("result" in typed)) return null;
  // Without any it is true, says the schema of the tests.
  const value = (test["value"] ?? typed?.["result"] ?? { boolValue: true }) as Json;
  if ("boolValue" in value) return { value: value["boolValue"] === true, equals: null };
  const equals = literal(value);
  return equals === null ? null : { value: true, equals };
}

/** A value of the tests as an expression; null where none has it. */
function literal(given: Json): string | null {
  const [kind, value] = Object.entries(given)[0]!;
  switch (kind) {
    case "boolValue":
    case "int64Value":
    case "typeValue":
      return `(${String(value)})`;
    case "uint64Value":
      return `${String(value)}u`;
    case "doubleValue":
      return value === "NaN" ? null : written(Number(value));
    case "stringValue":
      return JSON.stringify(value);
    case "bytesValue":
      return `b"${Buffer.from(String(value), "base64").toString("hex").replaceAll(/../g, "\\x$&")}"`;
    case "nullValue":
      return "null";
    case "listValue": {
      const items = (((value as Json)["values"] ?? []) as Json[]).map(literal);
      return items.includes(null) ? null : `[${items.join(", ")}]`;
    }
    case "mapValue": {
      const entries = ((value as Json)["entries"] ?? []) as { readonly key: Json; readonly value: Json }[];
      const items = entries.map(({ key, value }) => [literal(key), literal(value)]);
      return items.flat().includes(null) ? null : `{${items.map((item) => item.join(": ")).join(", ")}}`;
    }
    default:
      return null;
  }
}

function written(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? "(1.0 / 0.0)" : "(-1.0 / 0.0)";
  const text = String(value);
  return `(${/[.e]/.test(text) ? text : `${text}.0`})`;
}

interface Param {
  readonly type: ValueType;
  readonly value: Value;
}

/** A parameter of a rule; null where rules have none of the kind. */
function paramOf(given: Json | undefined): Param | null {
  const [kind, value] = Object.entries(given ?? {})[0] ?? [];
  switch (kind) {
    case "boolValue":
      return { type: "bool", value: value as boolean };
    case "int64Value":
      return Number.isSafeInteger(Number(value)) ? { type: "int", value: Number(value) } : null;
    case "doubleValue":
      return { type: "double", value: Number(value) };
    case "stringValue":
      return { type: "string", value: value as string };
    case "listValue": {
      const items = (((value as Json)["values"] ?? []) as Json[]).map(paramOf);
      const type = items[0]?.type;
      if ((type !== "int" && type !== "string") || !items.every((item) => item?.type === type)) return null;
      return { type: `list<${type}>`, value: items.map((item) => item!.value) as readonly string[] };
    }
    default:
      return null;
  }
}

function mapped<T>(params: Readonly<Record<string, Param>>, pick: (param: Param) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(params).map(([name, param]) => [name, pick(param)]));
}
