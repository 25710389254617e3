// The folders above a place: who may write to one of them, or owns it, can put another folder in the place of ours.

import { lstatSync, realpathSync } from "node:fs";
import { dirname } from "node:path";

import { escapeText } from "#src/contract/text/escape-text.ts";
import { Fault } from "#src/contract/fault.ts";
import { othersMayWrite } from "#src/contract/others-may-write.ts";

/** Set on a folder, it lets an entry be renamed by the entry's owner alone (sticky bit). */
const STICKY = 0o1000;

/**
 * Looks at a folder and at all those above it, also at those that links on the way lead through. What is not there yet
 * is made by us.
 * @throws Fault("storage") naming the first folder through which another account could exchange this one
 */
export function insistOnSafeFolder(path: string): void {
  const self = process.geteuid?.();
  if (self === undefined) return;
  // In a container the folder of all folders may belong to an account that has no name inside.
  const trusted = new Set([self, 0, lstatSync("/").uid]);
  const examined = new Set<string>();
  const examine = (folder: string): void => {
    if (examined.has(folder)) return;
    examined.add(folder);
    if (dirname(folder) !== folder) examine(dirname(folder));
    let found;
    try {
      found = lstatSync(folder, { throwIfNoEntry: false });
    } catch {
      // Below a file or behind a closed door: whoever opens it says so.
      return;
    }
    if (found === undefined) return;
    const shown = escapeText(folder);
    if (!trusted.has(found.uid)) {
      throw new Fault(
        "storage",
        `${shown} belongs to another account, which could exchange what lies below it; choose another --home.`,
      );
    }
    if (found.isSymbolicLink()) return examine(realOf(folder));
    if (found.isDirectory() && othersMayWrite(found) && (found.mode & STICKY) === 0) {
      throw new Fault(
        "storage",
        `${shown} may be written by other accounts, which could exchange what lies below it; take that away with chmod go-w, or choose another --home.`,
      );
    }
  };
  examine(path);
}

/** A link that leads nowhere has nothing behind it to be examined. */
function realOf(link: string): string {
  try {
    return realpathSync(link);
  } catch {
    return dirname(link);
  }
}
