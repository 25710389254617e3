// How commands look by settings.yaml and their options, and files by hand that are none. Keys and own commands: shortcuts.transcript.

import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { homeOfTests, inProcessHome } from "./in-process.ts";

const home = homeOfTests();
const write = (name: string, text: string): void => writeFileSync(join(home.folder, "config", name), text);

beforeAll(() => {
  mkdirSync(join(home.folder, "config"));
});
beforeEach(() => {
  write("keys.yaml", "");
  write("commands.yaml", "");
  write("settings.yaml", "");
});

describe("how commands look", () => {
  const MIXED = ["recipe", "show", "kong"];

  it("is ASCII with --ascii, before or behind the name of the command, or by settings.yaml", async () => {
    const rich = await home.run(["doctor"]);
    expect(rich.stdout).toContain("✔");
    for (const args of [
      ["doctor", "--ascii"],
      ["--ascii", "doctor"],
    ]) {
      const plain = await home.run(args);
      expect(plain.stdout).toContain("+ ok");
      // oxlint-disable-next-line no-control-regex
      expect(plain.stdout).toMatch(/^[\x00-\x7f]*$/);
    }
    write("settings.yaml", "ascii: true\n");
    expect((await home.run(["doctor"])).stdout).toContain("+ ok");
  });

  it("is refused by a name that no theme has", async () => {
    const { code, stderr } = await home.run([...MIXED, "--theme", "pink"]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/default, high-contrast or none/);
    const console = await home.run(["--theme", "pink"]);
    expect([console.code, console.stderr]).toEqual([2, expect.stringContaining('There is no theme "pink"')]);
  });

  it("has the colours of the theme where colour is forced into a pipe", async () => {
    const forced = inProcessHome({ FORCE_COLOR: "1" });
    const colors = async (...more: string[]): Promise<string> =>
      (await forced.run(["doctor", ...more])).stdout;
    expect(await colors()).toContain("\u001b[1m");
    expect(await colors("--theme", "none")).not.toContain("\u001b");
    mkdirSync(join(forced.folder, "config"));
    writeFileSync(join(forced.folder, "config", "settings.yaml"), "theme: pink\n");
    const contrast = await colors("--theme", "high-contrast");
    expect(contrast).toContain("\u001b[41m");
    forced.remove();
  });

  it.each([
    ["theme: pink\n", /settings\.yaml:1:8: theme must be default, high-contrast, none/],
    ["ascii: perhaps\n", /settings\.yaml:1:8: ascii must be true or false/],
    ["colors:\n  pass: red\n", /settings\.yaml:2:3: pass and block cannot be told apart: both are red/],
    ["quiet: dim\n", /settings\.yaml:1:8: quiet must be auto, gray, full/],
    ["notify: mail\n", /settings\.yaml:1:9: notify must be off, bell, osc9/],
    ["them: none\n", /settings\.yaml:1:1: unknown key "them"/],
  ])("goes on without %j, and doctor says what is wrong", async (text, sentence) => {
    write("settings.yaml", text);
    const { code, stdout } = await home.run(["doctor"]);
    expect(stdout).toMatch(sentence);
    expect(code).toBe(8);
    const { code: other, stderr } = await home.run(MIXED);
    expect(other).toBe(0);
    expect(stderr).toMatch(/^The settings are left out: settings\.yaml:/);
    write("settings.yaml", "");
  });

  it("names the colours of one's own in doctor", async () => {
    write("settings.yaml", "colors:\n  pass: cyan\n  bar: black on white\n");
    expect((await home.run(["doctor"])).stdout).toContain("Colours of your own: pass, bar");
    write("settings.yaml", "");
  });

  it.each(["settings.yaml", "keys.yaml", "commands.yaml"])(
    "never waits for a %s that is not a regular file",
    async (name) => {
      const plants: readonly ((path: string) => void)[] = [
        (path) => execFileSync("mkfifo", [path]),
        (path) => symlinkSync("/dev/zero", path),
        (path) => symlinkSync("nowhere", path),
        (path) => mkdirSync(path),
      ];
      const path = join(home.folder, "config", name);
      for (const plant of plants) {
        rmSync(path);
        plant(path);
        const { stdout, stderr } = await home.run(
          name === "settings.yaml" ? "recipe list" : "help shortcuts",
        );
        expect(stdout).not.toBe("");
        expect(stderr).toMatch(/^(?:The settings|The default keys|Your commands) .*\.yaml (is|no) .*\.\n$/);
        rmSync(path, { recursive: true });
        writeFileSync(path, "");
      }
    },
  );
});
