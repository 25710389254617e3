// verdict recipe infer: finds the recipe that signed a known-good request.

import { openRecipes, recipeFolder, saveRecipeDocument } from "#src/app/recipes.ts";
import { readSecret } from "#src/cli/ask.ts";
import type { CommandRun, Invocation } from "#src/cli/command.ts";
import { EXIT } from "#src/cli/exit-code.ts";
import { readDocument } from "#src/app/read-input.ts";
import { schemaComment } from "#src/app/schemas.ts";
import { credentialMissing, usage } from "#src/contract/fault.ts";
import type { Secret } from "#src/contract/secret.ts";
import { callsCurl, parseCurlRequest } from "#src/replay/imports/curl-command.ts";
import { parseRawRequest, type RawRequest } from "#src/contract/text/raw-request.ts";
import { readShellCommand } from "#src/replay/imports/shell-command.ts";
import { safe } from "#src/display/safe.ts";
import { inferRecipe, type FoundRecipe, type Inference } from "#src/signing/infer/infer.ts";
import { WITHOUT_RESULT } from "#src/signing/infer/infer-words.ts";
import { isPreset } from "#src/signing/recipes/presets.ts";
import { readRecipe, writeRecipe } from "#src/signing/recipes/recipe-reader.ts";
import { protectionSentences } from "#src/signing/recipes/recipe-words.ts";
import type { Values } from "#src/cli/option.ts";
import type { RECIPE_INFER } from "./profile-options.ts";

const RECIPE_ID = /^[a-z0-9][a-z0-9._-]{0,63}$/;

export const infer: CommandRun<typeof RECIPE_INFER> = async (invocation) => {
  const { home, options, output, signal } = invocation;
  const name = options.save;
  if (name !== undefined) refuseName(name);
  const file = options.request;
  if (file === "-" && !isInVault(options)) {
    throw usage`Standard input holds the request, so the secret must come from the vault: name its key with --key-id and leave out --secret-stdin, or give the request as a file.`;
  }
  const bytes = await readDocument(file, () => invocation.stdin, signal, "a file with the request");
  const request = readRequest(bytes);
  const secret = await knownSecret(invocation);
  const book = await openRecipes(home);
  const inference = inferRecipe(
    request,
    secret,
    book.list().map(({ recipe }) => recipe),
  );
  const [first] = inference.found;
  const saved = first === undefined || name === undefined ? null : await save(invocation, first, name);

  if (options.json) output.json(inferenceJson(inference, saved));
  else if (first === undefined) printClosest(invocation, inference);
  else printFound(invocation, inference, saved, name);
  return first === undefined ? EXIT.expectation : EXIT.done;
};

function refuseName(name: string): void {
  if (!RECIPE_ID.test(name)) {
    throw usage`"${name}" cannot name a recipe; use 1 to 64 of a-z, 0-9, dot, dash and underscore, starting with a letter or digit.`;
  }
  if (isPreset(name)) {
    throw usage`${name} is the name of a built-in recipe; choose another.`;
  }
}

/** Reads an HTTP request or a curl command. @throws Fault("bad_input") */
export function readRequest(bytes: Uint8Array): RawRequest {
  const text = Buffer.from(bytes).toString("utf8");
  if (!/^\s*(?:[$%>#]|[A-Za-z_][A-Za-z0-9_]*=|(?:\S*[/\\])?curl(?:\.exe)?\s)/.test(text))
    return parseRawRequest(bytes);
  const { words } = readShellCommand(withoutComments(text), 0);
  return callsCurl(words) ? parseCurlRequest(withoutComments(text)) : parseRawRequest(bytes);
}

/** Removes leading comments, which commands written by verdict have. */
function withoutComments(text: string): string {
  return text.replace(/^(?:\s*#[^\n]*\n)+/, "").trim();
}

/** True when the secret is taken from the vault; a piped one has priority. */
function isInVault({ keyId, secretStdin }: Values<typeof RECIPE_INFER>): boolean {
  return keyId !== undefined && !secretStdin;
}

async function knownSecret(invocation: Invocation<typeof RECIPE_INFER>): Promise<Secret> {
  const { options } = invocation;
  if (!isInVault(options)) return readSecret(invocation);
  const keyId = options.keyId!;
  const vault = await (await invocation.context()).vault();
  await vault.refresh();
  const entry = vault.list().find((each) => each.keyId === keyId);
  if (entry === undefined) {
    throw credentialMissing`The vault has no key "${keyId}"; "verdict vault list" shows the key ids, or give the secret with --secret-stdin.`;
  }
  await vault.ensureOpen();
  return vault.reveal(entry.id);
}

/** @returns the path of the document; null for a known recipe */
export async function save(
  { home }: Pick<Invocation, "home">,
  found: FoundRecipe,
  name: string,
): Promise<string | null> {
  if (found.same !== null) return null;
  const text = documentOf(found, name);
  // Fails for a document that cannot be read back.
  readRecipe(text, `${name}.yaml`);
  return saveRecipeDocument(recipeFolder(home), name, text);
}

/** The recipe document, with comments. */
function documentOf(found: FoundRecipe, id: string): string {
  const comments = [
    "Inferred from one known-good request, which it signs exactly as it was captured.",
    ...found.notes,
    ...protectionSentences(found.recipe),
    "There is no vector in it, because that would hold the live secret. To confirm the recipe, let a profile",
    'use it ("verdict profile add NAME --base-url URL --recipe ID"), send a check that the service accepts, and then',
    'run "verdict profile confirm-recipe NAME".',
  ];
  const head = [schemaComment("recipe"), ...comments.map((line) => `# ${line}`)].join("\n");
  return `${head}\n${writeRecipe({ ...found.recipe, recipe: id })}`;
}

function printFound(
  { output }: Invocation,
  { found, tried }: Inference,
  saved: string | null,
  name: string | undefined,
): void {
  const [first, ...others] = found;
  const recipe = first!;
  if (recipe.same !== null) {
    output.line(`The request is signed with the recipe ${safe(recipe.same)}, as it is.`);
    for (const note of [...recipe.notes, ...protectionSentences(recipe.recipe)])
      output.line(safe(note, { max: 400 }));
    output.advise(`Use it: verdict profile add NAME --base-url URL --recipe ${safe(recipe.same)}`);
    if (name !== undefined) output.complain("Nothing was saved, because that recipe is there already.");
  } else {
    for (const line of documentOf(recipe, name ?? "inferred")
      .trimEnd()
      .split("\n")) {
      output.line(safe(line, { max: 10_000 }));
    }
    output.note(`This recipe reproduces the request (${tried} signatures tried).`);
    output.note(
      saved === null
        ? '"--save NAME" keeps it, ready for "verdict profile add --recipe NAME".'
        : `Saved as ${safe(saved, { max: 1_000 })}; use it: verdict profile add NAME --base-url URL --recipe ${name!}`,
    );
  }
  for (const other of others) {
    output.note(
      `Another recipe also reproduces the request: ${safe(other.same ?? other.recipe.about)}; test with a second request.`,
    );
  }
}

export function printClosest(
  { output }: Pick<Invocation, "output">,
  { closest, seen, tried }: Inference,
): void {
  output.line(`No recipe reproduces the request (${tried} signatures tried).`);
  output.line("What the request shows:");
  for (const sentence of seen) output.line(`  ${safe(sentence, { max: 400 })}`);
  for (const { recipe, why } of closest) {
    output.line(`Close: ${safe(recipe)}`);
    for (const sentence of why) output.line(`  ${safe(sentence, { max: 400 })}`);
  }
  output.lines(WITHOUT_RESULT);
}

function inferenceJson({ found, closest, seen, tried }: Inference, saved: string | null) {
  return {
    schema: 1,
    found: found.map((each) => ({
      same_as: each.same,
      notes: each.notes,
      document: documentOf(each, each.same ?? "inferred"),
    })),
    saved,
    closest,
    seen,
    tried,
  };
}
