// Saved payloads: what is written can be checked again, nothing is overwritten unasked, no name leads anywhere else.

import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { readPayload } from "#src/contract/fields/payload.ts";
import type { SavedPayload } from "#src/contract/records/saved-payload.ts";
import { openPayloads } from "#src/storage/documents/payloads.ts";
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

it("takes away what a killed save has left, and nothing that may still be written", async () => {
  const dir = join(temporaryFolder(), "payloads");
  const payloads = openPayloads({ dir });
  await payloads.save({ name: "one", expect: null, tags: [], request: { amount: 5 } }, false);
  const [old, young, own] = [
    ".two.json.0123456789abcdef.tmp",
    ".two.json.fedcba9876543210.tmp",
    ".notes.tmp",
  ];
  for (const name of [old, young, own]) writeFileSync(join(dir, name), "{}");
  for (const name of [old, own]) utimesSync(join(dir, name), 1_700_000_000, 1_700_000_000);
  await openPayloads({ dir }).save({ name: "three", expect: null, tags: [], request: { amount: 5 } }, false);
  expect(readdirSync(dir).toSorted()).toEqual([own, young, "one.json", "three.json"]);
});

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

describe("the list of saved payloads", () => {
  it("is empty before the folder is there", async () => {
    const payloads = openPayloads({ dir: join(temporaryFolder(), "none") });
    expect(await payloads.list()).toEqual([]);
    expect(await payloads.read("first")).toBeNull();
    expect(await payloads.readBytes("first")).toBeNull();
    expect(await payloads.remove("first")).toBe(false);
  });

  it("shows what each of them holds, by name, and leaves version control alone", async () => {
    const dir = temporaryFolder();
    const payloads = openPayloads({ dir });
    await payloads.save(
      payload({ name: "second", expect: null, tags: [], request: { operation: "payment" } }),
      false,
    );
    await payloads.save(payload(), false);
    mkdirSync(join(dir, ".git"));
    writeFileSync(join(dir, "README.md"), "ours");
    writeFileSync(join(dir, ".first.json.0123456789abcdef.tmp"), "half");
    writeFileSync(join(dir, ".prettierrc.json"), "{}");
    const rows = await payloads.list();
    expect(rows).toMatchObject([
      { name: "first", expect: "block", tags: ["risky"], orderId: "o-1", amount: 12_000, currency: 980 },
      { name: "second", expect: null, tags: [], orderId: null, amount: null, currency: null },
    ]);
    for (const { problem, modifiedAt } of rows) {
      expect(problem).toBeNull();
      expect(modifiedAt).toBeGreaterThan(Date.now() - 600_000);
    }
  });

  it.skipIf(process.platform === "win32")("hides no file that cannot be read", async () => {
    const dir = temporaryFolder();
    const payloads = openPayloads({ dir });
    await payloads.save(payload({ name: "good" }), false);
    const target = join(temporaryFolder(), "target.json");
    writeFileSync(target, JSON.stringify(REQUEST));
    symlinkSync(target, join(dir, "link.json"));
    execFileSync("mkfifo", [join(dir, "pipe.json")]);
    mkdirSync(join(dir, "folder.json"));
    writeFileSync(join(dir, "torn.json"), '{"name":"torn","request":{"amo');
    writeFileSync(join(dir, "card.json"), '{"description":"4111 1111 1111 1111"}');
    writeFileSync(join(dir, "huge.json"), Buffer.alloc(70_000, " "));
    writeFileSync(join(dir, "bad name.json"), JSON.stringify(REQUEST));
    const problems = Object.fromEntries((await payloads.list()).map((row) => [row.name, row.problem]));
    expect(problems).toEqual({
      "bad name": expect.stringContaining("cannot name a payload"),
      card: expect.stringContaining("full card number"),
      folder: expect.stringContaining("not a regular file"),
      good: null,
      huge: expect.stringContaining("larger than 64 KiB"),
      link: expect.stringContaining("symbolic link"),
      pipe: expect.stringContaining("not a regular file"),
      torn: expect.stringMatching(/^torn\.json: Line 1/),
    });
    expect(JSON.stringify(problems)).not.toContain("4111");
    for (const name of ["link", "pipe", "folder"]) {
      await expect(payloads.read(name)).rejects.toMatchObject({ code: "storage" });
      await expect(payloads.remove(name)).rejects.toMatchObject({ code: "storage" });
    }
    await expect(payloads.read("torn")).rejects.toMatchObject({ code: "bad_input" });
    // What cannot be read as a payload can still be corrected, or removed.
    expect(Buffer.from((await payloads.readBytes("torn"))!).toString()).toContain('"amo');
    expect(await payloads.remove("torn")).toBe(true);
    expect(existsSync(join(dir, "torn.json"))).toBe(false);
    expect(readFileSync(target, "utf8")).toBe(JSON.stringify(REQUEST));
  });

  it("goes on where one file cannot be read because of the disk", async () => {
    const dir = temporaryFolder();
    for (const name of ["a", "b"]) await openPayloads({ dir }).save(payload({ name }), false);
    for (let failAt = 2; ; failAt += 1) {
      const fs = failingFileSystem("EIO", failAt);
      const rows = await openPayloads({ dir, fs }).list();
      expect(rows.map(({ name }) => name)).toEqual(["a", "b"]);
      if (!fs.reached) break;
      expect(rows.filter(({ problem }) => problem?.includes("disk reported an error") === true)).toHaveLength(
        1,
      );
    }
    await expect(openPayloads({ dir, fs: failingFileSystem("EIO", 1) }).list()).rejects.toMatchObject({
      code: "storage",
    });
  });

  it("says when a file calls itself by another name", async () => {
    const dir = temporaryFolder();
    const payloads = openPayloads({ dir });
    await payloads.save(payload(), false);
    writeFileSync(join(dir, "copy.json"), readFileSync(join(dir, "first.json")));
    expect(await payloads.read("copy")).toMatchObject({
      name: "copy",
      warnings: [expect.stringContaining('contains the name "first"')],
    });
  });
});

describe("a saved payload as a file", () => {
  it("has its keys in one order, two spaces, and a line feed at the end", async () => {
    const payloads = openPayloads({ dir: temporaryFolder() });
    const { card, amount, ...rest } = REQUEST;
    const shuffled = { zeta: 1, card: { cin_card: 42, bin_card: card.bin_card }, alpha: 2, amount, ...rest };
    await payloads.save(payload({ request: shuffled }), false);
    expect(readFileSync(payloads.path("first"), "utf8")).toBe(
      `${JSON.stringify(
        {
          name: "first",
          expect: "block",
          tags: ["risky"],
          request: { ...rest, amount, currency: 980, card, alpha: 2, zeta: 1 },
        },
        [
          "name",
          "expect",
          "tags",
          "request",
          "operation",
          "order_id",
          "amount",
          "currency",
          "card",
          "bin_card",
          "cin_card",
          "alpha",
          "zeta",
        ],
        2,
      )}\n`,
    );
  });

  it("is the same whichever order its keys had", async () => {
    const payloads = openPayloads({ dir: temporaryFolder() });
    const keys = fc.shuffledSubarray(Object.keys(REQUEST), { minLength: 5, maxLength: 5 });
    const texts = new Set<string>();
    await fc.assert(
      fc.asyncProperty(keys, async (order) => {
        const request = Object.fromEntries(order.map((key) => [key, REQUEST[key as keyof typeof REQUEST]]));
        await payloads.save(payload({ request }), true);
        texts.add(readFileSync(payloads.path("first"), "utf8"));
      }),
      { numRuns: 20 },
    );
    expect(texts.size).toBe(1);
  });

  it.each([["two words"], ["tag\u200bged"], [""], ["x".repeat(41)], ["#x"]])(
    "is not saved with the tag %j",
    async (tag) => {
      const saved = openPayloads({ dir: temporaryFolder() }).save(payload({ tags: [tag] }), false);
      await expect(saved).rejects.toMatchObject({ code: "bad_input", message: expect.stringMatching(/tag/) });
    },
  );

  it("is not saved when no check could send it", async () => {
    const dir = temporaryFolder();
    const wrong = { ...REQUEST, amount: -1 };
    await expect(openPayloads({ dir }).save(payload({ request: wrong }), false)).rejects.toThrow(/amount/);
    expect(readdirSync(dir)).toEqual([]);
  });

  it("is there or gone when removing fails at any moment", async () => {
    for (let failAt = 1; ; failAt += 1) {
      const dir = temporaryFolder();
      await openPayloads({ dir }).save(payload(), false);
      const fs = failingFileSystem("EIO", failAt);
      const removed = await openPayloads({ dir, fs })
        .remove("first")
        .catch((error: unknown) => error);
      expect([[], ["first.json"]]).toContainEqual(readdirSync(dir));
      if (fs.reached) expect(removed).toMatchObject({ code: "storage" });
      else {
        expect(removed).toBe(true);
        break;
      }
    }
  });
});
