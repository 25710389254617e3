// A file that grows: private, never another's, and whole lines even where the disk is full.

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openGrowing } from "#src/actions/growing-file.ts";

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "verdict-growing-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

it("is there line by line for this account alone", () => {
  const path = join(folder(), "talk.cast");
  const file = openGrowing(path, false);
  file.append("one\n");
  file.append("two\nthree\n");
  expect(readFileSync(path, "utf8")).toBe("one\ntwo\nthree\n");
  expect(statSync(path).mode & 0o777).toBe(0o600);
  file.close();
  file.close();
  expect(file.problem()).toBeNull();
});

it("leaves nothing where nothing was appended", () => {
  const path = join(folder(), "talk.cast");
  openGrowing(path, false).close();
  expect(() => statSync(path)).toThrow("ENOENT");
});

it("overwrites a regular file where it may, as a new one, and nothing else", () => {
  const within = folder();
  const path = join(within, "talk.cast");
  writeFileSync(path, "before", { mode: 0o644 });
  expect(() => openGrowing(path, false, "add --yes")).toThrow("is not overwritten; add --yes.");
  const file = openGrowing(path, true);
  file.append("after\n");
  file.close();
  expect(readFileSync(path, "utf8")).toBe("after\n");
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const link = join(within, "link");
  symlinkSync(path, link);
  mkdirSync(join(within, "sub"));
  for (const other of [link, join(within, "sub")])
    expect(() => openGrowing(other, true)).toThrow("is not a regular file");
  expect(() => openGrowing(join(within, "missing", "talk.cast"), true)).toThrow("there is no folder");
  expect(readFileSync(path, "utf8")).toBe("after\n");
});

it.runIf(process.platform === "linux" && process.getuid?.() === 0)(
  "ends with a whole line on a full disk, says so once, and goes on without",
  () => {
    const disk = folder();
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k,mode=700", "tmpfs", disk]);
    onTestFinished(() => void execFileSync("umount", ["--lazy", disk]));
    const path = join(disk, "talk.cast");
    const file = openGrowing(path, false);
    const line = `${"é".repeat(500)}\n`;
    for (let count = 0; count < 200; count += 1) file.append(line);
    expect(file.problem()?.message).toMatch(
      /talk\.cast ends early because the disk is full; free some space/,
    );
    const kept = readFileSync(path, "utf8");
    expect(kept.length).toBeGreaterThan(0);
    expect(kept.replaceAll(line, "")).toBe("");
    file.close();
  },
);
