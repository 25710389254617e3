// Resolves a path typed in the console, where no shell expands it.

import { homedir } from "node:os";
import { join, resolve } from "node:path";

/** The absolute path; a leading `~/` is the user's home. */
export function typedPath(typed: string): string {
  return typed.startsWith("~/") ? join(homedir(), typed.slice(2)) : resolve(typed);
}
