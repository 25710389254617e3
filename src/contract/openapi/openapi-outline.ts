// The OpenAPI document as its pages tell it: calls with headers, fields and answers, without references and schemas.

import type { JsonObject } from "#src/contract/fields/body-path.ts";

/** Values of a list that a field names. */
const SHOWN_VALUES = 12;

/** A name and what it is. */
export type Term = readonly [name: string, words: string];

export type OutlinedCall = ReturnType<typeof callOf>;

interface OutlinedField {
  /** Dotted path. */
  readonly path: string;
  readonly isRequired: boolean;
  readonly words: string;
}

/** @param document as `openApiDocument` makes it */
export function outlineOf(document: JsonObject) {
  const { title, version, description } = at(document, "info");
  return {
    title: title as string,
    version: version as string,
    about: description as string,
    /** Headers that identify the caller. */
    identity: Object.values(at(document, "components", "securitySchemes")).map((each) =>
      term(each as JsonObject),
    ),
    calls: Object.entries(at(document, "paths")).flatMap(([path, methods]) =>
      Object.entries(methods as JsonObject).map(([method, call]) =>
        callOf(document, method.toUpperCase(), path, call as JsonObject),
      ),
    ),
  };
}

function callOf(document: JsonObject, method: string, path: string, call: JsonObject) {
  const body = call["requestBody"] as JsonObject | undefined;
  const media = body && at(body, "content", "application/json");
  return {
    method,
    path,
    summary: call["summary"] as string,
    /** Paragraphs and lists in Markdown; empty for none. */
    description: (call["description"] ?? "") as string,
    /** Of the request, beside those of the caller. */
    headers: ((call["parameters"] ?? []) as JsonObject[]).map(term),
    body: media
      ? {
          rules: body["description"] as string,
          fields: fieldsOf(resolved(document, at(media, "schema"))),
          example: media["example"],
        }
      : null,
    answers: Object.entries(at(call, "responses")).map(([status, answer]) => {
      const { description, content } = resolved(document, answer as JsonObject);
      const [example] = Object.values((content ?? {}) as JsonObject).map(
        (each) => (each as JsonObject)["example"],
      );
      return { status, words: oneLine(description), example };
    }),
  };
}

function term({ name, description }: JsonObject): Term {
  return [name as string, oneLine(description)];
}

function fieldsOf(schema: JsonObject, prefix = ""): OutlinedField[] {
  const required = (schema["required"] ?? []) as string[];
  return Object.entries(at(schema, "properties")).flatMap(([name, inner]) => {
    const { type, description, ...field } = inner as JsonObject;
    if (type === "object") return fieldsOf(inner as JsonObject, `${prefix}${name}.`);
    const values = (field["enum"] ?? []) as unknown[];
    const listed = values.length === 0 || values.length > SHOWN_VALUES ? "" : ` One of ${values.join(", ")}.`;
    const words = `${type as string}: ${oneLine(description)}${listed}`;
    return [{ path: `${prefix}${name}`, isRequired: required.includes(name), words }];
  });
}

function at(object: JsonObject, ...path: readonly string[]): JsonObject {
  return path.reduce((inner, key) => inner[key] as JsonObject, object);
}

/** What a `$ref` of the document stands for. */
function resolved(document: JsonObject, object: JsonObject): JsonObject {
  const reference = object["$ref"];
  return typeof reference === "string" ? at(document, ...reference.slice(2).split("/")) : object;
}

function oneLine(text: unknown): string {
  return String(text).replaceAll(/\s*\n\s*/g, " ");
}
