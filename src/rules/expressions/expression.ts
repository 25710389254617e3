// Conditions of rules in the Common Expression Language (CEL); the only module that knows the engine.

import type { ASTNode } from "@marcbachmann/cel-js";
import { callWith, closureOf, type Closure, type Run } from "./expression-closure.ts";
import { ExpressionError, surveyExpression, type FoundCall } from "./expression-survey.ts";
import type { CallSite, HostFunction, Params, Value, ValueType } from "./host-function.ts";

/** Names that expressions may use in addition to their parameters. */
export interface Vocabulary<Situation> {
  /** Plain variables. */
  readonly variables: Readonly<Record<string, ValueType>>;
  /** Variables with fields; the class makes the engine's type check one `instanceof`. */
  readonly objects: Readonly<
    Record<string, { readonly type: new () => object; readonly fields: Readonly<Record<string, ValueType>> }>
  >;
  readonly functions: readonly HostFunction<Situation>[];
  /** Reads a variable, or a field of an object by its dotted name; undefined where it is missing. */
  reader(path: string): (situation: Situation) => Value | undefined;
}

export interface CompiledExpression<Situation> {
  readonly source: string;
  /** Dotted names of the fields it reads without a `has(...)` around any of their readings. */
  readonly requiredFields: readonly string[];
  /** Every field it reads. */
  readonly fields: readonly string[];
  /** Parameters that it reads, with their types. */
  readonly params: ReadonlyMap<string, ValueType>;
  readonly calls: readonly CallSite<Situation>[];
  /** The condition with its parameters in place. */
  bind(params: Params): Condition<Situation>;
}

/** A condition with its parameters in place. */
export interface Condition<Situation> {
  /** Fast path; null where the condition needs the engine. Throws to fall back to the engine. */
  readonly closure: Run<Situation> | null;
  readonly engine: (situation: Situation) => boolean;
}

/** @throws Error where the condition has no value, e.g. after a division by zero */
export function holds<Situation>({ closure, engine }: Condition<Situation>, situation: Situation): boolean {
  if (closure === null) return engine(situation);
  try {
    return closure(situation) === true;
  } catch {
    // The engine decides whether this is an error or has a value.
    return engine(situation);
  }
}

export interface ExpressionLanguage<Situation> {
  /** Throws ExpressionError for syntax, types, unknown names, or constructs that rules may not use. */
  compile(source: string, params: Readonly<Record<string, ValueType>>): CompiledExpression<Situation>;
}

/** A call that stands in no macro. */
interface Site<Situation> extends FoundCall<Situation> {
  /** `prepare` of its function, where it has one. */
  readonly ready: Run<Situation> | null;
}

// The engine has no step limit, so size and nesting are limited at parse time.
const LIMITS = {
  maxAstNodes: 500,
  maxDepth: 32,
  maxListElements: 500,
  maxMapEntries: 50,
  maxCallArguments: 8,
};
/** Creates a language; the first call imports the engine. */
export async function loadExpressionLanguage<Situation>(
  vocabulary: Vocabulary<Situation>,
): Promise<ExpressionLanguage<Situation>> {
  const { Environment } = await import("@marcbachmann/cel-js");
  const hosts = new Map(vocabulary.functions.map((host) => [host.name, host]));
  // The engine passes no context to functions. Evaluation is synchronous, so one variable holds the current situation.
  let current: Situation;

  const base = new Environment({ limits: LIMITS });
  const fieldTypes = new Map<string, ValueType>(Object.entries(vocabulary.variables));
  for (const [name, { type, fields }] of Object.entries(vocabulary.objects)) {
    const typeName = name[0]!.toUpperCase() + name.slice(1);
    base.registerType(typeName, { ctor: type, fields: { ...fields } });
    base.registerVariable(name, typeName);
    for (const [field, fieldType] of Object.entries(fields)) fieldTypes.set(`${name}.${field}`, fieldType);
  }
  for (const [name, type] of Object.entries(vocabulary.variables)) base.registerVariable(name, type);
  for (const host of vocabulary.functions) {
    base.registerFunction(
      `${host.name}(${host.parameters.join(", ")}): ${host.result}`,
      (...args: unknown[]) => toEngine(host.call(current, args.map(fromEngine)), host.result),
    );
  }
  const readers = new Map(Array.from(fieldTypes.keys(), (path) => [path, vocabulary.reader(path)] as const));

  /** Variables and parameters as the engine takes them. */
  function scopeOf(
    situation: Situation,
    params: Params,
    paramTypes: Readonly<Record<string, ValueType>>,
  ): Record<string, unknown> {
    const scope: Record<string, unknown> = {};
    const read = (path: string): unknown => {
      const value = readers.get(path)!(situation);
      return value === undefined ? undefined : toEngine(value, fieldTypes.get(path)!);
    };
    for (const name of Object.keys(vocabulary.variables)) scope[name] = read(name);
    for (const [name, { type, fields }] of Object.entries(vocabulary.objects)) {
      const object: Record<string, unknown> = new type() as Record<string, unknown>;
      for (const field of Object.keys(fields)) object[field] = read(`${name}.${field}`);
      scope[name] = object;
    }
    for (const [name, type] of Object.entries(paramTypes)) scope[name] = toEngine(params[name]!, type);
    return scope;
  }

  return {
    compile(source, paramTypes) {
      const environment = base.clone();
      for (const [name, type] of Object.entries(paramTypes)) {
        if (environment.hasVariable(name))
          throw new ExpressionError(`the parameter ${name} hides a field`, 0);
        environment.registerVariable(name, type);
      }
      const parse = (text: string) => {
        const run = environment.parse(text);
        const { valid, type, error } = run.check();
        if (!valid) throw error ?? new Error("unknown type");
        const found = surveyExpression(run.ast, hosts, paramTypes);
        const evaluate = (situation: Situation, params: Params): Value => {
          current = situation;
          return fromEngine(run(scopeOf(situation, params, paramTypes)));
        };
        return { ast: run.ast, found, type, evaluate };
      };
      // The type comes last: a forbidden function is the better answer.
      const { ast, found, type, evaluate } = orExpressionError(() => parse(source));
      if (type !== "bool") throw new ExpressionError(`it must give true or false and gives ${type}`, 0);

      const isLiteral = ({ host, literals }: FoundCall<Situation>): boolean =>
        literals.length === host.parameters.length;
      const sites = new Map<ASTNode, Site<Situation>>();
      for (const call of found.calls) {
        const { host, literals, node } = call;
        const ready = isLiteral(call) ? (host.prepare?.(literals) ?? null) : null;
        if (!call.inLoop) sites.set(node, { ...call, ready });
      }

      /** Everything that depends on the parameters, created once per set of them. */
      const bound = perParams((params) => {
        const made = new Map<ASTNode, Closure<Situation>>();
        const words = {
          paramTypes,
          params,
          field(path: string) {
            const [fieldType, read] = [fieldTypes.get(path), readers.get(path)];
            return fieldType === undefined || read === undefined ? null : { type: fieldType, read };
          },
          call(node: ASTNode): Closure<Situation> | null {
            const site = sites.get(node);
            if (site === undefined) return null;
            const known = made.get(node);
            if (known !== undefined) return known;
            const closure = { type: site.host.result, run: site.ready ?? callOf(site) };
            made.set(node, closure);
            return closure;
          },
        };
        /** A call whose arguments are names, literals and calls of the kind does not need the engine. */
        function callOf(site: Site<Situation>): Run<Situation> {
          const { host, literals, node } = site;
          const { call } = host;
          if (isLiteral(site)) return (situation) => call(situation, literals);
          const [, args] = node.args as unknown as [string, ASTNode[]];
          const closures = args.flatMap((argument) => closureOf(argument, words) ?? []);
          if (closures.length === args.length) return callWith(host, closures);
          const byEngine = parse(source.slice(node.start, node.end)).evaluate;
          return (situation) => byEngine(situation, params);
        }
        return { closure: closureOf(ast, words), call: (node: ASTNode) => words.call(node)!.run };
      });

      return {
        source,
        fields: [...found.fields],
        requiredFields: [...found.fields].filter((field) => !found.guarded.has(field)),
        params: new Map(Array.from(found.params, (name) => [name, paramTypes[name]!])),
        calls: found.calls.map(({ node, inLoop, ...site }): CallSite<Situation> => ({
          ...site,
          source: source.slice(node.start, node.end),
          start: node.start,
          evaluate: inLoop ? null : (situation, params) => bound(params).call(node)(situation),
        })),
        bind: (params) => ({
          closure: bound(params).closure?.run ?? null,
          engine: (situation) => evaluate(situation, params) === true,
        }),
      };
    },
  };
}

/** Caches a value per set of parameters; a rule has one set for each risk level. */
function perParams<T>(make: (params: Params) => T): (params: Params) => T {
  const made = new WeakMap<Params, T>();
  return (params) => {
    let known = made.get(params);
    if (known === undefined) made.set(params, (known = make(params)));
    return known;
  };
}

/** The engine keeps integers apart from doubles as BigInt. */
function toEngine(value: Value, type: ValueType): unknown {
  if (type === "int") return BigInt(value as number);
  return type === "list<int>" ? (value as readonly number[]).map(BigInt) : value;
}

/** @throws RangeError for an integer beyond what a number holds exactly */
function fromEngine(value: unknown): Value {
  // A list of texts stays the same array: lookups are made of it once.
  if (Array.isArray(value)) return (typeof value[0] === "bigint" ? value.map(fromEngine) : value) as Value;
  if (typeof value !== "bigint") return value as Value;
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new RangeError(`${value} is too large`);
  return number;
}

function orExpressionError<T>(compile: () => T): T {
  try {
    return compile();
  } catch (error) {
    if (!(error instanceof Error) || error instanceof ExpressionError) throw error;
    // The engine's errors carry a summary without the drawn excerpt, and a range of offsets.
    const { summary, range } = error as { summary?: string; range?: { start: number } };
    throw new ExpressionError(summary ?? `its types are not certain: ${error.message}`, range?.start ?? 0);
  }
}
