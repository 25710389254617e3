// A path as a person types it where no shell reads it first.

import { homedir } from "node:os";
import { join, resolve } from "node:path";

/** The absolute path; `~/` at its beginning is the home of the user. */
export function typedPath(typed: string): string {
  return typed.startsWith("~/") ? join(homedir(), typed.slice(2)) : resolve(typed);
}
