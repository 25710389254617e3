// A recipe as a command names it: its id, or a document.

import { basename } from "node:path";
import type { Invocation } from "#src/cli/command.ts";
import { isPreset, recipeById } from "#src/signing/recipes/presets.ts";
import type { Recipe } from "#src/signing/recipes/recipe.ts";

/** Whether a word names a document: it has a `/`, or ends in .yaml or .yml. */
export function namesDocument(word: string): boolean {
  return word.includes("/") || /\.ya?ml$/.test(word);
}

/**
 * @param named the id of a recipe, or the name of a recipe document
 * @param vectors `keep` leaves it to the caller to run those of a document
 * @throws Fault("usage") for an unknown id, Fault("bad_input") for a document that cannot be used
 */
export async function namedRecipe(
  invocation: Pick<Invocation, "home" | "stdin" | "signal">,
  named: string,
  vectors: "run" | "keep" = "run",
): Promise<Recipe> {
  if (isPreset(named)) return recipeById(named);
  if (namesDocument(named)) {
    const [{ readRecipe }, { readText }] = await Promise.all([
      import("#src/signing/recipes/recipe-reader.ts"),
      import("#src/cli/read-input.ts"),
    ]);
    const text = await readText(named, () => invocation.stdin, invocation.signal, "a recipe document");
    return readRecipe(text, basename(named), vectors);
  }
  const { openRecipes } = await import("#src/app/recipes.ts");
  return (await openRecipes(invocation.home)).byId(named);
}
