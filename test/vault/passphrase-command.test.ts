// The command that gives the passphrase: no shell, no variables of ours, an end in any case, and nothing repeated.

import { existsSync } from "node:fs";
import { join } from "node:path";

import { expect, it } from "vitest";

import { passphraseCommandRunner } from "#src/vault/passphrase-command.ts";
import { place } from "./place.ts";

const node = (script: string): string[] => [process.execPath, "-e", script];
const run = passphraseCommandRunner(
  { PATH: process.env["PATH"], THEIRS: "kept", VERDICT_HOME: "/ours" },
  60_000,
);
const locked = (what: RegExp) => ({ code: "vault_locked", message: expect.stringMatching(what) as string });

it.each([
  ["the first line", "console.log('correct horse'); console.log('second')", "correct horse"],
  ["a line without an end", "process.stdout.write('correct horse')", "correct horse"],
  ["a line that ends as on Windows", "process.stdout.write('correct horse\\r\\nuser: x')", "correct horse"],
  ["letters of any alphabet", "console.log('пароль ключа')", "пароль ключа"],
])("takes %s", async (_, script, expected) => {
  expect((await run(node(script))).expose()).toBe(expected);
});

it("gives words to the program as they are, through no shell", async () => {
  const { home } = place();
  const words = [`$(touch ${join(home, "made")})`, "; exit 7", "a  b", "*"];
  const given = await run([...node("console.log(JSON.stringify(process.argv.slice(1)))"), ...words]);
  expect(JSON.parse(given.expose())).toEqual(words);
  expect(existsSync(join(home, "made"))).toBe(false);
});

it("passes on the environment without our own variables, and no standard input", async () => {
  const given = await run(
    node(
      "console.log([process.env.THEIRS, process.env.VERDICT_HOME, require('fs').readFileSync(0).length].join())",
    ),
  );
  expect(given.expose()).toBe("kept,,0");
});

it.each([
  ["fails", node("console.log('c4n4ry'); console.error('c4n4ry'); process.exit(3)"), /ended with 3/],
  ["is ended by a signal", node("process.kill(process.pid, 'SIGKILL')"), /ended with SIGKILL/],
  ["gives nothing", node(""), /gave no passphrase/],
  ["gives an empty line first", node("console.log('\\nc4n4ry')"), /gave no passphrase/],
  ["is not there", ["/nowhere/no-such-program"], /"\/nowhere\/no-such-program" was not found/],
  ["never stops writing", node("for (;;) process.stdout.write('c4n4ry'.repeat(999))"), /more than 64 KiB/],
])("that %s leaves the vault locked, and nothing of its output is repeated", async (_, command, sentence) => {
  const failing = run(command);
  await expect(failing).rejects.toMatchObject(locked(sentence));
  await expect(failing).rejects.not.toThrow("c4n4ry");
});

it("is ended when it takes too long, whoever holds its output", async () => {
  const quick = passphraseCommandRunner({ PATH: process.env["PATH"] }, 50);
  const child = node(
    "require('child_process').spawn(process.execPath, ['-e', 'setTimeout(()=>{}, 2000)'], {stdio: 'inherit'}); setTimeout(()=>{}, 60000)",
  );
  await expect(quick(child)).rejects.toMatchObject(locked(/gave no answer within 1 s/));
});
