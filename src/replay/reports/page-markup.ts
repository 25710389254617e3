// Parts of every HTML page, and escapes for untrusted text and data, which cannot become markup, an attribute or a script.

import { hash } from "node:crypto";
import { safe, safeJson } from "#src/display/safe.ts";
import { SIGN } from "#src/display/sign.ts";
import { VERDICTS, type VerdictKind } from "#src/display/verdict.ts";
import { pageStyle } from "./report-page-style.ts";

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

/** Everything before the content of a page. @param script the only one that the page may run, allowed by its hash */
export function pageHead(title: string, script: string): string {
  const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hash("sha256", script, "base64")}'; base-uri 'none'; form-action 'none'`;
  return (
    `<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n` +
    `<meta http-equiv="Content-Security-Policy" content="${policy}">\n` +
    `<meta name="viewport" content="width=device-width, initial-scale=1">\n<meta name="referrer" content="no-referrer">\n` +
    `<meta name="robots" content="noindex">\n<title>${escapeHtml(title, 2 * LONGEST_CELL)}</title>\n` +
    `<style>\n${pageStyle()}\n</style>\n</head>\n<body>\n`
  );
}

export function section(title: string, what: string, content: string, look: string = ""): string {
  const lead = what === "" ? "" : `<p class="what">${what}</p>`;
  return `<section${look === "" ? "" : ` class="${look}"`}><h2>${title}</h2>${lead}${content}</section>\n`;
}

/** A scrollable region for a wide table, with keyboard focus. */
export function scroll(name: string, table: string): string {
  return `<div class="scroll" tabindex="0" role="region" aria-label="${name}">${table}</div>`;
}

/** One line of the top of a page, with the sign of a verdict, or of a note. */
export function finding(kind: VerdictKind | null, text: string): string {
  const { symbol, role } = kind === null ? { symbol: SIGN.note.symbol, role: "" } : VERDICTS[kind];
  return `<li><span class="verdict ${role}" aria-hidden="true">${symbol}</span> <span>${text}</span></li>`;
}

/** Brand, headline, findings and facts, with the switch of the colours. @param headline, leads markup */
export function pageTop(
  brand: string,
  headline: string,
  leads: readonly string[],
  facts: readonly (readonly [string, string])[],
): string {
  const list = facts.map(([name, value]) => `<li>${name} <b>${escapeHtml(value)}</b></li>`);
  return (
    `<header><div><p class="brand"><strong>verdict</strong> ${brand}</p>` +
    `${headline}<ul class="lead">${leads.join("")}</ul><ul class="facts">${list.join("")}</ul></div>` +
    `<button type="button" id="theme" class="plain" hidden>Dark colours</button></header>`
  );
}
