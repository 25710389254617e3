// Checks that no other account can replace a folder: an owner or writer of a parent folder could.

import { lstatSync, realpathSync } from "node:fs";
import { dirname } from "node:path";

import { escapeText } from "#src/contract/text/escape-text.ts";
import { storage } from "#src/contract/fault.ts";
import { othersMayWrite } from "#src/contract/others-may-write.ts";

/** On a folder: only the owner of an entry may rename it. */
const STICKY = 0o1000;

/**
 * Checks a folder and its parents, also along symbolic links. Missing folders are created later, and safe.
 * @throws Fault("storage") for the first folder through which another account could replace this one
 */
export function requireSafeFolder(path: string): void {
  const self = process.geteuid?.();
  if (self === undefined) return;
  // In a container the root folder may belong to an account that is unknown inside.
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
      // Below a file or not accessible: opening it will fail with a better message.
      return;
    }
    if (found === undefined) return;
    const shown = escapeText(folder);
    if (!trusted.has(found.uid)) {
      throw storage`${shown} belongs to another account, which could replace the files in it; use another folder with --home or VERDICT_HOME.`;
    }
    if (found.isSymbolicLink()) return examine(realOf(folder));
    if (found.isDirectory() && othersMayWrite(found) && (found.mode & STICKY) === 0) {
      throw storage`${shown} can be written by other accounts, which could replace the files in it; make it private with chmod go-w, or use another folder with --home or VERDICT_HOME.`;
    }
  };
  examine(path);
}

/** The target of a link; for a dangling one its folder. */
function realOf(link: string): string {
  try {
    return realpathSync(link);
  } catch {
    return dirname(link);
  }
}
