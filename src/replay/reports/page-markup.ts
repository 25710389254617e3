// Parts of every HTML page.

import { hash } from "node:crypto";
import { ENGLISH, type Said } from "#src/display/audience-words.ts";
import { safe, safeJson } from "#src/display/safe.ts";
import { SIGN } from "#src/display/sign.ts";
import { VERDICTS, type VerdictKind } from "#src/display/verdict.ts";
import { cell, html, LONGEST_CELL, long, prose, trusted, type Markup, type Value } from "./markup.ts";
import { columnsOf, shownRows, type Cell, type Table } from "./parts.ts";
import { pageStyle } from "./report-page-style.ts";

/** The parts of a path between line break opportunities: behind each `/`, and after 40 characters. */
export const BREAKS: RegExp = /[^/]{1,40}\/?|\//gu;

/** A path with line break opportunities. */
export function pathMarkup(text: string): Markup {
  const parts = safe(text, { max: LONGEST_CELL }).match(BREAKS) ?? [];
  return html`${parts.map((part, index) => html`${index > 0 && html`<wbr>`}${part}`)}`;
}

/** JSON for a script element, which cannot end that element or start a comment. */
export function scriptJson(value: unknown): Markup {
  return trusted(safeJson(value).replace(/[<>&]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`));
}

/** Symbol and word in the verdict's colour; the symbol is hidden from screen readers. @param said in place of the word */
export function verdictMark(kind: VerdictKind, said: string = VERDICTS[kind].word): Markup {
  const { symbol, role } = VERDICTS[kind];
  return html`<span class="verdict ${role}"><span aria-hidden="true">${symbol}</span> ${said}</span>`;
}

/** `2026-11-21 12:04:11 UTC`, because a report may be read in another time zone. */
export function utcTime(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

/**
 * A whole page.
 * @param script the only one that the page may run, allowed by its hash
 * @param style of this page beside that of all
 * @param language of its texts, as BCP 47 writes it
 */
export function page(
  title: string,
  content: Value,
  script: string,
  style: string = "",
  language: string = "en",
): string {
  return String(html`${pageHead(title, script, style, language)}${content}${pageEnd(script)}`);
}

/** Everything before the content of a page. */
export function pageHead(title: string, script: string, style: string = "", language: string = "en"): Markup {
  const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hash("sha256", script, "base64")}'; base-uri 'none'; form-action 'none'`;
  return long`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${trusted(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>
${trusted(pageStyle())}${style !== "" && trusted(`\n${style}`)}
</style>
</head>
<body>
`;
}

/** Everything after it. */
export function pageEnd(script: string): Markup {
  return html`<script>${trusted(script)}</script>
</body>
</html>
`;
}

export function section(title: Value, what: Value, content: Value, look: string = ""): Markup {
  const lead = what === "" ? null : html`<p class="what">${what}</p>`;
  return html`<section${classOf(look)}><h2>${title}</h2>${lead}${content}</section>
`;
}

export function classOf(look: string): Markup | null {
  return look === "" ? null : html` class="${look}"`;
}

/** Heads of columns. */
export function head(name: Value, look: string = ""): Markup {
  return html`<th scope="col"${classOf(look)}>${name}</th>`;
}

/** A table in a scrollable region with keyboard focus. @param look attributes @param rows whole ones */
export function tableMarkup(
  name: string,
  look: Markup,
  heads: readonly Markup[],
  rows: readonly Markup[],
): Markup {
  const table = html`<table ${look}><thead><tr>${heads}</tr></thead><tbody>${rows}</tbody></table>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${name}">${table}</div>`;
}

/** A table of a report; nothing without rows. @param look attributes @param unfolded rows; the others have the class `more` */
export function tablePart(
  table: Table,
  look: Markup = html`class="list"`,
  unfolded: number = Number.POSITIVE_INFINITY,
): Markup | null {
  if (table.rows.length === 0) return null;
  const columns = columnsOf(table);
  const first = new Set(shownRows(table, unfolded)[0]);
  const rows = table.rows.map((cells) => {
    const drawn = cells.map((each, column) => {
      const { look } = columns[column]!;
      const content = look === "origin" && typeof each === "string" ? pathMarkup(each) : cellMarkup(each);
      return column === 0
        ? html`<th scope="row"${classOf(look)}>${content}</th>`
        : html`<td${classOf(look)}>${content}</td>`;
    });
    return html`<tr${classOf(first.has(cells) ? "" : "more")}>${drawn}</tr>
`;
  });
  const heads = columns.map(({ name, look }) => head(cell`${name}`, look));
  const notes = (table.notes ?? []).map((note) => prose`<p class="below muted">${note}</p>`);
  return html`${tableMarkup(table.title, look, heads, rows)}${notes}`;
}

function cellMarkup(each: Cell): Markup {
  if (typeof each === "string") return cell`${each}`;
  if ("verdict" in each) return verdictMark(each.verdict);
  if ("was" in each)
    return html`<span class="whole">${verdictMark(each.was)} <span aria-label="to">${SIGN.arrow.symbol}</span> ${verdictMark(each.now)}</span>`;
  const [first, ...more] = each;
  return cell`<span class="main">${first!}</span>${more.map((line) => cell`<span class="extra">${line}</span>`)}`;
}

/** A chart as wide as there is room, with words for those who do not see it. */
export function chart(words: string, height: number, content: readonly Markup[]): Markup {
  return html`<svg width="100%" height="${height}" role="img" aria-label="${words}">${content}</svg>`;
}

/** An area of a chart whose width and height are 100 units each. */
export function plot(words: string, top: number, height: number, content: readonly Markup[]): Markup {
  return html`<svg class="plot" x="0" y="${top}" width="100%" height="${height}" viewBox="0 0 100 100" preserveAspectRatio="none" aria-label="${words}">${content}</svg>`;
}

/** The lower axis of a chart. */
export function baseLine(y: number): Markup {
  return html`<line class="tick" x1="0" x2="100%" y1="${y}" y2="${y}"/>`;
}

/** A tick of a lower axis with its words, those at the ends inwards. @param at in percent of the width */
export function tickAt(at: number, base: number, words: string): Markup {
  const [x, anchor] = [`${at.toFixed(3)}%`, at < 8 ? "start" : at > 92 ? "end" : "middle"];
  return html`<line class="tick" x1="${x}" x2="${x}" y1="${base}" y2="${base + 5}"/><text x="${x}" y="${base + 19}" text-anchor="${anchor}">${words}</text>`;
}

/** A line down to the axis with words at its top, on the side with more room. @param at in percent of the width */
export function markAt(at: number, y: number, base: number, words: string): Markup {
  const x = `${at.toFixed(3)}%`;
  const [anchor, dx] = at > 50 ? (["end", -5] as const) : (["start", 5] as const);
  return html`<line class="mark" x1="${x}" x2="${x}" y1="${y - 10}" y2="${base}"/><text class="mark-text" x="${x}" y="${y}" text-anchor="${anchor}" dx="${dx}">${words}</text>`;
}

/** One line of the top of a page, with the sign of a verdict, or of a note. */
export function finding(kind: VerdictKind | null, text: Value): Markup {
  const { symbol, role } = kind === null ? { symbol: SIGN.note.symbol, role: "" } : VERDICTS[kind];
  return html`<li><span class="verdict ${role}" aria-hidden="true">${symbol}</span> <span>${text}</span></li>`;
}

/** Brand, headline, findings and facts, with the switch of the colours. */
export function pageTop(
  brand: string,
  headline: Markup,
  leads: readonly Markup[],
  facts: readonly (readonly [string, string])[],
): Markup {
  const list = facts.map(([name, value]) => html`<li>${name} <b>${value}</b></li>`);
  return html`<header><div><p class="brand"><strong>verdict</strong> ${brand}</p>${headline}<ul class="lead">${leads}</ul><ul class="facts">${list}</ul></div>${themeButton(ENGLISH)}</header>`;
}

/** The switch of the colours, for page/theme.browser.js. */
export function themeButton(say: Said): Markup {
  const [dark, light] = [say("dark"), say("light")];
  return html`<button type="button" id="theme" class="plain" data-dark="${dark}" data-light="${light}" hidden>${dark}</button>`;
}
