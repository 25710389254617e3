// Every document of a home by every command that reads it: one flipped bit is said once, and nothing is sent on profiles
// that were rolled back.

import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { answer, PASS, startHostileService, type HostileService } from "../client/hostile-service.ts";
import { homeOfTests, pointAt, type Printed } from "./in-process.ts";

const CHECK =
  "check --profile shop --set operation=payment --set order_id=o-1 --set amount=5 --set currency=980";
const REGISTER = "register --profile test --merchant-id M --name N --currency 980 --risk-level low";
const FILES = {
  profiles: "config/profiles.json",
  settings: "config/vault.json",
  projects: "data/projects.json",
  vault: "data/vault.json",
} as const;

const home = homeOfTests();
let whole: string;
let service: HostileService;
/** How often the service was asked. */
const asked = (): number => service.requests.length;

beforeAll(async () => {
  service = await startHostileService([answer(200, PASS)]);
  const { url } = service;
  await pointAt(home, url);
  const run = async (words: string | readonly string[], input?: string): Promise<void> => {
    const { code, stderr } = await home.run(words, input);
    if (code !== 0) throw new Error(stderr);
  };
  await run(REGISTER);
  await run(REGISTER.replace("low", "high"));
  await run(`profile add shop --base-url ${url}`);
  await run(
    "vault add --profile shop --merchant-id s --risk-level low --key-id k --project-id p --secret-stdin",
    "ab".repeat(32),
  );
  // Two generations of the settings; the entry of the shop is in both generations of the vault.
  for (const passphrase of ["correct horse battery", "staple and some more"]) {
    await run(["vault", "passphrase", "--command", "printf", "%s", passphrase]);
  }
  // Whoever falls back now sends to a service that is closed to sending.
  await run("profile add shop --read-only");
  whole = mkdtempSync(join(tmpdir(), "verdict-whole-"));
  cpSync(home.folder, whole, { recursive: true });
});

beforeEach(() => {
  service.play(answer(200, PASS));
  rmSync(home.folder, { recursive: true, force: true });
  cpSync(whole, home.folder, { recursive: true });
});

afterAll(async () => {
  await service[Symbol.asyncDispose]();
  rmSync(whole, { recursive: true, force: true });
});

function flip(path: string): void {
  const bytes = readFileSync(path);
  bytes[bytes.length - 10]! ^= 1;
  writeFileSync(path, bytes);
}

/** How often a run says that a file was rolled back. */
function said({ stderr }: Printed, path: string, what: string): number {
  return stderr.split(`${path} was ${what}`).length - 1;
}

const READERS: readonly (readonly [keyof typeof FILES, string, number])[] = [
  // Whatever sends ends with 74, and so does what was to be accepted unseen.
  ["profiles", CHECK, 74],
  ["profiles", REGISTER, 74],
  ["profiles", "credential --merchant-id M --risk-level low", 74],
  ["profiles", "replay shop.json --profile shop", 74],
  ["profiles", "sweep shop.json --profile shop --field amount --range 1..3 --confirm shop", 74],
  ["profiles", "profile use shop", 74],
  ["profiles", "profile list", 0],
  ["profiles", "profile show shop", 0],
  ["profiles", "profile add other --base-url https://a.example", 0],
  ["profiles", "history", 0],
  ["profiles", "runs list", 0],
  ["profiles", "projects", 0],
  ["profiles", "payload list", 0],
  ["profiles", "vault list", 0],
  ["projects", "projects", 0],
  ["projects", REGISTER.replace("low", "medium"), 0],
  ["vault", "vault list", 0],
  ["settings", "vault passphrase", 0],
];

describe.each(READERS)("one flipped bit in the %s, met by %j", (name, command, exit) => {
  it(`is said once, with exit code ${exit}`, async () => {
    writeFileSync(
      join(home.folder, "shop.json"),
      '{"operation":"payment","order_id":"o","amount":5,"currency":980}',
    );
    const path = join(home.folder, FILES[name]);
    flip(path);
    const words = command.replace("shop.json", join(home.folder, "shop.json"));
    const printed = await home.run(words);
    expect([said(printed, path, "damaged"), printed.code], printed.stderr).toEqual([1, exit]);
    if (name === "profiles") expect(asked()).toBe(0);
    // The next one finds it repaired.
    const next = await home.run(words);
    expect(next.stderr).not.toContain("was damaged;");
    if (exit === 74 && command === CHECK) expect([next.code, asked()]).toEqual([74, 0]);
  });
});

describe("profiles that were rolled back", () => {
  it("send nothing until one was chosen, and say how", async () => {
    flip(join(home.folder, FILES.profiles));
    const first = await home.run(CHECK);
    expect(first.stderr).toContain('then accept them with "verdict profile use NAME"');
    expect((await home.run("profile list")).code).toBe(0);
    expect((await home.run("profile add shop --environment live")).code).toBe(0);
    expect([(await home.run(CHECK)).code, asked()]).toEqual([74, 0]);
    expect((await home.run("profile use shop")).code).toBe(0);
    expect([(await home.run(CHECK)).code, asked()]).toEqual([0, 1]);
  });

  it("are rolled back, too, when only the previous generation is left", async () => {
    const path = join(home.folder, FILES.profiles);
    unlinkSync(path);
    const printed = await home.run(CHECK);
    expect([said(printed, path, "missing"), printed.code, asked()]).toEqual([1, 74, 0]);
  });

  it("are what doctor wants attention for, before and after", async () => {
    flip(join(home.folder, FILES.profiles));
    const before = await home.run("doctor");
    expect([before.code, before.stdout]).toEqual([8, expect.stringContaining("profiles.json is damaged")]);
    await home.run("profile list");
    const after = await home.run("doctor");
    expect(after.code).toBe(8);
    expect(after.stdout).toContain("is a damaged version that verdict moved");
    expect(after.stdout).toContain("sends nothing");
  });
});

describe("a vault that is missing", () => {
  it.each([
    ["vault list", 0],
    [CHECK, 2],
  ])("is damage beside its previous generation: %j", async (command, exit) => {
    const path = join(home.folder, FILES.vault);
    unlinkSync(path);
    const printed = await home.run(command);
    // The shop is read-only here; whatever opens the vault says it.
    expect([said(printed, path, "missing"), printed.code]).toEqual([exit === 2 ? 0 : 1, exit]);
  });

  it.each(["vault list", CHECK.replace("shop", "test")])("is damage beside its key: %j", async (command) => {
    const path = join(home.folder, FILES.vault);
    unlinkSync(path);
    unlinkSync(`${path}.bak`);
    const { code, stderr } = await home.run(command);
    expect([code, asked()]).toEqual([74, 0]);
    expect(stderr).toContain("is missing beside its key");
  });

  it("is a new one where there is no key", async () => {
    for (const file of [FILES.vault, `${FILES.vault}.bak`, "state/vault.key"]) {
      unlinkSync(join(home.folder, file));
    }
    expect(await home.run("vault list")).toMatchObject({ code: 0, stderr: "" });
    expect(existsSync(join(home.folder, FILES.vault))).toBe(false);
  });
});
