// Every bundled package is listed with its licence, or the build fails.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { thirdPartyNotices } from "../../src/build/notices.ts";
import { temporaryFolder } from "../storage/temporary-folder.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const NOTICES = readFileSync(join(root, "dist/THIRD-PARTY-NOTICES"), "utf8");

it("stand beside the program for every package that it imports", () => {
  const imported = new Set<string>();
  for (const top of ["src", "screens"]) {
    for (const name of readdirSync(join(root, top), { recursive: true, encoding: "utf8" })) {
      if (!/\.tsx?$/.test(name) || name.startsWith("build")) continue;
      const text = readFileSync(join(root, top, name), "utf8");
      for (const [, found] of text.matchAll(
        /^(?:import|export) (?!type)[^;]*?from "((?:@[^/"]+\/)?[a-z][^/"]*)/gm,
      ))
        if (!found!.startsWith("node:")) imported.add(found!);
    }
  }
  expect(imported.size).toBeGreaterThan(10);
  for (const name of imported) expect(NOTICES).toContain(`\n${name} `);
  expect(NOTICES.match(/Permission is hereby granted/g)!.length).toBeGreaterThan(50);
});

it("name each package once, whatever of it is built in and wherever it lies, with all its licence texts", () => {
  const folder = temporaryFolder();
  const add = (path: string, files: Readonly<Record<string, string>>): void => {
    mkdirSync(join(folder, path), { recursive: true });
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, path, name), text);
  };
  const manifest = (name: string): string => JSON.stringify({ name, version: "1.0.0", license: "MIT" });
  add("node_modules/a", { "package.json": manifest("a"), LICENSE: "text of a", "NOTICE.md": "notice of a" });
  add("node_modules/a/node_modules/@s/b", { "package.json": manifest("@s/b"), "licence.txt": "text of b" });
  add("node_modules/c", { "package.json": manifest("c"), "readme.md": "none" });
  const inputs = [
    "src/main.ts",
    "node_modules/a/x.js",
    "node_modules/a/y.js",
    "node_modules/a/node_modules/@s/b/i.js",
  ];
  const notices = thirdPartyNotices(folder, inputs);
  expect(notices.match(/1\.0\.0 \(MIT\)/g)).toHaveLength(2);
  for (const text of ["text of a", "notice of a", "text of b"]) expect(notices).toContain(text);
  expect(() => thirdPartyNotices(folder, [...inputs, "node_modules/c/i.js"])).toThrow(
    "no licence text of c 1.0.0",
  );
});
