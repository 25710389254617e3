// What a command that changes something says at its end.

import type { Invocation } from "./command.ts";

/** Prints sentences, or with --json one object of the facts. */
export function sayDone(
  { options, output }: Pick<Invocation, "options" | "output">,
  facts: Readonly<Record<string, unknown>>,
  ...sentences: readonly (string | null)[]
): void {
  if (options.flag("json")) output.json({ schema: 1, ...facts });
  else for (const sentence of sentences) if (sentence !== null) output.line(sentence);
}
