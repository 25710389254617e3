// Calls the user back to the terminal: by its bell, or by a notification of the desktop (OSC 9).

import { multiplexerOf, wrap } from "./clipboard.ts";

export function terminalNotifier(
  stdout: { write(text: string): unknown },
  env: Readonly<Record<string, string | undefined>>,
  kind: "bell" | "osc9",
): (text: string) => void {
  return (text) => {
    const plain = text.replaceAll(/\p{C}/gu, "");
    stdout.write(kind === "bell" ? "\x07" : wrap(`\x1b]9;${plain}\x07`, multiplexerOf(env)));
  };
}
