// The page of the HTTP interface, from the OpenAPI document of a sandbox.

import type { JsonObject } from "#src/contract/fields/body-path.ts";
import { outlineOf, type OutlinedCall, type Term } from "#src/contract/openapi/openapi-outline.ts";
import { table } from "./markdown.ts";

/** Each call with its headers, fields, an example and its answers. */
export function httpPage(document: JsonObject): string[] {
  const { about, identity, calls } = outlineOf(document);
  return [
    "# HTTP interface",
    "",
    "A running sandbox has this as a page at `/docs`, and as an OpenAPI 3.1 document at `/openapi.json`, which `verdict serve --openapi` prints.",
    "",
    about,
    "",
    "These headers identify the caller:",
    ...headerTable(identity),
    ...calls.flatMap((call) => ["", `## ${call.method} ${call.path}`, "", ...callLines(call)]),
  ];
}

function callLines({ summary, description, headers, body, answers }: OutlinedCall): string[] {
  return [
    `${summary}.`,
    "",
    description,
    ...headerTable(headers),
    ...bodyLines(body),
    "",
    ...table(
      ["Status", "Answer"],
      answers.map(({ status, words }) => [status, words]),
    ),
  ];
}

function headerTable(headers: readonly Term[]): string[] {
  if (headers.length === 0) return [];
  const rows = headers.map(([name, words]) => [`\`${name}\``, words]);
  return ["", ...table(["Header", "What it is"], rows)];
}

function bodyLines(body: OutlinedCall["body"]): string[] {
  if (body === null) return [];
  const rows = body.fields.map(({ path, isRequired, words }) => [
    `\`${path}\``,
    isRequired ? "yes" : "",
    words,
  ]);
  const fields = table(["Field", "Required", "What it is"], rows);
  return ["", body.rules, "", ...fields, "", "```json", JSON.stringify(body.example, null, 2), "```"];
}
