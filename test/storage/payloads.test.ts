// Saved payloads: what is written can be checked again, nothing is overwritten unasked, no name leads anywhere else.

import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { readPayload } from "#src/contract/payload.ts";
import { savePayload } from "#src/actions/save-payload.ts";
import { openPayloads, type SavedPayload } from "#src/storage/payloads.ts";
import { answer, intent } from "./entries.ts";
import { failingFileSystem } from "./failing-file-system.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const REQUEST = {
  operation: "payment",
  order_id: "o-1",
  amount: 12_000,
  currency: 980,
  card: { bin_card: 411_111, cin_card: 42 },
};

function payload(changes: Partial<SavedPayload> = {}): SavedPayload {
  return { name: "first", expect: "block", tags: ["risky"], request: REQUEST, ...changes };
}

describe("saved payloads", () => {
  it("are read back as they were saved", async () => {
    const payloads = openPayloads({ dir: join(temporaryFolder(), "payloads") });
    expect(await payloads.save(payload(), false)).toBe(true);
    const read = readPayload(readFileSync(payloads.path("first")), "first", [], Date.now());
    expect(read).toMatchObject({ name: "first", expect: "block", tags: ["risky"], request: REQUEST });
  });

  it.skipIf(process.platform === "win32")(
    "are private whatever the umask, and so is their folder",
    async () => {
      const dir = join(temporaryFolder(), "data", "payloads");
      const payloads = openPayloads({ dir });
      const umask = process.umask(0);
      try {
        await payloads.save(payload(), false);
      } finally {
        process.umask(umask);
      }
      expect(statSync(payloads.path("first")).mode & 0o777).toBe(0o600);
      expect(statSync(dir).mode & 0o777).toBe(0o700);
      chmodSync(payloads.path("first"), 0o644);
      await payloads.save(payload(), true);
      expect(statSync(payloads.path("first")).mode & 0o777).toBe(0o600);
    },
  );

  it("are not overwritten unless asked to", async () => {
    const payloads = openPayloads({ dir: temporaryFolder() });
    await payloads.save(payload({ expect: "pass" }), false);
    const before = readFileSync(payloads.path("first"), "utf8");
    expect(await payloads.save(payload(), false)).toBe(false);
    expect(readFileSync(payloads.path("first"), "utf8")).toBe(before);
    expect(await payloads.save(payload(), true)).toBe(true);
    expect(JSON.parse(readFileSync(payloads.path("first"), "utf8"))).toMatchObject({ expect: "block" });
  });

  it.each([
    "",
    "..",
    ".hidden",
    "a/b",
    "../up",
    "a\\b",
    "a b",
    "-rf",
    "nul",
    "COM1.old",
    "é",
    "a\u0000b",
    "x".repeat(65),
  ])("refuse the name %j with one sentence", async (name) => {
    const dir = temporaryFolder();
    const refused = openPayloads({ dir }).save(payload({ name }), true);
    await expect(refused).rejects.toMatchObject({
      code: "bad_input",
      message: expect.stringMatching(/^[^\n]+\.$/),
    });
    expect(readdirSync(dir)).toEqual([]);
  });

  it("stay inside their folder, whatever the name", async () => {
    const dir = join(temporaryFolder(), "payloads");
    const payloads = openPayloads({ dir });
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[./\\a-z]{0,6}$/)), (name) => {
        try {
          const path = payloads.path(name);
          return join(dir, `${name}.json`) === path && !path.slice(dir.length + 1).includes("/");
        } catch {
          return true;
        }
      }),
    );
  });

  it("never hold card data, not even in their name", async () => {
    const dir = temporaryFolder();
    const payloads = openPayloads({ dir });
    const holder = { ...REQUEST, card: { holder: "4111 1111 1111 1111" } };
    await expect(payloads.save(payload({ request: holder }), false)).rejects.toMatchObject({
      code: "bad_input",
    });
    await expect(payloads.save(payload({ name: "4111111111111111" }), false)).rejects.toMatchObject({
      code: "bad_input",
    });
    expect(readdirSync(dir)).toEqual([]);
  });

  it("are refused when they could not be read back", async () => {
    const payloads = openPayloads({ dir: temporaryFolder() });
    const long = { ...REQUEST, description: "x".repeat(70_000) };
    await expect(payloads.save(payload({ request: long }), false)).rejects.toThrow(/64 KiB/);
  });

  it.skipIf(process.platform === "win32")("are never written through a link or over a folder", async () => {
    const dir = temporaryFolder();
    const target = join(temporaryFolder(), "target");
    writeFileSync(target, "mine");
    symlinkSync(target, join(dir, "link.json"));
    mkdirSync(join(dir, "folder.json"));
    const payloads = openPayloads({ dir });
    expect(await payloads.save(payload({ name: "link" }), false)).toBe(false);
    await expect(payloads.save(payload({ name: "link" }), true)).rejects.toMatchObject({ code: "storage" });
    await expect(payloads.save(payload({ name: "folder" }), true)).rejects.toMatchObject({ code: "storage" });
    expect(readFileSync(target, "utf8")).toBe("mine");
  });

  it("are whole or as before when the disk is full at any moment", async () => {
    for (let failAt = 1; ; failAt += 1) {
      const dir = join(temporaryFolder(), "payloads");
      await openPayloads({ dir }).save(payload({ expect: "pass" }), false);
      const before = readFileSync(join(dir, "first.json"), "utf8");
      const fs = failingFileSystem("ENOSPC", failAt);
      const fault = await openPayloads({ dir, fs })
        .save(payload(), true)
        .then(
          () => null,
          (error: unknown) => error,
        );
      const after = readFileSync(join(dir, "first.json"), "utf8");
      expect([before, before.replace('"pass"', '"block"')]).toContain(after);
      expect(readdirSync(dir)).toEqual(["first.json"]);
      if (!fs.reached) {
        expect(fault).toBeNull();
        expect(failAt).toBeGreaterThan(5);
        break;
      }
    }
  });
});

describe("saving from the history", () => {
  it("expects the verdict that the entry got, and says when the name is taken", async () => {
    const data = temporaryFolder();
    const entry = intent("1", { result: answer({ recommendation: "3ds_or_block" }) });
    const payloads = openPayloads({ dir: join(data, "payloads") });
    const context = { payloads: async () => payloads };
    const first = await savePayload(context, { name: "again", entry, replace: false });
    expect(first).toEqual({
      saved: true,
      path: join(data, "payloads", "again.json"),
      expect: "3ds_or_block",
    });
    expect((await savePayload(context, { name: "again", entry, replace: false })).saved).toBe(false);
  });

  it("expects nothing where there was no verdict", async () => {
    const data = temporaryFolder();
    const payloads = openPayloads({ dir: join(data, "payloads") });
    await savePayload({ payloads: async () => payloads }, { name: "lost", entry: intent("1"), replace: false });
    const file = join(data, "payloads", "lost.json");
    expect(existsSync(file)).toBe(true);
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({
      expect: null,
      tags: [],
      request: intent("1").request,
    });
  });
});
