// Which options name a file to write, and what each takes - for. What the commands do then is in written-files.transcript.

import { expect, it } from "vitest";
import { COMMANDS } from "#src/cli/commands.ts";
import { readOptions } from "#src/cli/option.ts";
import { leavesOf } from "#src/build/command-leaves.ts";

const OPTIONS = leavesOf(COMMANDS, "verdict").flatMap(({ path, spec }) =>
  Object.entries(spec.options ?? {}).map(([name, option]) => ({ path, name, option })),
);

it("every option that names a file to write says so", () => {
  // Reports are named by their kind, and refuse - themselves.
  const silent = OPTIONS.filter(
    ({ name, option: { value, help, writes } }) =>
      writes === undefined &&
      /<(?:file|where)>/.test(value ?? "") &&
      /\b(?:write|new file|record the|a new one|an age file for|take the verdicts)\b/.test(help) &&
      name !== "annotate",
  );
  expect(silent.map(({ path, name }) => `${path} ${name}`)).toEqual([]);
  expect(OPTIONS.filter(({ option }) => option.writes !== undefined).length).toBeGreaterThan(9);
});

it("- is standard output for the data of a command, and refused where only a file will do", () => {
  for (const { path, name, option } of OPTIONS.filter(({ option: { writes } }) => writes !== undefined)) {
    const read = (): unknown => readOptions({ [name]: option }, () => "-", {}).values;
    if (option.writes === "file") expect(read, path).toThrow(/needs the name of a file/);
    else expect(read(), path).toEqual({ [name]: "-" });
  }
});
