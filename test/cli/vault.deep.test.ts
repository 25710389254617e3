// verdict vault as a process: what protects it, how a secret comes out, and that nobody is asked where nobody sits.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { generateIdentity, identityToRecipient } from "age-encryption";
import { describe, expect, it, onTestFinished } from "vitest";

import { clearSequence, copySequence } from "#src/terminal/clipboard.ts";
import { openPseudoTerminal, type PseudoTerminal } from "../console/pty.ts";
import { testHome, type TestHome } from "./verdict-process.ts";

const SECRET = "c4n4ry-5ec2e7-of-unusual-shape";
const PASSPHRASE = "correct horse battery staple";

async function homeWithKey(): Promise<{ home: TestHome; id: string }> {
  const home = testHome();
  onTestFinished(() => home.remove());
  const added = await home.run("vault add --key-id k1 --company-id c1 --secret-stdin", {
    input: `${SECRET}\n`,
  });
  expect(added).toMatchObject({ code: 0, stderr: "" });
  const [entry] = await home.json("vault list --json");
  return { home, id: entry!["id"] as string };
}

async function protect(home: TestHome): Promise<void> {
  const set = await home.run("vault passphrase --set --secret-stdin", { input: `${PASSPHRASE}\n` });
  expect(set).toMatchObject({ code: 0, stderr: "" });
}

/** In a terminal; nothing that is typed is shown. */
function terminal(home: TestHome, args: string, env: NodeJS.ProcessEnv = {}): PseudoTerminal {
  const pty = openPseudoTerminal({
    args: args.split(" "),
    env: { ...home.env, TERM: "xterm-256color", ...env },
    columns: 100,
  });
  onTestFinished(() => pty.close());
  return pty;
}

it("loses nothing that several processes put while the passphrase is changed", async () => {
  const { home } = await homeWithKey();
  const command = ["vault", "passphrase", "--command", "echo", PASSPHRASE];
  const adding = Array.from({ length: 4 }, (_, index) =>
    home
      .run(`vault add --key-id k --company-id writer-${index} --secret-stdin`, {
        input: `${SECRET}-${index}\n`,
      })
      .then(({ code }) => ({ code, company: `writer-${index}` })),
  );
  const [changed, ...added] = await Promise.all([home.run(command), ...adding]);
  expect(changed).toMatchObject({ code: 0 });
  const saved = added.filter(({ code }) => code === 0).map(({ company }) => company);
  const held = (await home.json("vault list --json")).map((entry) => String(entry["company_id"]));
  expect(held.toSorted()).toEqual(["c1", ...saved].toSorted());
  // A process may have met the lock, and has said so.
  for (const { code } of added) expect([0, 3]).toContain(code);
  expect(await home.run("doctor --verify")).toMatchObject({ code: 0 });
});

describe("a vault with a passphrase, on a terminal", () => {
  it("asks for it without showing it, up to three times", async () => {
    const { home } = await homeWithKey();
    await protect(home);
    const pty = terminal(home, "doctor --verify");
    await pty.until("Passphrase of the vault (not shown):");
    pty.type("not this one\r");
    await pty.until((screen) => screen.includes("try again.") && screen.split("(not shown)").length === 3);
    // Backspace and Ctrl-U, as in any line.
    pty.type(`rubbish\x15${PASSPHRASE}x\x7f\r`);
    await pty.until("1 of 1 entry opened and undamaged.");
    expect((await pty.exit).code).toBe(0);
    expect(pty.written()).not.toContain("horse");
  });

  it("gives up after the third wrong one", async () => {
    const { home } = await homeWithKey();
    await protect(home);
    const pty = terminal(home, "doctor --verify");
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      await pty.until((screen) => screen.split("(not shown)").length === attempt + 1);
      pty.type("not this one\r");
    }
    expect((await pty.exit).code).toBe(8);
  });

  it("takes a new passphrase only when it is typed twice the same", async () => {
    const { home } = await homeWithKey();
    const different = terminal(home, "vault passphrase --set");
    await different.until("New passphrase of the vault (not shown):");
    different.type(`${PASSPHRASE}\r`);
    await different.until("The same once more:");
    different.type("another one\r");
    expect((await different.exit).code).toBe(2);
    expect((await home.json("vault passphrase --json"))[0]).toMatchObject({ protection: "key_file" });

    const same = terminal(home, "vault passphrase --set");
    await same.until("New passphrase of the vault (not shown):");
    same.type("пароль с пробелом\r");
    await same.until("The same once more:");
    same.type("пароль с пробелом\r");
    expect((await same.exit).code).toBe(0);
    const opened = terminal(home, "doctor --verify");
    await opened.until("(not shown)");
    opened.type("пароль с пробелом\r");
    await opened.until("1 of 1 entry opened");
  });

  it("stops at Ctrl-C and changes nothing", async () => {
    const { home } = await homeWithKey();
    const pty = terminal(home, "vault passphrase --set");
    await pty.until("(not shown)");
    pty.type("half of a pass\x03");
    expect((await pty.exit).code).toBe(130);
    expect((await home.json("vault passphrase --json"))[0]).toMatchObject({ protection: "key_file" });
  });
});

describe("a secret that comes out", () => {
  it("is masked unless it is asked for, and goes bare into a pipe only", async () => {
    const { home, id } = await homeWithKey();
    expect((await home.run(`vault show ${id}`)).stdout).not.toContain(SECRET);
    expect(await home.run(`vault show ${id} --raw`)).toMatchObject({
      code: 0,
      stdout: `${SECRET}\n`,
      stderr: "",
    });
    expect(await home.run(`vault show ${id} --reveal`)).toMatchObject({ code: 2, stdout: "" });
    const raw = terminal(home, `vault show ${id} --raw`);
    expect((await raw.exit).code).toBe(2);
    expect(raw.written()).not.toContain(SECRET);
  });

  it("is shown on a page that leaves nothing on the screen", async () => {
    const { home, id } = await homeWithKey();
    const pty = terminal(home, `vault show ${id} --reveal`);
    await pty.until(SECRET);
    expect(pty.modes().alternateScreen).toBe(true);
    expect(pty.screen()).toContain("Anyone who sees or records this screen has the secret.");
    pty.type(" ");
    expect((await pty.exit).code).toBe(0);
    expect(pty.modes().alternateScreen).toBe(false);
    expect(pty.screen()).not.toContain(SECRET);
  });

  it("leaves the page at Ctrl-C and when the line drops, too", async () => {
    const { home, id } = await homeWithKey();
    for (const end of ["key", "signal"]) {
      const pty = terminal(home, `vault show ${id} --reveal`);
      await pty.until(SECRET);
      if (end === "key") pty.type("\x03");
      else pty.kill("SIGTERM");
      await pty.exit;
      expect(pty.screen()).not.toContain(SECRET);
    }
  });

  it("goes to the terminal's clipboard, and Ctrl-C clears it at once", async () => {
    const { home, id } = await homeWithKey();
    const pty = terminal(home, `vault copy ${id}`);
    await pty.until("Cleared in 00:");
    expect(pty.screen()).toContain("The secret of c1 was sent to your terminal's clipboard.");
    expect(pty.written()).toContain(copySequence(SECRET, null));
    expect(pty.written()).not.toContain(clearSequence(null));
    pty.type("\x03");
    expect((await pty.exit).code).toBe(130);
    expect(pty.written()).toContain(clearSequence(null));
    expect(pty.written()).not.toContain(SECRET);
  });

  it("is cleared by itself, or stays when that is wanted, wrapped for tmux", async () => {
    const { home, id } = await homeWithKey();
    const tmux = { TMUX: "/tmp/tmux-0/default,1,0" };
    const short = terminal(home, `vault copy ${id} --clear-after 1`, tmux);
    expect((await short.exit).code).toBe(0);
    expect(short.written()).toContain(copySequence(SECRET, "tmux"));
    expect(short.written()).toContain(clearSequence("tmux"));
    expect(short.screen()).toContain("allow-passthrough");
    const kept = terminal(home, `vault copy ${id} --clear-after 0`);
    expect((await kept.exit).code).toBe(0);
    expect(kept.written()).not.toContain(clearSequence(null));
    expect(await home.run(`vault copy ${id}`)).toMatchObject({ code: 2, stdout: "" });
  });
});

describe("an age file", () => {
  it("is sealed for recipients and opened by an identity", async () => {
    const { home, id } = await homeWithKey();
    const identity = await generateIdentity();
    const [file, identityFile] = [join(home.folder, "keys.age"), join(home.folder, "identity.txt")];
    writeFileSync(identityFile, `${identity}\n`);
    const recipient = await identityToRecipient(identity);
    const words = ["vault", "export", file, "--recipient", recipient, "--only", id, "--armor"];
    expect(await home.run(words)).toMatchObject({ code: 0, stderr: "" });
    expect(readFileSync(file, "utf8")).toMatch(/^-----BEGIN AGE ENCRYPTED FILE-----\n/);
    await home.run(`vault remove ${id} --yes`);
    const imported = await home.run(["vault", "import", file, "--identity", identityFile, "--yes"]);
    expect(imported).toMatchObject({ code: 0, stderr: "" });
    expect(await home.json("vault list --json")).toHaveLength(1);
    const bad = await home.run(["vault", "export", `${file}2`, "--recipient", "age1nonsense"]);
    expect(bad).toMatchObject({ code: 2, stdout: "" });
    expect(existsSync(`${file}2`)).toBe(false);
  });
});

it("names a damaged entry and ends with 8", async () => {
  const { home } = await homeWithKey();
  const path = join(home.env["VERDICT_HOME"]!, "data/vault.json");
  const { parseGeneration, renderGeneration } = await import("#src/storage/documents/generation.ts");
  const generation = parseGeneration("verdict/vault", readFileSync(path))!;
  const data = generation.data as { entries: { projectsUrl: string }[] };
  data.entries[0]!.projectsUrl = "https://evil.example";
  writeFileSync(path, renderGeneration("verdict/vault", 1, generation.rev + 1, data));
  const verified = await home.run("doctor --verify");
  expect(verified.code).toBe(8);
  expect(verified.stdout).toContain("0 of 1 entry opened and undamaged.");
  expect(verified.stdout).toMatch(/cannot be decrypted, because it was changed on disk/);
  expect((await home.json("doctor --verify --json"))[0]).toMatchObject({ sound: false });
});
