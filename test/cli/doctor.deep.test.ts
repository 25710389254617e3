// verdict doctor on homes that are sound, damaged and misplaced: said with the next step, and nothing is changed by it.

import { execFileSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { renderGeneration } from "#src/storage/documents/generation.ts";
import { testHome, type TestHome } from "./verdict-process.ts";

interface Finding {
  readonly area: string;
  readonly state: string;
  readonly what: string;
  readonly next: string | null;
}

let home: TestHome;
const path = (name: string): string => join(home.folder, "verdict", name);

beforeEach(async () => {
  home = testHome();
  const key = ["--key-id", "k", "--company-id", "c", "--secret-stdin"];
  await home.run(["vault", "add", ...key], { input: "a-secret-of-the-doctor" });
  await home.run(["profile", "add", "other", "--base-url", "https://check.example"]);
});
afterEach(() => home.remove());

async function examine(
  env: NodeJS.ProcessEnv = {},
  more: readonly string[] = [],
): Promise<{ code: number | null; findings: readonly Finding[] }> {
  const { code, stdout, stderr } = await home.run(["doctor", "--json", ...more], { env });
  expect(stderr).toBe("");
  const { schema, sound, findings } = JSON.parse(stdout) as {
    schema: number;
    sound: boolean;
    findings: Finding[];
  };
  expect([schema, sound]).toEqual([1, code === 0]);
  return { code, findings };
}

const problems = (findings: readonly Finding[]): string[] =>
  findings.filter(({ state }) => state === "problem").map(({ what, next }) => `${what} ${next ?? ""}`);

/** Everything about the home that an examination could change. */
function picture(): unknown {
  return readdirSync(home.folder, { recursive: true, encoding: "utf8" })
    .toSorted()
    .map((name) => {
      const full = join(home.folder, name);
      const { mode, mtimeMs } = lstatSync(full);
      const isFile = lstatSync(full).isFile();
      const link = lstatSync(full).isSymbolicLink() ? readlinkSync(full) : null;
      return [name, mode, mtimeMs, link, isFile ? readFileSync(full, "base64") : null];
    });
}

it("finds a sound home sound, and says in words what protects the vault", async () => {
  const before = picture();
  const { code, findings } = await examine();
  expect(problems(findings)).toEqual([]);
  expect(code).toBe(0);
  expect(picture()).toEqual(before);
  const vault = findings.filter(({ area }) => area === "vault");
  expect(vault[0]!.what).toMatch(/holds 1 key\. A key file opens the vault/);
  // Data and state lie below one folder here.
  expect(vault[1]).toMatchObject({
    state: "note",
    what: expect.stringContaining(join(home.folder, "verdict")),
  });
  expect(new Set(findings.map(({ area }) => area))).toEqual(
    new Set(["program", "terminal", "files", "vault", "clock", "secrecy"]),
  );
});

it("has no word against a vault whose key lies in another tree, or that has a passphrase", async () => {
  const xdg = { VERDICT_HOME: "", HOME: join(home.folder, "xdg") };
  const key = ["--key-id", "k", "--company-id", "c", "--secret-stdin"];
  await home.run(["vault", "add", ...key], { input: "a-secret", env: xdg });
  const apart = (await examine(xdg)).findings.filter(({ area }) => area === "vault");
  expect(apart).toMatchObject([{ state: "ok" }]);
  await home.run(["vault", "passphrase", "--set", "--secret-stdin"], { input: "four random words here\n" });
  const locked = (await examine()).findings.filter(({ area }) => area === "vault");
  expect(locked).toMatchObject([
    { state: "ok", what: expect.stringContaining("A passphrase opens the vault") },
  ]);
});

it("names what is wrong with files, each with its next step, and repairs none of it", async () => {
  const data = (name: string): string => path(join("data", name));
  writeFileSync(data("stranger.txt"), "mine", { mode: 0o600 });
  writeFileSync(data("projects.json"), "null", { mode: 0o600 });
  writeFileSync(data("vault.json.corrupt-20260101T000000000Z"), "x", { mode: 0o600 });
  const left = data(".vault.json.0123456789abcdef.tmp");
  writeFileSync(left, "x", { mode: 0o600 });
  utimesSync(left, 1_700_000_000, 1_700_000_000);
  symlinkSync("/etc/passwd", path("config/recipes"));
  mkdirSync(data("payloads"), { mode: 0o700 });
  execFileSync("mkfifo", [data("payloads/pipe.json")]);
  chmodSync(path("state/vault.key"), 0o640);
  const before = picture();
  const { code, findings } = await examine();
  expect(code).toBe(8);
  expect(picture()).toEqual(before);
  const said = findings.map(({ state, what, next }) => `${state}: ${what} ${next ?? ""}`).join("\n");
  for (const sentence of [
    /problem: \S+projects\.json is damaged and has no good previous generation\. Restore/,
    /problem: \S+vault\.key may be read by other accounts\. Make it private/,
    /problem: .*(recipes|pipe).*is a link, a FIFO or a device/,
    /problem: \S+corrupt-2026\S+ is a damaged version that verdict moved/,
    /note: \S+tmp was left by a process that was killed/,
    /note: \S+stranger\.txt was not made by verdict/,
  ]) {
    expect(said).toMatch(sentence);
  }
});

it("takes no offence at settings that were written by hand, but at a folder that others may look into", async () => {
  writeFileSync(path("config/settings.yaml"), "ascii: true\n", { mode: 0o644 });
  writeFileSync(path("config/keys.yaml"), "check.sendAnywhere: f5\n", { mode: 0o644 });
  const opened = async (): Promise<string[]> =>
    problems((await examine()).findings).filter((what) => what.includes("may be read by other accounts"));
  expect(await opened()).toEqual([]);
  chmodSync(path("config"), 0o755);
  expect(await opened()).toEqual([expect.stringMatching(/config may be read by other accounts/)]);
});

it("says that a damaged document has a good previous generation, and leaves the repair to whoever uses it", async () => {
  await home.run(["profile", "add", "third", "--base-url", "https://third.example"]);
  const profiles = path("config/profiles.json");
  writeFileSync(profiles, "{}");
  const { code, findings } = await examine();
  expect(code).toBe(8);
  expect(problems(findings).join()).toMatch(
    /profiles\.json is damaged\. The next command .*previous version/,
  );
  expect(readFileSync(profiles, "utf8")).toBe("{}");
  expect((await home.run("profile list")).code).toBe(0);
  // Somebody has to look at what was set aside, and to accept the profiles.
  expect((await examine()).code).toBe(8);
  for (const name of readdirSync(path("config"))) {
    if (name.includes(".corrupt-")) unlinkSync(path(join("config", name)));
  }
  expect((await home.run("profile use sandbox")).code).toBe(0);
  expect((await examine()).code).toBe(0);
});

it("tells of a vault without its key, and of a profile that is gone", async () => {
  copyFileSync(path("state/vault.key"), join(home.folder, "kept.key"));
  execFileSync("rm", [path("state/vault.key")]);
  expect(problems((await examine()).findings).join()).toMatch(/key of the vault.*is missing; restore it/);
  copyFileSync(join(home.folder, "kept.key"), path("state/vault.key"));
  expect(problems((await examine({}, ["--profile", "nobody"])).findings)).toEqual([
    'There is no profile "nobody". ',
  ]);
});

it("notices files from the future, and the switches of Node", async () => {
  const later = Date.now() / 1000 + 7_200;
  utimesSync(path("data/vault.json"), later, later);
  const { findings } = await examine({ NODE_DEBUG: "none", NODE_TLS_REJECT_UNAUTHORIZED: "0" });
  const said = problems(findings).join("\n");
  expect(said).toMatch(/clock of this machine shows .* later than that/);
  expect(said).toMatch(/NODE_DEBUG/);
  expect(said).toMatch(/NODE_TLS_REJECT_UNAUTHORIZED=0/);
});

it("asks the service for its time with --online alone", async () => {
  let asked = 0;
  const server: Server = createServer((request, response) => {
    asked += 1;
    expect([request.method, request.headers["authorization"], request.headers["x-key-id"]]).toEqual([
      "GET",
      undefined,
      undefined,
    ]);
    response.sendDate = false;
    response.writeHead(404, { date: new Date(Date.now() - 3_600_000).toUTCString() }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    await home.run(["profile", "add", "late", "--base-url", url]);
    const offline = await examine({}, ["--profile", "late"]);
    expect([offline.code, asked]).toEqual([0, 0]);
    const online = await examine({}, ["--profile", "late", "--online"]);
    expect([online.code, asked]).toEqual([8, 1]);
    expect(problems(online.findings).join()).toMatch(/59 min .*|1 h .*ahead of the clock of late/);
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
  const away = await examine({}, ["--profile", "late", "--online"]);
  expect(away.code).toBe(0);
  expect(away.findings.some(({ what }) => what.startsWith("The time of late is unknown."))).toBe(true);
});

it("reads well, with a heading an area", async () => {
  const { code, stdout } = await home.run("doctor");
  expect(code).toBe(0);
  for (const heading of ["Program", "Terminal", "Files", "Vault", "Clock", "Secrecy of this process"]) {
    expect(stdout).toMatch(new RegExp(`^${heading}$`, "m"));
  }
  expect(stdout).toMatch(/Nothing needs attention\.\n$/);
  expect(stdout).not.toContain("a-secret-of-the-doctor");
});

it("takes no newer document for a damaged one", async () => {
  writeFileSync(path("config/profiles.json"), renderGeneration("verdict/profiles", 9, 1, { all: "new" }));
  const said = problems((await examine()).findings).join();
  expect(said).toMatch(/newer version of verdict/);
  expect(said).not.toMatch(/damaged/);
});
