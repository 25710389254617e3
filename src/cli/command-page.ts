// The page of a command among the documents.

import type { CommandSpec } from "./command.ts";

/**
 * @param path such as `verdict history show`
 * @returns its name for `verdict docs`, and its path in docs/reference without `.md`; of a noun without a command of its own
 *   the index
 */
export function pageOf(path: string, { load }: CommandSpec): string {
  return load === undefined ? "commands" : `commands/${path.replace("verdict ", "").replaceAll(" ", "-")}`;
}
