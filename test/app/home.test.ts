// The folders of a home on each platform, with the platform as a parameter.

import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { TOPICS } from "#src/cli/topics.ts";
import { findHome, VARIABLES } from "#src/app/home.ts";

let user: string;
beforeEach(() => {
  user = mkdtempSync(join(tmpdir(), "verdict-home-"));
});
afterEach(() => rmSync(user, { recursive: true, force: true }));

function configOf(platform: NodeJS.Platform, env: NodeJS.ProcessEnv = {}): string {
  return findHome({ HOME: user, ...env }, undefined, platform).config;
}

it.each(VARIABLES)("has %s in the help and in the reference", (name) => {
  const page = readFileSync(
    new URL("../../docs/reference/files-and-environment.md", import.meta.url),
    "utf8",
  );
  for (const text of [TOPICS["files"], page]) expect(text).toContain(name);
});

it("is that of XDG on Linux", () => {
  expect(configOf("linux")).toBe(join(user, ".config/verdict"));
  expect(configOf("linux", { LOCALAPPDATA: "/local" })).toBe(join(user, ".config/verdict"));
});

it("is one folder where the platform keeps such, which a child process is given as it is", () => {
  expect(configOf("darwin")).toBe(join(user, "Library/Application Support/verdict/config"));
  expect(configOf("win32", { LOCALAPPDATA: "/local" })).toBe("/local/verdict/config");
  expect(configOf("win32")).toBe(join(user, "AppData/Local/verdict/config"));
  const { environment, ...home } = findHome({ HOME: user }, undefined, "darwin");
  expect(findHome(environment, undefined, "darwin")).toEqual({ ...home, environment });
});

it.each(["darwin", "win32"] as const)(
  "stays on %s where the user goes by XDG, or has such a home",
  (platform) => {
    expect(configOf(platform, { XDG_DATA_HOME: "/data" })).toBe(join(user, ".config/verdict"));
    expect(configOf(platform, { VERDICT_HOME: "/one" })).toBe("/one/config");
    mkdirSync(join(user, ".local/state/verdict"), { recursive: true });
    expect(configOf(platform)).toBe(join(user, ".config/verdict"));
  },
);
