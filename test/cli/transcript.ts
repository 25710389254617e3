// Transcripts: what is typed, and below it what is printed. `npx vitest run FILE -u` writes what is printed now.
//
// A line at the margin is prose; "# ..." begins a test with an empty folder, in which what stands before the first one is done
// first; "Never printed: ..." holds for every command of its part. The files of the folder follow: "-- name --", then the text.
// An indented "$ command" is verdict, a tool of transcript-tools.ts, a name="value" or a line for the shell. Below it, or beside
// it behind "  # ", stands what it prints, "! ..." on standard error, whose last line begins with the exit code, "[2] ...",
// unless that is 0. With nothing there, or a code alone, it may print anything; "(nothing)" is nothing. "..." is any text; as
// the first line it stands for any lines between those that follow, too. $name is what it was where it was seen first.

import { mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { filledFrom, fitted, type Values } from "./transcript-lines.ts";
import { shell, toolsOf, typed, type Tool, type Typed } from "./transcript-tools.ts";
import { pipeOf, runInside, type Printed } from "./in-process.ts";
import { testHome } from "./verdict-process.ts";

interface Step {
  /** Counted from 0. */
  readonly line: number;
  readonly command: string;
  readonly expected: readonly string[];
  /** How many of the expected lines stand beside the command. */
  readonly beside: number;
}

interface Part {
  readonly title: string;
  readonly steps: Step[];
  readonly never: string[];
}

/** Declares the tests of a transcript, which runs the built program when its name says that it is deep. */
export function transcript(path: string, rewrites: boolean): void {
  const lines = readFileSync(path, "utf8").split("\n");
  const { parts, files } = parsed(lines);
  const [before, ...tests] = parts as [Part, ...Part[]];
  const now = new Map<Step, readonly string[]>();
  test.each(tests)("$title", async (part) => {
    const stage = await staged(files, path.includes(".deep."));
    for (const [at, step] of [...before.steps, ...part.steps].entries()) {
      const printed = await stage.run(step.command);
      const place = `${basename(path)}:${step.line + 1}: $ ${step.command}`;
      const never = at < before.steps.length ? before.never : [...before.never, ...part.never];
      for (const text of never)
        expect(printed.join("\n"), place).not.toContain(filledFrom(text, stage.values));
      const fit = fitted(step.expected, printed, stage.values);
      if (rewrites) now.set(step, fit);
      else expect(fit.join("\n"), place).toBe(step.expected.join("\n"));
    }
  });
  afterAll(() => {
    if (!rewrites) return;
    for (const [step, fit] of [...now].toSorted(([one], [other]) => other.line - one.line)) {
      if (fit === step.expected) continue;
      const isBeside = step.beside === 1 && fit.length === 1;
      const below = isBeside ? [] : fit.map((text) => `  ${text}`);
      const command = `  $ ${step.command}${isBeside ? `  # ${fit[0]}` : ""}`;
      lines.splice(step.line, 1 + step.expected.length - step.beside, command, ...below);
    }
    writeFileSync(path, lines.join("\n"));
  });
}

function parsed(lines: readonly string[]): { parts: Part[]; files: Map<string, string> } {
  const parts: Part[] = [{ title: "", steps: [], never: [] }];
  const files = new Map<string, string>();
  let file: string | null = null;
  for (const [line, text] of lines.entries()) {
    const part = parts.at(-1)!;
    const name = /^-- (\S+) --$/.exec(text)?.[1];
    if (name !== undefined) files.set((file = name), "");
    else if (file !== null)
      files.set(file, `${files.get(file)!}${text}${line < lines.length - 1 ? "\n" : ""}`);
    else if (text.startsWith("# ")) parts.push({ title: text.slice(2), steps: [], never: [] });
    else if (text.startsWith("Never printed: ")) part.never.push(text.slice("Never printed: ".length));
    else if (text.startsWith("  $ ")) {
      const [command, ...beside] = text.slice(4).split("  # ");
      const rest = lines.slice(line + 1);
      const end = rest.findIndex((each) => !each.startsWith("  ") || each.startsWith("  $ "));
      const below = rest.slice(0, end).map((each) => each.slice(2));
      part.steps.push({ line, command: command!, beside: beside.length, expected: [...beside, ...below] });
    }
  }
  return { parts, files };
}

/** A folder with the files, in which the commands run. */
async function staged(
  files: ReadonlyMap<string, string>,
  isDeep: boolean,
): Promise<{ readonly values: Values; run(command: string): Promise<string[]> }> {
  const home = testHome();
  onTestFinished(() => home.remove());
  const folder = realpathSync(home.folder);
  const values: Values = new Map([["PWD", folder]]);
  for (const [name, text] of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), filledFrom(text, values));
  }
  const was = process.cwd();
  process.chdir(folder);
  onTestFinished(() => process.chdir(was));
  const verdict = ({ words: [, ...args], env, stdin }: Typed): Promise<Printed> => {
    const input = stdin === undefined ? "" : readFileSync(stdin, "utf8");
    if (!isDeep) return runInside({ ...home.env, ...env }, pipeOf(input), args);
    return home.run(args, { input, env }).then((ran) => ({ ...ran, code: ran.code ?? 128 }));
  };
  const tools: Readonly<Record<string, Tool>> = { verdict, ...toolsOf(values) };
  const run = async (command: string): Promise<Printed> => {
    const line = filledFrom(command, values);
    const [, name, value] = /^([a-z]\w*)="(.*)"$/.exec(line) ?? [];
    if (name !== undefined) {
      values.set(name, value!);
      return { code: 0, stdout: "", stderr: "" };
    }
    const [own = "", ...pipe] = line.split(" | ");
    const words = typed(own);
    const tool = tools[words.words[0]!];
    if (tool === undefined) return shell(line);
    const ran = await tool(words);
    const piped = pipe.length === 0 ? { ...ran, code: 0 } : shell(pipe.join(" | "), ran.stdout);
    const whole = { ...ran, code: ran.code === 0 ? piped.code : ran.code };
    if (words.stdout === undefined) return { ...whole, stdout: piped.stdout };
    writeFileSync(words.stdout, piped.stdout);
    return { ...whole, stdout: "" };
  };
  return { values, run: async (command) => printedLines(await run(command)) };
}

function printedLines({ stdout, stderr, code }: Printed): string[] {
  const lines = (text: string): string[] => text.split(/\r?\n/).filter((line) => line.trim() !== "");
  const errors = lines(stderr).map((line) => `! ${line}`);
  const end = code === 0 ? [] : [`[${code}]${errors.pop()?.slice(1) ?? ""}`];
  return [...lines(stdout), ...errors, ...end];
}
