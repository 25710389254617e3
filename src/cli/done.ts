// What a command that changes something says at its end.

import type { Invocation } from "./command.ts";
import type { Json } from "./option-specs.ts";
import { inOneLine } from "./table.ts";

/** Prints sentences, a line each, or with --json one object of the facts. */
export function sayDone(
  { options, output }: Pick<Invocation<Json>, "options" | "output">,
  facts: Readonly<Record<string, unknown>>,
  ...sentences: readonly (string | null)[]
): void {
  if (options.json) output.json({ schema: 1, ...facts });
  else for (const sentence of sentences) if (sentence !== null) output.line(inOneLine(sentence));
}

/**
 * What every command answers to a question that was declined: nothing is wrong, so it ends with 0.
 * @param facts what --json prints, such as `{ id, removed: false }`
 */
export function declined(
  invocation: Pick<Invocation<Json>, "options" | "output">,
  facts: Readonly<Record<string, unknown>>,
  sentence: string = "Nothing was removed.",
): void {
  if (invocation.options.json) sayDone(invocation, facts);
  invocation.output.note(sentence);
}
