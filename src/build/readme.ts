// Keeps the generated parts of the README: `node src/build/readme.ts` writes them, `--check` fails when they are out of date.

import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { format, resolveConfig } from "prettier";
import { BINDINGS } from "#screens/shell/bindings.ts";
import type { CommandSpec } from "#src/cli/command.ts";
import { COMMANDS } from "#src/cli/commands.ts";
import { EXIT_MEANINGS } from "#src/cli/exit-code.ts";
import { keyLabel } from "#src/keys/binding.ts";
import { PRESETS } from "#src/signing/recipes/presets.ts";
import { openParts } from "#src/signing/recipes/recipe-words.ts";
import type { Recipe } from "#src/signing/recipes/recipe.ts";

const path = fileURLToPath(new URL("../../README.md", import.meta.url));
const before = readFileSync(path, "utf8");

const parts: Readonly<Record<string, readonly string[]>> = {
  commands: table(["Command", "What it does"], rowsOf(COMMANDS, "verdict")),
  keys: table(
    ["Where", "Key", "What it does"],
    BINDINGS.map(({ group, keys, label }) => [
      group,
      keys.map((key) => `\`${keyLabel(key)}\``).join(" "),
      label,
    ]),
  ),
  recipes: table(
    ["Recipe", "What it is", "Not signed", "How replays are told"],
    PRESETS.map((recipe) => [`\`${recipe.recipe}\``, recipe.about, ...protection(recipe)]),
  ),
  "exit codes": table(
    ["Code", "Meaning"],
    EXIT_MEANINGS.map(([code, meaning]) => [code, meaning]),
  ),
};

let after = before;
for (const [name, lines] of Object.entries(parts)) {
  const marked = new RegExp(`(<!-- begin ${name} -->\\n)[^]*?(<!-- end ${name} -->)`);
  if (!marked.test(after)) throw new Error(`README.md has no place for "${name}"`);
  after = after.replace(
    marked,
    (_all, begin: string, end: string) => `${begin}\n${lines.join("\n")}\n\n${end}`,
  );
}

after = await format(after, { ...(await resolveConfig(path)), parser: "markdown" });

const unexplained = packagesWithoutReason(after);
if (unexplained.length > 0) {
  console.error(`README.md gives no reason for ${unexplained.join(", ")}`);
  process.exitCode = 1;
}

if (!process.argv.includes("--check")) writeFileSync(path, after);
else if (after !== before) {
  console.error("README.md is out of date: run node src/build/readme.ts");
  process.exitCode = 1;
}

/** Every package is there for a reason, which the table of packages tells in its second column. */
function packagesWithoutReason(text: string): string[] {
  const { dependencies, devDependencies } = JSON.parse(
    readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
  ) as Record<"dependencies" | "devDependencies", Record<string, string>>;
  const [, section = ""] = text.split("## Packages, and why each is here\n");
  const explained = section
    .split("\n## ")[0]!
    .split("\n")
    .flatMap(
      (line) =>
        line
          .split("|")[1]
          ?.replace(/\(\w+\)/, "")
          .split(",") ?? [],
    )
    .map((name) => name.trim());
  return Object.keys({ ...dependencies, ...devDependencies }).filter((name) => !explained.includes(name));
}

function protection(recipe: Recipe): [string, string] {
  const open = openParts(recipe);
  if (recipe.canonical === null || open === null) return ["everything", "not at all"];
  const replays = open.replay === null ? "not at all" : `by the signed ${open.replay}`;
  return [open.unsigned.join(", ") || "-", replays];
}

function rowsOf(commands: readonly CommandSpec[], prefix: string): string[][] {
  return commands.flatMap((command) => [
    ...(command.load === undefined ? [] : [[`\`${usage(command, prefix)}\``, command.summary]]),
    ...rowsOf(command.children ?? [], `${prefix} ${command.name}`),
  ]);
}

function usage({ name, arguments: words = [], options = [] }: CommandSpec, prefix: string): string {
  const required = options.filter((option) => option.required === true).map((option) => option.flags);
  return [prefix, name, ...words.map(([word]) => word), ...required].join(" ");
}

function table(headings: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  // One key may stand in several scopes of a screen; a reader sees it once.
  return [line(headings), line(headings.map(() => "---")), ...new Set(rows.map(line))];
}
