// A power cut after every change to the disk, which forgets all that was not synced, or keeps some of it.

import { expect, it } from "vitest";

import { openVault } from "#src/vault/vault.ts";
import { Secret } from "#src/contract/secret.ts";
import { openCounter } from "./counter.ts";
import { forgetfulDisk } from "./forgetful-disk.ts";
import type { ForgetfulDisk } from "./forgetful-disk.ts";
import { noDamage } from "./no-damage.ts";

const COINS: readonly (readonly [string, () => () => boolean])[] = [
  ["nothing", () => () => false],
  ["everything", () => () => true],
  [
    "every other thing",
    () => {
      let coin = false;
      return () => (coin = !coin);
    },
  ],
  [
    "every third thing",
    () => {
      let count = 0;
      return () => (count += 1) % 3 === 0;
    },
  ],
];

/** Runs the work once for each change that it makes, cut after that change, and looks at what the next start finds. */
async function cutEverywhere<R>(
  keeps: () => () => boolean,
  work: (disk: ForgetfulDisk, acknowledge: (what: R) => void) => Promise<void>,
  check: (disk: ForgetfulDisk, acknowledged: readonly R[], cut: number) => Promise<void>,
): Promise<void> {
  for (let cut = 0; ; cut += 1) {
    const disk = forgetfulDisk();
    disk.cutAfter(cut);
    const acknowledged: R[] = [];
    await work(disk, (what) => acknowledged.push(what)).catch(() => {});
    await check(disk.afterPowerCut(keeps()), acknowledged, cut);
    if (disk.changes <= cut) {
      expect(cut).toBeGreaterThan(10);
      return;
    }
  }
}

it.each(COINS)(
  "a document has its last acknowledged value where the disk keeps %s unsynced",
  async (_, keeps) => {
    await cutEverywhere<number>(
      keeps,
      async (disk, acknowledge) => {
        const counter = openCounter("/home/counter.json", disk);
        for (let step = 0; step < 3; step += 1)
          acknowledge(await counter.update((data) => (data.value += 1)));
      },
      async (disk, acknowledged, cut) => {
        const counter = openCounter("/home/counter.json", disk);
        const { value } = await counter.read();
        const last = acknowledged.at(-1) ?? 0;
        expect([last, last + 1], `cut ${cut}`).toContain(value);
        expect(counter.problems, `cut ${cut}`).toEqual([]);
      },
    );
  },
);

it.each(COINS)("a vault has every acknowledged key where the disk keeps %s unsynced", async (_, keeps) => {
  const open = (fs: ForgetfulDisk): ReturnType<typeof openVault> =>
    openVault({
      onProblem: noDamage,
      documentPath: "/home/data/vault.json",
      keyPath: "/home/state/key",
      newId: () => "id",
      fs,
    });
  const entry = {
    kind: "integration_key",
    profile: "live",
    companyId: "company",
    keyId: "key",
    algorithm: "hmac-sha256",
    projectsUrl: "https://projects.example",
    secret: new Secret("a-secret"),
  } as const;
  await cutEverywhere<string>(
    keeps,
    async (disk, acknowledge) => acknowledge((await (await open(disk)).put(entry)).id),
    async (disk, acknowledged, cut) => {
      const vault = await open(disk);
      if (acknowledged.length > 0) expect(vault.list(), `cut ${cut}`).toHaveLength(1);
      await vault.put(entry);
      expect(vault.integrationKey("live", "https://projects.example")?.secret.expose()).toBe("a-secret");
    },
  );
});
