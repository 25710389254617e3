// Lets a text be edited until it is valid, or what was written is discarded.

import { Fault, interrupted, usage, whole } from "#src/contract/fault.ts";
import { confirm, noTerminal, startWith } from "./ask.ts";
import type { Invocation } from "./command.ts";
import { EXIT } from "./exit-code.ts";

export interface EditedText {
  /** whose extension selects the language in the editor */
  readonly fileName: string;
  readonly text: string;
  /** What to do where there is no terminal. */
  readonly instead: string;
  /** Said when nothing is saved: `Nothing was saved.` */
  readonly unchanged: string;
  /**
   * Saves what was written, and says so.
   * @throws Fault for what could not be saved: the editor may be opened on it again, so that nothing written is lost
   */
  readonly save: (text: string) => Promise<void>;
}

/** @throws Fault("usage") without a terminal, Fault("bad_input") for the editor, Fault("interrupted") */
export async function editUntilValid(invocation: Invocation, edited: EditedText): Promise<number | void> {
  const { env, output, signal, stdin } = invocation;
  if (stdin.isTTY !== true || !output.isTerminal) {
    throw usage`${whole(startWith(noTerminal(invocation, "for an editor")))}; ${whole(edited.instead)}.`;
  }
  const { editInEditor } = await import("#src/terminal/editor.ts");
  for (let { text } = edited; ;) {
    const written = await editInEditor(text, { env, fileName: edited.fileName, signal });
    if (signal.aborted) throw interrupted`Stopped. ${whole(edited.unchanged)}`;
    if ("problem" in written) throw new Fault("bad_input", whole(written.problem));
    try {
      await edited.save(written.text);
      return;
    } catch (error) {
      if (!(error instanceof Fault) || error.code === "interrupted") throw error;
      output.complain(error.message);
      if (
        await confirm(
          { ...invocation, options: { yes: false } },
          "Discard what you wrote? No opens the editor on it again.",
        )
      ) {
        output.complain(edited.unchanged);
        return EXIT.usage;
      }
      ({ text } = written);
    }
  }
}
