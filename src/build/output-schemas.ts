// JSON Schemas of what commands print with --json, read from the types of the values that they print.

import { fileURLToPath } from "node:url";
import {
  SyntaxKind,
  type CallExpression,
  type Identifier,
  type Node,
  type PropertyAccessExpression,
  type PropertyAssignment,
} from "typescript/unstable/ast";
import {
  API,
  SignatureKind,
  SymbolFlags,
  TypeFlags,
  type Checker,
  type Project,
  type Symbol,
  type Type,
  type TypeReference,
} from "typescript/unstable/sync";
import type { CommandSpec } from "#src/cli/command.ts";
import { COMMANDS } from "#src/cli/commands.ts";
import type { JsonObject } from "#src/contract/fields/body-path.ts";
import { leavesOf } from "./command-leaves.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const COMMAND_FILES = `${ROOT}src/cli/`;
/** What prints a value, and on which option of a command: `output.json(value)`, `events.emit(value)`. */
const PRINTERS = {
  json: { type: "Output", option: "--json", prefix: "output" },
  emit: { type: "Events", option: "--events", prefix: "events" },
} as const;
type Printer = keyof typeof PRINTERS;

/** `sayDone(invocation, facts, ...)` and `declined(...)` print their facts behind the number of the schema. */
const DONE = { names: ["sayDone", "declined"], file: `${COMMAND_FILES}done.ts` } as const;

interface Value {
  readonly type: Type;
  readonly isDone: boolean;
}

/** The request as it was given, which may hold fields that verdict does not know. */
const OPEN_TYPE = "CheckRequest";

/** What the commands of the table print for programs. */
export const PRINTED: readonly {
  readonly name: string;
  /** With its option: `verdict history show --json`. */
  readonly command: string;
  readonly printer: Printer;
  readonly spec: CommandSpec;
}[] = leavesOf(COMMANDS, "verdict").flatMap(({ path, spec }) =>
  (["json", "emit"] as const).flatMap((printer) => {
    const { option, prefix } = PRINTERS[printer];
    if (!Object.hasOwn(spec.options ?? {}, option.slice(2))) return [];
    const name = path.replaceAll(" ", "-").replace("verdict", prefix);
    return [{ name, command: `${path} ${option}`, printer, spec }];
  }),
);

/** The schemas of what commands print, by name. */
export function outputSchemas(): Map<string, JsonObject> {
  const api = new API({ cwd: ROOT });
  try {
    const [project] = api.updateSnapshot({ openProjects: [`${ROOT}tsconfig.json`] }).getProjects();
    return new Reader(project!).schemas();
  } finally {
    api.close();
  }
}

class Reader {
  readonly #project: Project;
  readonly #checker: Checker;

  constructor(project: Project) {
    this.#project = project;
    this.#checker = project.checker;
  }

  schemas(): Map<string, JsonObject> {
    const loads = this.#loads();
    return new Map(
      PRINTED.map(({ name, command, printer, spec }) => {
        const load = loads.get(String(spec.load));
        const types = load === undefined ? [] : this.#printed(load)[printer];
        if (types.length === 0) throw new Error(`No code was found that prints for ${command}.`);
        return [name, new SchemaWriter(this.#checker).document(types)];
      }),
    );
  }

  /** The functions that load commands, by their text, which is the same at run time. */
  #loads(): Map<string, Node> {
    const loads = new Map<string, Node>();
    for (const name of this.#project.program.getSourceFileNames()) {
      if (!name.startsWith(COMMAND_FILES) || !name.includes("commands.ts")) continue;
      const file = this.#project.program.getSourceFile(name)!;
      walk(file, (node) => {
        if (node.kind !== SyntaxKind.PropertyAssignment) return;
        const { name: key, initializer } = node as PropertyAssignment;
        if (key.getText(file) === "load") loads.set(initializer.getText(file), initializer);
      });
    }
    return loads;
  }

  /** The types of all values that are printed by a function and those in src/cli that it uses. */
  #printed(start: Node): Record<Printer, Value[]> {
    const printed: Record<Printer, Value[]> = { json: [], emit: [] };
    const seen = new Set<Node>([start]);
    const waiting = [start];
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      const names: Identifier[] = [];
      walk(node, (inner) => {
        if (inner.kind === SyntaxKind.Identifier) names.push(inner as Identifier);
        if (inner.kind !== SyntaxKind.CallExpression) return;
        const { expression, arguments: words } = inner as CallExpression;
        const [value, facts] = words;
        const isDone =
          expression.kind === SyntaxKind.Identifier &&
          DONE.names.some((each) => each === (expression as Identifier).text);
        if (isDone) printed.json.push({ type: this.#checker.getTypeAtLocation(facts!)!, isDone });
        if (expression.kind !== SyntaxKind.PropertyAccessExpression || value === undefined) return;
        const { expression: receiver, name: method } = expression as PropertyAccessExpression;
        const printer = method.text as Printer;
        if (!Object.hasOwn(PRINTERS, printer)) return;
        if (this.#checker.getTypeAtLocation(receiver)?.getSymbol()?.name !== PRINTERS[printer].type) return;
        printed[printer].push({ type: this.#checker.getTypeAtLocation(value)!, isDone: false });
      });
      for (const symbol of this.#checker.getSymbolAtLocation(names)) {
        for (const declaration of this.#declarations(symbol)) {
          if (seen.has(declaration)) continue;
          seen.add(declaration);
          waiting.push(declaration);
        }
      }
    }
    return printed;
  }

  #declarations(symbol: Symbol | undefined): Node[] {
    if (symbol === undefined) return [];
    const real = symbol.flags & SymbolFlags.Alias ? this.#checker.getAliasedSymbol(symbol) : symbol;
    return real.declarations
      .filter(({ path }) => path.startsWith(COMMAND_FILES) && path !== DONE.file)
      .flatMap((handle) => handle.resolve(this.#project) ?? [])
      .filter(({ kind }) => CODE.has(kind));
  }
}

/** Declarations that hold code. */
const CODE = new Set([
  SyntaxKind.FunctionDeclaration,
  SyntaxKind.VariableDeclaration,
  SyntaxKind.ClassDeclaration,
  SyntaxKind.MethodDeclaration,
]);

/** Writes types as JSON Schema; a named type of ours becomes one of `$defs`. */
class SchemaWriter {
  readonly #checker: Checker;
  readonly #defs: Record<string, JsonObject> = {};
  readonly #names = new Map<number, string>();

  constructor(checker: Checker) {
    this.#checker = checker;
  }

  document(values: readonly Value[]): JsonObject {
    const schema = either(
      values.map(({ type, isDone }) => (isDone ? numbered(this.#schema(type)) : this.#schema(type))),
    );
    return Object.keys(this.#defs).length === 0 ? schema : { ...schema, $defs: this.#defs };
  }

  /** @param open whether objects without a name may hold more keys */
  #schema(type: Type, open: boolean = false): JsonObject {
    if (type.isUnionType()) {
      const members = type.getTypes().filter((member) => !isUndefined(member));
      return either(members.map((member) => this.#schema(member, open)));
    }
    if (type.isLiteralType()) return { enum: [type.value] };
    const scalar = SCALARS.find(([flags]) => type.flags & flags);
    if (scalar !== undefined) return scalar[1];
    if (this.#checker.isArrayLikeType(type)) {
      const items = this.#checker.getTypeArguments(type as TypeReference).map((item) => this.#schema(item));
      return this.#checker.isTupleType(type)
        ? { type: "array", prefixItems: items, minItems: items.length, maxItems: items.length }
        : { type: "array", items: items[0]! };
    }
    const name = type.getAliasSymbol() ?? type.getSymbol();
    const isOurs = name?.declarations.some(({ path }) => path.startsWith(`${ROOT}src/`)) === true;
    return isOurs && !name.name.startsWith("__") ? this.#named(type, name.name) : this.#object(type, open);
  }

  #named(type: Type, name: string): JsonObject {
    let key = this.#names.get(type.id);
    if (key === undefined) {
      key = Object.hasOwn(this.#defs, name) ? `${name}${this.#names.size}` : name;
      this.#names.set(type.id, key);
      // Holds its place, because a type may contain itself.
      this.#defs[key] = {};
      this.#defs[key] = this.#object(type, name === OPEN_TYPE);
    }
    return { $ref: `#/$defs/${key}` };
  }

  /** The only value of a property, where it is written out, as in `schema: 1`: its type is any number. */
  #written(property: Symbol): Type | null {
    const declaration = property.valueDeclaration?.resolve();
    if (declaration?.kind !== SyntaxKind.PropertyAssignment) return null;
    const type = this.#checker.getTypeAtLocation((declaration as PropertyAssignment).initializer);
    return type?.isLiteralType() === true ? type : null;
  }

  #object(type: Type, open: boolean): JsonObject {
    const properties: Record<string, JsonObject> = {};
    const required: string[] = [];
    for (const property of this.#checker.getPropertiesOfType(type)) {
      const { name } = property;
      const held = this.#checker.getTypeOfSymbol(property)!;
      if (isUndefined(held)) continue;
      if (this.#checker.getSignaturesOfType(held, SignatureKind.Call).length > 0)
        throw new Error(`${name} of ${this.#checker.typeToString(type)} is a function.`);
      const about = property.getDocumentationComment(this.#checker).trim();
      properties[name] = {
        ...(about === "" ? {} : { description: about }),
        ...this.#schema(this.#written(property) ?? held, open),
      };
      const mayLack =
        (property.flags & SymbolFlags.Optional) !== 0 ||
        (held.isUnionType() && held.getTypes().some(isUndefined));
      if (!mayLack) required.push(name);
    }
    const [index] = this.#checker.getIndexInfosOfType(type);
    if (Object.keys(properties).length === 0 && index === undefined && !open)
      throw new Error(`${this.#checker.typeToString(type)} names no keys, and what is printed has some.`);
    return {
      type: "object",
      properties,
      ...(required.length === 0 ? {} : { required }),
      additionalProperties: index === undefined ? open : this.#schema(index.valueType),
    };
  }
}

const SCALARS: readonly (readonly [TypeFlags, JsonObject])[] = [
  [TypeFlags.StringLike, { type: "string" }],
  [TypeFlags.NumberLike, { type: "number" }],
  [TypeFlags.BooleanLike, { type: "boolean" }],
  [TypeFlags.Null, { type: "null" }],
  [TypeFlags.Unknown | TypeFlags.Any, {}],
];

function isUndefined({ flags }: Type): boolean {
  return (flags & TypeFlags.Undefined) !== 0;
}

/** One of several schemas: scalar types are named together, and so are single values. */
function either(schemas: readonly JsonObject[]): JsonObject {
  const distinct = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
  const values = distinct.flatMap((schema) => (schema["enum"] ?? []) as unknown[]);
  const isBoolean = values.includes(true) && values.includes(false);
  const types = distinct.filter((schema) => Object.keys(schema).join() === "type").map(({ type }) => type);
  const others = distinct.filter(({ enum: single, type }) => single === undefined && !types.includes(type));
  const named = isBoolean ? [...types, "boolean"] : types;
  const single = values.filter((value) => !isBoolean || typeof value !== "boolean");
  const parts = [
    ...(named.length === 0 ? [] : [{ type: named.length === 1 ? named[0] : named }]),
    ...(single.length === 0 ? [] : [{ enum: single }]),
    ...others,
  ];
  return parts.length === 1 ? parts[0]! : { anyOf: parts };
}

function walk(node: Node, visit: (node: Node) => void): void {
  visit(node);
  node.forEachChild((child) => walk(child, visit));
}

/** An object with the number of its schema in front. */
function numbered({ properties = {}, required = [], ...rest }: JsonObject): JsonObject {
  const all = { schema: { enum: [1] }, ...(properties as JsonObject) };
  return { ...rest, properties: all, required: ["schema", ...(required as string[])] };
}
