// Escapes untrusted text for a screen, a pipe or a JSON line.

import { withoutBuildCommands } from "#src/contract/text/build-commands.ts";
import { escapeText, hasHiddenCharacter } from "#src/contract/text/escape-text.ts";

export interface SafeOptions {
  /** Longest result in characters; 200 by default. */
  readonly max?: number;
  /** True for a block: line feeds stay. Carriage returns never do. */
  readonly block?: boolean;
}

/**
 * Untrusted text made safe to show: controls, bidi controls, zero-width and tag characters, U+2028, U+2029 and lone
 * surrogates become visible escapes, and a long text ends in `…`.
 */
export function safe(text: string, options: SafeOptions = {}): string {
  return escapeText(text, options.max, options.block === true ? "\n" : "");
}

/** True for a text with invisible or control characters, which gets a badge beside it. */
export function hasHidden(text: string): boolean {
  return hasHiddenCharacter(text);
}

/**
 * JSON for standard output: exactly the data of `JSON.stringify`, with every character that a terminal or a build server
 * would obey or hide written as `\uXXXX`.
 * @param indent spaces per level; one line without it
 */
export function safeJson(value: unknown, indent: number = 0): string {
  const json = disarmedJson(JSON.stringify(value, null, indent));
  // Fast path for ASCII: loading Unicode's tables takes longer than printing most data.
  if (/^[\n -~]*$/.test(json)) return json;
  const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/gu;
  // JSON.stringify escapes everything below U+0020 but the line feeds of its own indentation.
  return json.replace(invisible, (character) => (character === "\n" ? character : escapeUnits(character)));
}

/** The same data, in which a build server finds nothing to obey: of such marks only `##` begins inside a line of JSON. */
export function disarmedJson(json: string): string {
  return withoutBuildCommands(json, escapeUnits);
}

function escapeUnits(character: string): string {
  return character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}
