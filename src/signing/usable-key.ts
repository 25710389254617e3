// The key to verify a signature with; a dummy replaces an unknown or unusable one, so that the timing is the same.

import { randomBytes } from "node:crypto";
import { Secret } from "#src/contract/secret.ts";
import type { Recipe, SigningHash } from "#src/signing/recipes/recipe.ts";
import type { Lookup } from "#src/signing/recipes/template.ts";
import { isHmacAlgorithm, signingKey, type SigningKey } from "./hmac.ts";

/** The verifier's record of a key, which alone determines the algorithm. */
export interface KeyRecord {
  readonly keyId: string;
  readonly secret: Secret;
  readonly algorithm: string;
}

export interface UsableKey {
  readonly token: string;
  readonly algorithm: SigningHash;
  readonly secret: Secret;
  readonly key: SigningKey;
  /** why this key can never verify anything; null for a good one */
  readonly fault: string | null;
}

/** Random secret of the dummy key. 64 hexadecimal digits are valid in every key encoding. */
export const DECOY = new Secret(randomBytes(32).toString("hex"));

/** @param claimedId the key id that the request names */
export function usableKey(
  recipe: Recipe,
  key: KeyRecord | null,
  claimedId: string,
  lookup: Lookup,
): UsableKey {
  const token = key?.algorithm ?? "hmac-sha256";
  const own = recipe.hash === "from-credential" ? null : recipe.hash;
  const known = own !== null || isHmacAlgorithm(token);
  const algorithm = own ?? (isHmacAlgorithm(token) ? token : "hmac-sha256");
  const secret = key?.secret ?? DECOY;
  const made = signingKey(recipe, secret, recipe.key.encoding, algorithm, lookup);
  const fault =
    key === null || key.keyId !== claimedId
      ? "the key is unknown"
      : !known
        ? `the key's algorithm ${token} is unknown`
        : made === null
          ? `the key's secret is not ${recipe.key.encoding}`
          : null;
  return {
    token,
    algorithm,
    secret,
    key: made ?? signingKey(recipe, DECOY, "utf8", algorithm, lookup)!,
    fault,
  };
}
