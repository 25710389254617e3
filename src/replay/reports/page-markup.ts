// Untrusted text and data as parts of an HTML page: nothing in them can become markup, an attribute or a script.

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

/** Text for an element or a quoted attribute; hidden characters stay visible as escapes. */
export function escapeHtml(text: string, max: number = LONGEST_CELL): string {
  return safe(text, { max }).replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}

/** The parts between which a path may be broken: behind each `/`, and after 40 characters. */
export const BREAKS: RegExp = /[^/]{1,40}\/?|\//gu;

/** The same, for a path: it is broken where a reader expects it. */
export function escapePath(text: string): string {
  const parts = safe(text, { max: LONGEST_CELL }).match(BREAKS) ?? [];
  return parts.map((part) => escapeHtml(part)).join("<wbr>");
}

/** JSON for the inside of a script element: no sign in it can end that element or start a comment. */
export function scriptJson(value: unknown): string {
  return safeJson(value).replace(/[<>&]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`);
}

/** Symbol and word, in the colour of the verdict; the symbol is read by nobody twice. */
export function verdictMark(kind: VerdictKind): string {
  const { symbol, word, role } = VERDICTS[kind];
  return `<span class="verdict ${role}"><span aria-hidden="true">${symbol}</span> ${word}</span>`;
}

/** A share in percent; what happened is never 0 %, and what did not happen everywhere is never 100 %. */
export function percent(part: number, whole: number): string {
  if (whole === 0 || part === 0) return "0 %";
  if (part === whole) return "100 %";
  const share = (part / whole) * 100;
  if (share < 0.01) return "< 0.01 %";
  if (share > 99.99) return "> 99.99 %";
  return `${share < 10 || share > 99 ? share.toFixed(2) : share.toFixed(1)} %`;
}

/** `2026-11-21 12:04:11 UTC`: a report travels, so that it names its time zone. */
export function utcTime(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}
