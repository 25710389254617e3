// The value - of options that name a file to write: standard output or a refusal, and never a file of that name.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { fileIsThere } from "#src/actions/whole-file.ts";
import { COMMANDS } from "#src/cli/commands.ts";
import { readOptions } from "#src/cli/option.ts";
import { leavesOf } from "#src/build/command-leaves.ts";
import { homeOfTests, pointAt } from "./in-process.ts";

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

const home = homeOfTests();
beforeAll(async () => {
  await pointAt(home, "http://127.0.0.1:9");
  await home.run("check -", '{"operation":"payment","order_id":"o-1","amount":100,"currency":980}');
  await home.run(
    "payload save one -",
    '{"operation":"payment","order_id":"o-1","amount":100,"currency":980}',
  );
  await home.run("replay one");
});

it.each([
  ["history export --format json --output -", 0],
  ["run export last -o -", 0],
  ["vault export -", 2],
  ["payload pseudonymise one --key-file k --output -", 2],
  ["sandbox tenant create a --output -", 2],
  ["payload pseudonymise one --key-file - --output x.ndjson", 2],
  ["replay one --rejects -", 2],
  ["replay one --golden - --update", 2],
  ["replay one --report json=-", 2],
  ["demo --record -", 2],
  ["demo --export html=-", 2],
])("%s", async (words, code) => {
  const ran = await home.run(words);
  expect({ code: ran.code, isFile: existsSync("-") }, ran.stderr).toEqual({ code, isFile: false });
  if (code === 0) expect(ran.stdout).toContain("o-1");
  else expect([ran.stdout, ran.stderr.trimEnd().split("\n").length]).toEqual(["", 1]);
});

it("payload import writes the payments to standard output, and all else to standard error", async () => {
  const rows = join(home.folder, "rows.ndjson");
  writeFileSync(
    rows,
    `${JSON.stringify({ request: { operation: "payment", order_id: "o-2", amount: 1 } })}\n`,
  );
  for (const words of ["", " --json"]) {
    const ran = await home.run(`payload import ${rows} --output - --yes${words}`);
    expect(ran.code, ran.stderr).toBe(0);
    expect(
      ran.stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual([{ request: { operation: "payment", order_id: "o-2", amount: 1 } }]);
    expect(ran.stderr).toContain(words === "" ? "1 payment written to standard output" : '"payments":1');
  }
});

it.each(["history export --format json", "run export last", "payload import one"])(
  "%s overwrites no file, and says so before it works",
  async (words) => {
    const taken = join(home.folder, "taken.json");
    writeFileSync(taken, "mine");
    const ran = await home.run(`${words} --output ${taken}`);
    expect([ran.code, ran.stdout, ran.stderr]).toEqual([2, "", `${fileIsThere(taken).message}\n`]);
    expect(readFileSync(taken, "utf8")).toBe("mine");
  },
);

it("the word of other tools is answered with the option", async () => {
  expect((await home.run("payload import one --out x")).stderr).toContain('Did you mean "--output"?');
});
