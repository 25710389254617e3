// The long runs of the storage harnesses: 500 updates by each of four processes, 500 kills, and a holder that stands still.

import { join } from "node:path";

import { expect, it, onTestFinished } from "vitest";

import { startChild } from "../storage/child.ts";
import { openCounter } from "../storage/counter.ts";
import {
  replayAndKill,
  replayTogether,
  updateAndKill,
  updateTogether,
  writeAndKill,
  writeTogether,
} from "../storage/process-rounds.ts";
import { temporaryFolder } from "../storage/temporary-folder.ts";

it("four processes of 500 updates each count to 2,000", async () => {
  await updateTogether(temporaryFolder(), 4, 500);
});

it("nothing of a run is lost or sent twice in 200 kills", async () => {
  await replayAndKill(temporaryFolder(), 200);
});

it("four processes send 500 items of a run each, and all of it is there", async () => {
  await replayTogether(temporaryFolder(), 4, 500);
});

it("no acknowledged update is lost in 100 kills during updates", async () => {
  await updateAndKill(temporaryFolder(), 100);
});

it("a holder of the lock that stands still for 15 s is waited for, and nothing is lost", async () => {
  const path = join(temporaryFolder(), "counter.json");
  await openCounter(path).update((data) => (data.value = 1));
  const holder = startChild("hold-lock", `${path}.lock`);
  onTestFinished(() => void holder.process.kill("SIGKILL"));
  await holder.started;
  holder.process.kill("SIGSTOP");
  const stopped = performance.now();
  const updated = openCounter(path).update((data) => (data.value += 1));
  setTimeout(() => holder.process.kill("SIGKILL"), 15_000);
  expect(await updated).toBe(2);
  expect(performance.now() - stopped).toBeGreaterThan(14_900);
});

it("four processes write 500 checks each into a new history, and all of it is there", async () => {
  await writeTogether(temporaryFolder(), 4, 500);
});

it("no acknowledged step of a check is lost in 500 kills", async () => {
  await writeAndKill(temporaryFolder(), 500);
});
