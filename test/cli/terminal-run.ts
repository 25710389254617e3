// A command on a real terminal, and what the terminal was made to do that is not the command line's own.

import { isOurs, withoutOurs } from "../console/allowed-controls.ts";
import { openPseudoTerminal } from "../console/pty.ts";
import { HIDDEN } from "./naughty-strings.ts";
import type { TestHome } from "./verdict-process.ts";

/** Runs it to its end. */
export async function obeyedOf(
  home: TestHome,
  words: string,
): Promise<{ readonly controls: string[]; readonly hidden: string | null }> {
  const terminal = openPseudoTerminal({
    cwd: home.folder,
    env: home.env,
    args: words.split(" "),
    watchesControls: true,
  });
  await terminal.exit;
  return {
    controls: [...terminal.controls()].filter((control) => !isOurs(control)),
    // A line of progress is replaced by the next one.
    hidden: HIDDEN.exec(withoutOurs(terminal.written().replaceAll("\r\x1b[K", "")))?.[0] ?? null,
  };
}
