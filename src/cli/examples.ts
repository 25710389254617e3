// verdict examples: copies the examples that the documents use into a new folder.

import { resolve } from "node:path";
import { writeNewFolder } from "#src/actions/new-folder.ts";
import { exampleFiles } from "#src/app/documents.ts";
import { shellWord } from "#src/display/shell-word.ts";
import type { CommandRun } from "./command.ts";
import { noStandardOutput } from "./option.ts";

export const examples: CommandRun = async ({ args, output }) => {
  const folder = args[0]!;
  if (folder === "-") throw noStandardOutput("<folder>");
  const files = exampleFiles();
  await writeNewFolder(resolve(folder), files);
  output.line(`${files.size} files are in ${shellWord(folder)}.`);
  output.advise(`Next: cd ${shellWord(folder)} && verdict docs first-check`);
};
