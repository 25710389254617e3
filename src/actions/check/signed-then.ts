// Explains how a check of the history was signed, without the signature, which is not stored.

import { endpointUrl } from "#src/client/address.ts";
import { Fault, whole } from "#src/contract/fault.ts";
import type { HistoryEntry, SignedWith } from "#src/contract/records/history-entry.ts";
import type { SigningExplanation } from "#src/contract/wire/signing-explanation.ts";
import { ENDPOINTS, REQUEST_HEADERS } from "#src/contract/wire/wire.ts";
import { explainSigning } from "#src/signing/explain-signing.ts";
import { recipeFor, replacesHeaders, type Recipe } from "#src/signing/recipes/recipe.ts";
import { DECOY } from "#src/signing/usable-key.ts";

/** Placeholders for values that are not stored. */
const NOT_KEPT = {
  signature: "[signature not kept]",
  nonce: "[nonce not kept]",
  secret: "[secret]",
} as const;

/**
 * Signs the stored request with a made-up secret at the recorded time, and leaves the signature out. The vault is not used,
 * and no service accepts the result.
 * @param baseUrl address it was sent to
 * @throws Fault as `sign` does, e.g. for an unknown algorithm; Fault("not_sent") for a wrong address
 */
export function signedThen(
  { request, at }: Pick<HistoryEntry, "request" | "at">,
  recipe: Recipe,
  { keyId, projectId, algorithm }: SignedWith,
  baseUrl: string,
): SigningExplanation {
  const { method, path } = ENDPOINTS.check;
  const url = endpointUrl(baseUrl, path);
  if (!(url instanceof URL)) throw new Fault("not_sent", whole(url.explanation));
  const explained = explainSigning(
    withoutSignature(recipe),
    { method, url, headers: REQUEST_HEADERS, body: Buffer.from(JSON.stringify(request), "utf8") },
    { keyId, projectId, algorithm, secret: DECOY },
    { nowMs: at, nonce: NOT_KEPT.nonce },
    "check",
  );
  // The length of the made-up secret means nothing.
  return { ...explained, key: { ...explained.key, bytes: null } };
}

function withoutSignature(recipe: Recipe): Recipe {
  const override = recipe.endpoints.check;
  if (override !== undefined && replacesHeaders(override)) return recipe;
  const active = recipeFor(recipe, "check");
  const emit = Object.entries(active.emit).map(([name, template]) => [
    name,
    template
      .replaceAll(/\{signature(?::[a-z]+)?\}/g, NOT_KEPT.signature)
      .replaceAll(/\{secret(?::[a-z]+)?\}/g, NOT_KEPT.secret),
  ]);
  return { ...active, endpoints: {}, emit: Object.fromEntries(emit) as Recipe["emit"] };
}
