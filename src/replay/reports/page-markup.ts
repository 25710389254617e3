// Escapes untrusted text and data for an HTML page, so that they cannot become markup, an attribute or a script.

import { safe, safeJson } from "#src/display/safe.ts";
import { VERDICTS, type VerdictKind } from "#src/display/verdict.ts";

/** Longest text of one cell, in characters. */
export const LONGEST_CELL = 300;

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text for an element or a quoted attribute of HTML or XML; hidden characters become visible escapes. */
export function escapeHtml(text: string, max: number = LONGEST_CELL): string {
  return safe(text, { max }).replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}

/** The parts of a path between line break opportunities: behind each `/`, and after 40 characters. */
export const BREAKS: RegExp = /[^/]{1,40}\/?|\//gu;

/** `escapeHtml` for a path, with line break opportunities. */
export function escapePath(text: string): string {
  const parts = safe(text, { max: LONGEST_CELL }).match(BREAKS) ?? [];
  return parts.map((part) => escapeHtml(part)).join("<wbr>");
}

/** JSON for a script element, which cannot end that element or start a comment. */
export function scriptJson(value: unknown): string {
  return safeJson(value).replace(/[<>&]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`);
}

/** Symbol and word in the verdict's colour; the symbol is hidden from screen readers. */
export function verdictMark(kind: VerdictKind): string {
  const { symbol, word, role } = VERDICTS[kind];
  return `<span class="verdict ${role}"><span aria-hidden="true">${symbol}</span> ${word}</span>`;
}

/** `2026-11-21 12:04:11 UTC`, because a report may be read in another time zone. */
export function utcTime(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}
