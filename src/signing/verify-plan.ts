// Data about a recipe and a call that verification needs, computed once and cached.

import type { Call } from "#src/contract/wire/wire.ts";
import { HEADER } from "#src/contract/wire/wire.ts";
import { canonicalStyle } from "#src/signing/canonical/canonical.ts";
import { recipeFor, type Recipe } from "#src/signing/recipes/recipe.ts";
import type { HeaderLayout } from "./header-table.ts";
import { ownerHeader } from "./sign.ts";

/** Data about a recipe for one call. */
export interface Plan {
  /** as it holds for the call */
  readonly active: Recipe;
  readonly owner: string;
  /** Every header that the recipe gives a meaning to, in lower case. */
  readonly meaningful: readonly string[];
  readonly emit: readonly (readonly [header: string, template: string])[];
  /** The last accepted components, cached because a sender signs the same ones each time. */
  latest: ClaimedComponents | null;
}

/** Components that a request claims, known to be sufficient for its layout. */
export interface ClaimedComponents {
  readonly layout: HeaderLayout;
  /** as the request lists them; undefined where it does not */
  readonly listed: string | undefined;
  readonly components: readonly string[];
  /** as `{components}` writes them */
  readonly list: string;
}

const plans = new WeakMap<Recipe, Map<Call, Plan>>();

/** Cached per recipe, as recipes are immutable. */
export function planOf(recipe: Recipe, call: Call): Plan {
  let byCall = plans.get(recipe);
  if (byCall === undefined) plans.set(recipe, (byCall = new Map<Call, Plan>()));
  let plan = byCall.get(call);
  if (plan === undefined) {
    const active = recipeFor(recipe, call);
    const owner = ownerHeader(call);
    const emit = Object.entries(active.emit);
    plan = { active, owner, meaningful: findMeaningfulHeaders(active, owner), emit, latest: null };
    byCall.set(call, plan);
  }
  return plan;
}

/** Headers that a recipe uses on a call, in lower case; each may occur once at most. */
export function meaningfulHeaders(recipe: Recipe, call: Call): readonly string[] {
  return planOf(recipe, call).meaningful;
}

function findMeaningfulHeaders(recipe: Recipe, owner: string): string[] {
  const { emit, time, nonce, body_digest, canonical } = recipe;
  return [
    HEADER.keyId,
    owner,
    ...Object.keys(emit),
    ...[time?.header, nonce?.header, body_digest?.header].filter((name) => typeof name === "string"),
    ...(canonical === null ? [] : canonicalStyle(canonical).headers(canonical)),
  ];
}
