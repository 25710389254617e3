// The recipes of a home: the built-in ones and the documents in its configuration folder.

import { join } from "node:path";
import { createRecipeBook, type RecipeBook } from "#src/signing/recipes/recipe-book.ts";
import { readRecipeDocuments } from "#src/storage/documents/recipe-documents.ts";
import type { Home } from "./home.ts";

export {
  readRecipeDocument,
  removeRecipeDocument,
  replaceRecipeDocument,
  saveRecipeDocument,
} from "#src/storage/documents/recipe-documents.ts";

/** The folder of recipe documents, which may not exist. @throws Fault("usage") for a home that nothing names */
export function recipeFolder(home: Home): string {
  return join(home.config, "recipes");
}

/** @throws Fault("storage") when the folder cannot be read; an invalid document is in the book's `problems` */
export async function openRecipes(home: Home): Promise<RecipeBook> {
  if (home.isNowhere === true) return createRecipeBook([], []);
  const { documents, unreadable } = await readRecipeDocuments(recipeFolder(home));
  return createRecipeBook(documents, unreadable);
}
