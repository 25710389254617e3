// Trials of keys: whether a secret in any encoding gives the captured signature, and whether signing again reproduces it.

import { Fault } from "#src/contract/fault.ts";
import type { Secret } from "#src/contract/secret.ts";
import type { RawRequest } from "#src/contract/text/raw-request.ts";
import { HEADER, type Call } from "#src/contract/wire/wire.ts";
import {
  isHmacAlgorithm,
  keyBytes,
  sameSignature,
  signature as signatureOf,
  type SigningKey,
} from "#src/signing/hmac.ts";
import type { KeyRecord } from "#src/signing/usable-key.ts";
import { recipeProblem } from "#src/signing/recipes/recipe-problem.ts";
import {
  KEY_ENCODINGS,
  type KeyEncoding,
  type Recipe,
  type SigningHash,
} from "#src/signing/recipes/recipe.ts";
import { ownerHeader, sign } from "#src/signing/sign.ts";
import { tokenOf, type RequestFacts, type SignatureForm } from "./infer-facts.ts";

/** Limits of an inference; together they take about a second. */
export const TRIAL_LIMITS = { hmacs: 240_000, bytes: 160 * 1024 * 1024 } as const;

/** Counts HMACs and bytes against the limits. */
export class TrialBudget {
  hmacs = 0;
  bytes = 0;
  /** Share of the limits that may be used so far, 0 to 1. */
  share = 1;

  get isSpent(): boolean {
    return this.hmacs >= this.share * TRIAL_LIMITS.hmacs || this.bytes >= this.share * TRIAL_LIMITS.bytes;
  }

  count(bytes: number): void {
    this.hmacs += 1;
    this.bytes += bytes;
  }
}

export interface Hit {
  readonly key: KeyEncoding;
  readonly form: SignatureForm;
}

/** Tries a text with given keys, e.g. the secret's bytes in each encoding. */
export function tryText(
  text: string,
  keysOf: (algorithm: SigningHash) => readonly (readonly [KeyEncoding, SigningKey])[],
  signature: string,
  forms: readonly SignatureForm[],
  budget: TrialBudget,
): Hit | null {
  for (const form of forms) {
    for (const [key, made] of keysOf(form.algorithm)) {
      if (budget.isSpent) return null;
      budget.count(text.length);
      if (sameSignature(signatureOf(form.algorithm, made, text, form.encoding), signature))
        return { key, form };
    }
  }
  return null;
}

/** The encodings of the key that are possible, each with the secret's bytes. */
export function plainKeys(secret: Secret): readonly (readonly [KeyEncoding, Buffer])[] {
  return KEY_ENCODINGS.flatMap((encoding) => {
    const bytes = keyBytes(secret, encoding);
    return bytes === null ? [] : [[encoding, bytes] as const];
  });
}

/** The recipe with the found key and encoding; the hash is left to the credential if the request agrees with that. */
export function finalRecipe(draft: Recipe, { key, form }: Hit, facts: RequestFacts): Recipe {
  const isNamed = draft.hash === form.algorithm || tokenOf(facts, "hmac-sha256") !== form.algorithm;
  return {
    ...draft,
    key: { encoding: key },
    hash: isNamed ? form.algorithm : "from-credential",
    signature: { encoding: form.encoding },
  };
}

/** Who signed the captured request, and its headers with those that name them: name, value, name, value. */
export function identityOf(
  { hash }: Recipe,
  facts: RequestFacts,
  secret: Secret,
  claimedId: string | undefined,
): { key: KeyRecord; headers: string[] } {
  const keyId = claimedId ?? facts.keyId ?? "key";
  const algorithm = tokenOf(facts, isHmacAlgorithm(hash) ? hash : "hmac-sha256");
  const named = {
    [ownerHeader(callOf(facts))]: OWNER,
    ...Object.fromEntries(facts.headers),
    [HEADER.keyId]: keyId,
  };
  return { key: { keyId, secret, algorithm }, headers: Object.entries(named).flat() };
}

/** Stands for the project or company that a request does not name. */
const OWNER = "owner";

/** The most likely call of a capture: calls other than check name the company. */
export function callOf({ headers, message }: RequestFacts): Call {
  if (!headers.has(HEADER.companyId)) return "check";
  return message.target.includes("credential") ? "credential" : "register";
}

/**
 * Whether signing the captured request again with a recipe reproduces every captured header.
 * @param at the time and nonce of the capture, and the key id that its signature names
 */
export function reproduces(
  recipe: Recipe,
  request: RawRequest,
  facts: RequestFacts,
  at: { readonly timeMs: number | null; readonly nonce: string | null; readonly keyId?: string },
  secret: Secret,
): boolean {
  if (recipeProblem(recipe) !== null) return false;
  const { headers, message } = facts;
  const address = `${message.scheme}://${headers.get("host") ?? ""}${request.target}`;
  if (!URL.canParse(address)) return false;
  const owner = facts.owner ?? OWNER;
  const { key } = identityOf(recipe, facts, secret, at.keyId);
  try {
    const signed = sign(
      recipe,
      { ...message, url: new URL(address), headers: Object.fromEntries(headers) },
      { ...key, projectId: owner, companyId: owner },
      { nowMs: at.timeMs ?? 0, ...(at.nonce === null ? {} : { nonce: at.nonce }) },
      callOf(facts),
    );
    return ownHeaders(recipe).every((name) => signed.headers[name] === headers.get(name));
  } catch (error) {
    // The recipe does not fit the request after all.
    if (error instanceof Fault || error instanceof TypeError) return false;
    throw error;
  }
}

/** The headers that a recipe adds to a request. */
export function ownHeaders({ emit, time, nonce, body_digest }: Recipe): string[] {
  return [
    ...Object.keys(emit),
    ...[time?.header, nonce?.header, body_digest?.header].filter((name) => typeof name === "string"),
  ];
}
