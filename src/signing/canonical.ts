// The string to sign. One entry per canonical style; signing and verifying share it.

import type { Canonical, HeaderLines } from "./recipe.ts";

/** What a string to sign is made from. */
export interface Message {
  readonly method: string;
  /** path with query, as on the request line */
  readonly target: string;
  /** undefined when the request does not carry the header; names are lower case */
  header(name: string): string | undefined;
}

interface CanonicalStyle<C extends Canonical> {
  /** The components that a signer covers, as far as the request has them; `judge` finds what is missing. */
  choose(canonical: C, message: Message): readonly string[];
  /** Whether what a request claims to cover is enough: null, or what is wrong. */
  judge(canonical: C, message: Message, claimed: readonly string[]): string | null;
  write(canonical: C, message: Message, components: readonly string[]): string;
}

const REQUEST_TARGET = "(request-target)";

const headerLines: CanonicalStyle<HeaderLines> = {
  choose(canonical, message) {
    return canonical.components.flatMap((component) =>
      component.split("|").filter((name) => isPresent(message, name)),
    );
  },

  judge(canonical, message, claimed) {
    if (new Set(claimed).size !== claimed.length) return "a component is signed twice";
    for (const name of claimed) {
      if (name !== name.toLowerCase()) return `the signed component ${name} is not in lower case`;
      if (!isPresent(message, name)) return `the signed header ${name} is missing`;
    }
    for (const component of canonical.components) {
      const present = component.split("|").filter((name) => isPresent(message, name));
      if (present.length === 0) return `the header ${component} is missing`;
      const unsigned = present.find((name) => !claimed.includes(name));
      if (unsigned !== undefined) return `${unsigned} is not signed`;
    }
    return null;
  },

  write(canonical, message, components) {
    return components
      .map((name) =>
        name === REQUEST_TARGET
          ? `${name}: ${message.method.toLowerCase()} ${message.target}`
          : `${name}: ${message.header(name) ?? ""}`,
      )
      .join(canonical.join);
  },
};

function isPresent(message: Message, name: string): boolean {
  return name === REQUEST_TARGET || message.header(name) !== undefined;
}

const STYLES: { readonly [S in Canonical["style"]]: CanonicalStyle<Extract<Canonical, { style: S }>> } = {
  "header-lines": headerLines,
};

export function canonicalStyle<C extends Canonical>(canonical: C): CanonicalStyle<C> {
  return STYLES[canonical.style];
}

/** Every header that a recipe gives a meaning to, in lower case. */
export function namedHeaders(canonical: Canonical): string[] {
  return canonical.components
    .flatMap((component) => component.split("|"))
    .filter((name) => name !== REQUEST_TARGET);
}
