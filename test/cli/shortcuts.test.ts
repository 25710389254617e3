// Colours that are forced into a pipe, and files by hand that are none. What stands in such files: shortcuts.transcript.

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
