// Several processes at once, processes killed at any moment, a holder of a lock that stands still, and modes under any umask.

import { lstatSync, readdirSync } from "node:fs";
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

it("nothing of a run is lost or sent twice in 60 kills", async () => {
  await replayAndKill(temporaryFolder(), 60);
});

it("four processes send 500 items of a run each, and all of it is there", async () => {
  await replayTogether(temporaryFolder(), 4, 500);
});

it("no acknowledged update is lost in 40 kills during updates", async () => {
  await updateAndKill(temporaryFolder(), 40);
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

it("no acknowledged step of a check is lost in 120 kills", async () => {
  await writeAndKill(temporaryFolder(), 120);
});

it.each(["000", "077", "777"])("files are 0600 and folders 0700 under umask %s", async (umask) => {
  // Under umask 777 even root's own folders need the mode set afterwards; others could not enter them at all.
  const home = temporaryFolder();
  const child = startChild("write-everything", home, umask);
  expect([await child.ended, child.process.signalCode], child.errors()).toEqual([null, "SIGKILL"]);
  const found = readdirSync(home, { recursive: true, encoding: "utf8" });
  expect(found).toEqual(
    expect.arrayContaining([
      "config/deep/profiles.json",
      "config/deep/profiles.json.bak",
      "data/vault.json",
      "state/vault.key",
      "data/history.db",
      "data/history.db-shm",
      "data/history.db-wal",
      "data/runs.db",
      "data/runs.db-shm",
      "data/runs.db-wal",
      "data/runs.db.a1.lock",
    ]),
  );
  for (const name of found) {
    const status = lstatSync(join(home, name));
    expect([name, (status.mode & 0o777).toString(8)]).toEqual([name, status.isDirectory() ? "700" : "600"]);
  }
});
