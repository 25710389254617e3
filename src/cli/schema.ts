// verdict schema: prints the JSON Schema of a file that people write, or of what a command prints.

import { fileURLToPath } from "node:url";
import { schemaFiles } from "#src/app/schemas.ts";
import { Fault } from "#src/contract/fault.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import type { CommandRun } from "./command.ts";
import { EXIT } from "./exit-code.ts";

export const schema: CommandRun = async ({ args, options, output }) => {
  const files = schemaFiles();
  const [name] = args;
  const file = files.find((each) => each.name === name);
  if (file !== undefined) {
    output.exact(
      options.flag("path") ? `${fileURLToPath(file.url)}\n` : `${JSON.stringify(file.schema, null, 2)}\n`,
    );
    return EXIT.done;
  }
  if (name !== undefined) {
    throw new Fault("usage", `There is no schema "${escapeText(name, 60)}"; "verdict schema" lists them.`);
  }
  if (options.flag("json")) {
    const schemas = files.map((each) => ({
      name: each.name,
      title: each.title,
      path: fileURLToPath(each.url),
    }));
    output.json({ schema: 1, schemas });
    return EXIT.done;
  }
  output.table(
    ["NAME", "WHAT IT IS OF"],
    files.map((each) => [each.name, options.flag("path") ? fileURLToPath(each.url) : each.title]),
  );
  return EXIT.done;
};
