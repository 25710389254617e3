// Example headers of a recipe for a call, signed with an invented key, for documents.

import { Secret } from "#src/contract/secret.ts";
import { DEFAULT_ALGORITHM } from "#src/contract/wire/credential.ts";
import { ENDPOINTS, HEADER, JSON_MEDIA_TYPE, type Call } from "#src/contract/wire/wire.ts";
import { sign } from "#src/signing/sign.ts";
import { recipeFor, replacesHeaders, type NonceFormat, type Recipe } from "./recipe.ts";

/** A fixed time, so that the document is always the same. */
const AT = Date.UTC(2026, 2, 1, 12);
const HEX = "0123456789abcdef";
const UUID = "1f0c7a52-5c0e-4d5e-9f43-0d1b8c6a7e21";
/** Hexadecimal digits are a key in every encoding of a recipe. */
const KEY = { keyId: `${DEFAULT_ALGORITHM}-${HEX}`, algorithm: DEFAULT_ALGORITHM, secret: HEX.repeat(4) };
const OWNERS = { projectId: `prj-${HEX}`, companyId: `com-${HEX}` };

/** Headers of HTTP and of the body. */
const PLAIN: ReadonlySet<string> = new Set(["host", HEADER.contentType]);

export interface ExampleHeader {
  /** in lower case */
  readonly name: string;
  /** Its content, in one sentence. */
  readonly help: string;
  readonly example: string;
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
  const { nonce } = recipeFor(recipe, call);
  const { method, path } = ENDPOINTS[call];
  const { headers } = sign(
    recipe,
    {
      method,
      url: new URL(path, origin),
      headers: { [HEADER.contentType]: JSON_MEDIA_TYPE },
      body: Buffer.from(body),
    },
    { ...KEY, ...OWNERS, secret: new Secret(KEY.secret) },
    { nowMs: AT, ...(nonce === null ? {} : { nonce: exampleNonce(nonce.format) }) },
    call,
  );
  return Object.entries(headers)
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
