// The state of files keeps the contract of every state, and its files agree with each other.

import { cp, readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { COUNTERS_FILE } from "#src/sandbox/decisions/counters-file.ts";
import { SANDBOX_LIMITS } from "#src/sandbox/http/sandbox-limits.ts";
import { openFileState, resetFileState, type FileState } from "#src/sandbox/state/file-state.ts";
import { createIssuer } from "#src/sandbox/state/issuer.ts";
import { openReplayCache } from "#src/sandbox/state/replay-cache.ts";
import { ensureStateFolder } from "#src/sandbox/run-sandbox.ts";
import { temporaryFolder } from "./sandbox-under-test.ts";
import { check, CONTRACT, failing, stateContract, type StateUnderTest } from "./state-contract.ts";

const issuer = createIssuer(null);
const onProblem = (sentence: string): never => {
  throw new Error(sentence);
};

async function openIn(dir: string) {
  await ensureStateFolder(dir);
  const { companies, repeatMs, replayCapacity, windowMs } = CONTRACT;
  const replays = await openReplayCache({
    dir: join(dir, "signatures"),
    windowMs,
    capacity: replayCapacity,
    sync: false,
  });
  const limits = { ...SANDBOX_LIMITS, repeatMs };
  const options = { dir, issuer, companies, replays, ready: null, limits, sync: false, onProblem };
  const state = await openFileState(options);
  const end = async (): Promise<void> => {
    await state.close();
    await replays.close();
  };
  return { dir, state, end };
}

interface FilesUnderTest extends StateUnderTest {
  readonly state: FileState;
  readonly decisions: string;
}

async function open(): Promise<FilesUnderTest> {
  const folder = await temporaryFolder();
  let current = await openIn(join(folder, "state"));
  onTestFinished(() => current.end());
  let killed = 0;
  return {
    get state() {
      return current.state;
    },
    get decisions() {
      return join(current.dir, "decisions");
    },
    async restart(how) {
      let { dir, end } = current;
      if (how === "killed") {
        // What the system has of it now is what a killed process leaves.
        killed += 1;
        await cp(current.dir, (dir = join(folder, `killed-${killed}`)), { recursive: true });
      }
      await end();
      current = await openIn(dir);
    },
    async reset(keepProjects) {
      await current.end();
      await resetFileState(current.dir, keepProjects, onProblem);
      current = await openIn(current.dir);
    },
  };
}

stateContract("files", open);

test("counters are saved only with what the log holds, so that nothing is counted twice", async () => {
  const under = await open();
  const ENOUGH_TO_SAVE = 1_000;
  await Promise.all(Array.from({ length: ENOUGH_TO_SAVE }, () => check(under.state)));
  await expect(check(under.state, {}, failing)).rejects.toThrow();
  await under.restart("stopped");
  expect(await readdir(under.decisions)).not.toContain(COUNTERS_FILE);

  // Nobody was told of what was counted last, and it is gone.
  await expect(check(under.state, {}, failing)).rejects.toThrow();
  expect((await check(under.state)).count).toBe(ENOUGH_TO_SAVE + 2);
  await under.restart("stopped");
  expect(await readdir(under.decisions)).toContain(COUNTERS_FILE);
  expect((await check(under.state)).count).toBe(ENOUGH_TO_SAVE + 3);
});

test("errors one after another are let go beyond a limit, and the next decision is stored", async () => {
  const under = await open();
  for (let i = 0; i < 1_010; i += 1) await expect(check(under.state, {}, failing)).rejects.toThrow();
  expect((await check(under.state)).count).toBe(1_011);
  await under.restart("killed");
  expect((await check(under.state)).count).toBe(1_001);
});
