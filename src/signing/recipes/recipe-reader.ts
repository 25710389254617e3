// Reads recipe documents strictly, and writes a recipe as a document.

import { stringify, type Node } from "yaml";
import { parseInstant } from "#src/contract/text/instant.ts";
import { YamlSource } from "#src/contract/text/yaml-source.ts";
import { JSON_MEDIA_TYPE, type Call } from "#src/contract/wire/wire.ts";
import { vectorProblem } from "./load-recipe.ts";
import { PartReader } from "./recipe-part-reader.ts";
import { recipeProblem } from "./recipe-problem.ts";
import { ENDPOINT_PARTS, EXPECT, KEY, PARTS, RECIPE, VECTOR } from "./recipe-shape.ts";
import type { Recipe, RecipeParts, RecipeVector } from "./recipe.ts";

/**
 * Reads one recipe document (YAML) strictly.
 * @param sourceName file name for messages
 * @param vectors `keep` leaves running them to the caller
 * @throws YamlFault naming file, line, column and field; also for a failed vector
 */
export function readRecipe(text: string, sourceName: string, vectors: "run" | "keep" = "run"): Recipe {
  const source = new YamlSource(text, sourceName);
  const parts = new PartReader(source);
  const root = source.root;
  const keys = source.map(root, "the recipe", RECIPE);
  const recipe: Recipe = {
    recipe: keys.text("recipe"),
    status: keys.has("status") ? keys.choice("status") : "assumed",
    about: keys.has("about") ? parts.line(keys.get("about")!, "about") : "A recipe of your own.",
    key: { encoding: readKey(source, keys.get("key") ?? null) },
    hash: keys.has("hash") ? keys.choice("hash") : "from-credential",
    values: parts.values(keys.get("values") ?? null),
    time: parts.time(keys.get("time") ?? null),
    nonce: parts.nonce(keys.get("nonce") ?? null),
    fields: parts.fields(keys.get("fields") ?? null),
    body_digest: parts.bodyDigest(keys.get("body_digest") ?? null),
    derive: parts.templates(keys.get("derive") ?? null, "derive"),
    canonical: parts.canonical(keys.get("canonical") ?? null),
    signature: parts.signature(keys.get("signature") ?? null),
    emit: parts.headers(keys.get("emit") ?? null, "emit"),
    endpoints: readEndpoints(source, parts, keys.get("endpoints") ?? null),
    vectors: [],
  };
  const problem = recipeProblem(recipe);
  if (problem !== null) throw source.fault(keys.get(problem.field) ?? root, problem.message);
  return { ...recipe, vectors: readVectors(source, parts, recipe, keys, vectors === "run") };
}

function readKey(source: YamlSource, node: Node | null): Recipe["key"]["encoding"] {
  if (node === null) return "utf8";
  return source.map(node, "key", KEY).choice("encoding", "encoding of key");
}

function readEndpoints(source: YamlSource, parts: PartReader, node: Node | null): Recipe["endpoints"] {
  const endpoints: Partial<Record<Call, Recipe["endpoints"][Call]>> = {};
  if (node === null) return endpoints;
  for (const [call, value] of source.map(node, "endpoints", ENDPOINT_PARTS)) {
    const names = [...source.entries(value, `endpoints of ${call}`).keys()];
    const isPart = (name: string): boolean => Object.hasOwn(PARTS.properties, name);
    endpoints[call as Call] =
      names.length > 0 && names.every(isPart)
        ? readParts(source, parts, value!, call)
        : parts.headers(value, `endpoints of ${call}`);
  }
  return endpoints;
}

function readParts(source: YamlSource, parts: PartReader, node: Node, call: string): RecipeParts {
  const keys = source.map(node, `endpoints of ${call}`, PARTS);
  const canonicalNode = keys.get("canonical") ?? null;
  const canonical = parts.canonical(canonicalNode);
  if (keys.has("canonical") && canonical === null) {
    throw source.fault(
      node,
      "a call is left unsigned by headers that replace emit, not by an empty canonical",
    );
  }
  return {
    ...(keys.has("time") ? { time: parts.time(keys.get("time")!) } : {}),
    ...(keys.has("nonce") ? { nonce: parts.nonce(keys.get("nonce")!) } : {}),
    ...(keys.has("fields") ? { fields: parts.fields(keys.get("fields")!) } : {}),
    ...(keys.has("body_digest") ? { body_digest: parts.bodyDigest(keys.get("body_digest")!) } : {}),
    ...(canonical === null ? {} : { canonical }),
    ...(keys.has("signature") ? { signature: parts.signature(keys.get("signature")!) } : {}),
    ...(keys.has("emit") ? { emit: parts.headers(keys.get("emit")!, "emit") } : {}),
  };
}

function readVectors(
  source: YamlSource,
  parts: PartReader,
  recipe: Recipe,
  keys: ReadonlyMap<string, Node | null>,
  run: boolean,
): RecipeVector[] {
  const node = keys.get("vectors") ?? null;
  if (node === null) return [];
  return source.list(node, "vectors").map((item) => {
    const vector = readVector(source, parts, item);
    const problem = run ? vectorProblem(recipe, vector) : null;
    if (problem === null) return vector;
    throw source.fault(
      item,
      `the vector "${vector.name}" does not come out: ${problem}; correct the recipe, or change or remove the vector`,
    );
  });
}

function readVector(source: YamlSource, parts: PartReader, node: Node): RecipeVector {
  const keys = source.map(node, "a vector", VECTOR);
  type Key = keyof (typeof VECTOR)["properties"];
  const text = (key: Key): string => keys.text(key, `${key} of a vector`);
  const or = (key: Key, fallback: string): string => (keys.has(key) ? text(key) : fallback);
  const url = text("url");
  if (!URL.canParse(url)) throw source.fault(keys.at("url"), "url must be an http or https address");
  const time = parseInstant(text("at"));
  if (time === null) throw source.fault(keys.at("at"), `at must be ${VECTOR.properties.at.description}`);
  const expect = source.map(keys.at("expect"), "expect", EXPECT);
  const stringToSign = expect.get("string_to_sign") ?? null;
  return {
    name: or("name", `vector on line ${source.lineOf(node)}`),
    call: keys.choice("call"),
    method: or("method", "POST"),
    url,
    headers: keys.has("headers")
      ? parts.plainHeaders(keys.at("headers"), "headers of a vector")
      : { "content-type": JSON_MEDIA_TYPE },
    body: keys.has("body") ? parts.anyText(keys.at("body"), "body of a vector") : "",
    keyId: text("key_id"),
    testSecret: text("test_secret"),
    algorithm: or("algorithm", "hmac-sha256"),
    owner: text("owner"),
    at: time,
    nonce: keys.has("nonce") ? text("nonce") : null,
    expect: {
      stringToSign: stringToSign === null ? null : parts.anyText(stringToSign, "string_to_sign"),
      headers: expect.has("headers") ? parts.plainHeaders(expect.get("headers")!, "headers of expect") : {},
    },
  };
}

/** The recipe as a YAML document that `readRecipe` gives back. */
export function writeRecipe(recipe: Recipe): string {
  // In the order of the documentation.
  const { recipe: id, status, about, key, hash, values, time, nonce, fields, body_digest, derive } = recipe;
  const { vectors, canonical, signature, emit, endpoints } = recipe;
  const document = {
    recipe: id,
    status,
    about,
    key,
    hash,
    values,
    time,
    nonce,
    fields,
    body_digest,
    derive,
    canonical,
    signature,
    emit,
    endpoints,
    vectors: vectors.map((vector) => ({
      name: vector.name,
      call: vector.call,
      method: vector.method,
      url: vector.url,
      headers: vector.headers,
      body: vector.body,
      key_id: vector.keyId,
      test_secret: vector.testSecret,
      algorithm: vector.algorithm,
      owner: vector.owner,
      at: new Date(vector.at).toISOString(),
      ...(vector.nonce === null ? {} : { nonce: vector.nonce }),
      expect: {
        ...(vector.expect.stringToSign === null ? {} : { string_to_sign: vector.expect.stringToSign }),
        headers: vector.expect.headers,
      },
    })),
  };
  return stringify(document, { lineWidth: 0, aliasDuplicateObjects: false });
}
