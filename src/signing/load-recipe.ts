// Loading a recipe: its own vectors decide whether it may be used.

import { Fault } from "#src/contract/fault.ts";
import { Secret } from "#src/contract/secret.ts";
import { ENDPOINTS, HEADER, JSON_MEDIA_TYPE } from "#src/contract/wire.ts";
import type { Recipe, RecipeVector } from "./recipe.ts";
import { ownerHeader, sign } from "./sign.ts";

/**
 * Runs the recipe's vectors and returns it.
 * @throws Fault `bad_input` naming the first vector that does not come out, and the part that differs
 */
export function loadRecipe(recipe: Recipe): Recipe {
  for (const vector of recipe.vectors) {
    const differs = firstDifference(recipe, vector);
    if (differs !== null) {
      throw new Fault(
        "bad_input",
        `The signing recipe ${recipe.recipe} does not reproduce its vector "${vector.name}": ${differs} differs; correct the recipe or its vector.`,
      );
    }
  }
  return recipe;
}

function firstDifference(recipe: Recipe, vector: RecipeVector): string | null {
  const owner = ownerHeader(vector.call) === HEADER.projectId ? "projectId" : "companyId";
  const signed = sign(
    recipe,
    {
      method: ENDPOINTS[vector.call].method,
      url: new URL(vector.url),
      headers: { [HEADER.contentType]: JSON_MEDIA_TYPE },
      body: Buffer.from(vector.body, "utf8"),
    },
    {
      keyId: vector.keyId,
      secret: new Secret(vector.testSecret),
      algorithm: vector.algorithm,
      [owner]: vector.owner,
    },
    { nowMs: vector.at, nonce: vector.nonce },
    vector.call,
  );
  const { stringToSign, headers } = vector.expect;
  if (stringToSign !== undefined && stringToSign !== signed.stringToSign) return "the string to sign";
  const header = Object.keys(headers).find((name) => signed.headers[name] !== headers[name]);
  return header === undefined ? null : `the header ${header}`;
}
