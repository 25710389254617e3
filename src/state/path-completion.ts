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
    const candidates = found.map((each) => ({ label: labelOf(each), text: head + each }));
    return { candidates: candidates.filter((each) => each.text !== text), hint: null };
  };
}

/** A begun path with what all that it may mean have in common; null where that is no more than was typed. */
export function completedPath(typed: string): string | null {
  const found = typed === "" ? [] : pathsLike(typed);
  const [first] = found;
  if (first === undefined) return null;
  let length = first.length;
  while (!found.every((each) => each.startsWith(first.slice(0, length)))) length -= 1;
  return length > typed.length ? first.slice(0, length) : null;
}

/** Its last name. */
function labelOf(path: string): string {
  return path.slice(path.lastIndexOf("/", path.length - 2) + 1);
}
