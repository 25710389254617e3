// Reads paths that are typed in the console, where no shell expands or completes them.

import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { requireUserFolder } from "./home.ts";

/** The absolute path; a leading `~/` is the user's home. @throws Fault("usage") for one that nothing names */
export function typedPath(typed: string): string {
  return typed.startsWith("~/") ? join(requireUserFolder(process.env), typed.slice(2)) : resolve(typed);
}

/** Files that are offered. */
const MOST_FILES = 20;

/** Files and folders that a begun path may mean, without hidden ones; a folder ends with a slash. */
export function pathsLike(typed: string): readonly string[] {
  const begun = typed.slice(typed.lastIndexOf("/") + 1);
  try {
    const folder = typed.slice(0, typed.length - begun.length);
    const start = folder.startsWith("~/") ? join(typedPath(folder), "/") : folder;
    return readdirSync(start || ".", { withFileTypes: true })
      .filter(({ name }) => name.startsWith(begun) && /^[^.\p{C}]\P{C}*$/u.test(name))
      .toSorted((one, other) => (one.name < other.name ? -1 : 1))
      .slice(0, MOST_FILES)
      .map((entry) => `${start}${entry.name}${entry.isDirectory() ? "/" : ""}`);
  } catch {
    // Typing goes on where a folder cannot be read.
    return [];
  }
}
