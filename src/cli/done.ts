// What a command that changes something says at its end.

import type { Invocation } from "./command.ts";
import { inOneLine } from "./table.ts";

/** Prints sentences, a line each, or with --json one object of the facts. */
export function sayDone(
  { options, output }: Pick<Invocation, "options" | "output">,
  facts: Readonly<Record<string, unknown>>,
  ...sentences: readonly (string | null)[]
): void {
  if (options.flag("json")) output.json({ schema: 1, ...facts });
  else for (const sentence of sentences) if (sentence !== null) output.line(inOneLine(sentence));
}
