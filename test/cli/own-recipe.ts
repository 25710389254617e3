// A recipe of the user's own, as a document in the configuration of a home.

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** @param config the configuration folder. @returns its path */
export function writeOwnRecipe(config: string, name: string, more: string = ""): string {
  const path = join(config, "recipes", `${name}.yaml`);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const lines = [
    `recipe: ${name}`,
    "canonical: { style: template, text: '{body}' }",
    "emit: { authorization: '{signature}' }",
  ];
  writeFileSync(path, `${lines.join("\n")}\n${more}`, { mode: 0o600 });
  return path;
}
