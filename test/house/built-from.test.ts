import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isBuilt, noteBuilt } from "#src/build/built-from.ts";
import { temporaryFolder } from "../storage/temporary-folder.ts";

/** A checkout that was built. */
function checkout(): string {
  const root = temporaryFolder();
  for (const folder of ["src/rules", "screens", "docs", "examples", "dist", "test"]) {
    mkdirSync(join(root, folder), { recursive: true });
  }
  for (const name of ["verdict.mjs", "main.cjs", "help.txt", "documents.json.br"]) {
    writeFileSync(join(root, "dist", name), name);
  }
  for (const name of ["src/rules/decide.ts", "docs/rules.md", "package.json", "test/decide.test.ts"]) {
    writeFileSync(join(root, name), name);
  }
  noteBuilt(root);
  return root;
}

describe("a build", () => {
  it("is fresh until a source, a document or a package is another one", () => {
    for (const name of ["src/rules/decide.ts", "docs/rules.md", "package.json", "src/rules/added.ts"]) {
      const root = checkout();
      expect(isBuilt(root)).toBe(true);
      writeFileSync(join(root, name), "changed");
      expect([name, isBuilt(root)]).toEqual([name, false]);
      noteBuilt(root);
      expect(isBuilt(root)).toBe(true);
    }
  });

  it("stays so when a test changes", () => {
    const root = checkout();
    writeFileSync(join(root, "test/decide.test.ts"), "changed");
    expect(isBuilt(root)).toBe(true);
  });

  it("is not fresh where somebody has written into it, or where it was never noted", () => {
    const root = checkout();
    utimesSync(join(root, "dist/main.cjs"), 1, 1);
    expect(isBuilt(root)).toBe(false);
    expect(isBuilt(temporaryFolder())).toBe(false);
  });
});
