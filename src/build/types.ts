// The types of what programs import from the package: declarations of the entries and of all that these name, as files that refer to each other.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, posix } from "node:path";

const SPECIFIER = /(?<=\bfrom "|\bimport\(")(?:#src|\.\.?)\/[^"]+(?=\.ts")/g;

/**
 * @param root folder of this repository, with a slash behind it
 * @param entries without the ending, from `src` on
 * @returns texts by path, from `src` on; imports in them are relative
 */
export function declarations(root: string, entries: readonly string[]): Map<string, string> {
  const folder = mkdtempSync(join(tmpdir(), "verdict-types-"));
  try {
    const compile = ["node_modules/typescript/bin/tsc", "-p", "src/build/types.json", "--outDir", folder];
    execFileSync(process.execPath, compile, { cwd: root, stdio: "inherit" });
    const texts = new Map<string, string>();
    const waiting = [...entries];
    for (let module = waiting.pop(); module !== undefined; module = waiting.pop()) {
      const path = `${module}.d.ts`;
      if (texts.has(path)) continue;
      const here = posix.dirname(module);
      const text = readFileSync(join(folder, "src", path), "utf8").replaceAll(SPECIFIER, (named) => {
        const to = named.startsWith("#src/") ? named.slice("#src/".length) : posix.join(here, named);
        waiting.push(to);
        const relative = posix.relative(here, to);
        return relative.startsWith(".") ? relative : `./${relative}`;
      });
      texts.set(path, text.replaceAll(/(?<=\bfrom "\.[^"]+|\bimport\("\.[^"]+)\.ts(?=")/g, ".js"));
    }
    return texts;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
