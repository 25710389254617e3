// Completion: what may come next, worked out from the table of commands, and asked for by a real shell.

import { execFileSync, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { COMMANDS } from "#src/cli/commands.ts";
import { flagOf } from "#src/cli/option.ts";
import { complete, joinedWords } from "#src/cli/completion/completion-words.ts";
import { SCRIPTS } from "#src/cli/completion/completion.ts";
import { openPseudoTerminal } from "../console/pty.ts";
import { PROGRAM, testHomeOfTests } from "./verdict-process.ts";

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
    expect(words("history ")).toEqual(["show", "salvage", "prune", "export"]);
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
    [["history", "--where", "verdict", ":", "b"], { candidates: [], names: ["term"], files: false }],
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

  it("is a field of a check, and then one of its usual values", () => {
    expect(words("check --set pay")).toContain("payer.email=");
    expect(words("check --set=amo")).toEqual(["--set=amount="]);
    expect(words("check --set operation=pay")).toEqual(["operation=payment", "operation=payout"]);
    expect(words("check --set=operation=ref")).toEqual(["--set=operation=refund"]);
    expect(words("sweep --field amo")).toEqual(["amount"]);
    expect(words("vault passphrase --set amo")).toEqual([]);
  });

  it.each([
    ["history show ", ["entry"]],
    ["rules explain ", ["entry"]],
    ["check --again ", ["entry"]],
    ["payload save one --from-history ", ["entry"]],
    ["vault show ", ["key"]],
    ["vault export --only ", ["key"]],
    ["vault restore ", ["former key"]],
    ["history --where=", ["term"]],
    ["schema ", ["schema"]],
    ["rules tune mine.yaml --param ", ["number"]],
    ["replay a.json --again ", []],
    ["profile add shop --key-id ", []],
  ])("knows what an id or a name is of: %s", (line, names) => {
    expect(complete(line.split(" "), COMMANDS)).toMatchObject({ names, files: false });
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

const has = (shell: string): boolean => spawnSync(shell, ["--version"]).status === 0;
const FUNCTION = 'verdict() { "$NODE" "$PROGRAM" "$@"; }';

describe("in a shell", () => {
  const home = testHomeOfTests();
  let env: NodeJS.ProcessEnv;
  const ids: Record<string, string> = {};
  beforeAll(async () => {
    env = { ...home.env, NODE: process.execPath, PROGRAM };
    const payload = { operation: "payment", order_id: "o-1", amount: 100, currency: 980 };
    const input = JSON.stringify(payload);
    await home.run(["payload", "save", "repeat-buyer", "-"], { input });
    await home.run("register --merchant-id m --name M --currency UAH --risk-level low --wait");
    await home.run("check -", { input });
    ids["entry"] = String((await home.json("history --json"))[0]!["id"]);
    ids["key"] = String((await home.json("vault list --json"))[0]!["id"]);
  });

  describe.skipIf(!has("bash"))("bash", () => {
    /** What bash would offer for the words that it has made of a line. */
    function offered(...line: string[]): string[] {
      const script = `
        ${FUNCTION}
        ${SCRIPTS.bash}
        COMP_WORDS=(verdict "$@"); COMP_CWORD=$#
        _verdict_complete
        printf '%s\\n' "\${COMPREPLY[@]}"`;
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

    it("completes ids, names of schemas and of numbers of rules", () => {
      expect(offered("history", "show", "")).toEqual([ids["entry"]]);
      expect(offered("vault", "show", ids["key"]!.slice(0, -1))).toEqual([ids["key"]]);
      expect(offered("vault", "restore", "")).toEqual([]);
      expect(offered("schema", "output-doc")).toEqual(["output-doctor"]);
      expect(offered("rules", "tune", "starter", "--param", "BIN_BURST.l")).toEqual(["BIN_BURST.limit"]);
      expect(offered("rules", "tune", "nowhere.yaml", "--param", "")).toEqual([]);
      // Nobody writes into this one: reading it would wait for ever.
      execFileSync("mkfifo", [join(home.folder, "rules.pipe")]);
      expect(offered("rules", "tune", join(home.folder, "rules.pipe"), "--param", "")).toEqual([]);
    });

    it("completes what stands behind = and :, where bash takes words apart", () => {
      expect(offered("check", "--set", "amo")).toEqual(["amount="]);
      expect(offered("check", "--set", "=", "amo")).toEqual(["amount="]);
      expect(offered("check", "--set", "operation", "=", "ref")).toEqual(["refund"]);
      expect(offered("history", "--where", "ver")).toEqual(["verdict:"]);
      expect(offered("history", "--where", "verdict", ":", "blo")).toEqual(["block"]);
      expect(offered("history", "--where", "=", "label", ":")).toEqual([
        "fraud",
        "chargeback",
        "refund",
        "good",
        "none",
      ]);
    });
  });

  describe.skipIf(!has("fish"))("fish", () => {
    function offered(line: string): string[] {
      const script = `
        function verdict; $NODE $PROGRAM $argv; end
        ${SCRIPTS.fish}
        complete -C $argv[1]`;
      const text = execFileSync("fish", ["--no-config", "-c", script, line], { env, encoding: "utf8" });
      return text.split("\n").filter((word) => word !== "");
    }

    it("completes values, joined to their option or not, and behind = and :", () => {
      expect(offered("verdict history show ")).toEqual([ids["entry"]]);
      expect(offered("verdict check --set amo")).toEqual(["amount=\tAmount"]);
      expect(offered("verdict check --set=operation=ref")).toEqual(["--set=operation=refund"]);
      expect(offered("verdict history --where verdict:blo")).toEqual(["verdict:block"]);
      expect(offered("verdict history --where=ver")).toEqual(["--where=verdict:"]);
    });
  });

  const INTERACTIVE = {
    bash: ["--norc", "-i"],
    zsh: ["-f", "-i"],
  } as const;

  describe.each(["bash", "zsh"] as const)("%s at a terminal", (shell) => {
    it.skipIf(!has(shell)).each([
      ["verdict check --set amo", "verdict check --set amount=@"],
      ["verdict check --set=operation=ref", "verdict check --set=operation=refund @"],
      ["verdict history --where ver", "verdict history --where verdict:@"],
      ["verdict history --where verdict:blo", "verdict history --where verdict:block @"],
      ["verdict schema output-doc", "verdict schema output-doctor @"],
    ])("makes %s to %s", async (typed, line) => {
      const setUp = join(home.folder, `set-up.${shell}`);
      const first = shell === "zsh" ? "autoload -Uz compinit; compinit -u -D" : "";
      writeFileSync(setUp, [first, FUNCTION, SCRIPTS[shell], "echo set up", ""].join("\n"));
      const terminal = openPseudoTerminal({
        command: [shell, ...INTERACTIVE[shell]],
        env: { ...env, TERM: "xterm", PS1: "> " },
      });
      onTestFinished(() => terminal.close());
      terminal.type(`source ${setUp}\r`);
      // What comes before the prompt is not the shell's editor's, and a tab is a blank there.
      await terminal.until(/^set up\s+>/m);
      // The sign shows whether a blank was put before it.
      await terminal.type(`${typed}\t@`).until(line);
    });
  });
});
