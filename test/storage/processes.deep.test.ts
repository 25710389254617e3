// Several processes at once, and processes killed at any moment. test/deep holds the long runs of the same harness.

import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";

import { expect, it } from "vitest";

import { startChild } from "./child.ts";
import {
  replayAndKill,
  replayTogether,
  updateAndKill,
  updateTogether,
  writeAndKill,
  writeTogether,
} from "./process-rounds.ts";
import { temporaryFolder } from "./temporary-folder.ts";

it("four processes of 50 updates each count to 200", async () => {
  await updateTogether(temporaryFolder(), 4, 50);
});

it("nothing of a run is lost or sent twice in 40 kills", async () => {
  await replayAndKill(temporaryFolder(), 40);
});

it("four processes send 50 items of a run each, and all of it is there", async () => {
  await replayTogether(temporaryFolder(), 4, 50);
});

it("four processes write 50 checks each into a new history, and all of it is there", async () => {
  await writeTogether(temporaryFolder(), 4, 50);
});

it("no acknowledged step of a check is lost in 40 kills", async () => {
  await writeAndKill(temporaryFolder(), 40);
});

it("no acknowledged update is lost in 15 kills during updates", async () => {
  await updateAndKill(temporaryFolder(), 15);
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
