// verdict recipe list, show, test and vectors: the signing recipes, what they protect, and whether a signer follows them.

import { parse } from "yaml";
import { openRecipes } from "#src/app/recipes.ts";
import { schemaComment } from "#src/app/schemas.ts";
import type { CommandRun } from "#src/cli/command.ts";
import { EXIT } from "#src/cli/exit-code.ts";
import type { VisibleLine } from "#src/contract/wire/signing-explanation.ts";
import { safe } from "#src/display/safe.ts";
import { SIGN } from "#src/display/sign.ts";
import { visibleLines } from "#src/signing/explain-signing.ts";
import { signVector, vectorProblem } from "#src/signing/recipes/load-recipe.ts";
import { writeRecipe } from "#src/signing/recipes/recipe-reader.ts";
import { openParts, protectionSentences } from "#src/signing/recipes/recipe-words.ts";
import { PRESETS } from "#src/signing/recipes/presets.ts";
import type { Recipe, RecipeVector } from "#src/signing/recipes/recipe.ts";
import { roundTrips } from "#src/signing/recipes/round-trip.ts";
import { signatureVectors } from "#src/signing/recipes/signature-vectors.ts";
import { namedRecipe } from "./named-recipe.ts";
import type { Json } from "#src/cli/option-specs.ts";

const SCHEMA = 1;

export const list: CommandRun<Json> = async ({ home, options, output }) => {
  const book = await openRecipes(home);
  if (options.json) {
    for (const { recipe, origin } of book.list()) {
      const open = openParts(recipe);
      output.json({
        schema: SCHEMA,
        id: recipe.recipe,
        status: recipe.status,
        origin,
        about: recipe.about,
        unsigned: open?.unsigned ?? null,
        replays: open?.replay ?? null,
      });
    }
    for (const { file, fault } of book.problems) {
      output.json({ schema: SCHEMA, file, status: "broken", problem: fault.message });
    }
    return;
  }
  const rows = book
    .list()
    .map(({ recipe, origin }) => [recipe.recipe, recipe.status, safe(origin), safe(recipe.about)]);
  output.table(["ID", "STATUS", "ORIGIN", "ABOUT"], rows);
  for (const { file, fault } of book.problems) {
    const mark = output.style.paint("error", output.style.symbol(SIGN.error));
    output.line(`${mark} ${safe(file)} cannot be used: ${safe(fault.message, { max: 1_000 })}`);
  }
};

export const show: CommandRun<Json> = async (invocation) => {
  const { args, options, output } = invocation;
  const recipe = await namedRecipe(invocation, args[0]!);
  if (options.json) {
    output.json({
      schema: SCHEMA,
      document: parse(writeRecipe(recipe)) as unknown,
      protection: protectionSentences(recipe),
    });
    return;
  }
  // As comments, so that the output is a recipe document.
  output.line(schemaComment("recipe"));
  for (const sentence of protectionSentences(recipe)) output.line(`# ${safe(sentence)}`);
  for (const line of writeRecipe(recipe).trimEnd().split("\n")) output.line(safe(line, { max: 10_000 }));
};

interface TestedVector {
  readonly name: string;
  readonly problem: string | null;
  readonly difference: Difference | null;
}

interface Difference {
  readonly line: number;
  readonly expected: string;
  readonly actual: string;
}

export const test: CommandRun<Json> = async (invocation) => {
  const { args, options, output } = invocation;
  const recipe = await namedRecipe(invocation, args[0]!, "keep");
  const vectors = recipe.vectors.map((vector) => testVector(recipe, vector));
  const calls = roundTrips(recipe, Date.now());
  const failed = vectors.filter(({ problem }) => problem !== null).length;
  const ok = failed === 0 && calls.every(({ problem }) => problem === null);
  if (options.json) {
    output.json({
      schema: SCHEMA,
      id: recipe.recipe,
      ok,
      vectors: vectors.map(({ name, problem, difference }) => ({
        name,
        ok: problem === null,
        problem,
        difference,
      })),
      calls: calls.map(({ call, problem, unsigned }) => ({ call, ok: problem === null, problem, unsigned })),
    });
    return ok ? EXIT.done : EXIT.expectation;
  }
  const mark = (problem: string | null): string =>
    problem === null
      ? output.style.paint("pass", output.style.symbol(SIGN.done))
      : output.style.paint("error", output.style.symbol(SIGN.error));
  for (const { name, problem, difference } of vectors) {
    output.line(`${mark(problem)} vector "${safe(name)}": ${problem === null ? "ok" : safe(problem)}`);
    if (difference === null) continue;
    output.line(`    line ${difference.line}, expected: ${safe(difference.expected, { max: 1_000 })}`);
    output.line(`    line ${difference.line}, signed:   ${safe(difference.actual, { max: 1_000 })}`);
  }
  if (vectors.length === 0)
    output.line("The recipe has no vectors, so verdict cannot compare it with a known request.");
  for (const { call, problem, unsigned } of calls) {
    const done = unsigned ? "sent unsigned" : "signed and verified";
    output.line(`${mark(problem)} ${call}: ${problem === null ? done : safe(problem)}`);
  }
  return ok ? EXIT.done : EXIT.expectation;
};

export const vectors: CommandRun<Json> = async (invocation) => {
  const { args, options, output } = invocation;
  const recipes = args[0] === undefined ? PRESETS : [await namedRecipe(invocation, args[0])];
  const all = recipes.flatMap(signatureVectors);
  if (options.json) for (const vector of all) output.json(vector);
  else {
    output.table(
      ["RECIPE", "STATUS", "VECTOR", "REASON"],
      all.map(({ recipe, name, expect }) =>
        [recipe, expect.status, name, expect.reason ?? ""].map((cell) => safe(String(cell))),
      ),
    );
  }
};

function testVector(recipe: Recipe, vector: RecipeVector): TestedVector {
  const problem = vectorProblem(recipe, vector);
  return {
    name: vector.name,
    problem,
    difference: problem === null ? null : firstDifference(recipe, vector),
  };
}

/** The first line that differs; null when the request cannot be signed. */
function firstDifference(recipe: Recipe, vector: RecipeVector): Difference | null {
  const { string_to_sign: stringToSign, headers } = vector.expect;
  let signed: ReturnType<typeof signVector>;
  try {
    signed = signVector(recipe, vector);
  } catch {
    // The problem has the reason.
    return null;
  }
  if (stringToSign !== undefined && stringToSign !== signed.stringToSign) {
    const expected = visibleLines(stringToSign);
    const actual = visibleLines(signed.stringToSign ?? "");
    const at = expected.findIndex((line, index) => shown(line) !== shown(actual[index]));
    const line = at < 0 ? expected.length : at;
    return { line: line + 1, expected: shown(expected[line]), actual: shown(actual[line]) };
  }
  const name = Object.keys(headers).find((each) => signed.headers[each] !== headers[each])!;
  return {
    line: 1,
    expected: `${name}: ${headers[name]!}`,
    actual: `${name}: ${signed.headers[name] ?? "(not sent)"}`,
  };
}

/** A line with its line break as a word. */
function shown(line: VisibleLine | undefined): string {
  if (line === undefined) return "(nothing)";
  return line.end === null ? line.text : `${line.text} <${line.end}>`;
}
