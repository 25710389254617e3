// What commands print for programs is valid by the schemas that verdict ships.

import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { beforeAll, expect, it } from "vitest";
import { PRINTED } from "#src/build/output-schemas.ts";
import { everyCommand, type CommandCase } from "./every-command.ts";
import { testHomeOfTests } from "./verdict-process.ts";

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
const home = testHomeOfTests();
let cases: readonly CommandCase[];
beforeAll(async () => {
  cases = await everyCommand(home);
}, 60_000);

it("every line of every command", async () => {
  const wrong: string[] = [];
  const validated = new Set<string>();
  for (const { name, words, input = "", changes, stays } of cases) {
    const printed = PRINTED.find(({ command }) => command === `verdict ${name} --json`);
    if (stays === true) continue;
    if (printed === undefined) {
      if (changes === true) await home.run(words, { input });
      continue;
    }
    // With other options these print a text.
    const line = `${words.replace(/ --(?:raw|json|set --secret-stdin)/, "")} --json`;
    validated.add(printed.command);
    const validate = ajv.compile(schemaOf(printed.name));
    const { stdout, stderr } = await home.run(line, { input });
    const lines = stdout.split("\n").filter((each) => each !== "");
    if (lines.length === 0) wrong.push(`${line}: nothing, ${stderr}`);
    for (const each of lines)
      if (!each.startsWith("{") || !validate(JSON.parse(each)))
        wrong.push(`${line}: ${ajv.errorsText(validate.errors)} of ${each.slice(0, 600)}`);
  }
  expect(wrong).toEqual([]);
  // These want a terminal, a clipboard or an editor, or do not end; events go to a file.
  expect(
    PRINTED.map(({ command }) => command)
      .filter((each) => !validated.has(each))
      .sort(),
  ).toEqual([
    "verdict capture --events",
    "verdict capture --json",
    "verdict payload edit --json",
    "verdict sandbox journal --json",
    "verdict serve --json",
    "verdict vault copy --json",
  ]);
}, 600_000);

function schemaOf(name: string): object {
  return JSON.parse(
    readFileSync(new URL(`../../dist/schemas/${name}.json`, import.meta.url), "utf8"),
  ) as object;
}
