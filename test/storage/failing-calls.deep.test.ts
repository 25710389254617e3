// The Nth write, sync or truncation of the database fails, for every N until none is left: nothing acknowledged is lost.

import { execFileSync, spawnSync } from "node:child_process";
import { cpSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { expect, it } from "vitest";

import { expectSent, expectWritten } from "./process-rounds.ts";
import { damagedHistory, expectSalvaged, idsIn, SAVED } from "./damaged-history.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const beside = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** Null where there is no C compiler. */
function failingCalls(): string | null {
  const library = join(temporaryFolder(), "failing-calls.so");
  try {
    execFileSync("cc", ["-shared", "-fPIC", "-o", library, beside("failing-calls.c"), "-ldl"]);
    return library;
  } catch {
    return null;
  }
}

const PRELOADED = (library: string, at: number, error: number): NodeJS.ProcessEnv => ({
  ...process.env,
  LD_PRELOAD: library,
  FAIL_AT: String(at),
  FAIL_WITH: String(error),
});

/** Far more than the writes of three checks. */
const MOST_CALLS = 400;

/** What is written by a process, how many steps it acknowledges where nothing fails, and what proves them. */
const WRITERS = {
  history: { program: "write-history", count: 3, steps: 12, prove: expectWritten },
  runs: {
    program: "write-run",
    count: 6,
    steps: 12,
    prove: async (folder: string, lines: readonly string[]) => {
      // Without its header there is no run, and nothing of it was sent.
      if (lines.length > 0) await expectSent(folder, "n", lines);
    },
  },
} as const;

/** They take turns, so that each kind of call fails with either. */
const ERRORS = ["ENOSPC", "EIO"] as const;

it.for(["history", "runs"] as const)(
  "an error at any call of the %s is said, and loses nothing",
  async (what, test) => {
    const { program, count, steps, prove } = WRITERS[what];
    const library = failingCalls();
    if (library === null) return test.skip("needs a C compiler");
    const failed = new Map<string, number>();
    for (let at = 1; at < MOST_CALLS; at += 1) {
      const folder = temporaryFolder();
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        ["--no-warnings", beside(`children/${program}.ts`), folder, "n", String(count)],
        {
          encoding: "utf8",
          env: PRELOADED(library, at, constants.errno[ERRORS[at % ERRORS.length]!]),
        },
      );
      expect(status, stderr).toBe(0);
      const call = stderr.trim();
      const lines = stdout.split("\n").filter((line) => line !== "");
      const isRefused = lines.map((line) => line.startsWith("refused"));
      const acknowledged = lines.filter((_, index) => !isRefused[index]);
      await prove(folder, acknowledged);
      if (call === "") {
        expect(acknowledged).toHaveLength(steps);
        expect(failed.get("fsync") ?? failed.get("fdatasync")).toBeGreaterThan(5);
        expect(failed.get("pwrite64") ?? failed.get("pwrite")).toBeGreaterThan(10);
        return;
      }
      failed.set(call, (failed.get(call) ?? 0) + 1);
      for (const line of lines.filter((_, index) => isRefused[index])) {
        expect(line).toMatch(new RegExp(`^refused storage .+${what}\\.db.+\\.$`));
      }
      // What the kernel dropped once may be called written by the next sync.
      const first = isRefused.indexOf(true);
      if (call.includes("sync") && first > 0) expect(isRefused.slice(first)).not.toContain(false);
    }
    expect.fail(`more than ${MOST_CALLS} calls`);
  },
);

/** A salvage is killed at each so many-th call; with `VERDICT_SALVAGE_EVERY=1` at every one. */
const EVERY = Number(process.env["VERDICT_SALVAGE_EVERY"] ?? 3);

it("a salvage killed at a call leaves the old or the new history, or a sentence, and the next one ends it", async (test) => {
  const library = failingCalls();
  if (library === null) return test.skip("needs a C compiler");
  const original = await damagedHistory();
  const salvage = (folder: string, env: NodeJS.ProcessEnv): string =>
    spawnSync(process.execPath, ["--no-warnings", beside("children/salvage-history.ts"), folder], {
      encoding: "utf8",
      env,
    }).stdout;
  for (let at = 1; at < MOST_CALLS; at += EVERY) {
    const folder = temporaryFolder();
    cpSync(original, folder, { recursive: true });
    const stdout = salvage(folder, PRELOADED(library, at, 0));
    const found = await idsIn(folder).catch((error: unknown) => error);
    if (found instanceof Error)
      expect(found, `call ${at}`).toMatchObject({
        code: "corrupt",
        message: expect.stringContaining("history salvage"),
      });
    else expect(found, `call ${at}`).toEqual(SAVED);
    if (stdout !== "") {
      expect(stdout).toBe(`saved ${SAVED.length}\n`);
      expect(at).toBeGreaterThan(20);
      return;
    }
    expect(salvage(folder, process.env)).toMatch(/^saved/);
    await expectSalvaged(folder);
  }
  expect.fail(`more than ${MOST_CALLS} calls`);
});
