// The value - of options that name a file to write: standard output, or a refusal, but never a file called -.

import { Option } from "commander";
import { Fault, usage, whole } from "#src/contract/fault.ts";
import type { OptionSpec } from "./command.ts";

/**
 * @param values of the options, by attribute name
 * @returns the same without those that name standard output, to which the command writes by itself
 * @throws Fault("usage") for an option whose file cannot be standard output
 */
export function withoutDash(
  options: readonly OptionSpec[],
  values: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const kept = { ...values };
  for (const { flags, writes } of options) {
    const option = new Option(flags);
    const name = option.attributeName();
    if (writes === undefined || kept[name] !== "-") continue;
    if (writes === "file") throw noStandardOutput(option.long!);
    delete kept[name];
  }
  return kept;
}

/** @param what the option or argument that names the file */
export function noStandardOutput(what: string): Fault {
  return usage`${whole(what)} needs the name of a file, not "-"; nothing was written to standard output.`;
}
