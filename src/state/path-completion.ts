// Completes a path in a prompt, or in the field of a form.

import { pathsLike } from "#src/app/typed-path.ts";
import type { Completion } from "#src/display/completion.ts";
import type { Session } from "./session.ts";

/** What completes the path in a prompt; an audience sees no names. @param path where it stands in the text, by default all of it */
export function pathCompletion(session: Session, path: RegExp = /^.*$/s): (text: string) => Completion {
  return (text) => {
    const typed = path.exec(text)?.[0] ?? "";
    const head = text.slice(0, text.length - typed.length);
    const found = typed === "" || session.audience().isThere ? [] : pathsLike(typed);
    const others = found.filter((each) => each !== typed);
    // Tab takes the first one, which here is as far as all of them agree.
    const texts = [completedPath(typed, others) ?? "", ...others.slice(1)];
    const candidates = others.map((each, at) => ({ label: labelOf(each), text: head + texts[at]! }));
    return { candidates, hint: null };
  };
}

/**
 * What Tab makes of a begun path: as far as all that it may mean agree, else the first of these; null where it is whole.
 * @param found what it may mean, as on the disk by default
 */
export function completedPath(typed: string, found = typed === "" ? [] : pathsLike(typed)): string | null {
  const [first] = found;
  if (first === undefined || found.includes(typed)) return null;
  let length = first.length;
  while (!found.every((each) => each.startsWith(first.slice(0, length)))) length -= 1;
  return length > typed.length ? first.slice(0, length) : first;
}

/** Its last name. */
function labelOf(path: string): string {
  return path.slice(path.lastIndexOf("/", path.length - 2) + 1);
}
