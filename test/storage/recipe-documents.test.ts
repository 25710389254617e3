import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readRecipeDocument, readRecipeDocuments } from "#src/storage/documents/recipe-documents.ts";

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "verdict-recipes-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

test("no folder means no documents", async () => {
  expect(await readRecipeDocuments(join(folder(), "recipes"))).toEqual({ documents: [], unreadable: [] });
});

test("documents are read in order of their names; what else lies there is left alone", async () => {
  const dir = folder();
  writeFileSync(join(dir, "b.yaml"), "recipe: b\n");
  writeFileSync(join(dir, "a.yaml"), "recipe: żółw\n");
  for (const other of ["README.md", ".hidden.yaml", "c.yaml~"]) writeFileSync(join(dir, other), "x");
  expect(await readRecipeDocuments(dir)).toEqual({
    documents: [
      { name: "a.yaml", text: "recipe: żółw\n" },
      { name: "b.yaml", text: "recipe: b\n" },
    ],
    unreadable: [],
  });
});

test("what is no short regular file in UTF-8 is told, and stops no other", async () => {
  const dir = folder();
  writeFileSync(join(dir, "good.yaml"), "recipe: good\n");
  writeFileSync(join(dir, "big.yaml"), Buffer.alloc(64 * 1024 + 1, "#"));
  writeFileSync(join(dir, "limit.yaml"), Buffer.alloc(64 * 1024, "#"));
  writeFileSync(join(dir, "latin.yaml"), Buffer.from([0x61, 0xe9]));
  symlinkSync(join(dir, "good.yaml"), join(dir, "link.yaml"));
  mkdirSync(join(dir, "dir.yaml"));
  execFileSync("mkfifo", [join(dir, "pipe.yaml")]);
  const { documents, unreadable } = await readRecipeDocuments(dir);
  expect(documents.map(({ name }) => name)).toEqual(["good.yaml", "limit.yaml"]);
  expect(unreadable.map(({ file, fault }) => [file, fault.code])).toEqual([
    ["big.yaml", "bad_input"],
    ["dir.yaml", "storage"],
    ["latin.yaml", "bad_input"],
    ["link.yaml", "storage"],
    ["pipe.yaml", "storage"],
  ]);
});

test("a document that is not there is named", async () => {
  await expect(readRecipeDocument(join(folder(), "none.yaml"))).rejects.toThrow(
    /There is no recipe document .*none\.yaml/,
  );
});
