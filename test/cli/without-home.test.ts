// Where no folder is named, or none can be made: what keeps nothing works, the rest is refused in one sentence.

import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import os, { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { inProcessHome } from "./in-process.ts";
import { PROGRAM, testHome } from "./verdict-process.ts";

let files: string;
beforeAll(() => {
  // An account that the system does not know, such as any number in a container. Not a mock of the module, which files
  // that share this process have loaded before.
  vi.spyOn(os, "homedir").mockImplementation(() => {
    throw new Error("A system error occurred: uv_os_homedir returned ENOENT");
  });
  syncBuiltinESMExports();
  files = mkdtempSync(join(tmpdir(), "verdict-files-"));
  const payment = { operation: "payment", order_id: "a", amount: 1, currency: 980 };
  writeFileSync(join(files, "payment.json"), JSON.stringify(payment));
  writeFileSync(join(files, "orders.csv"), "order_id,amount,currency\na,1,UAH\n");
  return () => {
    rmSync(files, { recursive: true });
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  };
});

/** What cannot be made, also by root: such folders exist only where a process has them. */
const READ_ONLY = "/proc/verdict-test";

const HOMES: readonly (readonly [string, NodeJS.ProcessEnv, number])[] = [
  ["an empty HOME", { HOME: "" }, 2],
  ["a relative HOME", { HOME: "verdict-relative" }, 2],
  ["an unknown account", { HOME: undefined }, 2],
  ["an empty HOME and a relative XDG folder", { HOME: "", XDG_DATA_HOME: "verdict-relative" }, 2],
  ["a HOME that cannot be written", { HOME: READ_ONLY }, 74],
];

const KEEPS_NOTHING = [
  "--version",
  "--help",
  "help check",
  "schema",
  "rules print starter",
  "rules check starter",
  "payload import FILES/orders.csv --try",
  "completion bash",
  "help shortcuts",
  "recipe list",
  "recipe show http-signatures",
  "demo --list",
  "check FILES/payment.json --dry-run",
  "replay FILES/payment.json --dry-run",
  "serve --openapi",
];

const KEEPS = [
  "check FILES/payment.json",
  "payload save one FILES/payment.json",
  "profile add shop --base-url https://shop.example",
  "vault add --merchant-id m --risk-level low --key-id k --project-id p --secret-stdin",
  "serve --port 0",
];

describe.skipIf(process.platform !== "linux").each(HOMES)("with %s", (_, env, code) => {
  const started = (): ReturnType<typeof inProcessHome> => {
    const home = inProcessHome({ VERDICT_HOME: undefined, ...env });
    onTestFinished(() => home.remove());
    return home;
  };
  const words = (command: string): string => command.replace("FILES", files);

  it.each(KEEPS_NOTHING)("%s works", async (command) => {
    const { code, stderr, stdout } = await started().run(words(command));
    expect([code, stderr.includes("HOME")], stderr).toEqual([0, false]);
    expect(stdout).not.toBe("");
  });

  it.each(KEEPS)("%s is refused, naming VERDICT_HOME", async (command) => {
    const before = readdirSync(".");
    const printed = await started().run(words(command), "9f".repeat(32));
    expect(printed.stderr).toMatch(/^[^\n]*VERDICT_HOME[^\n]*\n$/);
    expect(printed.code).toBe(code);
    expect(readdirSync(".")).toEqual(before);
  });

  it.each(["doctor", "doctor --json"])("%s reports it", async (command) => {
    const { code, stdout, stderr } = await started().run(command);
    expect([code, stderr]).toEqual([8, ""]);
    expect(stdout).toMatch(/HOME/);
    expect(stdout).not.toContain("Nothing needs attention");
  });

  it("the console is refused", async () => {
    const printed = await started().run([]);
    expect(printed.code).toBe(2);
    if (code === 2) expect(printed.stderr).toContain("VERDICT_HOME");
  });

  it("a temporary sandbox runs, and leaves nothing", async () => {
    const { code, stdout, stderr } = await started().run(
      "serve --ephemeral --port 0 --admin-port 0 --json",
      "",
      "keys_file",
    );
    expect(code, stderr).toBe(0);
    const { state } = JSON.parse(stdout) as { state: string };
    expect(state.startsWith(tmpdir())).toBe(true);
    expect(existsSync(state)).toBe(false);
  });
});

it.runIf(process.platform === "linux").each([
  ["below a device", "/dev/null/home", "lies below something that is not a folder"],
  ["where nothing can be made", READ_ONLY, "cannot be made in /proc"],
])("doctor names each folder of a home %s", async (_, folder, why) => {
  const home = inProcessHome({ VERDICT_HOME: folder });
  onTestFinished(() => home.remove());
  const { code, stdout } = await home.run("doctor --json");
  const { findings } = JSON.parse(stdout) as { findings: { state: string; what: string }[] };
  const problems = findings.filter(({ state }) => state === "problem").map(({ what }) => what);
  expect(code).toBe(8);
  expect(problems).toEqual(
    ["config", "data", "state"].map((name) => expect.stringMatching(`^${folder}/${name} .*${why}`)),
  );
});

it("names the temporary folder that is not there", async () => {
  const home = testHome();
  onTestFinished(() => home.remove());
  for (const words of ["serve --ephemeral --port 0", "tour --no-input"]) {
    const { code, stderr } = await home.run(words, { env: { TMPDIR: "/nowhere" } });
    expect([code, stderr]).toEqual([
      74,
      expect.stringMatching(/^[^\n]*\/nowhere is not there; set TMPDIR[^\n]*\n$/),
    ]);
  }
});

const AS_NOBODY = [
  "--reuid=54321",
  "--regid=54321",
  "--clear-groups",
  "env",
  "-i",
  `PATH=${process.env["PATH"]}`,
];
const asNobody = (words: string): ReturnType<typeof spawnSync> =>
  spawnSync("setpriv", [...AS_NOBODY, process.execPath, PROGRAM, ...words.split(" ")], { cwd: "/" });
// Needs root, and a checkout that every account may read.
const canBeNobody = process.geteuid?.() === 0 && asNobody("--version").status === 0;

it.runIf(canBeNobody)("serves an account of the system's that has no name", () => {
  const tour = asNobody("tour --no-input");
  expect([tour.status, String(tour.stderr)]).toEqual([0, expect.not.stringContaining("HOME")]);
  const check = asNobody("history");
  expect([check.status, String(check.stderr)]).toEqual([
    2,
    expect.stringMatching(/^HOME is not set[^\n]*VERDICT_HOME[^\n]*\n$/),
  ]);
});
