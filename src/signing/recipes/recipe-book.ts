// All recipes: the built-in ones and the user's documents.

import { badInput, Fault } from "#src/contract/fault.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import { isPreset, PRESETS, recipeById, unknownRecipe } from "./presets.ts";
import type { Recipe } from "./recipe.ts";

export interface RecipeDocument {
  /** file name for messages */
  readonly name: string;
  readonly text: string;
}

/** A document that cannot be used, and why. */
export interface BrokenRecipe {
  readonly file: string;
  readonly fault: Fault;
}

export interface RecipeBook {
  /** Built-in ones first. `origin` is `built in` or the name of the user's file. */
  list(): readonly { readonly recipe: Recipe; readonly origin: string }[];
  /** @throws Fault `usage` naming the known ones, or the fault of the broken document that has this id or name */
  byId(id: string): Recipe;
  /** The user's file with this recipe, which may be a broken one. @throws Fault `usage` where there is none */
  fileOf(id: string): string;
  /** Invalid documents; the others can be used. */
  readonly problems: readonly BrokenRecipe[];
}

/**
 * Built-in recipes and the user's documents. The YAML reader is imported only if there are documents.
 * A user's recipe with the id of another one is reported as a problem and not used.
 * @param unreadable files that could not even be read
 */
export async function createRecipeBook(
  userDocuments: readonly RecipeDocument[],
  unreadable: readonly BrokenRecipe[] = [],
): Promise<RecipeBook> {
  const own = new Map<string, { readonly recipe: Recipe; readonly origin: string }>();
  const problems: (BrokenRecipe & { readonly id: string | null })[] = unreadable.map((each) => ({
    ...each,
    id: null,
  }));
  if (userDocuments.length > 0) {
    const { readRecipe } = await import("./recipe-reader.ts");
    for (const { name, text } of userDocuments) {
      try {
        const recipe = readRecipe(text, name);
        const clash = isPreset(recipe.recipe) ? "built in" : own.get(recipe.recipe)?.origin;
        if (clash !== undefined) throw taken(name, recipe.recipe, clash);
        own.set(recipe.recipe, { recipe, origin: name });
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        problems.push({ file: name, fault: error, id: claimedId(text) });
      }
    }
  }
  const brokenOf = (id: string): BrokenRecipe | undefined =>
    problems.find((problem) => problem.id === id || stem(problem.file) === id);
  const unknown = (id: string): Fault =>
    unknownRecipe(id, [...PRESETS, ...Array.from(own.values(), ({ recipe }) => recipe)]);
  return {
    list: () => [...PRESETS.map((recipe) => ({ recipe, origin: "built in" })), ...own.values()],
    byId(id) {
      if (isPreset(id)) return recipeById(id);
      const found = own.get(id);
      if (found !== undefined) return found.recipe;
      throw brokenOf(id)?.fault ?? unknown(id);
    },
    fileOf(id) {
      const file = own.get(id)?.origin ?? brokenOf(id)?.file;
      if (file === undefined) throw unknown(id);
      return file;
    },
    problems,
  };
}

function taken(file: string, id: string, origin: string): Fault {
  const owner = origin === "built in" ? "is built in" : `is already in ${escapeText(origin)}`;
  return badInput`${file}: the recipe id ${id} ${owner}; give yours another id.`;
}

/** The apparent id of an invalid document. */
function claimedId(text: string): string | null {
  return /^recipe:[ \t]*["']?([a-z0-9][a-z0-9._-]{0,63})["']?[ \t]*(?:#.*)?\r?$/m.exec(text)?.[1] ?? null;
}

function stem(file: string): string {
  return file.replace(/^.*[/\\]/, "").replace(/\.ya?ml$/, "");
}
