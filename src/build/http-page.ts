// The page of the HTTP interface, from the OpenAPI document of a sandbox.

import type { JsonObject } from "#src/contract/fields/body-path.ts";
import { table } from "./markdown.ts";

/** Values of a list that a row shows. */
const SHOWN_VALUES = 12;

/** Each call with its headers, fields, an example and its answers. */
export function httpPage(document: JsonObject): string[] {
  const calls = Object.entries(at(document, "paths")).flatMap(([path, methods]) =>
    Object.entries(methods as JsonObject).flatMap(([method, call]) => [
      "",
      `## ${method.toUpperCase()} ${path}`,
      "",
      ...callLines(document, call as JsonObject),
    ]),
  );
  return [
    "# HTTP interface",
    "",
    "`verdict serve --openapi` prints the same as an OpenAPI 3.1 document, and a running sandbox serves it at `/openapi.json`.",
    "",
    at(document, "info")["description"] as string,
    "",
    "These headers identify the caller:",
    ...headerTable(Object.values(at(document, "components", "securitySchemes")) as JsonObject[]),
    ...calls,
  ];
}

function callLines(document: JsonObject, call: JsonObject): string[] {
  const answers = Object.entries(at(call, "responses")).map(([status, answer]) => [
    status,
    inCell(resolved(document, answer as JsonObject)["description"]),
  ]);
  return [
    `${call["summary"] as string}.`,
    "",
    (call["description"] ?? "") as string,
    ...headerTable((call["parameters"] ?? []) as JsonObject[]),
    ...bodyLines(document, call["requestBody"] as JsonObject | undefined),
    "",
    ...table(["Status", "Answer"], answers),
  ];
}

function headerTable(headers: readonly JsonObject[]): string[] {
  if (headers.length === 0) return [];
  const rows = headers.map(({ name, description }) => [`\`${name as string}\``, inCell(description)]);
  return ["", ...table(["Header", "What it is"], rows)];
}

function bodyLines(document: JsonObject, body: JsonObject | undefined): string[] {
  if (body === undefined) return [];
  const media = at(body, "content", "application/json");
  const rows = fieldRows(resolved(document, at(media, "schema")));
  const example = JSON.stringify(media["example"], null, 2);
  const fields = table(["Field", "Required", "What it is"], rows);
  return ["", body["description"] as string, "", ...fields, "", "```json", example, "```"];
}

function fieldRows(schema: JsonObject, prefix = ""): string[][] {
  const required = (schema["required"] ?? []) as string[];
  return Object.entries(at(schema, "properties")).flatMap(([name, inner]) => {
    const { type, description, ...field } = inner as JsonObject;
    if (type === "object") return fieldRows(inner as JsonObject, `${prefix}${name}.`);
    const values = (field["enum"] ?? []) as unknown[];
    const listed = values.length === 0 || values.length > SHOWN_VALUES ? "" : ` One of ${values.join(", ")}.`;
    const words = `${type as string}: ${inCell(description)}${listed}`;
    return [[`\`${prefix}${name}\``, required.includes(name) ? "yes" : "", words]];
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

function inCell(text: unknown): string {
  return String(text).replaceAll(/\s*\n\s*/g, " ");
}
