// Parts of every HTML page.

import { hash } from "node:crypto";
import { ENGLISH, type Said } from "#src/display/audience-words.ts";
import { formatCount } from "#src/display/count.ts";
import { safe, safeJson } from "#src/display/safe.ts";
import { SIGN } from "#src/display/sign.ts";
import { utcTime } from "#src/display/time.ts";
import { VERDICTS, type VerdictKind } from "#src/display/verdict.ts";
import { cell, html, LONGEST_CELL, long, prose, trusted, type Markup, type Value } from "./markup.ts";
import themeScript from "./page/theme.browser.js";
import {
  ALL_ROWS,
  columnsOf,
  linesOf,
  noteText,
  shownRows,
  type Cell,
  type Part,
  type Report,
  type Table,
} from "./parts.ts";
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

/** The page of a report whose parts are all shown: one self-contained file, with every untrusted text escaped. */
export function reportPage(report: Report): string {
  const { name, parts, generatedAt } = report;
  const content = html`<div class="page decision">
${reportTop(report)}
<main>
${parts.map(partSection)}</main>
<footer><p>Made by verdict, ${utcTime(generatedAt)}.</p></footer>
</div>
`;
  return page(name, content, themeScript);
}

export function reportTop({ kind, headline, findings, facts }: Report): Markup {
  const leads = findings.map(({ sign, lead, text }) =>
    finding(sign, prose`${lead !== undefined && prose`<strong>${lead}</strong> `}${text}`),
  );
  const words = trusted(String(prose`${headline}`).replaceAll(" EUR", "&nbsp;EUR"));
  return pageTop(kind, html`<h1 class="sentence">${words}</h1>`, leads, facts);
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

/** A part as a section; nothing where there is nothing to show. */
export function partSection(part: Part): Markup | null {
  if ("rows" in part) {
    const { title, what = "", rows, draw } = part;
    const drawn = draw === undefined ? tablePart(part) : draw();
    const look = rows.length > 12 ? "long" : "";
    return drawn && section(title, what && prose`${what}`, drawn, look);
  }
  if ("facts" in part) {
    const facts = part.facts.map(([name, text]) => prose`<dt>${name}</dt><dd>${text}</dd>`);
    return section(part.title, "", html`<dl class="about">${facts}</dl>`);
  }
  return section(
    part.title,
    "",
    html`<ul class="open">${part.list.map((text) => prose`<li>${text}</li>`)}</ul>`,
  );
}

/** Rows that are shown before the rest is unfolded. */
const UNFOLDED = 25;

/** A table of a report; nothing without rows. */
function tablePart(table: Table): Markup | null {
  if (table.rows.length === 0) return null;
  const { form, count = table.rows.length, notes = [] } = table;
  const columns = columnsOf(table);
  const isFolded = form === "folded" && table.rows.length > UNFOLDED;
  const first = new Set(shownRows(table, isFolded ? UNFOLDED : count)[0]);
  const rows = table.rows.map((cells) => {
    const drawn = cells.map((each, column) => {
      const { look } = columns[column]!;
      const content = look === "origin" && typeof each === "string" ? pathMarkup(each) : cellMarkup(each);
      const tone = typeof each === "object" && "tone" in each ? ` flip ${VERDICTS[each.tone].role}` : "";
      const classes = classOf(`${look}${tone}`.trim());
      return column === 0
        ? html`<th scope="row"${classes}>${content}</th>`
        : html`<td${classes}>${content}</td>`;
    });
    return html`<tr${classOf(first.has(cells) ? "" : "more")}>${drawn}</tr>
`;
  });
  const heads = columns.map(({ name, look }) => head(cell`${name}`, look));
  const rest = `The first ${formatCount(table.rows.length)} of ${formatCount(count)} are listed; ${ALL_ROWS}.`;
  const below = [...(table.rows.length < count ? [rest] : []), ...notes.map(noteText)].map(
    (note) => prose`<p class="below muted">${note}</p>`,
  );
  const unfold = html`<p class="after"><button type="button" id="unfold" class="plain" hidden>Show all ${formatCount(table.rows.length)}</button></p>`;
  const look = html`class="list${form !== undefined && ` ${form}`}"${form === "folded" && html` id="flips"`}`;
  return html`${tableMarkup(table.title, look, heads, rows)}${isFolded && unfold}${below}`;
}

function cellMarkup(each: Cell): Markup {
  if (typeof each === "object" && "verdict" in each) return verdictMark(each.verdict);
  if (typeof each === "object" && "was" in each)
    return html`<span class="whole">${verdictMark(each.was)} <span aria-label="to">${SIGN.arrow.symbol}</span> ${verdictMark(each.now)}</span>`;
  const [first, ...more] = linesOf(each)!;
  if (typeof each === "string") return cell`${first!}`;
  return cell`<span class="main">${first!}</span>${more.map((line) => cell`<span class="extra">${line}</span>`)}`;
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
