// What the pages of the repository link to: files, and headings in them.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Paths from the root of README, of the pages beside it, and of those in docs. */
export function pagesOf(root: string): string[] {
  const docs = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" });
  return [...readdirSync(root), ...docs.map((name) => join("docs", name))].filter((name) =>
    name.endsWith(".md"),
  );
}

export interface Link {
  /** From the root. */
  readonly path: string;
  /** Of a heading; empty for none. */
  readonly anchor: string;
}

/** Links and pictures of a page, but for those to other hosts. */
export function linksOf(root: string, page: string): Link[] {
  const text = readFileSync(join(root, page), "utf8");
  return [...text.matchAll(/\]\(([^)#\s]*)(?:#([^)\s]*))?\)/g)]
    .filter(([, target]) => !/^[a-z]+:/.test(target!))
    .map(([, target, anchor = ""]) => ({
      path: target === "" ? page : join(dirname(page), target!),
      anchor,
    }));
}

/** A sentence for each link that leads nowhere. */
export function brokenLinks(root: string): string[] {
  return pagesOf(root).flatMap((page) =>
    linksOf(root, page)
      .filter(({ path, anchor }) => !isThere(root, path, anchor))
      .map(({ path, anchor }) => `${page} links to ${path}${anchor && `#${anchor}`}, which is not there`),
  );
}

function isThere(root: string, path: string, anchor: string): boolean {
  if (!existsSync(join(root, path))) return false;
  if (anchor === "") return true;
  const headings = readFileSync(join(root, path), "utf8").matchAll(/^#+ (.*)$/gm);
  return Array.from(headings, ([, heading]) => anchorOf(heading!)).includes(anchor);
}

/** As forges make it: in small letters, without punctuation, a hyphen for each blank. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}
