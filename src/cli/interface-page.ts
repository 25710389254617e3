// The HTTP interface of a sandbox as one page: no script but that of its colours, no request, nothing from elsewhere.

import type { JsonObject } from "#src/contract/fields/body-path.ts";
import { outlineOf, type OutlinedCall, type Term } from "#src/contract/openapi/openapi-outline.ts";
import { escaping, markup, type Markup, type Value } from "#src/replay/reports/markup.ts";
import { finding, head, page, pageTop, section, tableMarkup } from "#src/replay/reports/page-markup.ts";
import style from "#src/replay/reports/page/interface.css";
import theme from "#src/replay/reports/page/theme.browser.js";

const escape = escaping(4_000);
/** What stands between backticks is code. */
const html = markup((raw) =>
  raw
    .split("\n")
    .map((line) => escape(line).replaceAll(/`([^`]+)`/g, "<code>$1</code>"))
    .join("\n"),
);

/** @param document the OpenAPI document that the sandbox serves */
export function interfacePage(document: JsonObject): string {
  const { title, version, about, identity, calls } = outlineOf(document);
  const links = calls.map((call) => html`<li><a href="#${idOf(call)}"><code>${nameOf(call)}</code></a></li>`);
  const top = pageTop(
    "HTTP interface",
    html`<h1>${title}</h1>`,
    sentences(about).map((each) => finding(null, html`${each}`)),
    [
      ["Version", version],
      ["For programs", "/openapi.json"],
      ["Calls", String(calls.length)],
    ],
  );
  const callers = section(
    "Who calls",
    "These headers identify the caller.",
    termTable("Headers of the caller", "Header", identity),
    "long",
  );
  const content = html`<div class="page">
${top}<nav aria-label="Calls"><ul>${links}</ul></nav>
<main>
${callers}${calls.map(callSection)}</main>
</div>
`;
  return page(title, content, theme, style);
}

function callSection(call: OutlinedCall): Markup {
  const { method, path, summary, description, headers, body, answers } = call;
  const name = nameOf(call);
  const fields = body?.fields.map(
    ({ path: of, words, isRequired }) =>
      [of, words, isRequired && html`<span class="extra">required</span>`] as const,
  );
  const statuses = answers.map(({ status, words }) => [status, words] as const);
  const success = answers.find(({ example }) => example !== undefined);
  const parts = [
    prose(description),
    headers.length > 0 && html`<h3>Headers</h3>${termTable(`Headers of ${name}`, "Header", headers)}`,
    body !== null &&
      html`<h3>Body</h3><p>${body.rules}</p>${termTable(`Fields of ${name}`, "Field", fields!)}<h3>Example</h3>${json(body.example)}`,
    html`<h3>Answers</h3>${termTable(`Answers to ${name}`, "Status", statuses)}`,
    success !== undefined && html`<h3>Example of ${success.status}</h3>${json(success.example)}`,
  ];
  const heading = html`<span id="${idOf(call)}"><span class="method">${method}</span> <code>${path}</code></span>`;
  return section(heading, html`${summary}.`, parts, "long");
}

function nameOf({ method, path }: OutlinedCall): string {
  return `${method} ${path}`;
}

function idOf({ method, path }: OutlinedCall): string {
  return `${method}${path}`.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
}

/** The third part of a term stands below its name. */
function termTable(
  name: string,
  first: string,
  terms: readonly (Term | readonly [...Term, below: Value])[],
): Markup {
  const rows = terms.map(
    ([
      term,
      words,
      more = null,
    ]) => html`<tr><th scope="row" class="key"><code>${term}</code>${more}</th><td class="why">${words}</td></tr>
`,
  );
  return tableMarkup(name, html`class="list"`, [head(first), head("What it is")], rows);
}

function json(value: unknown): Markup {
  return html`<pre tabindex="0">${JSON.stringify(value, null, 2)}</pre>`;
}

/** Paragraphs, and lists of lines that begin with a dash. */
function prose(markdown: string): Markup[] {
  return markdown
    .split("\n\n")
    .filter((block) => block !== "")
    .map((block) =>
      block.startsWith("- ")
        ? html`<ul>${block.split("\n").map((line) => html`<li>${line.slice(2)}</li>`)}</ul>`
        : html`<p>${block}</p>`,
    );
}

function sentences(paragraph: string): string[] {
  return paragraph.split(/(?<=\.) (?=[A-Z])/);
}
