// A line per component: draft-cavage-http-signatures-12 section 2.3, and the request line of Kong's plugin hmac-auth.

import type { HeaderLines } from "#src/signing/recipes/recipe.ts";
import type { Message } from "#src/signing/request-values.ts";
import type { CanonicalStyle } from "./canonical-style.ts";
import { alternatives, isHeaderPresent, notLowerCase, presentOf, problemOf } from "./components.ts";

const REQUEST_LINES: ReadonlyMap<string, (message: Message) => string> = new Map([
  ["(request-target)", ({ method, target }) => `(request-target): ${method.toLowerCase()} ${target}`],
  ["@request-target", ({ method, target }) => `@request-target: ${method.toLowerCase()} ${target}`],
  ["request-line", ({ method, target }) => `${method} ${target} HTTP/1.1`],
]);

/** Components that are no headers. */
export const REQUEST_LINE_COMPONENTS: readonly string[] = [...REQUEST_LINES.keys()];

function isPresent(message: Message, name: string): boolean {
  return isHeaderPresent(message, name) || REQUEST_LINES.has(name);
}

export const headerLines: CanonicalStyle<HeaderLines> = {
  choose: (canonical, message) => presentOf(canonical.components, message, isPresent),
  judge: (canonical, message, claimed) =>
    notLowerCase(claimed) ?? problemOf(canonical.components, message, claimed, isPresent),
  list: (components) => components.join(" "),
  readList: (text) => text.split(" "),
  write({ join }, message, components) {
    const lines = components.map(
      (name) => REQUEST_LINES.get(name)?.(message) ?? `${name}: ${message.header(name) ?? ""}`,
    );
    return { stringToSign: lines.join(join), canonicalRequest: null };
  },
  headers: (canonical) =>
    canonical.components.flatMap(alternatives).filter((name) => !REQUEST_LINES.has(name)),
};
