// verdict recipe edit and remove: the user's own recipe documents.

import { join } from "node:path";
import {
  openRecipes,
  readRecipeDocument,
  recipeFolder,
  removeRecipeDocument,
  replaceRecipeDocument,
} from "#src/app/recipes.ts";
import { confirm } from "#src/cli/ask.ts";
import type { CommandRun, Invocation } from "#src/cli/command.ts";
import { declined, sayDone } from "#src/cli/done.ts";
import { editUntilValid } from "#src/cli/edit-text.ts";
import { badInput, usage } from "#src/contract/fault.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import { safe } from "#src/display/safe.ts";
import { isPreset } from "#src/signing/recipes/presets.ts";
import { readRecipe } from "#src/signing/recipes/recipe-reader.ts";
import type { Asking } from "#src/cli/option-specs.ts";

export const edit: CommandRun = async (invocation) => {
  const name = invocation.args[0]!;
  const path = await documentOf(invocation, name);
  const before = await readRecipeDocument(path);
  return editUntilValid(invocation, {
    fileName: `${name}.yaml`,
    text: before,
    instead: `change the file ${escapeText(path)}`,
    unchanged: "Nothing was saved.",
    async save(text) {
      const { recipe } = readRecipe(text, `${name}.yaml`);
      if (recipe !== name) {
        throw badInput`The document is the recipe ${recipe} now; keep the name ${name}.`;
      }
      if (text !== before) await replaceRecipeDocument(path, text);
      invocation.output.line(text === before ? `Recipe ${name} is as it was.` : `Recipe ${name} saved.`);
      if (text !== before) await assumeAgain(invocation, name);
    },
  });
};

/** What a service accepted was the recipe before the change. */
async function assumeAgain({ context, output }: Invocation, name: string): Promise<void> {
  const profiles = await (await context()).profiles();
  for (const { confirmedRecipe, ...profile } of await profiles.list()) {
    if (confirmedRecipe !== name) continue;
    await profiles.put(profile);
    output.advise(
      `For profile ${safe(profile.name)} it is an assumption again; once its service accepts a check: verdict profile confirm-recipe ${profile.name}`,
    );
  }
}

export const remove: CommandRun<Asking> = async (invocation) => {
  const name = invocation.args[0]!;
  const path = await documentOf(invocation, name);
  const profiles = await (await invocation.context()).profiles();
  const user = (await profiles.list()).find(({ recipe }) => recipe === name);
  if (user !== undefined) {
    throw usage`The profile ${user.name} signs with ${name}; give it another recipe first: verdict profile add ${user.name} --recipe ID.`;
  }
  if (!(await confirm(invocation, `Remove recipe ${name} for good?`))) {
    return declined(invocation, { recipe: name, removed: false });
  }
  await removeRecipeDocument(path);
  sayDone(invocation, { recipe: name, removed: true }, `Recipe ${name} removed.`);
};

/** The path of the user's document with this id, or of a broken one that has it or is called so. */
async function documentOf({ home }: Pick<Invocation, "home">, name: string): Promise<string> {
  if (isPreset(name)) {
    throw usage`${name} is built in and stays as it is; write one of your own: verdict recipe show ${name} > mine.yaml.`;
  }
  const file = (await openRecipes(home)).fileOf(name);
  return join(recipeFolder(home), file);
}
