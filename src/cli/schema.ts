// verdict schema: prints the JSON Schema of a file that people write, or of what a command prints.

import { schemaFiles, type SchemaFile } from "#src/app/schemas.ts";
import { noSuch, usage } from "#src/contract/fault.ts";
import type { CommandRun } from "./command.ts";
import type { SCHEMA } from "./command-options.ts";

export const schema: CommandRun<typeof SCHEMA> = async ({ args, options, output }) => {
  const files = schemaFiles();
  const [name] = args;
  const file = files.find((each) => each.name === name);
  if (file !== undefined)
    return output.exact(options.path ? `${pathOf(file)}\n` : `${JSON.stringify(file.schema, null, 2)}\n`);
  if (name !== undefined) throw noSuch("schema", name, "verdict schema");
  const schemas = files.map(({ name, title, path }) => ({ name, title, path }));
  if (options.json) return output.json({ schema: 1, schemas });
  output.table(
    ["NAME", "WHAT IT IS OF"],
    files.map((each) => [each.name, options.path ? pathOf(each) : each.title]),
  );
};

/** @throws Fault("usage") in a single executable without its files */
function pathOf({ name, path }: SchemaFile): string {
  if (path !== null) return path;
  throw usage`This executable has its schemas inside; write one into a file with "verdict schema ${name}".`;
}
