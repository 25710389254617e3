// Finds the recipe that a command names: by its id, or in a document.

import { basename } from "node:path";
import type { Invocation } from "#src/cli/command.ts";
import { isPreset, namesDocument, recipeById } from "#src/signing/recipes/presets.ts";
import type { Recipe } from "#src/signing/recipes/recipe.ts";

/**
 * @param named the id of a recipe, or the name of a recipe document
 * @param vectors `keep` does not run the vectors of a document
 * @throws Fault("usage") for an unknown id, Fault("bad_input") for an invalid document
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
      import("#src/app/read-input.ts"),
    ]);
    const text = await readText(named, () => invocation.stdin, invocation.signal, "a recipe document");
    return readRecipe(text, basename(named), vectors);
  }
  const { openRecipes } = await import("#src/app/recipes.ts");
  return (await openRecipes(invocation.home)).byId(named);
}
