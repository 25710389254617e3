// Markup of HTML and XML as templates: what is not markup already is escaped, so untrusted text cannot become an element, an attribute or a script.

import { withoutBuildCommands } from "#src/contract/text/build-commands.ts";
import { safe } from "#src/display/safe.ts";

/** Longest text of one cell, in characters. */
export const LONGEST_CELL = 300;
/** Longest paragraph or line of text, e.g. a list of rules. */
const LONGEST_PROSE = 5_000;

/** Written by a template below, or `trusted`. */
export class Markup {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

/** What a template takes: a list is written without anything between, null and false are not written. */
export type Value = Markup | string | number | null | false | readonly Value[];

/** Makes a template. @param escape writes text for an element or a quoted attribute */
export function markup(
  escape: (text: string) => string,
): (texts: TemplateStringsArray, ...values: readonly Value[]) => Markup {
  const written = (value: Value): string => {
    if (typeof value === "string") return escape(value);
    if (value === null || value === false) return "";
    return Array.isArray(value) ? value.map(written).join("") : String(value);
  };
  return (texts, ...values) =>
    new Markup(texts.reduce((whole, text, index) => whole + written(values[index - 1]!) + text));
}

/** A script, a style sheet, JSON from `scriptJson`, a list of numbers: text of ours, which is not cut or escaped. */
export function trusted(text: string): Markup {
  return new Markup(text);
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** For HTML and XML; hidden characters become visible escapes, and a build server that shows it does not obey it. */
export function escaping(longest: number): (text: string) => string {
  return (text) => {
    const escaped = safe(text, { max: longest }).replace(/[&<>"']/g, (character) => ENTITIES[character]!);
    return withoutBuildCommands(escaped, (character) => `&#${character.charCodeAt(0)};`);
  };
}

/** Values as long as a cell. */
export const html = markup(escaping(LONGEST_CELL));
/** Values as long as a paragraph. */
export const long = markup(escaping(LONGEST_PROSE));

/** Text in which no number is broken; for elements, not for attributes. */
const unbroken = (longest: number): ReturnType<typeof markup> => {
  const escape = escaping(longest);
  return markup((text) =>
    escape(text)
      .replace(/(\d) (?=[\d%])/g, "$1&nbsp;")
      .replaceAll("3-D Secure", `<span class="whole">3-D</span> Secure`),
  );
};
export const prose = unbroken(LONGEST_PROSE);
export const cell = unbroken(LONGEST_CELL);
