// Shows a long text in the user's pager.

import { splitWords } from "./editor.ts";
import { runProgram, type ProgramOptions } from "./program.ts";

/**
 * Gives a text to a pager and waits until it ends. No shell reads its words.
 * @param options `pager`: before PAGER of the environment, and less
 * @returns false where there is none, or it could not be started
 */
export async function page(
  text: string,
  { pager, ...options }: ProgramOptions & { readonly pager: string | undefined },
): Promise<boolean> {
  // -F ends at once where the text fits, -R takes colours, -X leaves the text on the screen.
  const words = splitWords(pager ?? options.env["PAGER"] ?? "less -FRX");
  if (words.length === 0 || words[0] === "" || words[0] === "cat") return false;
  return (await runProgram(words, { ...options, input: text })).isStarted;
}
