// The single executable and its Debian package, where there is no Node: every part of the program that is a file or a process of its own.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { writeBulkHistory } from "../bench/bulk-history.ts";
import { busyDay } from "../cli/busy-day.ts";
import { FULL, REGISTER } from "../cli/main-job-payment.ts";
import { testHome, type TestHome } from "../cli/verdict-process.ts";
import { openPseudoTerminal } from "../console/pty.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const MADE = join(ROOT, "dist-executable");
const EXECUTABLE = join(MADE, "verdict");

function build(script: string): void {
  execFileSync(process.execPath, [join(ROOT, "src/build", script)], {
    stdio: ["ignore", "ignore", "inherit"],
  });
}

beforeAll(() => build("executable.ts"));

describe("the executable without a Node in PATH", () => {
  let home: TestHome;
  const env = { PATH: "/nonexistent" };
  beforeAll(async () => {
    home = testHome([EXECUTABLE]);
    const { code, stderr } = await home.run(`${REGISTER} --wait`, { env });
    expect(code, stderr).toBe(0);
  });
  afterAll(() => home.remove());

  it("is the same each time it is built", () => {
    const hash = (): string => createHash("sha256").update(readFileSync(EXECUTABLE)).digest("hex");
    const before = hash();
    build("executable.ts");
    expect(hash()).toBe(before);
  });

  it("says what the program says", async () => {
    const program = testHome();
    onTestFinished(() => program.remove());
    for (const args of [
      "--version",
      "--help",
      "help check",
      "completion bash",
      "recipe list",
      "schema rules",
      "docs",
      "docs commands/check",
    ]) {
      expect(await home.run(args, { env }), args).toEqual(await program.run(args));
    }
    expect((await home.run("tour", { env })).code).toBe(0);
    // With the day of payments inside.
    expect((await home.run("demo rule-changed", { env })).stdout).toContain("3 000 payments");
    expect((await home.run("doctor", { env })).stdout).toContain(`on Node ${process.versions.node}`);
  });

  it("writes the examples", async () => {
    expect((await home.run("examples trial", { env })).code).toBe(0);
    const files = globSync("**/*.*", { cwd: join(ROOT, "examples") });
    for (const file of files)
      expect(readFileSync(join(home.folder, "trial", file)), file).toEqual(
        readFileSync(join(ROOT, "examples", file)),
      );
  });

  it("names no file of a schema that is not there", async () => {
    expect((await home.run("schema rules --path", { env })).code).toBe(2);
    expect((await home.run("rules print starter", { env })).stdout).toMatch(/^# .*verdict schema rules\n/);
  });

  it("starts its sandbox from itself, and checks", async () => {
    // The one of the tests before may have ended.
    expect((await home.run("check -", { env, input: JSON.stringify(FULL) })).code).toBe(0);
    const [status] = await home.json("sandbox status --json", { env });
    const { pid } = JSON.parse(
      readFileSync(join(home.folder, "verdict/state/sandbox/endpoint.json"), "utf8"),
    ) as { pid: number };
    expect(status).toMatchObject({ running: true });
    expect(readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").slice(0, 3)).toEqual([
      EXECUTABLE,
      "serve",
      "--embedded",
    ]);
  });

  it("replays three thousand payments", async () => {
    const day = busyDay(1, 3_000);
    writeFileSync(join(home.folder, "day.ndjson"), day);
    const { code, stderr } = await home.run("replay day.ndjson", { env });
    expect(code, stderr).toBe(0);
    const [run] = await home.json("runs list --json", { env });
    expect(run).toMatchObject({ state: "complete", summary: { total: day.trimEnd().split("\n").length } });
  });

  it("shows a long history in the console, which reads it in a worker", async () => {
    const owner = { profile: "sandbox", project: "demo-shop/medium" };
    await writeBulkHistory(join(home.folder, "verdict/data"), 21_000, owner, Date.now());
    const terminal = openPseudoTerminal({
      command: [EXECUTABLE],
      cwd: home.folder,
      env: { ...home.env, ...env, TERM: "xterm-256color" },
    });
    onTestFinished(() => terminal.close());
    await terminal.until("› Send check");
    await terminal.type("\x1b[27u4").until(/of 21.?00\d/);
    await terminal.type("/verdict:block\r").until("History · verdict:block");
    terminal.type("q");
    expect((await terminal.exit).code).toBe(0);
  });
});

/** As in the pipeline. */
const canInstall = process.geteuid?.() === 0 && existsSync("/usr/bin/dpkg");

describe.runIf(canInstall)("the Debian package, for which root and dpkg are needed", () => {
  const deb = (): string => join(MADE, globSync("*.deb", { cwd: MADE })[0]!);
  const hash = (): string => createHash("sha256").update(readFileSync(deb())).digest("hex");
  beforeAll(() => {
    for (const old of globSync("*.deb", { cwd: MADE })) rmSync(join(MADE, old));
    build("deb.ts");
  }, 600_000);

  it("is the same each time it is built", () => {
    const before = hash();
    build("deb.ts");
    expect(hash()).toBe(before);
  });

  it("is installed, runs, and is removed without a trace", async () => {
    const root = mkdtempSync(join(tmpdir(), "verdict-root-"));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    const database = join(root, "var/lib/dpkg");
    mkdirSync(database, { recursive: true });
    // What this machine has installed, so that dependencies count.
    cpSync("/var/lib/dpkg/status", join(database, "status"));
    const dpkg = (...args: string[]): string =>
      execFileSync("dpkg", [`--root=${root}`, ...args], {
        encoding: "utf8",
        stdio: ["ignore", "pipe", "pipe"],
      });
    const files = (): string[] =>
      globSync("**/*", { cwd: root, exclude: (path) => path.includes("var/lib/dpkg") });
    const before = files();
    dpkg("--install", deb());
    const installed = files();
    for (const path of [
      "usr/bin/verdict",
      "usr/share/bash-completion/completions/verdict",
      "usr/share/doc/verdict/THIRD-PARTY-NOTICES.gz",
      "usr/share/doc/verdict/README.md",
      "usr/share/doc/verdict/docs/tutorials/first-check.md",
      "usr/share/doc/verdict/examples/payment.json",
      "usr/share/man/man1/verdict.1.gz",
      "usr/share/man/man1/verdict-check.1.gz",
      "usr/share/man/man5/verdict-files.5.gz",
    ]) {
      expect(installed).toContain(path);
    }
    expect(installed.filter((path) => !before.includes(path) && !/^usr(?:$|\/)/.test(path))).toEqual([]);
    const home = testHome([join(root, "usr/bin/verdict")]);
    onTestFinished(() => home.remove());
    expect((await home.run("tour", { env: { PATH: "/nonexistent" } })).code).toBe(0);
    const { stdout: schema } = await home.run("schema rules --path");
    expect(schema).toBe(`${join(root, "usr/share/verdict/schemas/rules.json")}\n`);
    expect(existsSync(schema.trim())).toBe(true);
    dpkg("--purge", "verdict");
    expect(files()).toEqual(before);
  });
});
