// The question before a command line that takes away what the sandbox holds, in place of the question on a terminal.

import { safe } from "#src/display/safe.ts";
import type { Agreement } from "#src/state/session.ts";

/** Null for any other line, which asks by itself where it has to. @param words behind `verdict` */
export function lineQuestion(words: readonly string[]): Agreement | null {
  const [noun, verb, what, ...more] = words;
  if (noun !== "sandbox" || more.length > 0) return null;
  if (verb === "restore" && what !== undefined && !what.startsWith("-")) return restoreQuestion(what);
  if (verb !== "reset" || (what !== undefined && what !== "--keep-projects")) return null;
  const keepsProjects = what !== undefined;
  const lost = keepsProjects ? "every decision, count and fault" : "every project, decision, count and fault";
  const after = keepsProjects ? "Its projects stay." : "Credentials of its projects become invalid.";
  return {
    text: `The sandbox forgets ${lost}, and its clock goes back to real time. ${after} The history of this console stays. Reset the sandbox?`,
    yes: "reset",
  };
}

function restoreQuestion(name: string): Agreement {
  return {
    text: `Projects, counts, decisions and the clock of the sandbox go back to the snapshot; what came after it is lost there. The history of this console stays. Restore the snapshot "${safe(name)}"?`,
    yes: "restore",
  };
}
