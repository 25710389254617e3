// Components of a string to sign: which of them a request has, and whether the claimed ones are sufficient.

import type { Message } from "#src/signing/request-values.ts";

type IsPresent = (message: Message, name: string) => boolean;

const knownAlternatives = new Map<string, readonly string[]>();

/** `a|b` is "a or b, whichever the request carries". */
export function alternatives(component: string): readonly string[] {
  let names = knownAlternatives.get(component);
  if (names === undefined) knownAlternatives.set(component, (names = component.split("|")));
  return names;
}

export function isHeaderPresent(message: Message, name: string): boolean {
  return message.header(name.toLowerCase()) !== undefined;
}

export function presentOf(components: readonly string[], message: Message, isPresent: IsPresent): string[] {
  const present: string[] = [];
  for (const component of components) {
    for (const name of alternatives(component)) if (isPresent(message, name)) present.push(name);
  }
  return present;
}

/** Null when all claimed components are present, each once, and include all that the recipe requires. */
export function problemOf(
  components: readonly string[],
  message: Message,
  claimed: readonly string[],
  isPresent: IsPresent,
): string | null {
  const missing = claimed.find((name) => !isPresent(message, name));
  // Pairwise comparison: present names are few.
  const isTwice =
    missing === undefined
      ? claimed.some((name, at) => claimed.indexOf(name) < at)
      : new Set(claimed).size !== claimed.length;
  if (isTwice) return "a component is signed twice";
  if (missing !== undefined) return `the signed header ${missing} is missing`;
  for (const component of components) {
    let isThere = false;
    let unsigned: string | null = null;
    for (const name of alternatives(component)) {
      // Claimed components are present, as checked above.
      if (claimed.includes(name)) isThere = true;
      else if (isPresent(message, name)) unsigned ??= name;
    }
    if (unsigned !== null) return `${unsigned} is not signed`;
    if (!isThere) return `the header ${component} is missing`;
  }
  return null;
}

/** Refuses upper-case names where the standard requires lower case. */
export function notLowerCase(claimed: readonly string[]): string | null {
  const name = claimed.find((each) => each !== each.toLowerCase());
  return name === undefined ? null : `the signed component ${name} is not in lower case`;
}
