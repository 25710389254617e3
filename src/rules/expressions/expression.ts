// Conditions of rules in the Common Expression Language (CEL); the only module that knows the engine.

import type { ASTNode } from "@marcbachmann/cel-js";
import { FIELD_GROUPS, PLAIN_FIELDS, RULE_FIELDS, type Situation } from "#src/rules/decision/situation.ts";
import { memoize } from "#src/rules/values/memoize.ts";
import { createCountFunctions, type CountList } from "./count-functions.ts";
import { callWith, closureOf, type Closure, type Condition, type Run } from "./expression-closure.ts";
import { ExpressionError, surveyExpression, type FoundCall } from "./expression-survey.ts";
import type { CallSite, Params, Value, ValueType } from "./host-function.ts";
import { RULE_FUNCTIONS } from "./rule-functions.ts";

export interface CompiledExpression {
  readonly source: string;
  /** Dotted names of the fields it reads without a `has(...)` around any of their readings. */
  readonly requiredFields: readonly string[];
  readonly fields: readonly string[];
  /** Parameters that it reads, with their types. */
  readonly params: ReadonlyMap<string, ValueType>;
  readonly calls: readonly CallSite[];
  /** The condition with its parameters in place. */
  bind(params: Params): Condition;
}

export interface ExpressionLanguage {
  /** Throws ExpressionError for syntax, types, unknown names, or constructs that rules may not use. */
  compile(source: string, params: Readonly<Record<string, ValueType>>): CompiledExpression;
}

// The engine has no step limit, so size and nesting are limited at parse time.
const LIMITS = {
  maxAstNodes: 500,
  maxDepth: 32,
  maxListElements: 500,
  maxMapEntries: 50,
  maxCallArguments: 8,
};

/**
 * One language per rule file, so that the indexes of counts are those of the file. The first call imports the engine.
 * @param counts collects every count that a condition reads
 */
export async function loadRuleLanguage(counts: CountList): Promise<ExpressionLanguage> {
  const { Environment } = await import("@marcbachmann/cel-js");
  const functions = [...createCountFunctions(counts), ...RULE_FUNCTIONS];
  const hosts = new Map(functions.map((host) => [host.name, host]));
  // The engine passes no context to functions. Evaluation is synchronous, so one variable holds the current situation.
  let current: Situation;

  const base = new Environment({ limits: LIMITS });
  for (const [name, { type, fields }] of Object.entries(FIELD_GROUPS)) {
    const typeName = name[0]!.toUpperCase() + name.slice(1);
    base.registerType(typeName, { ctor: type, fields: { ...fields } });
    base.registerVariable(name, typeName);
  }
  for (const [name, type] of Object.entries(PLAIN_FIELDS)) base.registerVariable(name, type);
  for (const host of functions) {
    base.registerFunction(
      `${host.name}(${host.parameters.join(", ")}): ${host.result}`,
      (...args: unknown[]) => toEngine(host.call(current, args.map(fromEngine)), host.result),
    );
  }
  /** Variables and parameters as the engine takes them. */
  function scopeOf(
    situation: Situation,
    params: Params,
    paramTypes: Readonly<Record<string, ValueType>>,
  ): Record<string, unknown> {
    const scope: Record<string, unknown> = {};
    const read = (path: string): unknown => {
      const { type, read: readField } = RULE_FIELDS.get(path)!;
      const value = readField(situation);
      return value === undefined ? undefined : toEngine(value, type);
    };
    for (const name of Object.keys(PLAIN_FIELDS)) scope[name] = read(name);
    for (const [name, { type, fields }] of Object.entries(FIELD_GROUPS)) {
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

      const isLiteral = ({ host, literals }: FoundCall): boolean =>
        literals.length === host.parameters.length;
      // Those in a macro have no value of their own.
      const sites = new Map(found.calls.flatMap((call) => (call.inLoop ? [] : [[call.node, call]])));
      for (const call of found.calls) if (isLiteral(call)) call.host.prepare?.(call.literals);

      /** Everything that depends on the parameters, of which a rule has one set for each risk level. */
      const bound = memoize((params: Params) => {
        const made = new Map<ASTNode, Closure>();
        const words = {
          paramTypes,
          params,
          call(node: ASTNode): Closure | null {
            const site = sites.get(node);
            if (site === undefined) return null;
            const known = made.get(node);
            if (known !== undefined) return known;
            const closure = { type: site.host.result, run: callOf(site) };
            made.set(node, closure);
            return closure;
          },
        };
        /** A call whose arguments are names, literals and calls of the kind does not need the engine. */
        function callOf(site: FoundCall): Run {
          const { host, literals, node } = site;
          const { call } = host;
          if (isLiteral(site)) return host.prepare?.(literals) ?? ((situation) => call(situation, literals));
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
        calls: found.calls.map(({ node, inLoop, ...site }): CallSite => ({
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
