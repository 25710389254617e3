// A look at the folders of a home, for `verdict doctor`: who may read them, what lies in them that is not as it should be.
// Opens nothing but documents, changes nothing, and repairs nothing.

import { constants } from "node:fs";
import type { Stats } from "node:fs";
import { access, lstat, readdir, statfs } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

import { escapeText } from "#src/contract/text/escape-text.ts";
import { Fault } from "#src/contract/fault.ts";
import { findingsOf, type Finding } from "#src/contract/finding.ts";
import { isOrphanName, LEFT_MS, readWhole } from "./durable-file.ts";
import { insistOnSafeFolder } from "#src/storage/folders-above.ts";
import { isLocked } from "./file-lock.ts";
import { nodeFileSystem } from "#src/storage/file-system.ts";
import { isRemoteFileSystem } from "#src/storage/file-watch.ts";
import { parseGeneration } from "./generation.ts";
import { systemCode } from "#src/storage/write-fault.ts";

/** A folder of a home, and what of it is known by name. */
export interface ExaminedFolder {
  readonly path: string;
  /** Names at its top that belong to the program; what is added to a name behind a dot belongs to it, too. */
  readonly known: readonly string[];
  /** These files, and those below these folders, are the user's own: others may be allowed to read them. */
  readonly own: readonly string[];
}

export interface ExaminedDocument {
  readonly path: string;
  readonly format: string;
}

export interface FolderExamination {
  readonly findings: readonly Finding[];
  /** When the newest file was written, in ms since the epoch; null where there is none. */
  readonly newestMs: number | null;
  /** Paths of documents whose present generation cannot be read. */
  readonly damaged: readonly string[];
}

/** Files beyond these are not looked at; the journal of a busy home has a few hundred. */
const LOOK_LIMIT = 50_000;
/** Less than this and the next segment of a journal may not fit. */
const TIGHT_BYTES = 64 * 1024 * 1024;
const MIB = 1024 * 1024;
/** `f_type` of statfs(2) of file systems that end with the machine: tmpfs, ramfs. */
const IN_MEMORY: ReadonlySet<number> = new Set([0x01021994, 0x858458f6]);

const finding = findingsOf("files");

/** What was met on the way through the folders, path by path. */
interface Met {
  count: number;
  newestMs: number | null;
  readonly open: string[];
  readonly writable: string[];
  readonly foreign: string[];
  readonly irregular: string[];
  readonly left: string[];
  readonly damagedAside: string[];
  readonly earlierSchema: string[];
  readonly quarantined: string[];
  readonly unknown: string[];
  readonly unreadable: string[];
}

/**
 * Examines the folders of a home and the documents in them.
 * @param nowMs wall time in ms since the epoch
 */
export async function examineFolders(
  folders: readonly ExaminedFolder[],
  documents: readonly ExaminedDocument[],
  nowMs: number,
): Promise<FolderExamination> {
  const met: Met = {
    count: 0,
    newestMs: null,
    open: [],
    writable: [],
    foreign: [],
    irregular: [],
    left: [],
    damagedAside: [],
    earlierSchema: [],
    quarantined: [],
    unknown: [],
    unreadable: [],
  };
  const exchangeable = new Set(
    folders.map(({ path }) => whyExchangeable(path)).filter((why) => why !== null),
  );
  const findings = [...exchangeable].map((why) => finding("problem", why));
  for (const folder of folders) findings.push(...(await examineFolder(folder, nowMs, met)));
  const damaged: string[] = [];
  for (const document of documents) {
    const found = await examineDocument(document);
    if (found === null) continue;
    findings.push(found);
    damaged.push(document.path);
  }
  return { findings: [...findings, ...findingsOn(met)], newestMs: met.newestMs, damaged };
}

async function examineFolder(folder: ExaminedFolder, nowMs: number, met: Met): Promise<Finding[]> {
  const path = escapeText(folder.path);
  let stats;
  try {
    stats = await lstat(folder.path);
  } catch (error) {
    return systemCode(error) === "ENOENT"
      ? [finding("ok", `${path} is not there yet; it is made when it is needed.`)]
      : [
          finding(
            "problem",
            `${path} cannot be looked at.`,
            "Correct its permissions or choose another --home.",
          ),
        ];
  }
  if (!stats.isDirectory() && !stats.isSymbolicLink()) {
    return [finding("problem", `${path} is not a folder.`, "Move it away or choose another --home.")];
  }
  await walk(folder, folder.path, "", nowMs, met);
  note(folder.path, stats, false, met);
  const place = await placeOf(folder.path, path);
  return place.length > 0 ? place : [finding("ok", `${path} can be written.`)];
}

/** Why another account could exchange a folder, as a sentence; null where none could. */
function whyExchangeable(folder: string): string | null {
  try {
    insistOnSafeFolder(folder);
    return null;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return error.message;
  }
}

/** What is to be said of the file system under a folder. */
async function placeOf(folder: string, shown: string): Promise<Finding[]> {
  const findings: Finding[] = [];
  try {
    await access(folder, constants.W_OK | constants.X_OK);
  } catch {
    findings.push(
      finding(
        "problem",
        `${shown} may not be written by you.`,
        "Correct its permissions, mount it writable, or choose another --home.",
      ),
    );
  }
  try {
    const { type, bavail, bsize } = await statfs(folder);
    const free = bavail * bsize;
    if (free < TIGHT_BYTES) {
      findings.push(
        finding("problem", `${shown} has ${Math.floor(free / MIB)} MiB of free space.`, "Free some space."),
      );
    }
    if (isRemoteFileSystem(type)) {
      findings.push(
        finding(
          "note",
          `${shown} may lie on another machine: what a lock or a sync is worth there, that machine decides.`,
          "Keep the home on a disk of this machine if you can.",
        ),
      );
    } else if (IN_MEMORY.has(type >>> 0)) {
      findings.push(
        finding(
          "note",
          `${shown} lies in memory: nothing in it survives a restart of this machine.`,
          "Choose another --home for what must last.",
        ),
      );
    }
  } catch {
    // A system without statfs tells nothing about its file systems.
  }
  return findings;
}

async function walk(
  folder: ExaminedFolder,
  dir: string,
  below: string,
  nowMs: number,
  met: Met,
): Promise<void> {
  let names;
  try {
    names = await readdir(dir);
  } catch {
    met.unreadable.push(dir);
    return;
  }
  for (const name of names.toSorted()) {
    if (met.count >= LOOK_LIMIT) return;
    const path = join(dir, name);
    let stats;
    try {
      stats = await lstat(path);
    } catch {
      // Another process has just removed it.
      continue;
    }
    const top = below === "" ? name : below;
    if (below === "" && !isKnown(folder.known, name)) {
      met.unknown.push(path);
      continue;
    }
    const own = folder.own.includes(top) && (below !== "" || stats.isFile());
    note(path, stats, own, met);
    if (stats.isDirectory()) {
      if (!(own && name.startsWith("."))) await walk(folder, path, top, nowMs, met);
    } else if (!own || isOrphanName(name)) {
      await noteName(path, name, stats, nowMs, met);
    }
  }
}

function isKnown(known: readonly string[], name: string): boolean {
  const bare = isOrphanName(name) ? name.slice(1) : name;
  return known.some((each) => bare === each || bare.startsWith(`${each}.`));
}

/** @param own the user's own affair: only what could be followed or waited for counts */
function note(path: string, stats: Stats, own: boolean, met: Met): void {
  met.count += 1;
  if (stats.isFile()) met.newestMs = Math.max(met.newestMs ?? 0, stats.mtimeMs);
  if (!stats.isFile() && !stats.isDirectory()) {
    met.irregular.push(path);
    return;
  }
  const self = process.geteuid?.();
  if (self !== undefined && stats.uid !== self) met.foreign.push(path);
  else if (!own && process.platform !== "win32" && (stats.mode & 0o077) !== 0) {
    ((stats.mode & 0o022) === 0 ? met.open : met.writable).push(path);
  }
}

async function noteName(path: string, name: string, stats: Stats, nowMs: number, met: Met): Promise<void> {
  if (isOrphanName(name)) {
    if (nowMs - stats.mtimeMs > LEFT_MS) met.left.push(path);
  } else if (name.endsWith(".lock")) {
    if (stats.isFile() && !(await isLocked(path).catch(() => true))) met.left.push(path);
  } else if (/\.corrupt-[\dTZ]+(?:-wal|-shm)?$/.test(name)) met.damagedAside.push(path);
  else if (/\.schema-\d+$/.test(name)) met.earlierSchema.push(path);
  else if (basename(dirname(path)) === "quarantine") met.quarantined.push(path);
}

function findingsOn(met: Met): Finding[] {
  const findings: Finding[] = [];
  const say = (
    state: Finding["state"],
    paths: readonly string[],
    what: string,
    next: string | null,
  ): void => {
    if (paths.length > 0) findings.push(finding(state, `${listed(paths)} ${what}.`, next));
  };
  say(
    "problem",
    met.open,
    "may be read by other accounts",
    "Make it private: chmod 700 for folders, 600 for files.",
  );
  say(
    "problem",
    met.writable,
    "may be written by other accounts, and is not read where it names commands or addresses",
    "Look at what it says, then make it private: chmod 700 for folders, 600 for files.",
  );
  say(
    "problem",
    met.foreign,
    "belongs to another account and is not touched",
    "Give it to your account with chown, or choose another --home.",
  );
  say(
    "problem",
    met.irregular,
    "is a link, a FIFO or a device where a file is meant, and is not followed",
    "Replace it by the file itself.",
  );
  say("problem", met.unreadable, "cannot be looked into", "Correct its permissions.");
  say("note", met.left, "was left by a process that was killed", "The next write beside it takes it away.");
  say(
    "problem",
    met.damagedAside,
    "is a damaged generation that was set aside; the one before it is used, without the last change",
    "Look whether something is missing, then remove it.",
  );
  say(
    "note",
    met.quarantined,
    "holds damaged lines of a journal",
    'Look with "verdict history verify", then remove it.',
  );
  say("note", met.earlierSchema, "was kept from an older version of verdict", "Remove it once all is well.");
  say("note", met.unknown, "is not of verdict's making and is left alone", null);
  const sound = findings.every(({ state }) => state !== "problem");
  if (sound && met.count > 0) {
    findings.unshift(finding("ok", `${met.count} files and folders are yours alone.`));
  }
  if (met.count >= LOOK_LIMIT) {
    findings.push(finding("note", `Only the first ${LOOK_LIMIT} files were looked at.`));
  }
  return findings;
}

/** Three of them and how many more, so that one cause is one line. */
function listed(paths: readonly string[]): string {
  const shown = paths.slice(0, 3).map((path) => escapeText(path));
  const more = paths.length - shown.length;
  return more === 0 ? shown.join(", ") : `${shown.join(", ")} and ${more} more:`;
}

/** Null for a sound document, and for none. */
async function examineDocument({ path, format }: ExaminedDocument): Promise<Finding | null> {
  const isSound = async (file: string): Promise<boolean | null> => {
    try {
      const bytes = await readWhole(file, nodeFileSystem);
      return bytes === null ? null : parseGeneration(format, bytes) !== null;
    } catch {
      return false;
    }
  };
  const [present, previous] = [await isSound(path), await isSound(`${path}.bak`)];
  if (present === true || (present === null && previous === null)) return null;
  const state = present === null ? "is missing beside its previous generation" : "is damaged";
  return previous === true
    ? finding(
        "problem",
        `${escapeText(path)} ${state}.`,
        "The next command that needs it uses its previous generation, without the last change.",
      )
    : finding(
        "problem",
        `${escapeText(path)} ${state} and has no good previous generation.`,
        "Restore it from a backup of yours, or move it and its .bak away to start anew.",
      );
}
