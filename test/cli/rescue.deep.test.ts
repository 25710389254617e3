// A credential whose answer came and which the disk would not take: kept in memory, offered, or put into an age file.

import { mkdirSync, rmSync, writeFileSync, existsSync } from "node:fs";
import { join } from "node:path";

import { generateIdentity, identityToRecipient } from "age-encryption";
import { expect, it, onTestFinished } from "vitest";

import { answer, startHostileService } from "../client/hostile-service.ts";
import { openPseudoTerminal, type PseudoTerminal } from "../console/pty.ts";
import { testHome, type TestHome } from "./verdict-process.ts";

const SECRET = "0nly-0nce-c4n4ry";
const CREDENTIAL = ["credential", "--profile", "slow", "--merchant-id", "m", "--risk-level", "low"];

interface Desk {
  readonly home: TestHome;
  /** Requests that arrived. */
  readonly asked: () => number;
  /** The vault can be written again. */
  unblock(): void;
}

/** A service that gives a credential, and makes the vault unwritable just before. */
async function desk(): Promise<Desk> {
  const home = testHome();
  const blocker = join(home.env["VERDICT_HOME"]!, "data/vault.json.lock");
  const credential = { key_id: "k-2", project_id: "p-1", secret: SECRET, algorithm: "hmac-sha256" };
  const service = await startHostileService([
    (socket, request) => {
      mkdirSync(blocker, { recursive: true });
      answer(200, JSON.stringify({ status: "success", credential }))(socket, request);
    },
  ]);
  onTestFinished(async () => {
    await service[Symbol.asyncDispose]();
    await home.remove();
  });
  expect(await home.run(`profile add slow --base-url ${service.url}`)).toMatchObject({ code: 0 });
  const words = "vault add --profile slow --key-id k1 --company-id c1 --secret-stdin";
  expect(await home.run(words, { input: "integration-secret\n" })).toMatchObject({ code: 0 });
  const unblock = (): void => rmSync(blocker, { recursive: true, force: true });
  return { home, asked: () => service.requests.length, unblock };
}

/** The command on a terminal. */
function asking(home: TestHome): PseudoTerminal {
  const env = { ...home.env, TERM: "xterm-256color" };
  const pty = openPseudoTerminal({ args: CREDENTIAL, env, columns: 120 });
  onTestFinished(() => pty.close());
  return pty;
}

it("ends with 74 without a terminal, says why, and until when it can be fetched again", async () => {
  const { home, asked, unblock } = await desk();
  const failed = await home.run([...CREDENTIAL, "--json"]);
  expect(failed.code).toBe(74);
  expect(asked()).toBe(1);
  expect(failed.stderr).toMatch(/^The credential of m\/low was received but not saved: .*vault\.json/);
  expect(failed.stderr).toContain("the service gives it again within the 24 hours after its registration");
  expect(JSON.parse(failed.stdout)).toMatchObject({ state: "ready", in_vault: false });
  expect(failed.stdout + failed.stderr).not.toContain(SECRET);
  unblock();
});

it("is in the age file that --rescue names, and the vault takes it from there", async () => {
  const { home, asked, unblock } = await desk();
  const identity = await generateIdentity();
  const [file, identityFile] = [join(home.folder, "rescued.age"), join(home.folder, "identity.txt")];
  writeFileSync(identityFile, identity);
  const rescue = ["--rescue", file, "--recipient", await identityToRecipient(identity)];
  // What could not work afterwards is refused before anything is sent.
  for (const bad of [["--rescue", file], ["--rescue", identityFile, ...rescue.slice(2)], rescue.slice(2)]) {
    expect(await home.run([...CREDENTIAL, ...bad]), bad.join(" ")).toMatchObject({ code: 2, stdout: "" });
  }
  expect(asked()).toBe(0);
  const failed = await home.run([...CREDENTIAL, ...rescue]);
  expect(failed).toMatchObject({ code: 74, stdout: "" });
  expect(failed.stderr).toContain("rescued.age and not in the vault");
  unblock();
  const imported = await home.run(["vault", "import", file, "--identity", identityFile, "--yes"]);
  expect(imported).toMatchObject({ code: 0, stderr: "" });
  const entry = (await home.json("vault list --json")).find(({ project }) => project === "m/low");
  expect((await home.run(`vault show ${String(entry?.["id"])} --raw`)).stdout).toBe(`${SECRET}\n`);
});

it("is offered on a terminal: shown, written elsewhere, or saved once there is room", async () => {
  const { home, unblock } = await desk();
  const pty = asking(home);
  const questions = (count: number) => (screen: string) =>
    screen.split("[r] save again").length === count + 1;
  await pty.until(questions(1));
  pty.type("r\r");
  await pty.until(questions(2));
  pty.type("s\r");
  await pty.until(SECRET);
  pty.type(" ");
  await pty.until(questions(3));
  expect(pty.screen()).not.toContain(SECRET);
  unblock();
  pty.type("r\r");
  await pty.until("Credential of m/low is in the vault.");
  expect((await pty.exit).code).toBe(0);
  expect(await home.json("vault list --json")).toHaveLength(2);
});

it("is written into an age file by a typed passphrase on a terminal", async () => {
  const { home, unblock } = await desk();
  const pty = asking(home);
  const file = join(home.folder, "typed.age");
  await pty.until("[r] save again");
  pty.type("f\r");
  await pty.until("Name of the new file:");
  pty.type(`${file}\r`);
  await pty.until("New passphrase of the file (not shown):");
  pty.type("passphrase of the file\r");
  await pty.until("The same once more:");
  pty.type("passphrase of the file\r");
  expect((await pty.exit).code).toBe(74);
  expect(existsSync(file)).toBe(true);
  unblock();
  const words = ["vault", "import", file, "--yes", "--secret-stdin"];
  expect(await home.run(words, { input: "passphrase of the file\n" })).toMatchObject({ code: 0, stderr: "" });
});
