// The owner of a lock file: enough facts about a process to decide whether it still exists.

import { readFileSync, readlinkSync } from "node:fs";
import { hostname, uptime } from "node:os";
import { basename } from "node:path";

export interface LockOwner {
  readonly host: string;
  /** Changes at every start of the machine; empty where unavailable. */
  readonly bootId: string;
  /** Namespace (container) of the process id; empty where there are none. */
  readonly namespace: string;
  readonly pid: number;
  /** Start time of the process, which differs for a reused pid; empty where unavailable. */
  readonly startTime: string;
  readonly command: string;
  /** Folder of the lock file, so that a copied file locks nothing. Absent in files of older versions. */
  readonly folder?: string;
  /** Random; distinguishes two locks of one process. */
  readonly token: string;
}

const KEYS = ["host", "bootId", "namespace", "startTime", "command", "token"] as const;

let self: Omit<LockOwner, "token" | "folder"> | null = null;

/** This process as the owner of a lock in a folder, see `folderId`. */
export function thisProcess(token: string, folder: string): LockOwner {
  self ??= {
    host: hostname(),
    bootId: textOf("/proc/sys/kernel/random/boot_id").trim(),
    namespace: namespaceOf(),
    pid: process.pid,
    startTime: processState(process.pid).startTime,
    command: basename(process.argv[1] ?? process.execPath),
  };
  return { ...self, folder, token };
}

/** Parses a lock file; null when it is incomplete. */
export function parseOwner(bytes: Uint8Array): LockOwner | null {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(bytes).toString("utf8"));
  } catch {
    return null;
  }
  if (typeof value !== "object" || value === null) return null;
  const fields = value as Record<string, unknown>;
  if (!KEYS.every((key) => typeof fields[key] === "string")) return null;
  if (!Number.isSafeInteger(fields["pid"]) || (fields["pid"] as number) <= 0) return null;
  return value as LockOwner;
}

/**
 * True when the owner is certainly gone. Age does not matter: a stopped process keeps its lock, and a process of another
 * machine or container counts as alive.
 * @param folder of the lock file, see `folderId`; not compared between machines or containers
 */
export function isGone(owner: LockOwner, folder: string, heldTokens: ReadonlySet<string>): boolean {
  const me = thisProcess("", folder);
  if (owner.host !== me.host) return false;
  if (owner.bootId !== "" && me.bootId !== "" && owner.bootId !== me.bootId) return true;
  if (owner.namespace !== me.namespace) return false;
  if (owner.folder !== undefined && folder !== "" && owner.folder !== folder) return true;
  if (owner.pid === me.pid && (owner.startTime === me.startTime || owner.startTime === "")) {
    return !heldTokens.has(owner.token);
  }
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    // EPERM: it exists and belongs to another account.
    return error instanceof Error && "code" in error && error.code === "ESRCH";
  }
  const { startTime, ended } = processState(owner.pid);
  return ended || (startTime !== "" && owner.startTime !== "" && startTime !== owner.startTime);
}

/**
 * True for a time, in ms since the epoch, before this machine started. An unreadable lock of that age was left by a power
 * cut.
 */
export function isBeforeBoot(changedAtMs: number): boolean {
  return changedAtMs < Date.now() - uptime() * 1000;
}

/** Start time (field 22 of proc(5) stat), and whether the process has ended (zombie or dead). */
function processState(pid: number): { startTime: string; ended: boolean } {
  const stat = textOf(`/proc/${pid}/stat`);
  // The command name in parentheses may contain blanks and parentheses: count from the last one.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return { startTime: fields[19] ?? "", ended: fields[0] === "Z" || fields[0] === "X" };
}

function namespaceOf(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return "";
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
