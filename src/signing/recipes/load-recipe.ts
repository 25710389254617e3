// Loads a recipe; its own test vectors must pass.

import { badInput, Fault, whole } from "#src/contract/fault.ts";
import { Secret } from "#src/contract/secret.ts";
import { HEADER } from "#src/contract/wire/wire.ts";
import { ownerHeader, sign, type Signed } from "#src/signing/sign.ts";
import type { Recipe, RecipeVector } from "./recipe.ts";

/**
 * Runs the recipe's vectors and returns it.
 * @throws Fault `bad_input` naming the first failed vector and the part that differs
 */
export function loadRecipe(recipe: Recipe): Recipe {
  for (const vector of recipe.vectors) {
    const differs = vectorProblem(recipe, vector);
    if (differs !== null) {
      throw badInput`The signing recipe ${recipe.recipe} does not reproduce its vector "${vector.name}": ${whole(differs)}; correct the recipe or its vector.`;
    }
  }
  return recipe;
}

/** The first difference from the vector, in words; null if there is none. */
export function vectorProblem(recipe: Recipe, vector: RecipeVector): string | null {
  let signed: Signed;
  try {
    signed = signVector(recipe, vector);
  } catch (error) {
    if (error instanceof Fault) return `its request cannot be signed (${error.message})`;
    throw error;
  }
  const { string_to_sign: stringToSign, headers } = vector.expect;
  if (stringToSign !== undefined && stringToSign !== signed.stringToSign) return "the string to sign differs";
  const header = Object.keys(headers).find((name) => signed.headers[name] !== headers[name]);
  return header === undefined ? null : `the header ${header} differs`;
}

/** @throws Fault as `sign` does */
export function signVector(recipe: Recipe, vector: RecipeVector): Signed {
  const owner = ownerHeader(vector.call) === HEADER.projectId ? "projectId" : "companyId";
  return sign(
    recipe,
    {
      method: vector.method,
      url: new URL(vector.url),
      headers: vector.headers,
      body: Buffer.from(vector.body, "utf8"),
    },
    {
      keyId: vector.key_id,
      secret: new Secret(vector.test_secret),
      algorithm: vector.algorithm,
      [owner]: vector.owner,
    },
    { nowMs: vector.at, ...(vector.nonce === undefined ? {} : { nonce: vector.nonce }) },
    vector.call,
  );
}
