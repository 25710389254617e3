// Reads recipe documents strictly, and writes a recipe as a document.

import { stringify } from "yaml";
import { placeAt } from "#src/contract/text/place.ts";
import { readShape } from "#src/contract/text/read-shape.ts";
import { YamlSource } from "#src/contract/text/yaml-source.ts";
import { vectorProblem } from "./load-recipe.ts";
import { recipeProblem } from "./recipe-problem.ts";
import { RECIPE, type Recipe } from "./recipe.ts";

/**
 * Reads one recipe document (YAML) strictly.
 * @param sourceName file name for messages
 * @param vectors `keep` leaves running them to the caller
 * @throws YamlFault naming file, line, column and field; also for a failed vector
 */
export function readRecipe(text: string, sourceName: string, vectors: "run" | "keep" = "run"): Recipe {
  const root = new YamlSource(text, sourceName).place();
  const recipe = readShape(RECIPE, root, "the recipe");
  const problem = recipeProblem(recipe);
  if (problem !== null) throw placeAt(root, problem.field).fault(problem.message);
  if (vectors === "keep") return recipe;
  for (const [index, vector] of recipe.vectors.entries()) {
    const differs = vectorProblem(recipe, vector);
    if (differs !== null)
      throw placeAt(root, "vectors", index).fault(
        `the vector "${vector.name}" does not come out: ${differs}; correct the recipe, or change or remove the vector`,
      );
  }
  return recipe;
}

/** The recipe as a YAML document that `readRecipe` gives back. */
export function writeRecipe(recipe: Recipe): string {
  const vectors = recipe.vectors.map((vector) => ({ ...vector, at: new Date(vector.at).toISOString() }));
  const whole = { ...recipe, vectors };
  // In the order of the documentation.
  const document = Object.keys(RECIPE.properties).map((key) => [key, whole[key as keyof Recipe]]);
  return stringify(Object.fromEntries(document), { lineWidth: 0, aliasDuplicateObjects: false });
}
