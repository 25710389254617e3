// Canonical styles made of a template, with or without a hashed canonical request in it.

import { hashHex } from "#src/signing/hmac.ts";
import type { TextTemplate, TwoStage, WebToken } from "#src/signing/recipes/recipe.ts";
import { fillTemplate, placeholdersOf, type Lookup } from "#src/signing/recipes/template.ts";
import { headerBehind, type Message } from "#src/signing/request-values.ts";
import type { CanonicalStyle } from "./canonical-style.ts";
import { alternatives, isHeaderPresent, presentOf, problemOf } from "./components.ts";

/** Handling of `{header_lines}` in styles made of templates; names are sorted and separated by `;`. */
export function sortedHeaders<C extends TextTemplate | TwoStage | WebToken>(
  templatesOf: (canonical: C) => readonly string[],
): Omit<CanonicalStyle<C>, "write"> {
  return {
    choose: (canonical, message) =>
      presentOf(canonical.components, message, isHeaderPresent).sort((a, b) =>
        a.toLowerCase() < b.toLowerCase() ? -1 : 1,
      ),
    judge(canonical, message, claimed) {
      const lower = (names: readonly string[]): string[] => names.map((name) => name.toLowerCase());
      const missing = templatesOf(canonical)
        .flatMap(placeholdersOf)
        .find(({ name, optional }) => {
          const header = !optional && name.startsWith("header.") ? headerBehind(name) : null;
          return header !== null && !isHeaderPresent(message, header);
        });
      if (missing !== undefined) return `the signed header ${headerBehind(missing.name)} is missing`;
      return problemOf(lower(canonical.components), message, lower(claimed), isHeaderPresent);
    },
    list: (components) => components.join(";"),
    readList: (text) => (text === "" ? [] : text.split(";")),
    headers: (canonical) => [
      ...canonical.components.flatMap(alternatives).map((name) => name.toLowerCase()),
      ...templatesOf(canonical)
        .flatMap(placeholdersOf)
        .map(({ name }) => headerBehind(name))
        .filter((name) => name !== null),
    ],
  };
}

function withHeaderLines(
  message: Message,
  components: readonly string[],
  lookup: Lookup,
  tidy: (value: string) => string,
): Lookup {
  return (name) =>
    name === "header_lines"
      ? components
          .map((each) => each.toLowerCase())
          .map((each) => `${each}:${tidy(message.header(each) ?? "")}\n`)
          .join("")
      : lookup(name);
}

export const textTemplate: CanonicalStyle<TextTemplate> = {
  ...sortedHeaders(({ text }) => [text]),
  write: (canonical, message, components, lookup) => ({
    stringToSign: fillTemplate(
      canonical.text,
      withHeaderLines(message, components, lookup, (value) => value),
    ),
    canonicalRequest: null,
  }),
};

export const twoStage: CanonicalStyle<TwoStage> = {
  ...sortedHeaders(({ request, text }) => [request, text]),
  write(canonical, message, components, lookup) {
    // SigV4, "create a canonical request": values are trimmed and runs of spaces become one.
    const lines = withHeaderLines(message, components, lookup, (value) => value.trim().replace(/ +/g, " "));
    const canonicalRequest = fillTemplate(canonical.request, lines);
    const stringToSign = fillTemplate(canonical.text, (name) =>
      name === "request_hash" ? hashHex(canonical.hash, canonicalRequest) : lines(name),
    );
    return { stringToSign, canonicalRequest };
  },
};
