// Watches a file or folder for changes by other processes: by events of the system, else by polling.

import { lstatSync, watch } from "node:fs";
import type { FSWatcher } from "node:fs";
import { statfs } from "node:fs/promises";
import { basename, dirname } from "node:path";

/** Polling interval where there are no events. One poll takes some 20 us. */
const POLL_MS = 700;
/** Events within this time are one change: replacing a file causes two or three. */
const SETTLE_MS = 40;

/**
 * File systems without events for changes by other machines (`f_type` of statfs(2)): NFS, SMB, CIFS, SMB2, 9P, FUSE, AFS,
 * Ceph, VirtualBox folders.
 */
const SILENT: ReadonlySet<number> = new Set([
  0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x01021997, 0x65735546, 0x5346414f, 0x00c36400, 0x786f4256,
]);

/** True for a file system that is, or may be, on another machine. */
export function isRemoteFileSystem(type: number): boolean {
  return SILENT.has(type >>> 0);
}

/**
 * Calls back after each change, creation or removal of a file. The file and its folder need not exist.
 * @returns ends the watch
 */
export function watchFile(path: string, onChange: () => void): () => void {
  return watchPath(path, dirname(path), onChange);
}

/**
 * Calls back after each change of the names in a folder, and each replacement of a file in it. The folder need not exist.
 * @returns ends the watch
 */
export function watchFolder(path: string, onChange: () => void): () => void {
  return watchPath(path, path, onChange);
}

/** @param folder watched for events, because a replaced file is another inode */
function watchPath(path: string, folder: string, onChange: () => void): () => void {
  const name = path === folder ? null : basename(path);
  let watcher: FSWatcher | null = null;
  let timer: NodeJS.Timeout | null = null;
  let ended = false;
  let known = signatureOf(path);

  const later = (ms: number, run: () => void): void => {
    if (timer !== null) clearTimeout(timer);
    // A watch does not keep the process alive.
    timer = ended ? null : setTimeout(run, ms).unref();
  };

  const poll = async (): Promise<void> => {
    timer = null;
    // Listens before it reads the state, so that no change is lost in between.
    if (watcher === null) await listen();
    if (ended) return;
    const seen = signatureOf(path);
    const changed = seen !== known;
    known = seen;
    // The watched folder is gone; a new folder at its path is another inode.
    if (seen === "" && name === null) stopListening();
    if (watcher === null && timer === null) later(POLL_MS, () => void poll());
    if (changed) onChange();
  };

  const listen = async (): Promise<void> => {
    if (!(await hasEvents(folder)) || ended) return;
    try {
      watcher = watch(folder, { persistent: false });
    } catch {
      // No folder yet, or no watches left: polling continues.
      return;
    }
    watcher.on("change", (_, changed) => {
      if (name === null || changed === null || String(changed) === name) later(SETTLE_MS, () => void poll());
      // This event means that the folder itself is gone.
      else if (String(changed) === basename(folder)) restart();
    });
    watcher.on("error", restart);
  };

  const stopListening = (): void => {
    watcher?.close();
    watcher = null;
  };

  const restart = (): void => {
    stopListening();
    later(POLL_MS, () => void poll());
  };

  void poll();
  return () => {
    ended = true;
    if (timer !== null) clearTimeout(timer);
    timer = null;
    stopListening();
  };
}

/** Whether the system reports every change in an existing folder. */
async function hasEvents(folder: string): Promise<boolean> {
  try {
    return !isRemoteFileSystem((await statfs(folder)).type);
  } catch {
    return false;
  }
}

/** Differs after each change of a file; empty for none. */
function signatureOf(path: string): string {
  try {
    const { ino, size, mtimeMs, ctimeMs } = lstatSync(path);
    return [ino, size, mtimeMs, ctimeMs].join(" ");
  } catch {
    return "";
  }
}
