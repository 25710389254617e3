// The tools of those who deploy read the files that run the service: systemd, Compose and hadolint, where they are installed.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

function has(program: string): boolean {
  const found = spawnSync(program, ["--version"]).status === 0;
  if (!found) process.stderr.write(`The tests with ${program} are skipped: it is not installed.\n`);
  return found;
}

function ran(
  program: string,
  args: readonly string[],
): { status: number | null; stderr: string; stdout: string } {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: root, encoding: "utf8" });
  return { status, stdout, stderr };
}

describe.runIf(has("systemd-analyze"))("systemd", () => {
  it("finds nothing wrong in the unit, and little that it may do", () => {
    const folder = mkdtempSync(join(tmpdir(), "verdict-unit-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const unit = join(folder, "verdict.service");
    const text = readFileSync(join(root, "examples/serve/verdict.service"), "utf8");
    // It looks for the program.
    writeFileSync(unit, text.replace("/usr/bin/verdict", process.execPath));
    expect(ran("systemd-analyze", ["verify", unit])).toMatchObject({ status: 0, stderr: "" });
    const { stdout } = ran("systemd-analyze", ["security", "--offline=true", unit]);
    expect(Number(/Overall exposure level for verdict\.service: ([\d.]+)/.exec(stdout)?.[1])).toBeLessThan(2);
  });
});

describe.runIf(has("docker-compose"))("Compose", () => {
  it("reads the composition", () => {
    expect(ran("docker-compose", ["--file", "compose.yaml", "config", "--quiet"])).toMatchObject({
      status: 0,
      stderr: "",
    });
  });
});

describe.runIf(has("hadolint"))("hadolint", () => {
  it("finds nothing in the image", () => {
    expect(ran("hadolint", ["Containerfile"])).toMatchObject({ status: 0, stdout: "" });
  });
});
