// A sandbox that hangs at its start is ended by the one that started it.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { findHome } from "#src/app/home.ts";
import { leaseSandbox } from "#src/app/sandbox-launch.ts";

test("a child that does not answer in 15 s is ended", async () => {
  const folder = mkdtempSync(join(tmpdir(), "verdict-launch-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const script = join(folder, "hang.mjs");
  writeFileSync(
    script,
    `import { writeFileSync } from "node:fs";
     writeFileSync(${JSON.stringify(join(folder, "pid"))}, String(process.pid));
     for (;;);`,
  );
  const leasing = leaseSandbox({
    home: findHome({ VERDICT_HOME: join(folder, "home") }, undefined),
    version: "0.0.0-test",
    executable: [process.execPath, script],
    env: process.env,
    ephemeral: null,
    onProblem: (sentence) => expect.unreachable(sentence),
  });
  await expect(leasing).rejects.toMatchObject({ code: "sandbox" });
  const pid = Number(readFileSync(join(folder, "pid"), "utf8"));
  // Where nobody collects what has ended it stays as a zombie, which uses no time.
  await vi.waitFor(() => expect(readState(pid)).toMatch(/^[ZX]?$/));
});

/** Letter of proc(5); empty where there is no such process, or no such file. */
function readState(pid: number): string {
  try {
    process.kill(pid, 0);
    return /\) (\S)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))![1]!;
  } catch {
    return "";
  }
}
