// Components of a string to sign: which of them a request has, and whether what it claims to sign is enough.

import type { Message } from "./request-values.ts";

type IsPresent = (message: Message, name: string) => boolean;

/** `a|b` is "a or b, whichever the request carries". */
export function alternatives(component: string): readonly string[] {
  return component.split("|");
}

export function isHeaderPresent(message: Message, name: string): boolean {
  return message.header(name.toLowerCase()) !== undefined;
}

export function chosen(components: readonly string[], message: Message, isPresent: IsPresent): string[] {
  return components.flatMap((component) =>
    alternatives(component).filter((name) => isPresent(message, name)),
  );
}

/** Null when the claimed components are all there, each once, and none that the recipe asks for is left out. */
export function judged(
  components: readonly string[],
  message: Message,
  claimed: readonly string[],
  isPresent: IsPresent,
): string | null {
  if (new Set(claimed).size !== claimed.length) return "a component is signed twice";
  for (const name of claimed) {
    if (!isPresent(message, name)) return `the signed header ${name} is missing`;
  }
  for (const component of components) {
    const present = alternatives(component).filter((name) => isPresent(message, name));
    if (present.length === 0) return `the header ${component} is missing`;
    const unsigned = present.find((name) => !claimed.includes(name));
    if (unsigned !== undefined) return `${unsigned} is not signed`;
  }
  return null;
}

/** Refuses names in capitals where the standard asks for lower case. */
export function notLowerCase(claimed: readonly string[]): string | null {
  const name = claimed.find((each) => each !== each.toLowerCase());
  return name === undefined ? null : `the signed component ${name} is not in lower case`;
}
