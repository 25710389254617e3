// Example requests of a recipe, signed with an invented key, for documents and vectors.

import { DEFAULT_ALGORITHM } from "#src/contract/wire/credential.ts";
import { ENDPOINTS, HEADER, JSON_MEDIA_TYPE, type Call } from "#src/contract/wire/wire.ts";
import { ownerHeader } from "#src/signing/sign.ts";
import { signVector } from "./load-recipe.ts";
import { recipeFor, replacesHeaders, type Recipe, type RecipeVector } from "./recipe.ts";
import type { NonceFormat } from "./time-format.ts";

/** A fixed time, so that the document is always the same. */
const AT = Date.UTC(2026, 2, 1, 12);
const HEX = "0123456789abcdef";
const UUID = "1f0c7a52-5c0e-4d5e-9f43-0d1b8c6a7e21";
/** Hexadecimal digits are a key in every encoding of a recipe. */
const KEY = { key_id: `${DEFAULT_ALGORITHM}-${HEX}`, algorithm: DEFAULT_ALGORITHM, secret: HEX.repeat(4) };
const OWNERS = { [HEADER.projectId]: `prj-${HEX}`, [HEADER.companyId]: `com-${HEX}` };

/** Headers of HTTP and of the body. */
const PLAIN: ReadonlySet<string> = new Set(["host", HEADER.contentType]);

export interface ExampleHeader {
  /** in lower case */
  readonly name: string;
  /** Its content, in one sentence. */
  readonly help: string;
  readonly example: string;
}

/** A request of a call that the invented key signs at a fixed time, which leaves open what is expected. */
export function exampleRequest(recipe: Recipe, call: Call, url: URL, body: string): RecipeVector {
  const { nonce } = recipeFor(recipe, call);
  return {
    name: call,
    call,
    method: ENDPOINTS[call].method,
    url: url.href,
    headers: { [HEADER.contentType]: JSON_MEDIA_TYPE },
    body,
    key_id: KEY.key_id,
    test_secret: KEY.secret,
    algorithm: KEY.algorithm,
    owner: OWNERS[ownerHeader(call)],
    at: AT,
    ...(nonce === null ? {} : { nonce: exampleNonce(nonce.format) }),
    expect: { headers: {} },
  };
}

/**
 * @param origin of the service, e.g. `http://127.0.0.1:8787`
 * @param body that is signed
 * @throws Fault `bad_input` for a recipe that signs something such a request does not have
 */
export function exampleHeaders(
  recipe: Recipe,
  call: Call,
  origin: string,
  body: string,
): readonly ExampleHeader[] {
  const request = exampleRequest(recipe, call, new URL(ENDPOINTS[call].path, origin), body);
  return Object.entries(signVector(recipe, request).headers)
    .filter(([name]) => !PLAIN.has(name))
    .map(([name, example]) => ({ name, help: describe(recipe, call, name), example }));
}

function exampleNonce(format: NonceFormat): string {
  if (format === "uuid4") return UUID;
  return HEX.repeat(16).slice(0, Number(format.split(":")[1]));
}

function nonceForm(format: NonceFormat): string {
  const [kind, count] = format.split(":");
  if (count === undefined) return "a UUID of version 4";
  return kind === "hex" ? `${count} hexadecimal digits in lower case` : `${count} letters and digits`;
}

function describe(recipe: Recipe, call: Call, name: string): string {
  const { time, nonce, body_digest: digest, emit } = recipeFor(recipe, call);
  switch (name) {
    case HEADER.keyId:
      return "Key id: of the project's credential for a check, of the company's integration key for the other calls.";
    case HEADER.projectId:
      return "Project of the key.";
    case HEADER.companyId:
      return "Company of the key.";
    case time?.header:
      return `When the request was signed (${time!.format}), at most ${time!.skew_s} s from the clock of the service.`;
    case nonce?.header:
      return `Another one for every request: ${nonceForm(nonce!.format)}. In any other form the request is answered 401, which never says why.`;
    case digest?.header:
      return `Digest of the body (${digest!.hash}).`;
  }
  const override = recipe.endpoints[call];
  if (override !== undefined && replacesHeaders(override)) return "A fixed value; nothing is signed.";
  return `Made by the signing recipe as \`${emit[name] ?? ""}\`.`;
}
