// The last net below `safe`: what reaches a terminal or a pipe holds no sequence that is not ours.

import { styleText } from "node:util";
import { escapeText } from "#src/contract/escape-text.ts";
import { ROLE_STYLE } from "./style.ts";

/** The colour sequences that roles are made of, and those that end them; no others. */
const OURS: ReadonlySet<string> = new Set(
  Object.values(ROLE_STYLE).flatMap(({ color, bold, inverse }) =>
    [bold === true ? ("bold" as const) : null, inverse === true ? ("inverse" as const) : null, color ?? null]
      .filter((format) => format !== null)
      .flatMap((format) => styleText(format, "|", { validateStream: false }).split("|")),
  ),
);

// oxlint-disable-next-line no-control-regex
const COLOUR = /(\x1b\[[0-9;]*m)/;

/**
 * Text as it may be written: line feeds and our own colours stay, everything else that a terminal would obey, hide or
 * reorder becomes a visible escape.
 * @param colour false where no colour is written: then every escape sequence is somebody else's
 */
export function guard(text: string, colour: boolean): string {
  if (!colour || !text.includes("\x1b")) return escaped(text);
  return text
    .split(COLOUR)
    .map((piece) => (OURS.has(piece) ? piece : escaped(piece)))
    .join("");
}

function escaped(text: string): string {
  return escapeText(text, Number.POSITIVE_INFINITY, "\n");
}
