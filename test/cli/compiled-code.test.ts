// The cache of compiled code: files of ours in a folder of our own, whatever becomes of its path while the program runs.

import {
  chownSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { GROWTH_FLAG, HEAD_BYTES } from "#src/app/compiled-code.ts";
import { startServing } from "./serving-process.ts";
import { PROGRAM, testHome, type TestHome } from "./verdict-process.ts";

/** More than are kept, and some with names as ours. */
const FILES = Array.from({ length: 80 }, (_, index) =>
  index % 2 === 0 ? `file-${index}` : `${"0".repeat(14)}${10 + index}-v26.10.0-x64-serve`,
);

let home: TestHome;
beforeEach(() => {
  home = testHome();
});
afterEach(() => home.remove());

function fill(folder: string): void {
  for (const name of FILES) writeFileSync(join(folder, name), name);
}

it("touches nothing of a folder that its path leads to by the end", async () => {
  const caches = join(home.folder, "caches");
  const elsewhere = join(home.folder, "elsewhere");
  mkdirSync(elsewhere);
  mkdirSync(join(elsewhere, "folder"));
  fill(elsewhere);
  const before = readdirSync(elsewhere).toSorted();
  const serving = await startServing(home, undefined, { XDG_CACHE_HOME: caches });
  renameSync(join(caches, "verdict"), join(caches, "away"));
  symlinkSync(elsewhere, join(caches, "verdict"));
  expect(await serving.end("SIGTERM")).toBe(0);
  expect(readdirSync(elsewhere).toSorted()).toEqual(before);
});

it("removes its own oldest files alone, and no folder", async () => {
  const caches = join(home.folder, "caches");
  mkdirSync(join(caches, "verdict", "folder"), { recursive: true, mode: 0o700 });
  fill(join(caches, "verdict"));
  expect(await (await startServing(home, undefined, { XDG_CACHE_HOME: caches })).end("SIGTERM")).toBe(0);
  const left = readdirSync(join(caches, "verdict"));
  expect(left).toContain("folder");
  expect(left.filter((name) => name.startsWith("file-"))).toHaveLength(40);
  expect(left).toHaveLength(1 + 40 + 32);
});

it("makes a folder that others could write to its own again, without what they may have put there", async () => {
  const caches = join(home.folder, "caches");
  const folder = join(caches, "verdict");
  mkdirSync(folder, { recursive: true });
  fill(folder);
  expect((await home.run("help check", { env: { XDG_CACHE_HOME: caches } })).code).toBe(0);
  expect(lstatSync(folder).mode & 0o777).toBe(0o700);
  expect(readdirSync(folder).filter((name) => !name.startsWith("file-"))).toHaveLength(1);
});

it("runs nothing of a file that is damaged, whole or cut, and writes it anew", async () => {
  const caches = join(home.folder, "caches");
  const env = { XDG_CACHE_HOME: caches };
  const help = await home.run("help check", { env });
  const [name] = readdirSync(join(caches, "verdict"));
  const file = join(caches, "verdict", name!);
  const sound = readFileSync(file);
  const flipped = Buffer.from(sound);
  flipped[sound.length >> 1]! ^= 1;
  for (const damaged of [flipped, sound.subarray(0, -9), sound.subarray(0, 3), Buffer.alloc(0)]) {
    writeFileSync(file, damaged);
    expect(await home.run("help check", { env })).toEqual(help);
    expect(readFileSync(file).equals(damaged)).toBe(false);
    expect(readFileSync(file).length).toBeGreaterThan(sound.length / 2);
  }
});

it("keeps code that the next run takes, also where the run has bounded its memory meanwhile", async () => {
  const caches = join(home.folder, "caches");
  const env = { XDG_CACHE_HOME: caches };
  const bounded = join(home.folder, "bounded.cjs");
  const flag = `process.on("exit",()=>require("node:v8").setFlagsFromString("${GROWTH_FLAG}1"))`;
  writeFileSync(bounded, flag);
  expect((await home.run("help check", { env: { ...env, NODE_OPTIONS: `--require=${bounded}` } })).code).toBe(
    0,
  );
  const [name] = readdirSync(join(caches, "verdict"));
  const file = join(caches, "verdict", name!);
  // Not old enough to be written anew.
  const at = new Date(Date.now() - 3_600_000);
  utimesSync(file, at, at);
  expect((await home.run("help check", { env })).code).toBe(0);
  expect(lstatSync(file).mtimeMs).toBe(at.getTime());
});

it("says in a sentence that its installation ends early", async () => {
  const cut = testHome([process.execPath, join(home.folder, "verdict.mjs")]);
  try {
    copyFileSync(PROGRAM, join(home.folder, "verdict.mjs"));
    const whole = readFileSync(join(dirname(PROGRAM), "main.cjs"));
    for (const length of [0, HEAD_BYTES - 1, HEAD_BYTES + 1_000]) {
      writeFileSync(join(home.folder, "main.cjs"), whole.subarray(0, length));
      const { code, stderr } = await cut.run("history");
      expect([code, stderr]).toEqual([
        74,
        expect.stringMatching(/^verdict did not start .*install it again\.\n$/),
      ]);
    }
  } finally {
    await cut.remove();
  }
});

it("keeps the code of what earlier runs of the same kind loaded and this one did not", async () => {
  const caches = join(home.folder, "caches");
  const env = { XDG_CACHE_HOME: caches };
  expect((await home.run("rules check starter", { env })).code).toBe(0);
  const [name] = readdirSync(join(caches, "verdict"));
  const file = join(caches, "verdict", name!);
  // Old enough to be written anew.
  utimesSync(file, 1, 1);
  copyFileSync("src/rules/rule-file/starter-rules.yaml", join(home.folder, "own.yaml"));
  expect((await home.run("rules check own.yaml", { env })).code).toBe(0);
  expect(lstatSync(file).mtimeMs).toBeGreaterThan(1_000);
  expect(readFileSync(file, "latin1")).toContain('"./starter-rules-');
});

it.runIf(process.getuid?.() === 0)(
  "leaves nothing in the home or the caches of another account",
  async () => {
    const theirs = join(home.folder, "theirs");
    mkdirSync(theirs);
    chownSync(theirs, 65_534, 65_534);
    for (const env of [
      { HOME: theirs, XDG_CACHE_HOME: "" },
      { XDG_CACHE_HOME: theirs },
      { XDG_CACHE_HOME: join(theirs, "caches") },
    ]) {
      expect((await home.run("help check", { env })).code).toBe(0);
      expect(readdirSync(theirs)).toEqual([]);
    }
    expect(existsSync(join(home.folder, ".cache"))).toBe(false);
  },
);
