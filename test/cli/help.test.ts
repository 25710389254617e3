// verdict help: commands, topics, and what is neither.

import { expect, it } from "vitest";
import { usageOf, type CommandSpec } from "#src/cli/command.ts";
import { COMMANDS } from "#src/cli/commands.ts";
import { flagOf } from "#src/cli/option.ts";
import { TOPICS } from "#src/cli/topics.ts";
import { leavesOf } from "#src/build/command-leaves.ts";
import { testHomeOfTests } from "./verdict-process.ts";

const home = testHomeOfTests();

it("explains a command of a command", async () => {
  for (const words of ["payload save", "rules backtest", "sandbox faults add"]) {
    const asked = await home.run(`help ${words}`);
    expect(asked).toMatchObject({ code: 0, stderr: "" });
    expect(asked.stdout).toContain(`Usage: verdict ${words} `);
    expect(asked).toEqual(await home.run(`${words} --help`));
  }
  for (const words of ["payload keep", "check now"]) {
    const neither = await home.run(`help ${words}`);
    expect(neither).toMatchObject({ code: 2, stdout: "" });
    expect(neither.stderr).toContain(`no command and no topic "${words}"`);
  }
});

it("explains commands and topics, and names both where there is neither", async () => {
  const command = await home.run("help check");
  expect(command.code).toBe(0);
  expect(command.stdout).toContain("Usage: verdict check [options] [file]");
  const topic = await home.run("help console");
  expect(topic.stdout).toBe(`${TOPICS["console"]}\n`);
  const neither = await home.run("help nowhere");
  expect(neither).toMatchObject({ code: 2, stdout: "" });
  expect(neither.stderr).toMatch(/^There is no command and no topic "nowhere"; .*\n$/);
  expect(await home.run("--home elsewhere help nowhere")).toEqual(neither);
  for (const name of Object.keys(TOPICS)) expect(neither.stderr).toContain(name);
});

it.each(["console", "files", "filter", "magic-orders"] as const)("the topic %s fits 80 columns", (name) => {
  const text = TOPICS[name];
  expect(text).not.toMatch(/\n$/);
  for (const line of text.split("\n")) expect(line.length, line).toBeLessThanOrEqual(80);
});

it.each(leavesOf(COMMANDS, "verdict"))("the help of $path is short and ordered", ({ path, spec }) => {
  const { options = {}, notes = "" } = spec;
  const shown = Object.entries(options).filter(([, { hidden }]) => hidden !== true);
  expect(notes.split("\n").length).toBeLessThanOrEqual(6);
  if (shown.length > 8)
    expect(shown.filter(([, { group }]) => group !== undefined).length).toBeGreaterThan(0);
  for (const [name, { help, required, needs, implies }] of Object.entries(options)) {
    expect(help, name).not.toMatch(/[.]$|[.] [A-Z]/);
    if (required) expect(usageOf(path, spec)).toContain(`${flagOf(name)} <`);
    for (const other of [needs, implies]) if (other !== undefined) expect(options).toHaveProperty(other);
  }
});

it("summarises each command and each group in at most nine words", () => {
  const summariesOf = (specs: readonly CommandSpec[]): string[] =>
    specs.flatMap(({ summary, children = [] }) => [summary, ...summariesOf(children)]);
  expect(summariesOf(COMMANDS).filter((summary) => summary.split(" ").length > 9)).toEqual([]);
});

it.each(leavesOf(COMMANDS, "verdict"))("the notes of $path fit 80 columns", ({ spec: { notes = "" } }) => {
  expect(notes.split("\n").filter((line) => line.length > 80)).toEqual([]);
});

it("tells where the options are that the help of a replay leaves out", async () => {
  const { stdout } = await home.run("replay --help");
  expect(stdout).toContain(
    'Rarer options: --shard, --ignore-columns, ... in "verdict docs commands/replay".',
  );
});

it("tells the options of a replay on two screens", async () => {
  const { stdout } = await home.run("replay --help");
  expect(stdout.trimEnd().split("\n").length).toBeLessThanOrEqual(48);
});

it("names only options that a command has as what does not go together", () => {
  const tables = leavesOf(COMMANDS, "verdict").map(({ spec }) => spec.options ?? {});
  const known = new Set(tables.flatMap((table) => Object.keys(table)));
  const excluded = tables.flatMap((table) => Object.values(table).flatMap(({ excludes = [] }) => excludes));
  expect(excluded.filter((name) => !known.has(name))).toEqual([]);
});
