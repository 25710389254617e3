// Reads and lists snapshots: all files of the state in one file of JSON lines. Secrets stay sealed with the key of the
// sandbox that took it, so no other sandbox can restore it.

import { hash } from "node:crypto";
import { constants } from "node:fs";
import { mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { badInput, Fault, noSuch } from "#src/contract/fault.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { SNAPSHOT_NAME, type SnapshotFacts } from "#src/contract/wire/sandbox-wire.ts";
import { COUNTERS_FILE } from "#src/sandbox/decisions/counters-file.ts";
import { openRegular, syncFolder } from "#src/storage/documents/durable-file.ts";
import { nodeFileSystem, type OpenFile } from "#src/storage/file-system.ts";
import { systemCode } from "#src/storage/write-fault.ts";

export const FORMAT = "verdict/sandbox-snapshot";
export const SCHEMA = 1;
export const FOLDER = "snapshots";
const ENDING = ".snapshot";
const STAGING = "restoring";
export const DECISIONS = "decisions";
const OLD_DECISIONS = "decisions.old";
const DOCUMENTS = ["accounts.json", "clock.json"] as const;
export const LOG_FILE = /^\d{12}\.log$/;

/** Limits that keep a snapshot from filling memory or disk. */
export interface SnapshotLimits {
  readonly lineBytes: number;
  /** Unpacked bytes of one line. */
  readonly partBytes: number;
  /** Unpacked bytes in all. */
  readonly totalBytes: number;
}

const MIB = 1024 * 1024;
const SNAPSHOT_LIMITS: SnapshotLimits = { lineBytes: 32 * MIB, partBytes: 128 * MIB, totalBytes: 8192 * MIB };
/** Bytes of a read. */
const READ_BYTES = 256 * 1024;

export interface Head {
  readonly format: typeof FORMAT;
  readonly schema: typeof SCHEMA;
  /** Digest of the key that its secrets are sealed with, which tells the sandbox that took it. */
  readonly sealed_with: string;
  readonly at: Milliseconds;
  readonly virtual_time: Milliseconds;
  readonly projects: number;
  readonly decisions: number;
}

export type SnapshotMoment = Pick<SnapshotFacts, "at" | "virtualTime" | "projects" | "decisions">;

const decompress = promisify(gunzip);

export function namedSnapshot(stateDir: string, name: string): string {
  return join(stateDir, FOLDER, `${name}${ENDING}`);
}

/**
 * Unpacks and verifies a snapshot in a staging folder; the state may be in use.
 * @returns its folder of decisions, and a function that replaces the state by it, which must be closed then
 * @throws Fault `usage`, `bad_input` or `corrupt`; the state is untouched
 */
export async function readSnapshot(
  stateDir: string,
  path: string,
  limits: SnapshotLimits = SNAPSHOT_LIMITS,
): Promise<{
  readonly facts: SnapshotFacts;
  readonly decisions: string;
  readonly putInPlace: () => Promise<void>;
}> {
  const staging = join(stateDir, STAGING);
  await rm(staging, { recursive: true, force: true });
  await mkdir(join(staging, DECISIONS), { recursive: true, mode: 0o700 });
  try {
    const head = await unpack(stateDir, path, staging, limits);
    const facts = factsOf(stateDir, path, head, (await stat(path)).size);
    const decisions = join(staging, DECISIONS);
    return { facts, decisions, putInPlace: () => putInPlace(stateDir, staging) };
  } catch (error) {
    await rm(staging, { recursive: true, force: true });
    if (systemCode(error) === "ENOENT") {
      throw noSuch("snapshot", path, "verdict sandbox snapshot");
    }
    throw error;
  }
}

async function unpack(
  stateDir: string,
  path: string,
  staging: string,
  limits: SnapshotLimits,
): Promise<Head> {
  const bad = (): Fault => badInput`${path} is not a whole snapshot; nothing was changed.`;
  let head: Head | null = null;
  let lines = 0;
  let total = 0;
  let ended = false;
  const unpacked = new Map<string, number>();
  const file = await openSnapshot(path);
  try {
    for await (const line of linesOf(file, limits.lineBytes)) {
      const record = line === null || ended ? null : parse(line);
      if (record === null) throw bad();
      if (head === null) {
        head = readHead(record);
        if (head === null) throw bad();
        if (head.sealed_with !== (await keyDigest(stateDir))) {
          throw badInput`${path} was taken from another sandbox, whose secrets do not open here; nothing was changed.`;
        }
      } else if (record["end"] === true) {
        if (record["files"] !== lines) throw bad();
        ended = true;
      } else {
        const { file: name, part, sha256, gzip: content } = record;
        if (typeof name !== "string" || typeof content !== "string" || !isStateFile(name)) throw bad();
        if (part !== (unpacked.get(name) ?? 0)) throw bad();
        const bytes = await decompress(Buffer.from(content, "base64"), {
          maxOutputLength: limits.partBytes,
        }).catch(() => null);
        if (bytes === null || hash("sha256", bytes, "hex") !== sha256) throw bad();
        total += bytes.length;
        if (total > limits.totalBytes) {
          throw badInput`${path} unpacks to more than ${limits.totalBytes / MIB} MiB; nothing was changed.`;
        }
        await append(join(staging, name), bytes);
        unpacked.set(name, part + 1);
        lines += 1;
      }
    }
  } finally {
    await file.close();
  }
  if (head === null || !ended) throw bad();
  await syncFolder(join(staging, DECISIONS), nodeFileSystem);
  await syncFolder(staging, nodeFileSystem);
  return head;
}

/** @throws Fault `bad_input` for anything but a regular file, without blocking on a FIFO */
async function openSnapshot(path: string): Promise<OpenFile> {
  return await openRegular(path, constants.O_RDONLY, nodeFileSystem).catch((error: unknown) => {
    if (!(error instanceof Fault) && systemCode(error) === "ENOENT") throw error;
    throw badInput`${path} is not a regular file of this account that can be read; give the name of a snapshot.`;
  });
}

/** Lines without line ends; the last one needs none. A line beyond the limit yields null and ends the iteration. */
async function* linesOf(file: OpenFile, limit: number): AsyncGenerator<string | null> {
  const chunk = Buffer.alloc(READ_BYTES);
  let pieces: Buffer[] = [];
  let length = 0;
  for (let at = 0; ;) {
    const { bytesRead } = await file.read(chunk, 0, chunk.length, at);
    at += bytesRead;
    for (let start = 0; start < bytesRead;) {
      const end = chunk.subarray(0, bytesRead).indexOf("\n", start);
      const piece = Buffer.from(chunk.subarray(start, end < 0 ? bytesRead : end));
      pieces.push(piece);
      length += piece.length;
      if (length > limit) return yield null;
      if (end < 0) break;
      yield Buffer.concat(pieces).toString("utf8");
      pieces = [];
      length = 0;
      start = end + 1;
    }
    if (bytesRead > 0) continue;
    if (length > 0) yield Buffer.concat(pieces).toString("utf8");
    return;
  }
}

/** Synced line by line, so that the state is never replaced by files that a power cut could take away. */
async function append(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, "a", 0o600);
  try {
    await file.appendFile(bytes);
    await file.datasync();
  } finally {
    await file.close();
  }
}

/** Ordered so that after a crash between two steps the state still opens. */
async function putInPlace(stateDir: string, staging: string): Promise<void> {
  await setDecisionsAside(stateDir);
  await rename(join(staging, DECISIONS), join(stateDir, DECISIONS));
  for (const name of DOCUMENTS) {
    await rename(join(staging, name), join(stateDir, name)).catch((error: unknown) => {
      if (systemCode(error) !== "ENOENT") throw error;
    });
    // The previous generation belongs to the replaced state.
    await rm(join(stateDir, `${name}.bak`), { force: true });
  }
  await syncFolder(stateDir, nodeFileSystem);
  await rm(staging, { recursive: true, force: true });
}

/** Moves all decisions and counters aside. The state must be closed. */
export async function setDecisionsAside(stateDir: string): Promise<void> {
  await removeOldDecisions(stateDir);
  await rename(join(stateDir, DECISIONS), join(stateDir, OLD_DECISIONS)).catch((error: unknown) => {
    if (systemCode(error) !== "ENOENT") throw error;
  });
  await syncFolder(stateDir, nodeFileSystem);
}

/** Deletes decisions that were set aside; they may be hundreds of megabytes, so this is not awaited. */
export async function removeOldDecisions(stateDir: string): Promise<void> {
  await rm(join(stateDir, OLD_DECISIONS), { recursive: true, force: true });
}

/** Named snapshots, newest first; other files are left out. */
export async function listSnapshots(stateDir: string): Promise<SnapshotFacts[]> {
  const dir = join(stateDir, FOLDER);
  const found: SnapshotFacts[] = [];
  for (const file of await readdir(dir).catch(() => [])) {
    if (!file.endsWith(ENDING) || !SNAPSHOT_NAME.test(file.slice(0, -ENDING.length))) continue;
    const path = join(dir, file);
    const head = readHead(parse(await firstLine(path)) ?? {});
    if (head !== null) found.push(factsOf(stateDir, path, head, (await stat(path)).size));
  }
  return found.toSorted((a, b) => b.at - a.at);
}

async function firstLine(path: string): Promise<string> {
  const file = await openSnapshot(path).catch(() => null);
  if (file === null) return "";
  const buffer = Buffer.alloc(1024);
  try {
    const { bytesRead } = await file.read(buffer, 0, 1024, 0);
    return buffer.toString("utf8", 0, bytesRead).split("\n", 1)[0]!;
  } finally {
    await file.close();
  }
}

export function isDocument(name: string): boolean {
  return (DOCUMENTS as readonly string[]).includes(name);
}

function isStateFile(name: string): boolean {
  const [folder, file, ...more] = name.split("/");
  if (file === undefined) return isDocument(name);
  return folder === DECISIONS && more.length === 0 && (LOG_FILE.test(file) || file === COUNTERS_FILE);
}

export async function keyDigest(stateDir: string): Promise<string> {
  const key = await readFile(join(stateDir, "state.key"));
  return hash("sha256", Buffer.concat([Buffer.from("verdict snapshot\n"), key]), "hex").slice(0, 32);
}

function readHead(record: Record<string, unknown>): Head | null {
  const { format, schema, sealed_with, at, virtual_time, projects, decisions } = record;
  const good =
    format === FORMAT &&
    schema === SCHEMA &&
    typeof sealed_with === "string" &&
    [at, virtual_time, projects, decisions].every(Number.isFinite);
  return good ? (record as unknown as Head) : null;
}

function factsOf(stateDir: string, path: string, head: Head, bytes: number): SnapshotFacts {
  const { at, virtual_time: virtualTime, projects, decisions } = head;
  return { name: nameOf(stateDir, path), path, at, virtualTime, projects, decisions, bytes };
}

export function nameOf(stateDir: string, path: string): string | null {
  const inside = dirname(path) === join(stateDir, FOLDER) && path.endsWith(ENDING);
  return inside ? path.slice(join(stateDir, FOLDER).length + 1, -ENDING.length) : null;
}

function parse(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
