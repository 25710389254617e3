// Conditions of rules: Common Expression Language behind an interface of ours, so that nothing else knows the engine.

import type { ASTNode } from "@marcbachmann/cel-js";
import { closureOf, type Closure, type ClosureWords } from "./expression-closure.ts";
import { ExpressionError, surveyExpression, type FoundCall } from "./expression-survey.ts";

export type ValueType = "int" | "double" | "bool" | "string" | "list<int>" | "list<string>";

/** A value inside an expression: an `int` is a BigInt, a `double` a number. */
export type Value = bigint | number | boolean | string | readonly bigint[] | readonly string[];

/** A function that expressions may call. `Situation` is whatever a decision is made about. */
export interface HostFunction<Situation> {
  readonly name: string;
  readonly parameters: readonly ValueType[];
  readonly result: ValueType;
  /** Positions of arguments that must be literals, so that they are known when the rules are loaded. */
  readonly literals?: readonly number[];
  /** What is wrong with the literal arguments, or null. */
  check?(literals: readonly string[]): string | null;
  /** Why it cannot be called in this situation (a missing field or missing data), or null. */
  missing?(situation: Situation, literals: readonly string[]): string | null;
  call(situation: Situation, args: readonly Value[]): Value;
  /** `call` for arguments that are all literals, made ready when the rules are loaded. */
  prepare?(literals: readonly string[]): (situation: Situation) => Value;
}

/** What expressions may name besides their parameters. */
export interface Vocabulary<Situation> {
  /** Plain variables. */
  readonly variables: Readonly<Record<string, ValueType>>;
  /** Variables with fields; the class makes the engine's type check one `instanceof`. */
  readonly objects: Readonly<
    Record<
      string,
      { readonly type: abstract new () => object; readonly fields: Readonly<Record<string, ValueType>> }
    >
  >;
  readonly functions: readonly HostFunction<Situation>[];
  /** The values of variables and objects, always the same object for a situation; parameters are added to it. */
  bindings(situation: Situation): Record<string, unknown>;
  /** Values of calls by number, empty at first: each call of a rule is made once a situation. */
  memo(situation: Situation): (Value | undefined)[];
}

/** A call of a host function within an expression. */
export interface CallSite<Situation> {
  readonly host: HostFunction<Situation>;
  /** As written, e.g. `velocity("card", "1h")`. */
  readonly source: string;
  /** Where it begins in the condition. */
  readonly start: number;
  readonly literals: readonly string[];
  /** What its result is compared with, where that is a parameter or a literal number. */
  readonly limit: { readonly param: string } | { readonly value: number } | null;
  /** Its value alone; null when it stands inside a macro and depends on the macro's variable. */
  readonly evaluate: ((situation: Situation, params: Params) => Value) | null;
}

export type Params = Readonly<Record<string, Value>>;

export interface CompiledExpression<Situation> {
  readonly source: string;
  /** Dotted names of the fields it reads without a `has(...)` around any of their readings. */
  readonly requiredFields: readonly string[];
  /** Every field it reads. */
  readonly fields: readonly string[];
  readonly params: readonly string[];
  readonly calls: readonly CallSite<Situation>[];
  /** Throws Error when the engine cannot come to a value, e.g. after a division by zero. */
  evaluate(situation: Situation, params: Params): boolean;
}

export interface ExpressionLanguage<Situation> {
  /** Throws ExpressionError: syntax, types, unknown names, or something that rules may not do. */
  compile(source: string, params: Readonly<Record<string, ValueType>>): CompiledExpression<Situation>;
}

// There is no step budget, so what could run away is bounded before it runs.
const LIMITS = {
  maxAstNodes: 500,
  maxDepth: 32,
  maxListElements: 500,
  maxMapEntries: 50,
  maxCallArguments: 8,
};
/** Loads the engine (the first call costs its import) and makes a language of the given words. */
export async function loadExpressionLanguage<Situation>(
  vocabulary: Vocabulary<Situation>,
): Promise<ExpressionLanguage<Situation>> {
  const { Environment } = await import("@marcbachmann/cel-js");
  const hosts = new Map(vocabulary.functions.map((host) => [host.name, host]));
  // The engine hands functions no context. Evaluation is synchronous, so one slot for the situation at hand will do.
  let current: Situation;

  const base = new Environment({ limits: LIMITS });
  for (const [name, { type, fields }] of Object.entries(vocabulary.objects)) {
    const typeName = name[0]!.toUpperCase() + name.slice(1);
    base.registerType(typeName, { ctor: type, fields: { ...fields } });
    base.registerVariable(name, typeName);
  }
  for (const [name, type] of Object.entries(vocabulary.variables)) base.registerVariable(name, type);
  for (const host of vocabulary.functions) {
    base.registerFunction(`${host.name}(${host.parameters.join(", ")}): ${host.result}`, (...args: Value[]) =>
      host.call(current, args),
    );
  }

  const numbers = new Map<string, number>();
  let nextNumber = 0;

  /** @param text of a call that has the same value in every rule; null for one that has its own */
  function once(call: Closure<Situation>, text: string | null): Closure<Situation> {
    const number = (text === null ? undefined : numbers.get(text)) ?? nextNumber++;
    if (text !== null) numbers.set(text, number);
    return (situation, params) => {
      const memo = vocabulary.memo(situation);
      return (memo[number] ??= call(situation, params));
    };
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
        const evaluate = (situation: Situation, params: Params): unknown => {
          current = situation;
          // Laid over one object for all rules of a decision: what others left there is unknown to this environment.
          const scope = vocabulary.bindings(situation);
          for (const name in params) scope[name] = params[name];
          return run(scope);
        };
        return { ast: run.ast, type, evaluate };
      };
      const sites = new Map<ASTNode, Closure<Situation>>();
      const words: ClosureWords<Situation> = {
        isParam: (name) => Object.hasOwn(paramTypes, name),
        bindings: vocabulary.bindings,
        call: (node) => sites.get(node) ?? null,
      };
      /** A call whose arguments are names and literals, without the engine; null for any other. */
      const argumentCall = (node: ASTNode, host: HostFunction<Situation>): Closure<Situation> | null => {
        const [, args] = node.args as unknown as [string, ASTNode[]];
        const read = args.map((argument) => closureOf(argument, words));
        if (read.includes(null)) return null;
        return (situation, params) =>
          host.call(
            situation,
            read.map((argument) => argument!(situation, params)),
          );
      };
      const { ast, type, evaluate } = orExpressionError(() => parse(source));
      // Before the type: a forbidden function is the better answer.
      const found = surveyExpression(ast, hosts, paramTypes);
      if (type !== "bool") throw new ExpressionError(`it must give true or false and gives ${type}`, 0);
      // Inner calls come after the outer ones, which are made of them.
      const callSite = ({ node, inLoop, ...site }: FoundCall<Situation>): CallSite<Situation> => {
        const text = source.slice(node.start, node.end);
        const start = node.start;
        if (inLoop) return { ...site, source: text, start, evaluate: null };
        const { host, literals } = site;
        // A call of literals alone does not need the engine.
        const call =
          literals.length === host.parameters.length
            ? (host.prepare?.(literals) ?? ((situation: Situation) => host.call(situation, literals)))
            : (argumentCall(node, host) ?? (parse(text).evaluate as (s: Situation, params: Params) => Value));
        const made = once(call, literals.length === host.parameters.length ? text : null);
        sites.set(node, made);
        return { ...site, source: text, start, evaluate: made };
      };
      const calls = found.calls.toReversed().map(callSite).toReversed();
      const closure = closureOf(ast, words);
      return {
        source,
        fields: [...found.fields],
        requiredFields: [...found.fields].filter((field) => !found.guarded.has(field)),
        params: [...found.params],
        calls,
        evaluate(situation, params) {
          if (closure !== null) {
            try {
              return closure(situation, params) === true;
            } catch {
              // The engine tells whether it is a fault or a value after all.
            }
          }
          return evaluate(situation, params) === true;
        },
      };
    },
  };
}

function orExpressionError<T>(compile: () => T): T {
  try {
    return compile();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    // The engine's errors carry a summary without the drawn excerpt, and a range of offsets.
    const { summary, range } = error as { summary?: string; range?: { start: number } };
    throw new ExpressionError(summary ?? error.message, range?.start ?? 0);
  }
}
