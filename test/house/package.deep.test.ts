// The packed package as users get it: the same bytes each time, alone in its folder, without a network.

import { execFile } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const run = promisify(execFile);

let folder: string;
let tarball: string;
/** The running Node first, and nothing of this repository. */
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "verdict-package-"));
  env = {
    PATH: `${dirname(process.execPath)}${delimiter}${process.env["PATH"]}`,
    HOME: folder,
    npm_config_offline: "true",
    npm_config_cache: join(folder, "cache"),
    npm_config_update_notifier: "false",
    npm_config_fund: "false",
    npm_config_audit: "false",
    VERDICT_HOME: join(folder, "home"),
  };
  tarball = await pack("first");
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Builds and packs. @returns the path of the tarball */
async function pack(name: string): Promise<string> {
  const to = join(folder, name);
  mkdirSync(to);
  await run("npm", ["pack", "--pack-destination", to], { cwd: root, env });
  return join(
    to,
    readdirSync(to).find((each) => each.endsWith(".tgz"))!,
  );
}

it("is packed into the same bytes each time, and changes no file of the repository", async () => {
  const before = readFileSync(join(root, "package.json"));
  const again = await pack("second");
  expect(readFileSync(again).equals(readFileSync(tarball))).toBe(true);
  expect(readFileSync(join(root, "package.json")).equals(before)).toBe(true);
});

it("is as large as the page about its installation says, to a tenth", async () => {
  const page = readFileSync(join(root, "docs/how-to/install.md"), "utf8");
  const [, unpacked, packed] = /\| ([\d.]+) MB \(([\d.]+) MB packed\)/.exec(page)!;
  const { stdout } = await run("sh", ["-c", `gunzip -c '${tarball}' | wc -c`]);
  expect(Number(packed) / (statSync(tarball).size / 1e6)).toBeCloseTo(1, 1);
  expect(Number(unpacked) / (Number(stdout) / 1e6)).toBeCloseTo(1, 1);
});

it("has every example of the repository, and none that is not", async () => {
  const tracked = await run("git", ["ls-files", "examples"], { cwd: root });
  const { stdout } = await run("tar", ["-tzf", tarball]);
  const packed = stdout.split("\n").filter((path) => path.startsWith("package/examples/"));
  expect(packed.map((path) => path.replace("package/", "")).sort()).toEqual(
    tracked.stdout.trim().split("\n").sort(),
  );
});

it("is a command by itself, and its installation says nothing but that it is there", async () => {
  const prefix = join(folder, "prefix");
  const installed = await run("npm", ["install", "--global", "--prefix", prefix, tarball], {
    cwd: folder,
    env,
  });
  expect(installed.stdout.trim()).toMatch(/^added 1 package in \S+$/);
  expect(installed.stderr).toBe("");
  expect(existsSync(join(prefix, "lib/node_modules/verdict/node_modules"))).toBe(false);
  const verdict = join(prefix, "bin/verdict");
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  expect((await run(verdict, ["--version"], { env })).stdout).toBe(`${version}\n`);
  expect((await run(verdict, ["--help"], { env })).stdout).toContain("verdict check");
  expect((await run(verdict, ["docs", "first-check"], { env })).stdout).toMatch(/^# First check\n/);
  await run(verdict, ["examples", join(folder, "trial")], { env });
  expect(readdirSync(join(folder, "trial"))).toEqual(readdirSync(join(root, "examples")));
  expect((await run(verdict, ["tour"], { env })).stdout).toContain("PASS");
});

it("is a library by itself: the example compiles against it and runs", async () => {
  const example = join(folder, "example");
  cpSync(join(root, "examples/library"), example, { recursive: true });
  await run("npm", ["install", "--no-package-lock", tarball], { cwd: example, env });
  expect(readdirSync(join(example, "node_modules")).filter((name) => !name.startsWith("."))).toEqual([
    "verdict",
  ]);
  const tests = await run(process.execPath, ["--test", "--test-reporter=tap"], { cwd: example, env });
  expect(tests.stdout).toMatch(/^# pass 2$/m);
  expect(tests.stdout).toMatch(/^# fail 0$/m);

  // The types of Node, as every project in TypeScript has them.
  symlinkSync(join(root, "node_modules/@types"), join(example, "node_modules/@types"));
  symlinkSync(join(root, "node_modules/undici-types"), join(example, "node_modules/undici-types"));
  await run(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", "."], {
    cwd: example,
    env,
  });
});
