// Debian's age and ours open each other's files.

import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { beforeAll, describe, expect, it } from "vitest";

import { openPseudoTerminal } from "../console/pty.ts";
import { testHomeOfTests } from "../cli/verdict-process.ts";

const SECRET = "c4n4ry-5ec2e7-of-unusual-shape";
const PASSPHRASE = "passphrase of the file";

const hasAge = spawnSync("age", ["--version"]).status === 0;
if (!hasAge) process.stderr.write('The tests with age are skipped: install the Debian package "age".\n');

describe.runIf(hasAge)("age", () => {
  const home = testHomeOfTests();
  let identityFile: string;
  let recipient: string;

  beforeAll(async () => {
    identityFile = join(home.folder, "identity.txt");
    execFileSync("age-keygen", ["-o", identityFile], { stdio: "ignore" });
    recipient = /age1[a-z0-9]+/.exec(readFileSync(identityFile, "utf8"))![0];
    const words = "vault add --key-id k1 --company-id c1 --secret-stdin";
    expect(await home.run(words, { input: `${SECRET}\n` })).toMatchObject({ code: 0 });
  });

  /** Runs age in a terminal, because it takes passphrases from nowhere else. */
  const inTerminal = async (words: readonly string[], prompts: readonly string[]): Promise<void> => {
    const pty = openPseudoTerminal({ command: ["age", ...words], env: { ...home.env, TERM: "xterm" } });
    for (const prompt of prompts) {
      await pty.until(prompt);
      pty.type(`${PASSPHRASE}\r`);
    }
    expect((await pty.exit).code).toBe(0);
  };

  const secretsIn = (text: string): string[] =>
    (JSON.parse(text) as { entries: { secret: string }[] }).entries.map(({ secret }) => secret);

  it.each([
    ["binary", []],
    ["armored", ["--armor"]],
  ])("opens a %s export for a recipient", async (kind, more) => {
    const file = join(home.folder, `${kind}.age`);
    const exported = await home.run(["vault", "export", file, "--recipient", recipient, ...more]);
    expect(exported).toMatchObject({ code: 0, stderr: "" });
    const opened = execFileSync("age", ["-d", "-i", identityFile, file], { encoding: "utf8" });
    expect(secretsIn(opened)).toEqual([SECRET]);
  });

  it("opens an export by a passphrase", async () => {
    const [file, opened] = [join(home.folder, "by-passphrase.age"), join(home.folder, "opened.json")];
    const words = ["vault", "export", file, "--secret-stdin"];
    expect(await home.run(words, { input: `${PASSPHRASE}\n` })).toMatchObject({ code: 0 });
    await inTerminal(["-d", "-o", opened, file], ["Enter passphrase"]);
    expect(secretsIn(readFileSync(opened, "utf8"))).toEqual([SECRET]);
  });

  it("makes files that the import takes: for a recipient, armored, and by a passphrase", async () => {
    const plain = join(home.folder, "plain.json");
    const entry = {
      kind: "integration_key",
      profile: "sandbox",
      company_id: "c2",
      key_id: "k2",
      algorithm: "hmac-sha256",
      bound_to: "embedded:sandbox",
      secret: SECRET,
    };
    const document = { format: "verdict/vault-export", schema: 1, entries: [entry] };
    writeFileSync(plain, JSON.stringify(document));
    for (const more of [[], ["-a"]]) {
      const file = join(home.folder, `theirs${more.join("")}.age`);
      execFileSync("age", ["-r", recipient, ...more, "-o", file, plain]);
      const [item] = await home.json([
        "vault",
        "import",
        file,
        "--identity",
        identityFile,
        "--dry-run",
        "--json",
      ]);
      expect(item).toMatchObject({ state: "new", company_id: "c2" });
    }
    const file = join(home.folder, "theirs-passphrase.age");
    await inTerminal(["-p", "-o", file, plain], ["Enter passphrase", "Confirm passphrase"]);
    const words = ["vault", "import", file, "--secret-stdin", "--yes"];
    expect(await home.run(words, { input: `${PASSPHRASE}\n` })).toMatchObject({ code: 0, stderr: "" });
    const held = (await home.json("vault list --json")).map(({ company_id }) => company_id);
    expect(held).toContain("c2");
  });
});
