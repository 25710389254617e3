// The HTTP interface of a sandbox as one page: no script but that of its colours, no request, nothing from elsewhere.

import type { JsonObject } from "#src/contract/fields/body-path.ts";
import { outlineOf, type OutlinedCall, type Term } from "#src/contract/openapi/openapi-outline.ts";
import {
  escapeHtml,
  finding,
  head,
  pageHead,
  pageTop,
  section,
  tableMarkup,
} from "#src/replay/reports/page-markup.ts";
import style from "#src/replay/reports/page/interface.css";
import theme from "#src/replay/reports/page/theme.browser.js";

/** Longest paragraph, in characters. */
const LONGEST = 4_000;

/** @param document the OpenAPI document that the sandbox serves */
export function interfacePage(document: JsonObject): string {
  const { title, version, about, identity, calls } = outlineOf(document);
  const links = calls.map((call) => `<li><a href="#${idOf(call)}"><code>${nameOf(call)}</code></a></li>`);
  return [
    pageHead(title, theme, style),
    `<div class="page">\n`,
    pageTop(
      "HTTP interface",
      `<h1>${text(title)}</h1>`,
      sentences(about).map((each) => finding(null, text(each))),
      [
        ["Version", version],
        ["For programs", "/openapi.json"],
        ["Calls", String(calls.length)],
      ],
    ),
    `<nav aria-label="Calls"><ul>${links.join("")}</ul></nav>\n<main>\n`,
    section(
      "Who calls",
      "These headers identify the caller.",
      termTable("Headers of the caller", "Header", identity),
      "long",
    ),
    ...calls.map(callSection),
    `</main>\n</div>\n<script>${theme}</script>\n</body>\n</html>\n`,
  ].join("");
}

function callSection(call: OutlinedCall): string {
  const { method, path, summary, description, headers, body, answers } = call;
  const name = nameOf(call);
  const fields = body?.fields.map(
    ({ path: of, words, isRequired }) =>
      [of, words, isRequired ? `<span class="extra">required</span>` : ""] as const,
  );
  const statuses = answers.map(({ status, words }) => [status, words] as const);
  const success = answers.find(({ example }) => example !== undefined);
  const parts = [
    prose(description),
    headers.length === 0 ? "" : `<h3>Headers</h3>${termTable(`Headers of ${name}`, "Header", headers)}`,
    body === null
      ? ""
      : `<h3>Body</h3><p>${text(body.rules)}</p>${termTable(`Fields of ${name}`, "Field", fields!)}<h3>Example</h3>${json(body.example)}`,
    `<h3>Answers</h3>${termTable(`Answers to ${name}`, "Status", statuses)}`,
    success === undefined ? "" : `<h3>Example of ${success.status}</h3>${json(success.example)}`,
  ];
  const heading = `<span id="${idOf(call)}"><span class="method">${text(method)}</span> <code>${text(path)}</code></span>`;
  return section(heading, `${text(summary)}.`, parts.join(""), "long");
}

function nameOf({ method, path }: OutlinedCall): string {
  return text(`${method} ${path}`);
}

function idOf({ method, path }: OutlinedCall): string {
  return `${method}${path}`.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
}

/** The third part of a term is markup below its name. */
function termTable(
  name: string,
  first: string,
  terms: readonly (Term | readonly [...Term, markup: string])[],
): string {
  const rows = terms.map(
    ([term, words, more = ""]) =>
      `<tr><th scope="row" class="key"><code>${text(term)}</code>${more}</th><td class="why">${text(words)}</td></tr>`,
  );
  return tableMarkup(name, 'class="list"', [head(first), head("What it is")], rows);
}

function json(value: unknown): string {
  return `<pre tabindex="0">${text(JSON.stringify(value, null, 2))}</pre>`;
}

/** Paragraphs, and lists of lines that begin with a dash. */
function prose(markdown: string): string {
  return markdown
    .split("\n\n")
    .filter((block) => block !== "")
    .map((block) =>
      block.startsWith("- ")
        ? `<ul>${block
            .split("\n")
            .map((line) => `<li>${text(line.slice(2))}</li>`)
            .join("")}</ul>`
        : `<p>${text(block)}</p>`,
    )
    .join("");
}

function sentences(paragraph: string): string[] {
  return paragraph.split(/(?<=\.) (?=[A-Z])/);
}

/** Escaped, with what stands between backticks as code. */
function text(raw: string): string {
  return raw
    .split("\n")
    .map((line) => escapeHtml(line, LONGEST).replaceAll(/`([^`]+)`/g, "<code>$1</code>"))
    .join("\n");
}
