// The page of a command among the documents, and its usage line.

import type { CommandSpec } from "./command.ts";
import { usageOf as optionUsage } from "./option.ts";

/**
 * @param path such as `verdict history show`
 * @returns its name for `verdict docs`, and its path in docs/reference without `.md`; of a noun without a command of its own
 *   the index
 */
export function pageOf(path: string, { load }: Pick<CommandSpec, "load">): string {
  return load === undefined ? "commands" : `commands/${path.replace("verdict ", "").replaceAll(" ", "-")}`;
}

/** The path with required options and arguments: `verdict sweep --field <name> [options] [file]`. */
export function usageOf(path: string, spec: Pick<CommandSpec, "arguments" | "options" | "children">): string {
  const options = Object.entries(spec.options ?? {});
  const required = options.filter(([, { required: isRequired }]) => isRequired);
  return [
    path,
    ...required.map(([name, option]) => optionUsage(name, option)),
    ...(options.length > required.length ? ["[options]"] : []),
    ...(spec.arguments ?? []).map(([word]) => word),
    ...(spec.children === undefined ? [] : ["[command]"]),
  ].join(" ");
}
