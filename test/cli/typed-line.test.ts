// Command lines as they are typed into the console: what each runs, what it needs, and what may come next.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { COMMANDS } from "#src/cli/commands.ts";
import type { CommandSpec } from "#src/cli/command.ts";
import { flagOf } from "#src/cli/option.ts";
import { readTypedLine } from "#src/cli/typed-line.ts";
import type { LineFacts } from "#src/contract/records/typed-line.ts";
import { commandCases } from "./every-command.ts";

const SANDBOX: LineFacts = { isSandbox: true, hasPassphrase: false };
const LIVE: LineFacts = { isSandbox: false, hasPassphrase: false };

const words = (text: string, facts = SANDBOX): string | undefined =>
  readTypedLine(text, facts).words?.join("|");
const next = (text: string): string[] => readTypedLine(text, SANDBOX).next.map((form) => form.text);

describe("a typed line", () => {
  it.each([
    ["history --limit 5", "history|--limit|5"],
    ["verdict history --limit 5 ", "history|--limit|5"],
    [`history --where "note:'a b'" --limit 1`, "history|--where|note:'a b'|--limit|1"],
    ["history --where it\\'s", "history|--where|it's"],
    ["vault", "vault"],
    ["help exit-codes", "help|exit-codes"],
    ["sandbox clock advance 24h", "sandbox|clock|advance|24h"],
    ["--profile other run list", "--profile|other|run|list"],
    ["check ~/a.json ~b", `check|${process.env["HOME"]}/a.json|~b`],
  ])("%s is split as by a shell", (text, expected) => {
    expect(words(text)).toBe(expected);
  });

  it.each([
    "",
    "  ",
    "his",
    "history --li",
    "history --limit",
    "sandbox",
    "sandbox faults cl",
    "screen Vault",
  ])("%j is none yet", (text) => {
    expect(words(text)).toBeUndefined();
  });

  it.each([
    ["clock +24h", "sandbox|clock|advance|24h"],
    [" CLOCK  +1d2h ", "sandbox|clock|advance|1d2h"],
    ["clock freeze", "sandbox|clock|freeze"],
    ["clock 2026-12-01", "sandbox|clock|set|2026-12-01"],
    ["clock", "sandbox|clock"],
    ["faults 503 x5", "sandbox|faults|add|check|503|--count|5"],
    ["faults slow", "sandbox|faults|add|check|latency|2s"],
    ["faults slow 3s x2", "sandbox|faults|add|check|latency|3s|--count|2"],
    ["faults truncated x1", "sandbox|faults|add|check|truncated|--count|1"],
    ["faults clear", "sandbox|faults|clear"],
    ["faults add all reset", "sandbox|faults|add|all|reset"],
    ["snapshot later", "sandbox|snapshot|later"],
    ["restore before", "sandbox|restore|before"],
    ["reset", "sandbox|reset|--keep-projects"],
    ["reset all", "sandbox|reset"],
  ])("%s is short for a command of the sandbox, there alone", (text, expected) => {
    expect(words(text)).toBe(expected);
    expect(readTypedLine(text, LIVE).refusal).toContain("Only the sandbox");
  });

  it.each(["verdict", "--ascii", "console", "demo", "demo one-card --notes", "tour"])(
    "%s is refused, because it opens a console",
    (text) => {
      expect(readTypedLine(text, SANDBOX).refusal).toContain("second console");
    },
  );

  it.each(["demo --list", "demo one-card --plain", "tour --json", "help console", "demo --help", ""])(
    "%j opens none",
    (text) => {
      expect(readTypedLine(text, SANDBOX).refusal).toBeNull();
    },
  );

  it("is read from any text without failing", () => {
    const word = fc.constantFrom(
      "verdict",
      "history",
      "sandbox",
      "clock",
      "faults",
      "x5",
      "--json",
      "--",
      "'",
      '"',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(word, fc.string())), fc.boolean(), (parts, isSandbox) => {
        const line = readTypedLine(parts.join(" "), { isSandbox, hasPassphrase: false });
        expect(line.words === null || line.words.length > 0 || line.refusal !== null).toBe(true);
      }),
    );
  });
});

describe("the terminal", () => {
  const takes = (text: string, facts = SANDBOX): boolean => readTypedLine(text, facts).takesTerminal;

  it.each([
    "vault passphrase --set",
    "vault export keys.age",
    "vault copy ID",
    "vault show ID --reveal",
    "sandbox reset",
    "run remove last",
    "init",
    "project register --merchant-id m",
    "serve --port 0",
    "sandbox journal --follow",
    "rules edit",
  ])("is given to %s, which asks or goes on", (text) => {
    expect(takes(text)).toBe(true);
  });

  it.each([
    "history",
    "run remove last --yes",
    "sandbox reset --no-input",
    "vault list",
    "check a.json",
    "serve --help",
  ])("is not given to %s", (text) => {
    expect(takes(text)).toBe(false);
  });

  it("is given to what signs where a passphrase opens the vault, and to batches away from the sandbox", () => {
    const guarded = { ...SANDBOX, hasPassphrase: true };
    for (const text of ["check a.json", "project list", "vault restore ID", "doctor --verify"])
      expect(takes(text, guarded)).toBe(true);
    expect(takes("history", guarded)).toBe(false);
    expect(takes("replay a.json")).toBe(false);
    expect(takes("replay a.json", LIVE)).toBe(true);
  });

  it("is given to whatever prints a secret, which refuses a terminal and so prints none", () => {
    const printing = leaves(COMMANDS, "").flatMap(([path, { options = {} }]) =>
      Object.entries(options)
        .filter(([, { help }]) => /\bsecret\b/.test(help) && /pipe/.test(help))
        .map(([name, { value = "" }]) => `${path} ${flagOf(name)} ${value}`.trim()),
    );
    expect(printing.length).toBeGreaterThan(1);
    for (const text of printing) expect([text, takes(`${text} --no-input`)]).toEqual([text, true]);
    expect(takes("vault show ID --raw --no-input")).toBe(true);
    expect(takes("sandbox panel --secret=KEY")).toBe(true);
  });

  it("is given to every command that goes on until it is ended", () => {
    for (const { words: text, stays } of commandCases())
      if (stays) expect([text, takes(text)]).toEqual([text, true]);
  });
});

describe("while something is presented", () => {
  it.each([
    "help files",
    "check --help",
    "docs first-check",
    "clock +24h",
    "faults 503",
    "reset",
    "snapshot a",
  ])("%s hides nothing", (text) => {
    expect(readTypedLine(text, SANDBOX).isPublic).toBe(true);
  });

  it("every other command may show what is hidden", () => {
    const open = leaves(COMMANDS, "")
      .map(([path]) => path)
      .filter((path) => readTypedLine(path, SANDBOX).isPublic);
    expect(open).toEqual([
      "completion",
      "schema",
      "docs",
      "sandbox clock",
      "sandbox faults list",
      "sandbox faults add",
      "sandbox faults clear",
      "sandbox snapshot",
      "sandbox restore",
      "sandbox reset",
      "sandbox stop",
    ]);
  });
});

describe("what may come next", () => {
  it("is a command, a subcommand, an option or a value, in the place of the word that is begun", () => {
    expect(next("hist")).toEqual(["history "]);
    expect(next("verdict vault ex")).toEqual(["verdict vault export "]);
    expect(next("history  --li")).toEqual(["history  --limit "]);
    expect(next("sandbox faults ")).toEqual([
      "sandbox faults list ",
      "sandbox faults add ",
      "sandbox faults clear ",
    ]);
    expect(next("check --set amo")).toEqual(["check --set amount="]);
    expect(next('history --where "a')).toEqual([]);
  });

  it("is a short form, whole ones without a blank behind them", () => {
    expect(next("clock +")).toEqual(["clock +1h", "clock +24h"]);
    expect(next("clock +24")).toEqual(["clock +24h"]);
    expect(words("clock +24")).toBeUndefined();
    expect(next("snap")).toEqual(["snapshot "]);
    expect(readTypedLine("clo", LIVE).next).toEqual([]);
  });

  it("begins with every command", () => {
    for (const { name } of COMMANDS) expect(next("")).toContain(`${name} `);
  });

  it("has the usage of the command", () => {
    expect(readTypedLine("history --limit 5", SANDBOX).usage).toMatch(/^verdict history \[options\]/);
    expect(readTypedLine("clock +24h", SANDBOX).usage).toMatch(/^verdict sandbox clock /);
  });
});

function leaves(commands: readonly CommandSpec[], above: string): (readonly [string, CommandSpec])[] {
  return commands.flatMap((spec) => [
    ...(spec.load === undefined ? [] : [[`${above}${spec.name}`, spec] as const]),
    ...leaves(spec.children ?? [], `${above}${spec.name} `),
  ]);
}
