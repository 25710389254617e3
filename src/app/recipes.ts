// The recipes of one home: those that come with the program, and the documents in its configuration folder.

import { join } from "node:path";
import { createRecipeBook, type RecipeBook } from "#src/signing/recipes/recipe-book.ts";
import { readRecipeDocuments } from "#src/storage/documents/recipe-documents.ts";
import type { Home } from "./home.ts";

export { saveRecipeDocument } from "#src/storage/documents/recipe-documents.ts";

/** Where the user's recipe documents lie; it may not be there. */
export function recipeFolder(home: Home): string {
  return join(home.config, "recipes");
}

/** @throws Fault("storage") when the folder cannot be read; a document that cannot be used is a problem of the book */
export async function openRecipes(home: Home): Promise<RecipeBook> {
  const { documents, unreadable } = await readRecipeDocuments(recipeFolder(home));
  return createRecipeBook(documents, unreadable);
}
