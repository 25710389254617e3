// Resolves a path typed in the console, where no shell expands it.

import { join, resolve } from "node:path";
import { requireUserFolder } from "./home.ts";

/** The absolute path; a leading `~/` is the user's home. @throws Fault("usage") for one that nothing names */
export function typedPath(typed: string): string {
  return typed.startsWith("~/") ? join(requireUserFolder(process.env), typed.slice(2)) : resolve(typed);
}
