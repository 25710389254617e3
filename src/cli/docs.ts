// verdict docs: lists the pages of the documents, or prints one.

import { documentPages, type Page } from "#src/app/documents.ts";
import { Fault } from "#src/contract/fault.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import { nearest } from "#src/contract/text/nearest.ts";
import type { CommandRun } from "./command.ts";
import { EXIT } from "./exit-code.ts";

const HEADINGS: Readonly<Record<string, string>> = {
  tutorials: "Tutorials",
  "how-to": "How-to guides",
  reference: "Reference",
  explanation: "Explanation",
};

export const docs: CommandRun = ({ args, output }) => {
  const pages = documentPages();
  if (args[0] !== undefined) {
    output.exact(pageNamed(args[0], pages).text);
    return Promise.resolve(EXIT.done);
  }
  const listed = pages.filter(({ name }) => !name.includes("/"));
  const width = Math.max(...listed.map(({ name }) => name.length));
  for (const [kind, heading] of Object.entries(HEADINGS)) {
    output.line(heading);
    for (const { name, title } of listed.filter((page) => page.kind === kind))
      output.line(`  ${name.padEnd(width)}  ${title}`);
    output.line();
  }
  output.line('"verdict docs PAGE" prints a page; "verdict docs commands/check" is the page of a command.');
  return Promise.resolve(EXIT.done);
};

/**
 * @param asked a name, or a link of another page, such as `../how-to/install.md`
 * @throws Fault("usage") for an unknown page
 */
export function pageNamed(asked: string, pages: readonly Page[]): Page {
  const kinds = Object.keys(HEADINGS).join("|");
  const name = asked
    .replace(new RegExp(`^.*(?:${kinds})/|^\\./`), "")
    .replace(/(?:\/?README)?\.md(?:#.*)?$/, "");
  const last = (page: Page): string => page.name.replace(/^.*\//, "");
  const found = pages.find((page) => page.name === name) ?? pages.find((page) => last(page) === name);
  if (found !== undefined) return found;
  const like = nearest(
    name,
    pages.flatMap((page) => [page.name, last(page)]),
  );
  throw new Fault(
    "usage",
    `There is no page "${escapeText(asked, 60)}". Did you mean "verdict docs ${like}"? "verdict docs" lists the pages.`,
  );
}
