// Payments of an OpenAPI 3 document: the examples of the JSON bodies of its POSTs. Nothing outside the document is read.

import { isJsonObject, ownValue } from "#src/contract/fields/body-path.ts";
import { asSentence } from "#src/contract/fields/not-a-payment.ts";
import type { StrictJson } from "#src/contract/text/strict-json.ts";
import { YamlFault, YamlSource } from "#src/contract/text/yaml-source.ts";
import type { ForeignDocument, Found } from "./candidate.ts";
import { foundInBody, shownWord, textAt, type Body } from "./request-body.ts";

/** Its reader needs some hundred times a text's memory. */
const YAML_BYTES = 5 * 1024 * 1024;
/** References that lead to references; a document has one or two, a circle has no end. */
const MOST_REFERENCES = 16;

/** Before a number that is no plain integer, which so stays a text as it is written, such as 12.0: no text of JSON begins so. */
const AS_WRITTEN = "\ud800";
const WRITTEN = /"\\ud800([^"]*)"/g;

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** A part of the document, or why it cannot be had, in one sentence. */
type Part = { readonly value: unknown } | { readonly why: string };

/** Its name is empty where the document gives none. */
type Example = readonly [name: string, part: Part];

/** The same for a document in YAML; what is not one strict YAML document is untaken. */
export function* readYamlOpenApi(bytes: Uint8Array, label: string): Generator<Found> {
  const untaken = (why: string, place = label): Found => ({ place, why });
  if (bytes.length > YAML_BYTES)
    return yield untaken("It is larger than 5 MiB, which is too much YAML; save it as JSON.");
  let value: unknown;
  try {
    const source = new YamlSource(new TextDecoder("utf-8", { fatal: true }).decode(bytes), label);
    // It refuses circles.
    source.plain(source.root);
    value = plainYaml(source, source.root);
  } catch (error) {
    if (!(error instanceof YamlFault)) return yield untaken("It is not valid UTF-8 text; save it as UTF-8.");
    const place = `${label}:${error.line}:${error.column}`;
    return yield untaken(asSentence(error.message.slice(place.length + 2)), place);
  }
  yield* examplesIn(value, label);
}

function plainYaml(source: YamlSource, node: typeof source.root): unknown {
  const inner = (part: typeof node): unknown => plainYaml(source, part);
  if (source.isList(node)) return source.list(node, "a list").map(inner);
  if (source.isMap(node)) {
    const entries = source.entries(node, "a map");
    const merge = entries.get("<<");
    // Not of YAML 1.2: as a key it would be a field of a payment, and what it stands for would be missing.
    if (merge !== undefined)
      throw source.fault(merge.keyNode, "a merge key is not read; write out what it stands for");
    return Object.fromEntries(Array.from(entries, ([key, part]) => [key, inner(part.value)]));
  }
  if (node === null) return null;
  const { value, source: written, isDouble } = source.scalar(node, "it");
  if (typeof value !== "number") return value;
  if (JSON_NUMBER.test(written)) return AS_WRITTEN + written;
  // What YAML alone allows, such as .5 or +7; 0xFFFFFFFFFFFFFFFF is then no JSON, and refused.
  return isDouble
    ? AS_WRITTEN + value.toExponential()
    : Number.isSafeInteger(value)
      ? value
      : AS_WRITTEN + written;
}

function plainJson({ value, irregularNumbers }: StrictJson, path: string = ""): unknown {
  const token = irregularNumbers.get(path);
  if (typeof value === "number") return token === undefined ? value : AS_WRITTEN + token;
  const inner = (part: unknown, key: string | number): unknown =>
    plainJson({ value: part, irregularNumbers }, path === "" ? `${key}` : `${path}.${key}`);
  if (Array.isArray(value)) return value.map(inner);
  return isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).map(([key, part]) => [key, inner(part, key)]))
    : value;
}

/**
 * The examples of every POST, in the order of the document: those of the media type, else those of its schema. Examples of
 * single fields are not put together.
 */
export function readOpenApi({ label, json }: ForeignDocument): Generator<Found> {
  return examplesIn(plainJson(json), label);
}

function* examplesIn(root: unknown, label: string): Generator<Found> {
  if (!textAt(root, "openapi").startsWith("3."))
    return yield {
      place: label,
      why: "It is no OpenAPI 3 document; convert it to OpenAPI 3 and import that.",
    };
  for (const [path, item] of entriesOf(ownValue(root, "paths"))) {
    const operation = `POST ${shownWord(path)}`;
    const place = `${label}: ${operation}`;
    const body = follow(root, item, "post", "requestBody");
    if ("why" in body) yield { place, why: body.why };
    else {
      for (const [media, content] of entriesOf(ownValue(body.value, "content"))) {
        const isJson = /json|^\*\/\*$/i.test(media);
        if (!isJson) yield { place, why: `Its body is ${shownWord(media)}, not JSON.` };
        const examples = isJson ? examplesOf(root, content) : [];
        if (isJson && examples.length === 0)
          yield { place, why: "It has no example of a whole body; add one." };
        for (const [name, part] of examples) {
          const where = name === "" ? place : `${place}, example ${shownWord(name)}`;
          yield foundInBody(textOf(part), { place: where, name: name || operation, at: null });
        }
      }
    }
  }
}

/** Authors of YAML write a body as a block of text, too. */
function textOf(part: Part): Body {
  if ("why" in part) return part;
  return {
    text: typeof part.value === "string" ? part.value : JSON.stringify(part.value).replaceAll(WRITTEN, "$1"),
  };
}

function examplesOf(root: unknown, media: unknown): Example[] {
  const named = entriesOf(ownValue(media, "examples")).map(([name, each]): Example => {
    const example = follow(root, each, "value");
    if ("why" in example || example.value !== undefined) return [name, example];
    return [name, { why: "Its value lies outside the document, which is not read; copy it in." }];
  });
  const own = [...single(media, "example"), ...named];
  if (own.length > 0) return own;
  const schema = follow(root, media, "schema");
  if ("why" in schema) return [["", schema]];
  const list = ownValue(schema.value, "examples");
  const listed = Array.isArray(list) ? list.map((value, at): Example => [`${at + 1}`, { value }]) : [];
  const given = [...single(schema.value, "example"), ...listed];
  return given.length > 0 ? given : single(schema.value, "default");
}

function single(from: unknown, key: string): Example[] {
  const value = ownValue(from, key);
  return value === undefined ? [] : [["", { value }]];
}

/** The part below some keys, each reference on the way followed; its value is undefined where there is none. */
function follow(root: unknown, from: unknown, ...keys: readonly string[]): Part {
  let value = from;
  let references = 0;
  for (let index = 0; ;) {
    const reference = textAt(value, "$ref");
    if (reference === "") {
      if (index === keys.length) return { value };
      value = ownValue(value, keys[index++]!);
      continue;
    }
    if (!reference.startsWith("#/"))
      return {
        why: `The reference ${shownWord(reference)} leads out of the document, which is not followed; bundle it first.`,
      };
    // RFC 6901, as a fragment.
    const pointer = reference.slice(2).split("/").map(decoded);
    value = pointer.reduce((part, key) => ownValue(part, key), root);
    if (value === undefined || ++references > MOST_REFERENCES)
      return { why: `The reference ${shownWord(reference)} leads nowhere; correct it.` };
  }
}

function decoded(key: string): string {
  let text = key;
  try {
    text = decodeURIComponent(key);
  } catch {
    // What is no escape stands for itself.
  }
  return text.replaceAll("~1", "/").replaceAll("~0", "~");
}

function entriesOf(value: unknown): [string, unknown][] {
  return isJsonObject(value) ? Object.entries(value) : [];
}
