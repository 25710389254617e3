// Signature vectors for programs in other languages: requests with what is signed and sent, and some that are refused.

import { exampleRequest as exampleFields } from "#src/contract/openapi/openapi.ts";
import { Secret } from "#src/contract/secret.ts";
import { ENDPOINTS, ERROR_SLUGS, HEADER, type Call, type ErrorSlug } from "#src/contract/wire/wire.ts";
import { HeaderTable } from "#src/signing/header-table.ts";
import { ownerHeader } from "#src/signing/sign.ts";
import { verify } from "#src/signing/verify.ts";
import { exampleRequest } from "./example-headers.ts";
import { signVector } from "./load-recipe.ts";
import { recipeFor, type Recipe, type RecipeVector } from "./recipe.ts";

/** A request, how it is signed, how it was sent, and what authenticating it answers. Times are seconds since 1970-01-01 UTC. */
export type SignatureVector = ReturnType<typeof signedVector>;

/** The request as it arrived; address and body only where they are others than those that were signed. */
interface Sent {
  readonly url?: string;
  /** Name and value of each; a name may be there twice. */
  readonly headers: readonly (readonly [string, string])[];
  readonly body?: string;
}

interface Expected {
  /** 200 when the signature is good. */
  readonly status: number;
  readonly error: ErrorSlug | null;
  /** As the journal of the sandbox says it; a caller is never told. */
  readonly reason: string | null;
}

const OTHER_SECRET = "5a".repeat(32);

/**
 * The vectors of a recipe: its own, an example of each call, and changes of a check that its signature reveals.
 * @throws Fault as `sign` does
 */
export function signatureVectors(recipe: Recipe): SignatureVector[] {
  const origin = "https://risk.example.com";
  const example = (call: Call, path: string, changes: object = {}): RecipeVector => {
    // The plain fields do: to a signature a body is a row of bytes.
    const fields = Object.entries(exampleFields(call)).filter(([, value]) => typeof value !== "object");
    const body = JSON.stringify({ ...Object.fromEntries(fields), ...changes });
    return exampleRequest(recipe, call, new URL(path, origin), body);
  };
  const calls = Object.keys(ENDPOINTS) as Call[];
  const requests = [
    ...recipe.vectors,
    ...calls.map((call) => example(call, ENDPOINTS[call].path)),
    {
      ...example("check", `${origin}:8443/risk${ENDPOINTS.check.path}?trace=1`, {
        description: "Два квитки, 1 €",
      }),
      name: "check at a port and path of its own, with a query and other letters",
    },
  ];
  const signed = requests.map((request) => judged(recipe, signedVector(recipe, request)));
  const check = signed.findLast(({ name }) => name === "check")!;
  const changed = changesOf(recipe, check).map((vector) => judged(recipe, vector));
  return [...signed, ...changed.filter(({ expect }) => expect.status !== 200)];
}

function signedVector(recipe: Recipe, request: RecipeVector) {
  const { name, call, method, url, body, at } = request;
  const signed = signVector(recipe, request);
  const given = [...Object.keys(request.headers), "host", HEADER.keyId, ownerHeader(call)];
  const sent: Sent = { headers: Object.entries(signed.headers) };
  const expect: Expected = { status: 200, error: null, reason: null };
  return {
    schema: 1 as const,
    recipe: recipe.recipe,
    /** What it shows; unique within its recipe. */
    name,
    call,
    /** The key as the service has it. The secret is a published test value, whose bytes are written in the encoding. */
    key: {
      key_id: request.key_id,
      secret: request.test_secret,
      encoding: recipe.key.encoding,
      algorithm: request.algorithm,
    },
    signed_at: at / 1000,
    /** Null where the recipe has none. */
    nonce: signed.nonce,
    method,
    url,
    /** Before signing, names in lower case. */
    headers: Object.fromEntries(given.map((each) => [each, signed.headers[each]!])),
    body,
    /** Null where nothing is signed, as is the signature. */
    string_to_sign: textOf(signed.stringToSign),
    /** Null unless a hash of it stands in the string to sign. */
    canonical_request: textOf(signed.canonicalRequest),
    /** As it stands in the headers. */
    signature: signed.signature,
    sent,
    verified_at: at / 1000,
    /** How far apart the two times may be, in seconds; null where no time is sent. */
    tolerance_s: recipeFor(recipe, call).time?.skew_s ?? null,
    expect,
  };
}

/** A byte string as text: all that is signed here is UTF-8. */
function textOf(bytes: string | null): string | null {
  return bytes === null ? null : Buffer.from(bytes, "latin1").toString("utf8");
}

/** What a service must notice where the recipe signs it. */
function changesOf(recipe: Recipe, vector: SignatureVector): SignatureVector[] {
  const { key, url, body, sent, call, signed_at: at, tolerance_s: tolerance } = vector;
  const owner = ownerHeader(call);
  const own = Object.keys(recipeFor(recipe, call).emit);
  const change = (name: string, changes: Partial<Sent>): SignatureVector => ({
    ...vector,
    name,
    sent: { ...sent, ...changes },
  });
  const replaced = (name: string, value: string): Sent["headers"] =>
    sent.headers.map(([each, was]) => [each, each === name ? value : was]);
  return [
    change("one changed byte in the body", { body: body.replace("12000", "12001") }),
    change("another path", { url: url.replace("/v1/", "/v2/") }),
    change("another project", { headers: replaced(owner, "prj-other") }),
    { ...vector, name: "signed with another secret", key: { ...key, secret: OTHER_SECRET } },
    { ...vector, name: "signed too long ago", verified_at: at + (tolerance ?? 0) + 1 },
    { ...vector, name: "signed in the future", verified_at: at - (tolerance ?? 0) - 1 },
    ...sent.headers
      .filter(([name]) => own.includes(name))
      .flatMap(([name, value]) => [
        change(`without ${name}`, { headers: sent.headers.filter(([each]) => each !== name) }),
        change(`${name} twice`, { headers: [...sent.headers, [name, value]] }),
      ]),
  ];
}

function judged(recipe: Recipe, vector: SignatureVector): SignatureVector {
  const { key, method, sent, call, verified_at: at } = vector;
  const { pathname, search } = new URL(sent.url ?? vector.url);
  const headers = new HeaderTable(sent.headers.flat());
  const record = { keyId: key.key_id, secret: new Secret(key.secret), algorithm: key.algorithm };
  const received = {
    method,
    path: pathname + search,
    headers,
    body: Buffer.from(sent.body ?? vector.body),
    scheme: "https" as const,
  };
  const verified = verify(recipe, received, record, at * 1000, call);
  if (verified.ok) return vector;
  const error = headers.layout.repeated.length > 0 ? "invalid_request" : "unauthorized";
  return { ...vector, expect: { status: ERROR_SLUGS[error], error, reason: verified.reason } };
}
