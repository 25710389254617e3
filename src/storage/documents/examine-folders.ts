// Examines the folders of a home for `verdict doctor`: permissions, leftovers, damage, free space. Changes nothing.

import { constants, existsSync, lstatSync, statSync } from "node:fs";
import type { Stats } from "node:fs";
import { access, lstat, readdir, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";

import { othersMayWrite } from "#src/contract/others-may-write.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import { Fault } from "#src/contract/fault.ts";
import { findingsOf, type Finding } from "#src/contract/finding.ts";
import { isOrphanName, LEFT_MS, readWhole } from "./durable-file.ts";
import { requireSafeFolder } from "#src/storage/folders-above.ts";
import { isLocked } from "./file-lock.ts";
import { nodeFileSystem } from "#src/storage/file-system.ts";
import { isRemoteFileSystem } from "#src/storage/file-watch.ts";
import { parseGeneration } from "./generation.ts";
import { systemCode } from "#src/storage/write-fault.ts";

/** A folder of a home and its known names. */
export interface ExaminedFolder {
  readonly path: string;
  /** Top-level names of the program, also with an extension behind a dot. */
  readonly known: readonly string[];
  /** Files and folders of the user, which others may be allowed to read. */
  readonly own: readonly string[];
}

export interface ExaminedDocument {
  readonly path: string;
  readonly format: string;
}

export interface FolderExamination {
  readonly findings: readonly Finding[];
  /** Modification time of the newest file, in ms since the epoch; null for none. */
  readonly newestMs: number | null;
  /** Paths of documents whose current generation cannot be read. */
  readonly damaged: readonly string[];
  /** True where a folder lies below a file: nothing else of the home can be examined. */
  readonly isBelowFile: boolean;
}

/** Files that are examined; a busy home has a few hundred. */
const FILE_LIMIT = 50_000;
/** Free space below which writes may soon fail. */
const TIGHT_BYTES = 64 * 1024 * 1024;
const MIB = 1024 * 1024;
/** `f_type` of statfs(2) of file systems that end with the machine: tmpfs, ramfs. */
const IN_MEMORY: ReadonlySet<number> = new Set([0x01021994, 0x858458f6]);
/** The same of those in which the system alone makes folders: proc, sysfs, cgroup2, devpts, autofs. */
const OF_THE_SYSTEM: ReadonlySet<number> = new Set([0x9fa0, 0x62656572, 0x63677270, 0x1cd1, 0x0187]);

const finding = findingsOf("files");

/** Paths collected by kind of observation. */
interface Observed {
  count: number;
  newestMs: number | null;
  readonly open: string[];
  readonly writable: string[];
  readonly foreign: string[];
  readonly irregular: string[];
  readonly linked: string[];
  readonly left: string[];
  readonly damagedAside: string[];
  readonly databaseAside: string[];
  readonly unfinished: string[];
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
  const observed: Observed = {
    count: 0,
    newestMs: null,
    open: [],
    writable: [],
    foreign: [],
    irregular: [],
    linked: [],
    left: [],
    damagedAside: [],
    databaseAside: [],
    unfinished: [],
    unknown: [],
    unreadable: [],
  };
  const unsafe = new Set(folders.map(({ path }) => safetyProblem(path)).filter((why) => why !== null));
  const findings = [...unsafe].map((why) => finding("problem", why));
  for (const folder of folders) findings.push(...(await examineFolder(folder, nowMs, observed)));
  const { newestMs } = observed;
  if (folders.some(({ path }) => isBelowFile(path))) {
    return { findings, newestMs, damaged: [], isBelowFile: true };
  }
  const damaged: string[] = [];
  for (const document of documents) {
    const found = await examineDocument(document);
    if (found === null) continue;
    findings.push(found);
    damaged.push(document.path);
  }
  return { findings: [...findings, ...findingsOn(observed)], newestMs, damaged, isBelowFile: false };
}

async function examineFolder(folder: ExaminedFolder, nowMs: number, observed: Observed): Promise<Finding[]> {
  const path = escapeText(folder.path);
  let stats;
  try {
    stats = await lstat(folder.path);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return [await missingFinding(folder.path)];
    return [
      isBelowFile(folder.path)
        ? finding("problem", `${path} lies below something that is not a folder.`, MOVE_AWAY)
        : finding(
            "problem",
            `${path} cannot be looked at.`,
            "Correct its permissions or name another folder with --home or VERDICT_HOME.",
          ),
    ];
  }
  if (!stats.isDirectory() && !stats.isSymbolicLink()) {
    return [finding("problem", `${path} is not a folder.`, MOVE_AWAY)];
  }
  await walk(folder, folder.path, "", nowMs, observed);
  observe(folder.path, stats, false, observed);
  const found = await fileSystemFindings(folder.path, path);
  return found.length > 0 ? found : [finding("ok", `${path} can be written.`)];
}

const MOVE_AWAY = "Move it away or name another folder with --home or VERDICT_HOME.";

function isBelowFile(path: string): boolean {
  try {
    lstatSync(path);
    return false;
  } catch (error) {
    return systemCode(error) === "ENOTDIR";
  }
}

/** Of a folder that is not there: whether it can be made, without making it. */
async function missingFinding(path: string): Promise<Finding> {
  const shown = escapeText(path);
  let above = dirname(path);
  while (!existsSync(above) && dirname(above) !== above) above = dirname(above);
  try {
    await access(above, constants.W_OK | constants.X_OK);
    // Root passes every test of permissions, and not every system has statfs.
    const type = await statfs(above).then(
      (told) => told.type,
      () => 0,
    );
    if (!OF_THE_SYSTEM.has(type)) {
      return finding("ok", `${shown} is not there yet; it is made when it is needed.`);
    }
  } catch {
    // Told below.
  }
  return finding(
    "problem",
    `${shown} is not there and cannot be made in ${escapeText(above)}.`,
    "Name another folder with --home or VERDICT_HOME, or correct the permissions there.",
  );
}

/** Why another account could replace a folder, as a sentence; null when none could. */
function safetyProblem(folder: string): string | null {
  try {
    requireSafeFolder(folder);
    return null;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return error.message;
  }
}

/** Findings about the file system of a folder. */
async function fileSystemFindings(folder: string, shown: string): Promise<Finding[]> {
  const findings: Finding[] = [];
  try {
    await access(folder, constants.W_OK | constants.X_OK);
  } catch {
    findings.push(
      finding(
        "problem",
        `${shown} may not be written by you.`,
        "Correct its permissions, mount it writable, or name another folder with --home or VERDICT_HOME.",
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
          `${shown} may be on a network disk, where locks and syncs are not always reliable.`,
          "Keep the home on a disk of this machine if you can.",
        ),
      );
    } else if (IN_MEMORY.has(type >>> 0)) {
      findings.push(
        finding(
          "note",
          `${shown} is on a file system in memory; a restart of this machine deletes its files.`,
          "Use another folder with --home or VERDICT_HOME for data that you want to keep.",
        ),
      );
    }
  } catch {
    // Not every system has statfs.
  }
  return findings;
}

async function walk(
  folder: ExaminedFolder,
  dir: string,
  below: string,
  nowMs: number,
  observed: Observed,
): Promise<void> {
  let names;
  try {
    names = await readdir(dir);
  } catch {
    observed.unreadable.push(dir);
    return;
  }
  for (const name of names.toSorted()) {
    if (observed.count >= FILE_LIMIT) return;
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
      observed.unknown.push(path);
      continue;
    }
    const own = folder.own.includes(top) && (below !== "" || stats.isFile());
    observe(path, stats, own, observed);
    if (stats.isDirectory()) {
      if (!(own && name.startsWith("."))) await walk(folder, path, top, nowMs, observed);
    } else if (!own || isOrphanName(name)) {
      await observeName(path, name, stats, nowMs, observed);
    }
  }
}

function isLinkToFolder(path: string, stats: Stats): boolean {
  return stats.isSymbolicLink() && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function isKnown(known: readonly string[], name: string): boolean {
  const bare = isOrphanName(name) ? name.slice(1) : name;
  return known.some((each) => bare === each || bare.startsWith(`${each}.`));
}

/** @param own a file of the user, which others may read */
function observe(path: string, stats: Stats, own: boolean, observed: Observed): void {
  observed.count += 1;
  if (stats.isFile()) observed.newestMs = Math.max(observed.newestMs ?? 0, stats.mtimeMs);
  if (!stats.isFile() && !stats.isDirectory()) {
    (isLinkToFolder(path, stats) ? observed.linked : observed.irregular).push(path);
    return;
  }
  const self = process.geteuid?.();
  if (self !== undefined && stats.uid !== self) observed.foreign.push(path);
  else if (own && self !== undefined && othersMayWrite(stats)) observed.writable.push(path);
  else if (!own && process.platform !== "win32" && (stats.mode & 0o077) !== 0) {
    ((stats.mode & 0o022) === 0 ? observed.open : observed.writable).push(path);
  }
}

async function observeName(
  path: string,
  name: string,
  stats: Stats,
  nowMs: number,
  observed: Observed,
): Promise<void> {
  if (isOrphanName(name)) {
    if (nowMs - stats.mtimeMs > LEFT_MS) observed.left.push(path);
  } else if (name.endsWith(".lock")) {
    if (stats.isFile() && !(await isLocked(path).catch(() => true))) observed.left.push(path);
  } else if (/\.db\.corrupt-[\dTZ]+$/.test(name)) observed.databaseAside.push(path);
  else if (/\.db\.salvaged?$/.test(name)) observed.unfinished.push(path);
  else if (/(?<!\.db)\.corrupt-[\dTZ]+(?:-wal|-shm)?$/.test(name)) observed.damagedAside.push(path);
}

function findingsOn(observed: Observed): Finding[] {
  const findings: Finding[] = [];
  const add = (
    state: Finding["state"],
    paths: readonly string[],
    what: string,
    next: string | null,
  ): void => {
    if (paths.length > 0) findings.push(finding(state, `${listed(paths)} ${what}.`, next));
  };
  add(
    "problem",
    observed.open,
    "may be read by other accounts",
    "Make it private: chmod 700 for folders, 600 for files.",
  );
  add(
    "problem",
    observed.writable,
    "can be written by other accounts; verdict reads no commands or addresses from it",
    "Check its content, then make it private: chmod 700 for folders, 600 for files.",
  );
  add(
    "problem",
    observed.foreign,
    "belongs to another account and is not touched",
    "Give it to your account with chown, or name another folder with --home or VERDICT_HOME.",
  );
  add(
    "problem",
    observed.irregular,
    "is a link, a FIFO or a device instead of a file; verdict does not read it",
    "Replace it by the file itself.",
  );
  add("note", observed.linked, "is a link to a folder; verdict follows the link", null);
  add("problem", observed.unreadable, "cannot be read", "Correct its permissions.");
  add(
    "note",
    observed.left,
    "was left by a process that was killed",
    "The next write in its folder removes it.",
  );
  add(
    "problem",
    observed.damagedAside,
    "is a damaged version that verdict moved; verdict uses the version before it, without the last change",
    "Check that no data is missing, then remove the damaged file.",
  );
  add(
    "problem",
    observed.databaseAside,
    "is a damaged database that verdict moved; its readable entries were copied to the new database",
    "Check that no data is missing, then remove the damaged database and its -wal file.",
  );
  add(
    "problem",
    observed.unfinished,
    'belongs to a "verdict history salvage" that did not finish',
    'Wait for it to end, or run "verdict history salvage" again.',
  );
  add("note", observed.unknown, "was not made by verdict and is left alone", null);
  const sound = findings.every(({ state }) => state !== "problem");
  if (sound && observed.count > 0) {
    findings.unshift(finding("ok", `${observed.count} files and folders are yours alone.`));
  }
  if (observed.count >= FILE_LIMIT) {
    findings.push(finding("note", `Only the first ${FILE_LIMIT} files were examined.`));
  }
  return findings;
}

/** Three paths and the number of others, so that one cause is one line. */
function listed(paths: readonly string[]): string {
  const shown = paths.slice(0, 3).map((path) => escapeText(path));
  const more = paths.length - shown.length;
  return more === 0 ? shown.join(", ") : `${shown.join(", ")} and ${more} more:`;
}

/** Null for a valid document, and for none. */
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
  const state = present === null ? "is missing, but its previous version (.bak) exists" : "is damaged";
  return previous === true
    ? finding(
        "problem",
        `${escapeText(path)} ${state}.`,
        "The next command that needs it uses its previous version, without the last change.",
      )
    : finding(
        "problem",
        `${escapeText(path)} ${state} and has no good previous generation.`,
        "Restore it from a backup, or move it and its .bak away to start with a new one.",
      );
}
