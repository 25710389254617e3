// What verifying needs to know about a recipe and one of the calls, found once and not with every request.

import type { Call } from "#src/contract/wire/wire.ts";
import { HEADER } from "#src/contract/wire/wire.ts";
import { canonicalStyle } from "#src/signing/canonical/canonical.ts";
import { recipeFor, type Recipe } from "#src/signing/recipes/recipe.ts";
import type { HeaderLayout } from "./header-table.ts";
import { ownerHeader } from "./sign.ts";

/** What a recipe says about one call, looked up once. */
export interface Plan {
  /** as it holds for the call */
  readonly active: Recipe;
  readonly owner: string;
  /** Every header that the recipe gives a meaning to, in lower case. */
  readonly meaningful: readonly string[];
  readonly emit: readonly (readonly [header: string, template: string])[];
  /** What was signed last and was enough: a sender signs the same each time. */
  latest: Signed | null;
}

/** The components that a request says it has signed, and that this is enough for a request of that layout. */
export interface Signed {
  readonly layout: HeaderLayout;
  /** as the request lists them; undefined where it does not */
  readonly listed: string | undefined;
  readonly components: readonly string[];
  /** as `{components}` writes them */
  readonly list: string;
}

const plans = new WeakMap<Recipe, Map<Call, Plan>>();

/** The recipe is never changed, so this is found once. */
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

/** Every header that a recipe gives a meaning to on a call, in lower case: it must be there at most once. */
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
