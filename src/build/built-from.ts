// From which sources dist/ was built, so that what finds it fresh need not build it again.

import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Whatever the build reads, and more; the packages are those of the lock file. */
const SOURCES = ["src", "screens", "docs", "examples"];
const BUILT = ["verdict.mjs", "main.cjs", "help.txt", "documents.json.br"];

const kept = (root: string): string => join(root, "node_modules/.verdict-test/built-from");

/** What differs as soon as a source, or a file of the build itself, is another one. */
function printOf(root: string): string {
  const hash = createHash("sha256");
  const texts = readdirSync(root).filter((name) => /\.(?:md|json|ts)$|^LICENSE$/.test(name));
  const below = SOURCES.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name)),
  );
  for (const path of [...texts.map((name) => join(root, name)), ...below].sort()) {
    hash.update(`${path}\0`).update(readFileSync(path));
  }
  for (const name of BUILT) {
    const { size, mtimeMs } = statSync(join(root, "dist", name));
    hash.update(`${name} ${size} ${mtimeMs}\0`);
  }
  return hash.digest("hex");
}

/** Whether dist/ was built from the sources as they are now. */
export function isBuilt(root: string): boolean {
  try {
    return readFileSync(kept(root), "utf8") === printOf(root);
  } catch {
    return false;
  }
}

/** To be called at the end of a build. */
export function noteBuilt(root: string): void {
  mkdirSync(dirname(kept(root)), { recursive: true });
  writeFileSync(kept(root), printOf(root));
}
