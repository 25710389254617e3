// An embedded sandbox that cannot start: its own sentence reaches the user, and nothing of it stays.

import { execFileSync, spawnSync, type SpawnSyncReturns } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ENDPOINT_FILE, LOCK_FILE } from "#src/contract/wire/sandbox-wire.ts";
import { isLocked } from "#src/storage/documents/file-lock.ts";
import { alter } from "../sandbox/sandbox-under-test.ts";
import { PROGRAM, testHome, type TestHome } from "./verdict-process.ts";

describe.skipIf(process.platform === "win32")("an embedded sandbox that cannot start", () => {
  let home: TestHome;
  let state: string;
  beforeEach(async () => {
    home = testHome();
    state = join(home.env["VERDICT_HOME"]!, "state", "sandbox");
    mkdirSync(state, { recursive: true, mode: 0o700 });
  });
  afterEach(() => home.remove());

  const PLANTS: readonly (readonly [string, (path: string) => void])[] = [
    ["a FIFO", (path) => void execFileSync("mkfifo", [path])],
    ["a link", (path) => symlinkSync("/dev/zero", path)],
    ["a folder", (path) => mkdirSync(path)],
  ];

  it.each(PLANTS)("refuses %s in place of a file at once", async (_, plant) => {
    for (const name of ["state.db", "rules.yaml", LOCK_FILE]) {
      plant(join(state, name));
      const ran = await home.run("sandbox clock");
      expect([name, ran.code, ran.stderr.trim().split("\n").length]).toEqual([name, 74, 1]);
      expect(ran.stderr).toMatch(new RegExp(`${name} is (?:not a regular file|a symbolic link|a folder)`));
      rmSync(join(state, name), { recursive: true });
      expect(await isLocked(join(state, LOCK_FILE))).toBe(false);
    }
    expect(await home.run("sandbox clock")).toMatchObject({ code: 0, stderr: "" });
  });

  it.each(PLANTS)("is not held up by %s where its endpoint will be", async (_, plant) => {
    plant(join(state, ENDPOINT_FILE));
    const ran = await home.run("sandbox clock");
    if (ran.code !== 0) expect([ran.code, ran.stderr]).toEqual([74, expect.stringContaining(ENDPOINT_FILE)]);
    expect((await home.run("sandbox status")).code).not.toBe(1);
  });

  it("says what is wrong with its state, and writes it to its log", async () => {
    expect(await home.run("sandbox clock")).toMatchObject({ code: 0 });
    expect(await home.run("sandbox stop")).toMatchObject({ code: 0 });
    const cases = [
      ["state.key", "cut"],
      ["state.db", "\0\0"],
      ["state.db", ""],
    ] as const;
    for (const [name, damage] of cases) {
      const path = join(state, name);
      const whole = readFileSync(path);
      writeFileSync(path, damage);
      const ran = await home.run("sandbox clock");
      expect([name, ran.code]).toEqual([name, 74]);
      expect(ran.stderr).toContain(name);
      expect(ran.stderr).not.toContain("disk is full");
      const logged = readFileSync(join(state, "sandbox.log"), "utf8").trim().split("\n");
      expect(JSON.parse(logged.at(-1)!)).toMatchObject({ event: "fault" });
      expect(JSON.parse(logged.at(-1)!).reason).toContain(name);
      expect(await isLocked(join(state, LOCK_FILE))).toBe(false);
      writeFileSync(path, whole);
    }
    expect(await home.run("sandbox clock")).toMatchObject({ code: 0 });
  });

  it("passes on to its starter what it found damaged", async () => {
    const register = "register --merchant-id one --name N --currency 978 --risk-level low";
    expect(await home.run(register)).toMatchObject({ code: 0, stderr: "" });
    expect(await home.run("sandbox stop")).toMatchObject({ code: 0 });
    alter(state, "UPDATE signature SET bytes = substr(bytes, 2)");
    const { code, stderr } = await home.run("sandbox clock");
    expect([code, stderr.split("Some used signatures in").length]).toEqual([0, 2]);
    alter(state, "DELETE FROM signature");
    expect((await home.run("sandbox clock")).stderr).toBe("");
  });

  it.skipIf(process.platform !== "linux")("needs files for all of its connections", async () => {
    const command = `ulimit -n 40; exec "${process.execPath}" "${PROGRAM}" sandbox clock`;
    const few = spawnSync("/bin/sh", ["-c", command], { env: home.env, encoding: "utf8" });
    expect(few.status).toBe(4);
    expect(few.stderr).toMatch(/^The embedded sandbox did not start: .* 40 are allowed here; .*ulimit -n/);
    expect(await home.run("sandbox clock")).toMatchObject({ code: 0 });
  });

  it.skipIf(process.platform !== "linux").each(["run list", "tour", "replay - --isolated", "--help"])(
    "says in one sentence how few files are too few for %s",
    (words) => {
      const under = (files: number, ...args: string[]): SpawnSyncReturns<string> =>
        spawnSync("/bin/sh", ["-c", `ulimit -n ${files}; exec "$0" "$@"`, process.execPath, ...args], {
          env: home.env,
          encoding: "utf8",
          input: '{"operation":"payment","order_id":"a","amount":100,"currency":980}\n',
        });
      const said: string[] = [];
      for (let files = 20; files <= 26; files += 1) {
        // Node itself fails where there are still fewer.
        if (under(files, PROGRAM, "--version").status !== 0) continue;
        const { status, stderr } = under(files, PROGRAM, ...words.split(" "));
        if (status === 0) continue;
        said.push(stderr);
        expect(stderr, `${files} files`).toMatch(
          /^[^\n]* allowed here; raise that with "ulimit -n [^\n]*\n$/,
        );
      }
      expect(said).not.toEqual([]);
    },
  );
});
