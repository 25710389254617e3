// The vault's file with any byte flipped and cut at any byte: its previous generation, or a refusal, never another content.

import { appendFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";

import { expect, it } from "vitest";

import { Fault } from "#src/contract/fault.ts";
import { BASE, CREDENTIAL, KEY, PASSPHRASE, place, SECRET, type Place } from "./place.ts";

async function prepared(): Promise<Place> {
  const where = place();
  const vault = await where.open();
  await vault.put(KEY);
  await vault.put(CREDENTIAL);
  await vault.setPassphrase(PASSPHRASE);
  await vault.put({ ...KEY, keyId: "newer" });
  return where;
}

it.each(["flipped", "cut"])("is never read as something else with a byte %s", async (damage) => {
  const where = await prepared();
  const good = readFileSync(where.documentPath);
  const backup = readFileSync(`${where.documentPath}.bak`);
  // Every byte of the head with its wrapped key, and every seventh of the entries: they all are in one checksum.
  const head = good.indexOf('"entries"');
  // Without the line feed behind it the document is still whole.
  const end = good.length - 1;
  expect(good.toString("latin1", end)).toBe("\n");
  for (let at = 0; at < end; at += at < head ? 1 : 7) {
    const bad = damage === "cut" ? good.subarray(0, at) : Buffer.from(good);
    if (damage === "flipped") bad[at]! ^= 1;
    writeFileSync(where.documentPath, bad);
    writeFileSync(`${where.documentPath}.bak`, backup);
    const vault = await where.open();
    await vault.unlock(PASSPHRASE);
    expect(vault.problems, `byte ${at}`).toHaveLength(1);
    expect(vault.credential("live", "merchant-7/low", BASE).secret.expose()).toBe(`${SECRET}-2`);
    for (const path of where.files().keys()) if (path.includes(".corrupt-")) rmSync(path);
  }
});

it("is never read as something else with 4,096 NULs behind it", async () => {
  const where = await prepared();
  appendFileSync(where.documentPath, Buffer.alloc(4096));
  const vault = await where.open();
  await vault.unlock(PASSPHRASE);
  expect(vault.problems).toHaveLength(1);
  expect(vault.credential("live", "merchant-7/low", BASE).secret.expose()).toBe(`${SECRET}-2`);
});

it("stops where the previous generation is damaged, too", async () => {
  const where = await prepared();
  for (const path of [where.documentPath, `${where.documentPath}.bak`]) {
    const bytes = readFileSync(path);
    bytes[bytes.length >> 1]! ^= 1;
    writeFileSync(path, bytes);
  }
  const before = where.files();
  const failing = where.open();
  await expect(failing).rejects.toBeInstanceOf(Fault);
  await expect(failing).rejects.toMatchObject({ code: "corrupt" });
  expect(where.files()).toEqual(before);
});
