// Completion: what may come next, worked out from the table of commands, and asked for by a real shell.

import { execFileSync, spawnSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { COMMANDS } from "#src/cli/commands.ts";
import { flagOf } from "#src/cli/option.ts";
import { complete, joinedWords } from "#src/cli/completion/completion-words.ts";
import { SCRIPTS } from "#src/cli/completion/completion.ts";
import { PROGRAM, testHome, type TestHome } from "./verdict-process.ts";

const words = (line: string): string[] =>
  complete(line.split(" "), COMMANDS).candidates.map(({ word }) => word);

describe("what may come next", () => {
  it("is a command at first, with help among them", () => {
    expect(words("")).toEqual([...COMMANDS.map(({ name }) => name), "help"]);
    expect(words("hist")).toEqual(["history"]);
    expect(words("--profile shop pro")).toEqual(["project", "profile"]);
    expect(words("help run")).toEqual(["run"]);
    expect(words("help exi")).toEqual(["exit-codes"]);
  });

  it("is a subcommand where there are any", () => {
    expect(words("history ")).toEqual(["show", "verify", "salvage", "prune", "export"]);
    expect(words("sandbox tenant cr")).toEqual(["create"]);
  });

  it("is an option that was not given, or may be given again", () => {
    expect(words("check a.json --j")).toEqual(["--json"]);
    expect(words("check --json --j")).toEqual([]);
    expect(words("check --set amount=1 --se")).toEqual(["--set"]);
    expect(words("check --ho")).toEqual(["--home"]);
  });

  it("is a value of the option before it, joined or not, as bash takes it apart as well", () => {
    expect(words("check --can-force-3ds ")).toEqual(["yes", "no"]);
    expect(words("check --can-force-3ds=y")).toEqual(["--can-force-3ds=yes"]);
    expect(complete(["check", "--can-force-3ds", "=", "y"], COMMANDS).candidates).toMatchObject([
      { word: "yes" },
    ]);
    expect(complete(["check", "--can-force-3ds", "="], COMMANDS).candidates).toHaveLength(2);
    expect(complete(["check", "--project", ""], COMMANDS)).toEqual({
      candidates: [],
      names: ["project"],
      files: false,
    });
    expect(words("check --merchant ")).toEqual([]);
  });

  it.each([
    [["check", "--set", "amount", "=", ""], { candidates: [], names: [], files: false }],
    [["check", "--set", "amount", "="], { candidates: [], names: [], files: false }],
    [["check", "--set", "=", "amount", "=", "1"], { candidates: [], names: [], files: false }],
    [["replay", "a.json", "--report", "junit", "=", ""], { candidates: [], names: [], files: true }],
    [["check", "--profile", "=", "s"], { candidates: [], names: ["profile"], files: false }],
  ])("is of the option whose value bash has taken apart: %j", (taken, offered) => {
    expect(complete(taken, COMMANDS)).toEqual(offered);
    expect(joinedWords(["replay", "history", ":", "blo"])).toEqual(["replay", "history:blo"]);
  });

  it("is a name or a file where those are meant", () => {
    expect(complete(["check", ""], COMMANDS)).toMatchObject({ names: ["payload"], files: true });
    expect(complete(["check", "a.json", ""], COMMANDS)).toMatchObject({ names: [], files: false });
    expect(complete(["replay", "a.json", "b"], COMMANDS)).toMatchObject({ names: ["payload"], files: true });
    expect(complete(["compare", "last", ""], COMMANDS)).toMatchObject({ names: ["run"], files: false });
    expect(complete(["profile", "use", ""], COMMANDS)).toMatchObject({ names: ["profile"] });
    expect(complete(["vault", "add", "--profile", "s"], COMMANDS)).toMatchObject({ names: ["profile"] });
  });

  it("knows every command and every option of the table", () => {
    const walk = (specs: typeof COMMANDS, path: readonly string[]): void => {
      for (const spec of specs) {
        expect(complete([...path, spec.name], COMMANDS).candidates.map(({ word }) => word)).toContain(
          spec.name,
        );
        for (const [key, option] of Object.entries(spec.options ?? {})) {
          const name = flagOf(key, option);
          expect(words([...path, spec.name, name].join(" "))).toContain(name);
        }
        walk(spec.children ?? [], [...path, spec.name]);
      }
    };
    walk(COMMANDS, []);
  });
});

const hasBash = spawnSync("bash", ["--version"]).status === 0;

describe.skipIf(!hasBash)("in bash", () => {
  let home: TestHome;
  beforeAll(async () => {
    home = testHome();
    const payload = { operation: "payment", order_id: "o-1", amount: 100, currency: 980 };
    await home.run(["payload", "save", "repeat-buyer", "-"], { input: JSON.stringify(payload) });
  });
  afterAll(() => home.remove());

  /** What bash would offer for a line that has been typed so far. */
  function offered(...line: string[]): string[] {
    const script = `
      verdict() { "$NODE" "$PROGRAM" "$@"; }
      ${SCRIPTS.bash}
      COMP_WORDS=(verdict "$@"); COMP_CWORD=$#
      _verdict_complete
      printf '%s\\n' "\${COMPREPLY[@]}"`;
    const env = { ...home.env, NODE: process.execPath, PROGRAM };
    const text = execFileSync("bash", ["--norc", "-c", script, "bash", ...line], {
      env,
      cwd: import.meta.dirname,
      encoding: "utf8",
    });
    return text.split("\n").filter((word) => word !== "");
  }

  it("completes commands, names of the user's own things, and files", () => {
    expect(offered("hist")).toEqual(["history"]);
    expect(offered("check", "repeat")).toEqual(["repeat-buyer"]);
    expect(offered("check", "completion.t")).toEqual(["completion.test.ts"]);
    expect(offered("payload", "show", "")).toEqual(["repeat-buyer"]);
    expect(offered("profile", "use", "s")).toEqual(["sandbox"]);
  });
});
