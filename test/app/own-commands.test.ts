// commands.yaml: what is taken from it, and that a mistake leaves out all of it and is told with its line.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findHome } from "#src/app/home.ts";
import { keysOf, type HomeKeys } from "#src/key-table.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "verdict-own-"));
  mkdirSync(join(folder, "config"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function read(commands: string, keys = ""): Promise<HomeKeys> {
  writeFileSync(join(folder, "config", "commands.yaml"), commands);
  writeFileSync(join(folder, "config", "keys.yaml"), keys);
  return keysOf(findHome({}, folder));
}

/** A command with these lines beside those that it needs. */
const command = (...lines: string[]): string => {
  const given = (key: string): boolean => lines.some((line) => line.startsWith(`${key}:`));
  const needed = ["key: f6", "label: open it", "run: [open]"].filter((line) => !given(line.split(":")[0]!));
  return ["open-order:", ...[...lines, ...needed].map((line) => `  ${line}`)].join("\n");
};

describe("commands.yaml", () => {
  it("gives commands with keys in the table, below the others", async () => {
    const { commands, bindings, problem } = await read(
      `${command("key: F6", 'run: [open, "--id={id}"]', "on: [history]", "sends: true", "wait: false")}\n` +
        "show:\n  key: b\n  label: show\n  run: [less]\n",
    );
    expect(problem).toBeNull();
    expect(commands).toEqual([
      {
        name: "open-order",
        key: "F6",
        label: "open it",
        run: ["open", "--id={id}"],
        on: ["history"],
        sends: true,
        wait: false,
      },
      {
        name: "show",
        key: "b",
        label: "show",
        run: ["less"],
        on: ["check", "history"],
        sends: false,
        wait: true,
      },
    ]);
    expect(bindings.slice(-2).map(({ id, keys, group }) => [id, keys, group])).toEqual([
      ["own.open-order", ["f6"], "Own commands"],
      ["own.show", ["b"], "Own commands"],
    ]);
  });

  it.each(["", "# nothing yet\n"])("may be %j", async (text) => {
    expect(await read(text)).toMatchObject({ commands: [], problem: null });
  });

  it.each<readonly [string, string, RegExp]>([
    ["no map", "- a\n", /:1:1: the list of commands must be a map/],
    [
      "a name in capitals",
      command().replace("open-order", "Open"),
      /:1:1: "Open" in the list of commands must be of small letters/,
    ],
    ["no command", "open-order:\n", /:1:1?\d: open-order must be a map/],
    [
      "an unknown key",
      command("shell: true"),
      /:2:3: unknown key "shell" in open-order; allowed are key, label, run/,
    ],
    ["a key too few", "a:\n  key: f6\n  label: x\n", /:2:3: a needs run/],
    ["a key that is a number", command("key: 9"), /:2:8: key of open-order must be a text/],
    ["a key of no terminal", command("key: hyper+x"), /:2:8: no terminal sends a key "hyper\+x"/],
    ["a key of a screen", command("label: x", "key: f"), /:3:8: f is already the key of check\.fresh/],
    ["a key of a question", command("key: n"), /:2:8: n is already the key of check\.question\.no/],
    ["a key of the shell", command("key: ctrl+c"), /:2:8: Ctrl-C is already the key of shell\.interrupt/],
    ["a key of the lock", command("key: L"), /:2:8: L is already the key of lock\.lock/],
    ["a key of text fields", command("key: ctrl+w"), /:2:8: Ctrl-W edits text in fields/],
    [
      "a key twice",
      `${command()}\nother:\n  key: F6\n  label: x\n  run: [x]\n`,
      /:6:8: F6 is already the key of own\.open-order/,
    ],
    [
      "a long label",
      command(`label: ${"x".repeat(41)}`),
      /:2:10: label of open-order must be a plain text of at most 40/,
    ],
    ["a hidden label", command('label: "a\\u200bb"'), /:2:10: label of open-order must be a plain text/],
    ["a command line", command("run: open {id}"), /:2:8: run of open-order must be a list/],
    ["no program", command("run: []"), /:2:8: run of open-order lists at least 1, not 0/],
    [
      "a program out of a check",
      command('run: ["{order_id}"]'),
      /:2:9: a placeholder in run of open-order must be an argument/,
    ],
    ["a number as argument", command("run: [head, -n, 5]"), /:2:19: an item of run must be a text/],
    [
      "an unknown placeholder",
      command('run: [a, "{card}"]'),
      /:2:12: there is no placeholder "card"; there are id, order_id/,
    ],
    [
      "a placeholder of an object",
      command('run: [a, "{constructor}"]'),
      /there is no placeholder "constructor"/,
    ],
    ["a brace too many", command('run: [a, "{id}}"]'), /:2:12: there is no placeholder "}"/],
    [
      "a script with a value",
      command('run: [/bin/sh, -ec, "echo {id}"]'),
      /:2:23: a placeholder in run of open-order may be run as code by sh; use its variable/,
    ],
    ["an unknown screen", command("on: [vault]"), /:2:8: an item of on must be check, history/],
    ["a word for a flag", command("sends: maybe"), /:2:10: sends of open-order must be true or false/],
    ["the same name twice", `${command()}\n${command("key: f7")}`, /:5:1: /],
    ["broken YAML", "a: [\n", /:\d+:\d+: /],
  ])("is left out as a whole for %s", async (_what, text, sentence) => {
    const { commands, bindings, problem } = await read(text);
    expect(problem).toMatch(/^Your commands are left out: commands\.yaml:.*[^.]\.$/);
    expect(problem).toMatch(sentence);
    expect(commands).toEqual([]);
    expect(bindings.filter(({ scope }) => scope === "own")).toEqual([]);
  });

  it("may have the key that another screen has, or that the user has freed", async () => {
    expect((await read(command("key: f", "on: [check]"))).problem).toMatch(/check\.fresh/);
    expect((await read(command("key: t", "on: [history]"))).problem).toBeNull();
    expect((await read(command("key: f", "on: [check]"), "check.fresh: f7\n")).problem).toBeNull();
    expect((await read(command("key: f7"), "check.fresh: f7\n")).problem).toMatch(/check\.fresh/);
  });

  it.each(
    [
      "bash -c -x {id}",
      "bash -cx {id}",
      "bash -c -- {id}",
      "bash --norc -c {id}",
      "bash -s -- {id}",
      "sh -c {id}",
      "sh --id={id}",
      "rbash -c {id}",
      "csh -c {id}",
      "tcsh -fc {id}",
      "mksh -c {id}",
      "ksh93 -c {id}",
      "/bin/busybox sh -c {id}",
      "env {id}",
      "env A={id} open",
      "env sh -c {id}",
      "/usr/bin/env -S {id}",
      "sudo sh -c {id}",
      "sudo -u shop grep {id}",
      "doas {id}",
      "nice -n 5 sh -c {id}",
      "timeout 5 {id}",
      "xargs {id}",
      "watch {id}",
      "ssh shop.example {id}",
      "find . -exec sh -c {id} ;",
      "find . -execdir {id} ;",
      "find . -ok grep {id} ;",
      "docker exec shop bash -c {id}",
      "open --command={id}",
      "perl -e {id}",
      "perl -ne {id}",
      "python -c {id}",
      "python3.12 -c {id}",
      "C:/Python/Python.EXE -c {id}",
      "node -e {id}",
      "node --eval={id}",
      "nodejs -p {id}",
      "ruby -e {id}",
      "php -r {id}",
      "awk {id} log",
      "sed -n /{id}/p log",
      "vim +{id} log",
      "less +{id} log",
      "make ORDER={id}",
      "tmux new-window {id}",
      "sqlite3 shop.db {id}",
      "psql -c {id}",
      "pwsh -Command {id}",
      "cmd.exe /c {id}",
    ].map((words) => [words]),
  )("never lets a check choose what %s runs", async (words) => {
    const { commands, problem } = await read(command(`run: ${JSON.stringify(words.split(" "))}`));
    expect(problem).toMatch(/a placeholder in run of open-order may be run as code by /);
    expect(commands).toEqual([]);
  });

  it.each([
    "grep -e order={id} /var/log/shop.log",
    "find /orders -name {id}",
    "open https://shop.example/{id}",
    "git log --grep={id}",
  ])("takes %s, whose argument is text", async (words) => {
    expect((await read(command(`run: ${JSON.stringify(words.split(" "))}`))).problem).toBeNull();
  });

  it("takes a script that reads the variables, and works beside a broken keys.yaml", async () => {
    const { commands, problem } = await read(
      command(`run: [sh, -c, 'echo "$VERDICT_ID"']`),
      "check.sned: x\n",
    );
    expect(commands).toHaveLength(1);
    expect(problem).toMatch(/^The default keys are in use: keys\.yaml:1:1: /);
  });
});
