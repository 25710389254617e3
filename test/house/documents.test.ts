// The documents for readers and contributors: what they name is there.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { linksOf, pagesOf } from "#src/build/page-links.ts";
import { blocksOf } from "./page-blocks.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

const PAGES = pagesOf(root);

/** Paths from the root that a page names in its text; `#src/...` and what ends in `...` are forms of imports. */
function pathsOf(page: string): string[] {
  const text = readFileSync(join(root, page), "utf8");
  const named = text.matchAll(/(?<![\w#/.-])(?:src|screens|test|docs)\/[\w./-]*\w/g);
  return [...new Set(Array.from(named, ([path]) => path))];
}

it.each(PAGES)("%s names paths that exist", (page) => {
  expect(pathsOf(page).filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

it.each(PAGES)("%s leaves what belongs to its reader alone", (page) => {
  const blocks = blocksOf(readFileSync(join(root, page), "utf8")).filter(({ kind }) => kind === "sh");
  const lines = blocks.flatMap(({ lines }) => lines);
  expect(lines.filter((line) => /~\/|\$\{?HOME\b|\bXDG_|unset VERDICT/.test(line))).toEqual([]);
});

it("has every page of the documents in their index", () => {
  const index = linksOf(root, "docs/README.md").map(({ path }) => path);
  const pages = PAGES.filter((page) =>
    /^docs\/(?:tutorials|how-to|reference|explanation)\/[^/]+$/.test(page),
  );
  expect(pages.length).toBeGreaterThan(40);
  expect(pages.filter((page) => !index.includes(page))).toEqual([]);
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
  const shown = new Set(PAGES.flatMap((page) => linksOf(root, page).map(({ path }) => path)));
  const pictures = readdirSync(join(root, "test/captures")).filter((name) => name.endsWith(".svg"));
  expect(pictures.filter((name) => !shown.has(join("test/captures", name)))).toEqual([]);
});
