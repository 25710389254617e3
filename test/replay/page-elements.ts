// A page as a browser would read it.

import { hash } from "node:crypto";
import { parse, type DefaultTreeAdapterTypes as Tree } from "parse5";
import { expect } from "vitest";

export interface ParsedPage {
  readonly elements: readonly Tree.Element[];
  readonly text: string;
}

/** Expects that the page has no error. */
export function parsedPage(html: string): ParsedPage {
  const errors: string[] = [];
  const document = parse(html, { onParseError: ({ code }) => errors.push(code) });
  expect(errors).toEqual([]);
  return { elements: elementsOf(document), text: textOf(document) };
}

export function elementsOf(node: Tree.ParentNode): Tree.Element[] {
  return node.childNodes.flatMap((child) => ("tagName" in child ? [child, ...elementsOf(child)] : []));
}

export function textOf(node: Tree.ParentNode): string {
  return node.childNodes
    .map((child) => ("value" in child ? child.value : "childNodes" in child ? textOf(child) : ""))
    .join("");
}

export function attribute(element: Tree.Element, name: string): string | undefined {
  return element.attrs.find((each) => each.name === name)?.value;
}

/** Expects that a page by itself asks for nothing, and that its policy allows its last script alone. */
export function expectSelfContained({ elements }: ParsedPage): void {
  for (const { tagName, attrs } of elements) {
    expect(["link", "img", "iframe", "object", "embed", "base", "form", "a"]).not.toContain(tagName);
    for (const { name, value } of attrs) {
      expect(["src", "href", "action", "style", "srcdoc"]).not.toContain(name);
      expect(name).not.toMatch(/^on/);
      expect(value).not.toMatch(/https?:|javascript:/i);
    }
  }
  const script = elements.findLast(({ tagName }) => tagName === "script")!;
  const policy = elements.find((element) => attribute(element, "http-equiv") === "Content-Security-Policy")!;
  expect(attribute(policy, "content")).toBe(
    `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hash("sha256", textOf(script), "base64")}'; base-uri 'none'; form-action 'none'`,
  );
  const sheet = textOf(elements.find(({ tagName }) => tagName === "style")!);
  expect(sheet).not.toMatch(/url\(|@import/);
}

/** Expects names for those who hear the page. */
export function expectNamed({ elements }: ParsedPage): void {
  const named = (tag: string): Tree.Element[] => elements.filter(({ tagName }) => tagName === tag);
  expect(named("html").map((each) => attribute(each, "lang"))).toEqual(["en"]);
  expect(named("h1")).toHaveLength(1);
  expect(named("th").every((each) => attribute(each, "scope") !== undefined)).toBe(true);
  expect(named("svg").every((each) => attribute(each, "aria-label") !== undefined)).toBe(true);
}
