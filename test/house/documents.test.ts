// The documents for readers and contributors: what they name is there.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

const PAGES: readonly string[] = [
  ...readdirSync(root).filter((name) => name.endsWith(".md")),
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => join("docs", name)),
];

/** Files that a page links to or shows, from the root. */
function linksOf(page: string): string[] {
  return [...readFileSync(join(root, page), "utf8").matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)]
    .map(([, target]) => target!)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => join(dirname(page), target));
}

it.each(PAGES)("%s links to files that exist", (page) => {
  expect(linksOf(page).filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

/** Paths from the root that a page names in its text; `#src/...` and what ends in `...` are forms of imports. */
function pathsOf(page: string): string[] {
  const text = readFileSync(join(root, page), "utf8");
  const named = text.matchAll(/(?<![\w#/.-])(?:src|screens|test|docs)\/[\w./-]*\w/g);
  return [...new Set(Array.from(named, ([path]) => path))];
}

it.each(PAGES)("%s names paths that exist", (page) => {
  expect(pathsOf(page).filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

it("names every room in ARCHITECTURE.md", () => {
  const rooms = readdirSync(join(root, "src"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `src/${name}`);
  const text = readFileSync(join(root, "ARCHITECTURE.md"), "utf8");
  expect(rooms.length).toBeGreaterThan(10);
  expect([...rooms, "screens"].filter((room) => !text.includes(`| \`${room}\``))).toEqual([]);
});

it("shows every picture that is kept", () => {
  const shown = new Set(PAGES.flatMap(linksOf));
  const pictures = readdirSync(join(root, "test/captures")).filter((name) => name.endsWith(".svg"));
  expect(pictures.filter((name) => !shown.has(join("test/captures", name)))).toEqual([]);
});
