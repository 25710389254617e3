// The last guard before a terminal or a pipe: only our own colour sequences pass, and nothing that a build server obeys.

import { styleText } from "node:util";
import { withoutBuildCommands } from "#src/contract/text/build-commands.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import { formatsOf, roleStyles, THEMES } from "./style.ts";

/** The colour sequences of the roles, and those that end them. */
const OURS: ReadonlySet<string> = new Set(
  THEMES.flatMap((theme) => Object.values(roleStyles(theme)))
    .flatMap(formatsOf)
    .flatMap((format) => styleText(format, "|", { validateStream: false }).split("|")),
);

// oxlint-disable-next-line no-control-regex
const COLOUR = /(\x1b\[[0-9;]*m)/;

/**
 * Text that is safe to write: line feeds and our own colours stay; everything else that a terminal or a build server would
 * obey, hide or reorder becomes a visible escape.
 * @param colour false where no colour is written: then every escape sequence is foreign
 */
export function guard(text: string, colour: boolean): string {
  return disarmed(guardControls(text, colour));
}

/** The lines of a text with what a build server obeys in them as a visible escape: `\x23#vso[`. */
export function disarmed(text: string): string {
  return withoutBuildCommands(text, (character) => `\\x${character.charCodeAt(0).toString(16)}`);
}

/** `guard` for a line that a build server is to obey. */
export function guardControls(text: string, colour: boolean): string {
  if (!colour || !text.includes("\x1b")) return escaped(text);
  return text
    .split(COLOUR)
    .map((piece) => (OURS.has(piece) ? piece : escaped(piece)))
    .join("");
}

/** Line by line, because one test suffices for a clean line. */
function escaped(text: string): string {
  return text
    .split("\n")
    .map((line) => escapeText(line, Number.POSITIVE_INFINITY))
    .join("\n");
}
