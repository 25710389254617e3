// A disk in memory that forgets at a power cut what was not synced: contents since the last sync of a file, names since
// the last sync of their folder. With a coin it keeps some of it, as real disks do.

import type { Stats } from "node:fs";
import { constants } from "node:fs";
import { basename, dirname } from "node:path";

import type { FileSystem, OpenFile } from "#src/storage/file-system.ts";

interface Inode {
  content: Buffer;
  synced: Buffer;
  mode: number;
  /** ms since the epoch; what is left after a power cut is older than the machine's start. */
  changedAt: number;
  /** Names by entry, for a folder; null for a file. */
  entries: Map<string, Inode> | null;
  syncedEntries: Map<string, Inode>;
}

export interface ForgetfulDisk extends FileSystem {
  /** Changes made so far: writes, syncs, names. */
  readonly changes: number;
  /** Every change from now on fails after so many more. */
  cutAfter(changes: number): void;
  /** The disk after the power cut; `keeps` says for each unsynced change whether it happened to reach the disk. */
  afterPowerCut(keeps: () => boolean): ForgetfulDisk;
}

export function forgetfulDisk(root: Inode = newInode(true)): ForgetfulDisk {
  let changes = 0;
  let limit = Infinity;

  const change = (): void => {
    if ((changes += 1) > limit) throw problem("EIO", "power");
  };
  const find = (path: string): Inode | undefined => {
    let inode: Inode | undefined = root;
    for (const name of path.split("/").filter(Boolean)) inode = inode?.entries?.get(name);
    return inode;
  };
  const need = (path: string): Inode => {
    const inode = find(path);
    if (inode === undefined) throw problem("ENOENT", "open");
    return inode;
  };
  const folderOf = (path: string): Map<string, Inode> => need(dirname(path)).entries!;

  const openFile = (inode: Inode): OpenFile => ({
    read: async (buffer, offset, length, position) => ({
      bytesRead: inode.content.copy(buffer, offset, position, position + length),
    }),
    write: async (buffer, offset, length, position) => {
      change();
      const at = position === null ? inode.content.length : position;
      const piece = buffer.subarray(offset, offset + length);
      const grown = Buffer.alloc(Math.max(inode.content.length, at + length));
      inode.content.copy(grown);
      grown.set(piece, at);
      inode.content = grown;
      return { bytesWritten: length };
    },
    stat: async () => statusOf(inode),
    chmod: async (mode) => void (inode.mode = mode),
    sync: async () => sync(inode),
    close: async () => {},
  });
  const sync = (inode: Inode): void => {
    change();
    inode.synced = inode.content;
    if (inode.entries !== null) inode.syncedEntries = new Map(inode.entries);
  };

  return {
    get changes() {
      return changes;
    },
    cutAfter: (more) => (limit = changes + more),
    afterPowerCut: (keeps) => forgetfulDisk(afterCut(root, keeps)),
    open: async (path, flags, mode) => {
      let inode = find(path);
      if (inode === undefined) {
        if ((flags & constants.O_CREAT) === 0) throw problem("ENOENT", "open");
        change();
        inode = { ...newInode(false), mode: mode ?? 0o666 };
        folderOf(path).set(basename(path), inode);
      } else if ((flags & constants.O_EXCL) !== 0) throw problem("EEXIST", "open");
      return openFile(inode);
    },
    stat: async (path) => statusOf(need(path)),
    lstat: async (path) => statusOf(need(path)),
    chmod: async () => {},
    mkdir: async (path) => {
      change();
      folderOf(path).set(basename(path), newInode(true));
    },
    readdir: async (path) => [...need(path).entries!.keys()],
    link: async (existing, path) => {
      if (find(path) !== undefined) throw problem("EEXIST", "link");
      change();
      folderOf(path).set(basename(path), need(existing));
    },
    rename: async (from, to) => {
      const inode = need(from);
      change();
      folderOf(to).set(basename(to), inode);
      folderOf(from).delete(basename(from));
    },
    unlink: async (path) => {
      need(path);
      change();
      folderOf(path).delete(basename(path));
    },
  };
}

function newInode(isFolder: boolean): Inode {
  const none = Buffer.alloc(0);
  return {
    content: none,
    synced: none,
    mode: 0o600,
    changedAt: Date.now(),
    entries: isFolder ? new Map() : null,
    syncedEntries: new Map(),
  };
}

/** A copy of what is left; one inode stays one, whatever names it has. */
function afterCut(root: Inode, keeps: () => boolean): Inode {
  const left = new Map<Inode, Inode>();
  const visit = (inode: Inode): Inode => {
    const known = left.get(inode);
    if (known !== undefined) return known;
    const copy = newInode(inode.entries !== null);
    copy.changedAt = 0;
    left.set(inode, copy);
    copy.content = copy.synced = Buffer.from(keeps() ? halfway(inode) : inode.synced);
    if (inode.entries !== null) {
      for (const name of new Set([...inode.syncedEntries.keys(), ...inode.entries.keys()])) {
        const before = inode.syncedEntries.get(name);
        const now = inode.entries.get(name);
        const child = before === now || keeps() ? now : before;
        if (child !== undefined) copy.entries!.set(name, visit(child));
      }
      copy.syncedEntries = new Map(copy.entries);
    }
    return copy;
  };
  return visit(root);
}

/** The new length with zeros in a part of the new bytes: blocks that were allocated and never written. */
function halfway({ content, synced }: Inode): Buffer {
  const result = Buffer.from(content);
  if (content.length > synced.length) result.fill(0, synced.length + ((content.length - synced.length) >> 1));
  return result;
}

function statusOf(inode: Inode): Stats {
  return {
    size: inode.content.length,
    mode: inode.mode,
    uid: process.geteuid?.() ?? 0,
    ctimeMs: inode.changedAt,
    isFile: () => inode.entries === null,
    isDirectory: () => inode.entries !== null,
  } as Stats;
}

function problem(code: string, syscall: string): Error {
  return Object.assign(new Error(code), { code, syscall });
}
