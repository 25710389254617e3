// The command line without a process of its own: for tables of many cases that share one home.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll } from "vitest";
import { run } from "#src/cli/run.ts";
import { keyTable } from "#src/key-table.ts";
import { storyPage } from "#src/story-page.ts";

export interface Printed {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

type Watch = (written: { readonly stdout: string; readonly stderr: string }, stop: () => void) => void;

export interface InProcessHome {
  readonly folder: string;
  /** Runs one command; a string is split at its blanks. Ctrl-C is pressed once standard output has the text `stopAt`. */
  run(args: string | readonly string[], input?: string, stopAt?: string): Promise<Printed>;
  /** The same with a standard input of any kind. @param watch sees what was written so far, and can press Ctrl-C */
  runFrom(stdin: Readable, args: string | readonly string[], watch?: Watch): Promise<Printed>;
  /** The objects that a command prints with `--json`, one a line. */
  json(args: string | readonly string[]): Promise<Record<string, unknown>[]>;
  remove(): void;
}

/** A pipe that holds a text and has ended. */
export function pipeOf(text: string): Readable {
  return Readable.from(text === "" ? [] : [Buffer.from(text)]);
}

/** Runs one command with exactly these variables. */
export async function runInside(
  env: NodeJS.ProcessEnv,
  stdin: Readable,
  args: string | readonly string[],
  watch?: Watch,
): Promise<Printed> {
  const written = { stdout: "", stderr: "" };
  const controller = new AbortController();
  const write = (name: keyof typeof written, text: string): boolean => {
    written[name] += text;
    watch?.(written, () => controller.abort());
    return true;
  };
  const stream = (name: keyof typeof written): NodeJS.WriteStream =>
    ({ write: (text: string) => write(name, text) }) as unknown as NodeJS.WriteStream;
  const code = await run({
    argv: typeof args === "string" ? args.split(" ") : args,
    env,
    stdin: stdin as NodeJS.ReadStream,
    stdout: stream("stdout"),
    stderr: stream("stderr"),
    executable: ["false"],
    signal: controller.signal,
    openConsole: () => Promise.resolve(2),
    keyTable,
    storyPage: (...story) => Promise.resolve(storyPage(...story)),
  });
  return { code, ...written };
}

/** @param env besides the home; nothing else of the surroundings is seen */
export function inProcessHome(env: NodeJS.ProcessEnv = {}): InProcessHome {
  const folder = mkdtempSync(join(tmpdir(), "verdict-inside-"));
  const runFrom: InProcessHome["runFrom"] = (stdin, args, watch) =>
    runInside({ VERDICT_HOME: folder, LANG: "C.UTF-8", ...env }, stdin, args, watch);
  const runHere: InProcessHome["run"] = (args, input = "", stopAt) =>
    runFrom(pipeOf(input), args, ({ stdout }, stop) => {
      if (stopAt !== undefined && stdout.includes(stopAt)) stop();
    });
  return {
    folder,
    run: runHere,
    runFrom,
    async json(args) {
      const { stdout } = await runHere(args);
      return stdout
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as Record<string, unknown>);
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The same for a group of tests, removed behind the last of them. */
export function homeOfTests(env: NodeJS.ProcessEnv = {}): InProcessHome {
  const home = inProcessHome(env);
  afterAll(() => home.remove());
  return home;
}

/** Points the home at a service, by a profile of the given name, with an integration key and the credential of one project, `shop/low`. */
export async function pointAt(
  home: Pick<InProcessHome, "run">,
  url: string,
  more: readonly string[] = [],
  name: string = "test",
): Promise<void> {
  const secret = "9f".repeat(32);
  const commands: readonly (readonly [string, string])[] = [
    [`profile add ${name} --base-url ${url}`, ""],
    [`profile use ${name}`, ""],
    ["vault add --key-id k-1 --company-id c-1 --secret-stdin", secret],
    ["vault add --merchant-id shop --risk-level low --key-id k-2 --project-id p-1 --secret-stdin", secret],
  ];
  for (const [index, [words, input]] of commands.entries()) {
    const { code, stderr } = await home.run([...words.split(" "), ...(index === 0 ? more : [])], input);
    if (code !== 0) throw new Error(`${words}: ${stderr}`);
  }
}
