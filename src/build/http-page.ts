// The page of the HTTP interface, from the OpenAPI document of a sandbox.

import type { JsonObject } from "#src/contract/fields/body-path.ts";
import { table } from "./markdown.ts";

/** Values of a list that a row shows. */
const SHOWN_VALUES = 12;

/** Each call with its headers, fields, an example and its answers. */
export function httpPage(document: JsonObject): string[] {
  const schemes = Object.values(at(document, "components", "securitySchemes")) as JsonObject[];
  return [
    "# HTTP interface",
    "",
    "`verdict serve --openapi` prints the same as an OpenAPI 3.1 document, and a running sandbox serves it at `/openapi.json`.",
    "",
    String(at(document, "info")["description"]),
    "",
    "These headers identify the caller:",
    "",
    ...table(
      ["Header", "What it is"],
      schemes.map((scheme) => [`\`${scheme["name"] as string}\``, inCell(scheme["description"])]),
    ),
    ...Object.entries(at(document, "paths")).flatMap(([path, methods]) =>
      Object.entries(methods as JsonObject).flatMap(([method, call]) =>
        callSection(document, `${method.toUpperCase()} ${path}`, call as JsonObject),
      ),
    ),
  ];
}

function callSection(document: JsonObject, title: string, call: JsonObject): string[] {
  const headers = (call["parameters"] ?? []) as JsonObject[];
  const body = call["requestBody"] as JsonObject | undefined;
  return [
    "",
    `## ${title}`,
    "",
    `${call["summary"] as string}.`,
    "",
    (call["description"] ?? "") as string,
    ...(headers.length === 0
      ? []
      : [
          "",
          ...table(
            ["Header", "What it is"],
            headers.map((header) => [`\`${header["name"] as string}\``, inCell(header["description"])]),
          ),
        ]),
    ...(body === undefined ? [] : bodySection(document, body)),
    "",
    ...table(
      ["Status", "Answer"],
      Object.entries(at(call, "responses")).map(([status, answer]) => [
        status,
        inCell(resolved(document, answer as JsonObject)["description"]),
      ]),
    ),
  ];
}

function bodySection(document: JsonObject, body: JsonObject): string[] {
  const media = at(body, "content", "application/json");
  const example = JSON.stringify(media["example"], null, 2).split("\n");
  return [
    "",
    String(body["description"]),
    "",
    ...table(["Field", "Required", "What it is"], fieldRows(resolved(document, at(media, "schema")))),
    "",
    "```json",
    ...example,
    "```",
  ];
}

function fieldRows(schema: JsonObject, prefix = ""): string[][] {
  const required = (schema["required"] ?? []) as string[];
  return Object.entries(at(schema, "properties")).flatMap(([name, inner]) => {
    const field = inner as JsonObject;
    if (field["type"] === "object") return fieldRows(field, `${prefix}${name}.`);
    const values = (field["enum"] ?? []) as unknown[];
    const listed = values.length === 0 || values.length > SHOWN_VALUES ? "" : ` One of ${values.join(", ")}.`;
    const words = `${String(field["type"])}: ${inCell(field["description"])}${listed}`;
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
