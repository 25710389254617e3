// Parts of every HTML page, and escapes for untrusted text and data, which cannot become markup, an attribute or a script.

import { hash } from "node:crypto";
import { ENGLISH, type Said } from "#src/display/audience-words.ts";
import { withoutBuildCommands } from "#src/contract/text/build-commands.ts";
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

/** Text for an element or a quoted attribute of HTML or XML; hidden characters become visible escapes, and a log that shows it is not obeyed. */
export function escapeHtml(text: string, max: number = LONGEST_CELL): string {
  const markup = safe(text, { max }).replace(/[&<>"']/g, (character) => ENTITIES[character]!);
  return withoutBuildCommands(markup, (character) => `&#${character.charCodeAt(0)};`);
}

/** Longest paragraph or line of text, e.g. a list of rules. */
const LONGEST_PROSE = 5_000;

/** Text for an element in which no number is broken. */
export function proseMarkup(text: string): string {
  return escapeHtml(text, LONGEST_PROSE)
    .replace(/(\d) (?=[\d%])/g, "$1&nbsp;")
    .replaceAll("3-D Secure", `<span class="whole">3-D</span> Secure`);
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

/**
 * Everything before the content of a page.
 * @param script the only one that the page may run, allowed by its hash
 * @param style of this page beside that of all
 * @param language of its texts, as BCP 47 writes it
 */
export function pageHead(title: string, script: string, style: string = "", language: string = "en"): string {
  const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hash("sha256", script, "base64")}'; base-uri 'none'; form-action 'none'`;
  return (
    `<!doctype html>\n<html lang="${escapeHtml(language)}">\n<head>\n<meta charset="utf-8">\n` +
    `<meta http-equiv="Content-Security-Policy" content="${policy}">\n` +
    `<meta name="viewport" content="width=device-width, initial-scale=1">\n<meta name="referrer" content="no-referrer">\n` +
    `<meta name="robots" content="noindex">\n<title>${escapeHtml(title, 2 * LONGEST_CELL)}</title>\n` +
    `<style>\n${pageStyle()}${style === "" ? "" : `\n${style}`}\n</style>\n</head>\n<body>\n`
  );
}

export function section(title: string, what: string, content: string, look: string = ""): string {
  const lead = what === "" ? "" : `<p class="what">${what}</p>`;
  return `<section${look === "" ? "" : ` class="${look}"`}><h2>${title}</h2>${lead}${content}</section>\n`;
}

/** Heads of columns. @param name markup */
export function head(name: string, look: string = ""): string {
  return `<th scope="col"${look === "" ? "" : ` class="${look}"`}>${name}</th>`;
}

/** A table in a scrollable region with keyboard focus. @param heads, rows markup; each row a whole one */
export function tableMarkup(
  name: string,
  look: string,
  heads: readonly string[],
  rows: readonly string[],
): string {
  const table = `<table ${look}><thead><tr>${heads.join("")}</tr></thead><tbody>${rows.join("\n")}</tbody></table>`;
  return `<div class="scroll" tabindex="0" role="region" aria-label="${name}">${table}</div>`;
}

/** A chart as wide as there is room, with words for those who do not see it. */
export function chart(words: string, height: number, content: readonly string[]): string {
  return `<svg width="100%" height="${height}" role="img" aria-label="${words}">${content.join("")}</svg>`;
}

/** An area of a chart whose width and height are 100 units each. */
export function plot(words: string, top: number, height: number, content: readonly string[]): string {
  return `<svg class="plot" x="0" y="${top}" width="100%" height="${height}" viewBox="0 0 100 100" preserveAspectRatio="none" aria-label="${words}">${content.join("")}</svg>`;
}

/** The lower axis of a chart. */
export function baseLine(y: number): string {
  return `<line class="tick" x1="0" x2="100%" y1="${y}" y2="${y}"/>`;
}

/** A tick of a lower axis with its words, those at the ends inwards. @param at in percent of the width */
export function tickAt(at: number, base: number, words: string): string {
  const [x, anchor] = [`${at.toFixed(3)}%`, at < 8 ? "start" : at > 92 ? "end" : "middle"];
  return (
    `<line class="tick" x1="${x}" x2="${x}" y1="${base}" y2="${base + 5}"/>` +
    `<text x="${x}" y="${base + 19}" text-anchor="${anchor}">${words}</text>`
  );
}

/** A line down to the axis with words at its top, on the side with more room. @param at in percent of the width */
export function markAt(at: number, y: number, base: number, words: string): string {
  const [x, side] = [`${at.toFixed(3)}%`, at > 50 ? `end" dx="-5` : `start" dx="5`];
  return (
    `<line class="mark" x1="${x}" x2="${x}" y1="${y - 10}" y2="${base}"/>` +
    `<text class="mark-text" x="${x}" y="${y}" text-anchor="${side}">${words}</text>`
  );
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
    `${themeButton(ENGLISH)}</header>`
  );
}

/** The switch of the colours, for page/theme.browser.js. */
export function themeButton(say: Said): string {
  const [dark, light] = [say("dark"), say("light")].map((name) => escapeHtml(name));
  return `<button type="button" id="theme" class="plain" data-dark="${dark}" data-light="${light}" hidden>${dark}</button>`;
}
