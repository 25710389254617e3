// The control functions that the console itself uses; whatever else reaches the terminal came from somebody else.

import { styleText } from "node:util";
import { formatsOf, roleStyles, THEMES } from "#src/display/style.ts";

/** Codes of our looks and of their ends: colours of roles, bold, inverse. Never conceal, blink, or a colour by number. */
const LOOKS: ReadonlySet<string> = new Set(
  THEMES.flatMap((theme) => Object.values(roleStyles(theme)))
    .flatMap(formatsOf)
    // The slot of a field.
    .concat("underline")
    .flatMap((format) => styleText(format, "|", { validateStream: false }).match(/\d+/g) ?? []),
);

/**
 * Marked pastes, own screen, cursor shown, frames drawn at once; the cursor up, down, to the next row, to a column, home;
 * clearing a row, or to the end of it and of the screen.
 */
const MODES = /^CSI \?(?:25|1049|2004|2026)[hl]$/;
const MOVES = /^CSI (?:\d+[ABEG]|1;1H|0J|[02]K)$/;

/** The question for one of the terminal's colours, or its background. */
const QUESTION = String.raw`(?:4;(?:[01678]|15)|11);\?`;
/** The title of the window: kept, set, given back; and the questions for its colours, and whether it has read all. */
const COMMAND = new RegExp(String.raw`^(?:CSI 2[23];2t|CSI 5n|OSC 2;(?:verdict .*|shell)|OSC ${QUESTION})$`);

/** Whether what `watchControlFunctions` wrote down is the console's own. */
export function isOurs(control: string): boolean {
  if (COMMAND.test(control)) return true;
  if (MODES.test(control) || MOVES.test(control)) return true;
  const looks = /^CSI ([\d;]+)m$/.exec(control)?.[1]?.split(";");
  return looks !== undefined && looks.every((code) => LOOKS.has(code));
}

const COMMANDS = new RegExp(
  String.raw`\x1b\[2[23];2t|\x1b\]2;verdict [^\x07\x1b]*\x07|\x1b\]${QUESTION}\x07`,
  "g",
);
// oxlint-disable-next-line no-control-regex
const SEQUENCE = /\x1b\[(\??)([\d;]*)([A-Za-z])/g;

/**
 * What was written to a terminal without the console's own sequences and line ends: only text that is seen is to be left.
 * A second look that depends on no emulator.
 */
export function withoutOurs(written: string): string {
  return (
    written
      .replaceAll(COMMANDS, "")
      .replaceAll(SEQUENCE, (whole, prefix: string, parameters: string, final: string) => {
        const missing = final === "J" || final === "K" ? "0" : final === "H" ? "1;1" : "1";
        return isOurs(`CSI ${prefix}${parameters === "" ? missing : parameters}${final}`) ? "" : whole;
      })
      // A line ends with a return of ours, and the terminal's driver puts another one before each line feed.
      .replaceAll(/\r{0,2}\n/g, "")
  );
}
