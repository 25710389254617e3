// The options of a command: what each takes and what it goes with. A run gets their values, typed by their table.

import { resolve } from "node:path";
import { Option } from "commander";
import { Fault, usage, whole as sentence } from "#src/contract/fault.ts";
import { parseDuration } from "#src/contract/text/duration.ts";
import { parseInstant } from "#src/contract/text/instant.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";

/** How the value of an option is read. */
export interface ValueType<T> {
  /** Null for a text that is refused. */
  readonly read: (text: string) => T | null;
  /** What the option takes, for the sentence of the refusal: `a whole number from 1 to 256`. */
  readonly takes: string;
  /** Placeholder where the option names none: `<n>`. */
  readonly value?: string;
  readonly choices?: readonly string[];
}

interface More {
  /** Placeholder of its value, in commander's notation: `<n>`, or `[n]`; a flag has none. */
  readonly value?: string;
  /** One letter. */
  readonly short?: string;
  readonly required?: boolean;
  /** Collects a list. */
  readonly repeatable?: true;
  /** The value where none is given, as it would be typed. */
  readonly default?: string;
  /** The value of an option that is given without a value. */
  readonly alone?: string;
  /** Heading of its group in the help. */
  readonly group?: string;
  /** Name of an option without which it means nothing. */
  readonly needs?: string;
  /** Names of options that it does not go with. */
  readonly excludes?: readonly string[];
  /** Name of a flag that it sets, too. */
  readonly implies?: string;
  /** Variable of the environment that sets it where the command line does not; `true` for a flag. */
  readonly variable?: string;
  /** Left out of the help of a command. */
  readonly hidden?: true;
  /** A flag that takes away: `magic` is --no-magic. */
  readonly off?: true;
  /** Help of the --no- form that a flag has as well. */
  readonly negation?: string;
  /**
   * Its value names a file that is written: `data` where `-` is standard output; `file` where only a file will do, and
   * `-` is refused.
   */
  readonly writes?: "data" | "file";
}

export interface OptionSpec<T = unknown> extends More {
  readonly help: string;
  readonly type?: ValueType<unknown>;
  /** What the run gets; only a type. */
  readonly gives?: () => T;
}

/** By name: `stopAfter` is --stop-after. */
export type OptionTable = Readonly<Record<string, OptionSpec>>;

/** What a run gets of a table. */
export type Values<Table> = {
  readonly [Name in keyof Table]: NonNullable<Table[Name]> extends OptionSpec<infer T> ? T : never;
};

type Given<T, M extends More> = M extends { readonly repeatable: true }
  ? readonly T[]
  : M extends { readonly required: true } | { readonly default: string }
    ? T
    : T | undefined;

export function flag(help: string, more: More = {}): OptionSpec<boolean> {
  return { help, ...more };
}

/** A flag and its --no- form; undefined for neither. */
export function toggle(help: string, negation: string): OptionSpec<boolean | undefined> {
  return { help, negation };
}

export function option<T, const M extends More = object>(
  type: ValueType<T>,
  help: string,
  more?: M,
): OptionSpec<Given<T, M>> {
  return { ...(type.value === undefined ? {} : { value: type.value }), type, help, ...more };
}

export function text<const M extends More = object>(
  value: string,
  help: string,
  more?: M,
): OptionSpec<Given<string, M>> {
  return { value, type: TEXT, help, ...more };
}

/** The same option, which may be left out, with another help. */
export function optional<T>(spec: OptionSpec<T>, help: string, more: More = {}): OptionSpec<T | undefined> {
  return { ...spec, required: false, help, ...more };
}

const TEXT: ValueType<string> = { read: (given) => given, takes: "a text" };
/** The path of a file or folder, absolute. */
export const path: ValueType<string> = { read: (given) => resolve(given), takes: "a path", value: "<file>" };
/** In ms since the epoch. */
export const instant: ValueType<Milliseconds> = {
  read: parseInstant,
  takes: "a time in ISO 8601, for example 2026-03-01T12:00:00Z",
  value: "<time>",
};

export function oneOf<const T extends string>(value: string, choices: readonly T[]): ValueType<T> {
  const takes =
    choices.length === 1 ? choices[0]! : `${choices.slice(0, -1).join(", ")} or ${choices.at(-1)!}`;
  return { read: (given) => choices.find((each) => each === given) ?? null, takes, value, choices };
}

export function whole(min: number, max: number): ValueType<number> {
  const isWithin = (given: string): boolean =>
    /^-?\d+$/.test(given) && Number(given) >= min && Number(given) <= max;
  return {
    read: (given) => (isWithin(given) ? Number(given) : null),
    takes: `a whole number from ${min} to ${max}`,
    value: "<n>",
  };
}

/** Whole seconds, as a number or a duration. */
export function seconds(min: number, max: number): ValueType<number> {
  const { read } = whole(min, max);
  return {
    read: (given) => read(secondsText(given)),
    takes: `whole seconds from ${min} to ${max}, or a duration such as 90s or 2m`,
    value: "<duration>",
  };
}

/** In ms, within bounds. @param takes words for the refusal */
export function duration(min: number, max: number, takes: string): ValueType<Milliseconds> {
  const read = (given: string): Milliseconds | null => {
    const ms = parseDuration(given);
    return ms !== null && ms >= min && ms <= max ? ms : null;
  };
  return { read, takes, value: "<duration>" };
}

/** The same as text, to be validated elsewhere. */
export const secondsAsText: ValueType<string> = { read: secondsText, takes: "seconds", value: "<duration>" };

/** `3m` is "180"; what has no unit stays as it is. */
function secondsText(given: string): string {
  const ms = parseDuration(given);
  return ms === null ? given : String(ms / 1000);
}

/** A number of items, or a share of them. Exact: `parts` of `whole`, so that 0.1% of 1,000 is 1 and not a little less. */
export interface Portion {
  readonly text: string;
  readonly parts: bigint;
  /** Null for a number of items. */
  readonly whole: bigint | null;
}

/** `3` or `0.5%`, up to 100%. @param example of a share */
export function portion(example: string): ValueType<Portion> {
  return {
    read: readPortion,
    takes: `a whole number such as 3, or a share such as ${example}`,
    value: "<n>",
  };
}

/** `70%`, as a number from 0 to 1. */
export const share: ValueType<number> = {
  read(given) {
    const { parts, whole = null } = readPortion(given) ?? {};
    return whole === null ? null : Number(parts) / Number(whole);
  },
  takes: "a share such as 70%",
  value: "<n%>",
};

function readPortion(given: string): Portion | null {
  if (/^\d{1,15}$/.test(given)) return { text: given, parts: BigInt(given), whole: null };
  const [, units = "", decimals = ""] = /^(\d{1,3})(?:\.(\d{1,6}))?%$/.exec(given) ?? [];
  const all = 100n * 10n ** BigInt(decimals.length);
  const share = { text: given, parts: BigInt(units + decimals), whole: all };
  return units !== "" && share.parts <= all ? share : null;
}

/** A duration with its text, in ms. */
export const latency: ValueType<{ readonly text: string; readonly ms: Milliseconds }> = {
  read(given) {
    const ms = parseDuration(given);
    return ms === null ? null : { text: given, ms };
  },
  takes: "a duration such as 50ms or 1.5s",
  value: "<duration>",
};

/** Names with commas between them. @param takes words for the refusal */
export function names(takes: string): ValueType<readonly string[]> {
  const read = (given: string): readonly string[] | null => {
    const all = given.split(",").map((name) => name.trim());
    return all.includes("") ? null : all;
  };
  return { read, takes, value: "<names>" };
}

/** `--stop-after` for `stopAfter`. */
export function flagOf(name: string, { off }: Pick<OptionSpec, "off"> = {}): string {
  const words = name.replaceAll(/[A-Z]|(?<=[a-z])\d/g, (letter) => `-${letter.toLowerCase()}`);
  return `${off ? "--no-" : "--"}${words}`;
}

/** `--limit <n>` */
export function usageOf(name: string, spec: OptionSpec): string {
  return flagOf(name, spec) + (spec.value === undefined ? "" : ` ${spec.value}`);
}

/** As the help shows it: `-n, --limit <n>`. */
export function flagsOf(name: string, spec: OptionSpec): string {
  return (spec.short === undefined ? "" : `-${spec.short}, `) + usageOf(name, spec);
}

/** Its help with what goes with it and what is taken without it. */
export function helpOf({ help, needs, required, default: standard }: OptionSpec): string {
  const notes = [
    ...(required ? ["required"] : []),
    ...(needs === undefined ? [] : [`with ${flagOf(needs)}`]),
    ...(standard === undefined ? [] : [`default: ${standard}`]),
  ];
  return notes.length === 0 ? help : `${help} (${notes.join("; ")})`;
}

/** Options of the parser for a table. */
export function builtOptions(table: OptionTable, isAsked = false): Option[] {
  return Object.entries(table).flatMap(([name, spec]) => {
    const built = new Option(flagsOf(name, spec), helpOf(spec));
    if (spec.required && !isAsked) built.makeOptionMandatory();
    if (spec.hidden) built.hideHelp();
    if (spec.group !== undefined) built.helpGroup(spec.group);
    if (spec.repeatable) {
      built.argParser((value: string, before: string[] | undefined) => [...(before ?? []), value]);
    }
    if (spec.negation === undefined) return built;
    return [built, new Option(`--no-${flagOf(name).slice(2)}`, spec.negation)];
  });
}

/** The same options under a heading of the help; those that have one keep it. */
export function inGroup<Table extends OptionTable>(group: string, table: Table): Table {
  return mapTable(table, (_, spec) => ({ group, ...spec }));
}

/** The same options, each with a variable of its name: `adminPort` has PREFIX_ADMIN_PORT. */
export function withVariables<Table extends OptionTable>(prefix: string, table: Table): Table {
  return mapTable(table, (name, spec) => {
    const words = flagOf(name, spec).slice(2).replaceAll("-", "_");
    return { ...spec, variable: prefix + words.toUpperCase() };
  });
}

function mapTable<Table extends OptionTable>(
  table: Table,
  change: (name: string, spec: OptionSpec) => OptionSpec,
): Table {
  return Object.fromEntries(
    Object.entries(table).map(([name, spec]) => [name, change(name, spec)]),
  ) as unknown as Table;
}

/** The values of a table's options, and where those that are given come from. */
export interface ReadOptions {
  readonly values: Readonly<Record<string, unknown>>;
  /** By flag, the variable that sets it. */
  readonly variables: ReadonlyMap<string, string>;
}

/**
 * @param given what the command line has, by the name of an option; undefined for nothing
 * @throws Fault("usage") naming the option, or the variable that sets it
 */
export function readOptions(
  table: OptionTable,
  given: (name: string) => unknown,
  env: NodeJS.ProcessEnv,
): ReadOptions {
  const values: Record<string, unknown> = {};
  const variables = new Map<string, string>();
  const sources = new Map<string, string>();
  for (const [name, spec] of Object.entries(table)) {
    const own = given(name);
    const value = own ?? valueOfVariable(spec, env);
    const long = flagOf(name, spec);
    if (own === undefined && value !== undefined) variables.set(long, spec.variable!);
    if (value !== undefined) sources.set(name, variables.get(long) ?? long);
    values[name] = readValue(spec, value ?? spec.default, sources.get(name) ?? long);
  }
  for (const name of sources.keys()) {
    const { implies } = table[name]!;
    if (implies !== undefined) values[implies] = true;
  }
  for (const [name, source] of sources) {
    const { needs, excludes = [] } = table[name]!;
    if (needs !== undefined && !sources.has(needs)) {
      throw usage`${sentence(source)} needs ${sentence(usageOf(needs, table[needs]!))}; add it, or leave ${sentence(source)} out.`;
    }
    const other = excludes.map((each) => sources.get(each)).find((each) => each !== undefined);
    if (other !== undefined) {
      throw usage`${sentence(source)} and ${sentence(other)} exclude each other; leave one of them out.`;
    }
  }
  return { values, variables };
}

function readValue(spec: OptionSpec, given: unknown, source: string): unknown {
  const { type, alone, off, repeatable, negation, writes } = spec;
  if (type === undefined) return given ?? (negation === undefined ? off === true : undefined);
  if (repeatable) return ((given ?? []) as string[]).map((each) => readText(type, each, source));
  const value = given === true ? alone : given;
  if (value === undefined) return undefined;
  if (writes === "file" && value === "-") throw noStandardOutput(source);
  return readText(type, value as string, source);
}

function readText({ read, takes }: ValueType<unknown>, given: string, source: string): unknown {
  const value = read(given);
  if (value !== null) return value;
  throw usage`${sentence(source)} takes ${sentence(takes)}, not "${given}".`;
}

/** @throws Fault("usage") naming the variable */
function valueOfVariable(
  { variable = "", value, off }: OptionSpec,
  env: NodeJS.ProcessEnv,
): string | boolean | undefined {
  const given = env[variable];
  if (given === undefined) return undefined;
  if (value !== undefined) {
    if (given === "") throw usage`${sentence(variable)} needs a value; correct or unset it.`;
    return given;
  }
  if (given !== "true" && given !== "false") {
    throw usage`${sentence(variable)} takes true or false, not "${given}"; correct or unset it.`;
  }
  return given === "true" ? off !== true : undefined;
}

/** The error of a run, which names an option, with the variable that set it in its place. */
export function namingVariables(error: unknown, { variables }: ReadOptions): unknown {
  if (variables.size === 0 || !(error instanceof Fault) || error.code !== "usage") return error;
  const message = error.message.replaceAll(/--[a-z][\w-]*/g, (word) => variables.get(word) ?? word);
  return new Fault("usage", sentence(message)).causedBy(error);
}

/** @param what the option or argument that names the file */
export function noStandardOutput(what: string): Fault {
  return usage`${sentence(what)} needs the name of a file, not "-"; nothing was written to standard output.`;
}
