// Payments of an OpenAPI 3 document: the examples of the JSON bodies of its POSTs. Nothing outside the document is read.

import { isJsonObject, ownValue } from "#src/contract/fields/body-path.ts";
import { asSentence } from "#src/contract/fields/not-a-payment.ts";
import type { StrictJson } from "#src/contract/text/strict-json.ts";
import { YamlFault, YamlSource } from "#src/contract/text/yaml-source.ts";
import type { Found } from "./candidate.ts";
import type { ForeignDocument } from "./document-reader.ts";
import { foundInBody, shownWord, textAt } from "./request-body.ts";

/** Its reader needs some hundred times a text's memory. */
const YAML_BYTES = 5 * 1024 * 1024;
/** References that lead to references; a document has one or two, a circle has no end. */
const MOST_REFERENCES = 16;

/** A part of the document; `path` is dotted as in `StrictJson.irregularNumbers`. */
interface Part {
  readonly value: unknown;
  readonly path: string;
}

/** Why a part cannot be had, in one sentence. */
interface Unresolved {
  readonly why: string;
}

interface Example {
  /** Empty where the document gives none. */
  readonly name: string;
  readonly part: Part | Unresolved;
}

/** The same for a document in YAML; what is not one strict YAML document is untaken. */
export function* readYamlOpenApi(bytes: Uint8Array, label: string): Generator<Found> {
  const untaken = (why: string, place = label): Found => ({ place, why });
  if (bytes.length > YAML_BYTES)
    return yield untaken("It is larger than 5 MiB, which is too much YAML; save it as JSON.");
  let value: unknown;
  try {
    const source = new YamlSource(new TextDecoder("utf-8", { fatal: true }).decode(bytes), label);
    value = source.plain(source.root);
  } catch (error) {
    if (!(error instanceof YamlFault)) return yield untaken("It is not valid UTF-8 text; save it as UTF-8.");
    const place = `${label}:${error.line}:${error.column}`;
    return yield untaken(asSentence(error.message.slice(place.length + 2)), place);
  }
  yield* readOpenApi({ label, json: { value, irregularNumbers: new Map() } });
}

/**
 * The examples of every POST, in the order of the document: those of the media type, else those of its schema. Examples of
 * single fields are not put together.
 */
export function* readOpenApi({ label, json }: ForeignDocument): Generator<Found> {
  const root: Part = { value: json.value, path: "" };
  if (!textAt(root.value, "openapi").startsWith("3."))
    return yield {
      place: label,
      why: "It is no OpenAPI 3 document; convert it to OpenAPI 3 and import that.",
    };
  for (const [path, item] of partsOf(at(root, "paths"))) {
    const operation = `POST ${shownWord(path)}`;
    const place = `${label}: ${operation}`;
    const body = follow(root, item, "post", "requestBody");
    if ("why" in body) {
      yield { place, why: body.why };
      continue;
    }
    for (const [media, part] of partsOf(at(body, "content"))) {
      if (!/json|^\*\/\*$/i.test(media)) yield { place, why: `Its body is ${shownWord(media)}, not JSON.` };
      else {
        const examples = examplesOf(root, part);
        if (examples.length === 0) yield { place, why: "It has no example of a whole body; add one." };
        for (const example of examples) yield found(example, operation, place, json);
      }
    }
  }
}

function found({ name, part }: Example, operation: string, place: string, json: StrictJson): Found {
  const where = name === "" ? place : `${place}, example ${shownWord(name)}`;
  if ("why" in part) return { place: where, why: part.why };
  const facts = { place: where, name: name || operation, at: null };
  // Authors of YAML write a body as a block of text, too.
  if (typeof part.value === "string") return foundInBody({ text: part.value }, facts);
  const start = `${part.path}.`;
  const irregular = [...json.irregularNumbers].filter(([path]) => path.startsWith(start));
  const irregularNumbers = new Map(irregular.map(([path, token]) => [path.slice(start.length), token]));
  return { ...facts, body: { value: part.value, irregularNumbers } };
}

function examplesOf(root: Part, media: Part): Example[] {
  const own = [...single(at(media, "example")), ...named(root, at(media, "examples"))];
  if (own.length > 0) return own;
  const schema = follow(root, media, "schema");
  if ("why" in schema) return [{ name: "", part: schema }];
  const { value, path } = at(schema, "examples");
  const list = (Array.isArray(value) ? value : []).map((each: unknown, index) => ({
    name: `${index + 1}`,
    part: { value: each, path: `${path}.${index}` },
  }));
  const given = [...single(at(schema, "example")), ...list];
  return given.length > 0 ? given : single(at(schema, "default"));
}

function single(part: Part): Example[] {
  return part.value === undefined ? [] : [{ name: "", part }];
}

function named(root: Part, examples: Part): Example[] {
  return partsOf(examples).map(([name, each]) => {
    const example = follow(root, each);
    if ("why" in example) return { name, part: example };
    const part = at(example, "value");
    if (part.value !== undefined) return { name, part };
    return { name, part: { why: "Its value lies outside the document, which is not read; copy it in." } };
  });
}

/** The part below some keys, each reference on the way followed; its value is undefined where there is none. */
function follow(root: Part, from: Part, ...keys: readonly string[]): Part | Unresolved {
  let part = from;
  let references = 0;
  for (let index = 0; ;) {
    const reference = textAt(part.value, "$ref");
    if (reference === "") {
      if (index === keys.length) return part;
      part = at(part, keys[index++]!);
      continue;
    }
    if (!reference.startsWith("#/"))
      return {
        why: `The reference ${shownWord(reference)} leads out of the document, which is not followed; bundle it first.`,
      };
    part = pointed(root, reference);
    if (part.value === undefined || ++references > MOST_REFERENCES)
      return { why: `The reference ${shownWord(reference)} leads nowhere; correct it.` };
  }
}

/** RFC 6901, as a fragment. */
function pointed(root: Part, reference: string): Part {
  const keys = reference.slice(2).split("/");
  return keys.reduce((part, key) => at(part, decoded(key).replaceAll("~1", "/").replaceAll("~0", "~")), root);
}

function decoded(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}

function at({ value, path }: Part, key: string): Part {
  return { value: ownValue(value, key), path: path === "" ? key : `${path}.${key}` };
}

function partsOf(part: Part): [string, Part][] {
  return isJsonObject(part.value) ? Object.keys(part.value).map((key) => [key, at(part, key)]) : [];
}
