// The documents and examples that every way of installing brings along: those that package.json lists as files.

import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { linksOf } from "./page-links.ts";

/** Paths from the root, of README and of all listed files but dist. */
export function documentPaths(root: string): string[] {
  const { files } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { files: string[] };
  const paths = files
    .filter((pattern) => pattern !== "dist")
    .map((pattern) => globSync(pattern, { cwd: root }));
  return ["README.md", ...paths.flat().sort()];
}

/** Texts of documents and examples by path, in the order of the index of the documents. */
export function documentTexts(root: string): Record<string, string> {
  const order = linksOf(root, "docs/README.md").map(({ path }) => path);
  const rank = (path: string): number => (order.includes(path) ? order.indexOf(path) : order.length);
  const paths = documentPaths(root).filter((path) => /^(?:docs|examples)\//.test(path));
  return Object.fromEntries(
    paths
      .toSorted((one, other) => rank(one) - rank(other))
      .map((path) => [path, readFileSync(join(root, path), "utf8").replace(/^<!-- Generated.*\n\n/m, "")]),
  );
}
