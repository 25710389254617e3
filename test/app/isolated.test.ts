// A sandbox of its own that is called off while it starts leaves nothing behind.

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Context } from "#src/app/context.ts";
import { openEphemeral } from "#src/app/ephemeral.ts";
import { openIsolated } from "#src/app/isolated.ts";
import { SANDBOX_PROFILE } from "#src/contract/records/profile.ts";
import { testRules } from "../sandbox/rules.ts";

/** A sandbox that never answers, and writes into its folder for as long as it lives. */
const SILENT = `
  import { mkdirSync, writeFileSync } from "node:fs";
  const folder = process.cwd();
  writeFileSync(process.env.TMPDIR + "/pid", String(process.pid));
  setInterval(() => { mkdirSync(folder, { recursive: true }); writeFileSync(folder + "/log", "") }, 1);
`;

test("neither a process nor a folder", async () => {
  const outer = mkdtempSync(join(tmpdir(), "verdict-test-"));
  onTestFinished(() => rmSync(outer, { recursive: true, force: true }));
  const [script, pidFile] = [join(outer, "silent.mjs"), join(outer, "pid")];
  writeFileSync(script, SILENT);
  const own = {
    profile: SANDBOX_PROFILE,
    now: () => 0,
    projects: () => Promise.resolve({ get: () => Promise.resolve(null) }),
  } as unknown as Context;
  let folder = "";
  const stop = new AbortController();
  const opening = openIsolated(
    own,
    async (seed, startAt) => {
      const env = { ...process.env, TMPDIR: outer };
      const executable = [process.execPath, script];
      const opened = await openEphemeral({ env, executable, seed, startAt, onProblem: () => undefined });
      folder = dirname(opened.context.home.state);
      return opened;
    },
    { projects: ["shop/low"], rules: { text: "", name: "none", ruleSet: await testRules() } },
    stop.signal,
  );
  const refused = expect(opening).rejects.toMatchObject({ code: "interrupted" });
  await expect.poll(() => existsSync(pidFile) && readFileSync(pidFile, "utf8")).toMatch(/\d/);
  const pid = Number(readFileSync(pidFile, "utf8"));
  stop.abort();
  await refused;
  expect(() => process.kill(pid, 0)).toThrow();
  expect(existsSync(folder)).toBe(false);
});
