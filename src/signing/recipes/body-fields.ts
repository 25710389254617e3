// The fields of a body as a text of their own, sorted by name: what services sign that do not sign the bytes.

import type { BodyFields } from "./recipe.ts";
import { percentEncoded } from "./template.ts";

/** Order of the code units, as RFC 8785 section 3.2.3 has it. */
function inOrder(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * @param body the bytes that are sent; where they are no JSON object they are the text themselves, so that nothing is left out
 * @returns a byte string
 */
export function fieldsText(how: BodyFields, body: Uint8Array): string {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const value = parsed(bytes.toString("utf8"));
  if (value === null) return bytes.toString("latin1");
  const text = how.form === "json" ? canonicalJson(value) : pairsText(how, value);
  return Buffer.from(text, "utf8").toString("latin1");
}

function parsed(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

/** RFC 8785: no blanks, and the names of each object sorted. */
function canonicalJson(value: unknown): string {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  const members = Object.entries(value).sort(([a], [b]) => inOrder(a, b));
  return `{${members.map(([name, each]) => `${JSON.stringify(name)}:${canonicalJson(each)}`).join(",")}}`;
}

function pairsText({ form, nesting, separator, equals, encoding, empty }: BodyFields, body: object): string {
  const written = (text: string): string => ENCODED[encoding](text);
  return (
    flat(body, null, nesting)
      .filter(([, text]) => empty === "keep" || text !== "")
      // Two values may have one full name: "a.b", and "b" in "a".
      .sort(([a, one], [b, other]) => inOrder(a, b) || inOrder(one, other))
      .map(([name, text]) => (form === "values" ? written(text) : written(name) + equals + written(text)))
      .join(separator)
  );
}

/** Every value with its full name; places in a list count from 0. @param name null for the body itself */
function flat(
  value: unknown,
  name: string | null,
  nesting: BodyFields["nesting"],
): [name: string, text: string][] {
  if (value === null) return [[name ?? "", ""]];
  if (typeof value !== "object")
    return [[name ?? "", typeof value === "string" ? value : JSON.stringify(value)]];
  return Object.entries(value).flatMap(([key, each]) => {
    const below = nesting === "dot" ? `${name}.${key}` : `${name}[${key}]`;
    return flat(each, name === null ? key : below, nesting);
  });
}

const ENCODED: Readonly<Record<BodyFields["encoding"], (text: string) => string>> = {
  none: (text) => text,
  uri: percentEncoded,
  form: (text) => new URLSearchParams([["", text]]).toString().slice(1),
};
