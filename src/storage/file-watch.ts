// Changes of files by other processes, heard of within a second: from the system where it tells, else by looking.

import { lstatSync, watch } from "node:fs";
import type { FSWatcher } from "node:fs";
import { statfs } from "node:fs/promises";
import { basename, dirname } from "node:path";

/** How often is looked where the system tells nothing. One look takes some 20 us. */
const LOOK_MS = 700;
/** What comes within this time is one change: a file that is replaced comes with two or three events. */
const SETTLE_MS = 40;

/**
 * File systems on which others can change files without the system telling (`f_type` of statfs(2)): NFS, SMB, CIFS,
 * SMB2, 9P, FUSE, AFS, Ceph, VirtualBox folders.
 */
const SILENT: ReadonlySet<number> = new Set([
  0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x01021997, 0x65735546, 0x5346414f, 0x00c36400, 0x786f4256,
]);

/** Whether a file system of this type lies on another machine, or may. */
export function isRemoteFileSystem(type: number): boolean {
  return SILENT.has(type >>> 0);
}

/**
 * Calls back after each change of a file: its content, its going and its coming. The file and its folder need not be there.
 * @returns to be called when it is enough; nothing is called back after that
 */
export function watchFile(path: string, onChange: () => void): () => void {
  return keepWatch(path, dirname(path), onChange);
}

/**
 * Calls back after each change of the names in a folder, and of a file in it that is replaced. The folder need not be there.
 * @returns to be called when it is enough; nothing is called back after that
 */
export function watchFolder(path: string, onChange: () => void): () => void {
  return keepWatch(path, path, onChange);
}

/** @param folder where the system is asked to tell of changes: a file that is replaced is another file */
function keepWatch(path: string, folder: string, onChange: () => void): () => void {
  const name = path === folder ? null : basename(path);
  let watcher: FSWatcher | null = null;
  let timer: NodeJS.Timeout | null = null;
  let ended = false;
  let known = signatureOf(path);

  const later = (ms: number, run: () => void): void => {
    if (timer !== null) clearTimeout(timer);
    // A watch keeps no process alive.
    timer = ended ? null : setTimeout(run, ms).unref();
  };

  const look = async (): Promise<void> => {
    timer = null;
    // The system is asked before the file is looked at, so that no change falls in between.
    if (watcher === null) await listen();
    if (ended) return;
    const seen = signatureOf(path);
    const changed = seen !== known;
    known = seen;
    // What was watched is gone; a folder that comes in its place is another one.
    if (seen === "" && name === null) stopListening();
    if (watcher === null && timer === null) later(LOOK_MS, () => void look());
    if (changed) onChange();
  };

  const listen = async (): Promise<void> => {
    if (!(await tells(folder)) || ended) return;
    try {
      watcher = watch(folder, { persistent: false });
    } catch {
      // No folder yet, or no watches left: looking goes on.
      return;
    }
    watcher.on("change", (_, changed) => {
      if (name === null || changed === null || String(changed) === name) later(SETTLE_MS, () => void look());
      // So the system says that the folder itself is gone.
      else if (String(changed) === basename(folder)) lookAgain();
    });
    watcher.on("error", lookAgain);
  };

  const stopListening = (): void => {
    watcher?.close();
    watcher = null;
  };

  const lookAgain = (): void => {
    stopListening();
    later(LOOK_MS, () => void look());
  };

  void look();
  return () => {
    ended = true;
    if (timer !== null) clearTimeout(timer);
    timer = null;
    stopListening();
  };
}

/** Whether the system tells of every change in a folder that is there. */
async function tells(folder: string): Promise<boolean> {
  try {
    return !isRemoteFileSystem((await statfs(folder)).type);
  } catch {
    return false;
  }
}

/** Changes with each change of what is there; empty for nothing. */
function signatureOf(path: string): string {
  try {
    const { ino, size, mtimeMs, ctimeMs } = lstatSync(path);
    return [ino, size, mtimeMs, ctimeMs].join(" ");
  } catch {
    return "";
  }
}
