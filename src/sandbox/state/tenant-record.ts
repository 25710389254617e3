// What is kept of a tenant beside what it holds, wherever that is: its end, its quota, the digest of its token.

import { hash, randomBytes } from "node:crypto";
import { Fault, sentence, usage } from "#src/contract/fault.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { DEFAULT_TENANT, type TenantOrder } from "#src/contract/wire/sandbox-wire.ts";

export interface StoredTenant extends Pick<TenantOrder, "name" | "seed" | "magic" | "quota"> {
  /** Real time. */
  readonly createdAt: Milliseconds;
  /** Null for never. */
  readonly expiresAt: Milliseconds | null;
  /** SHA-256 of its administrative token, in hexadecimal. */
  readonly tokenDigest: string;
}

type Records = ReadonlyMap<string, StoredTenant>;

/** Tenants at once, beside the default one: each has its own counters in memory. */
const MOST_TENANTS = 100;

/** The longest wait of a timer in Node. */
const LONGEST_WAIT_MS: Milliseconds = 2 ** 31 - 1;

/** @returns the record and its administrative token, which is kept nowhere */
export function newRecord(
  { name, ttlMs, seed, magic, quota }: TenantOrder,
  createdAt: Milliseconds,
): { readonly record: StoredTenant; readonly token: string } {
  const token = randomBytes(32).toString("base64url");
  const expiresAt = ttlMs === null ? null : createdAt + ttlMs;
  return {
    record: { name, createdAt, expiresAt, seed, magic, quota, tokenDigest: hash("sha256", token) },
    token,
  };
}

export function isOver({ expiresAt }: StoredTenant, now: Milliseconds): boolean {
  return expiresAt !== null && expiresAt <= now;
}

/** The record of an administrative token; null for none, and for one that is over. */
export function recordOfToken(records: Records, token: string, now: Milliseconds): StoredTenant | null {
  const digest = hash("sha256", token);
  const found = [...records.values()].find(({ tokenDigest }) => tokenDigest === digest);
  return found === undefined || isOver(found, now) ? null : found;
}

/** Waits for the first end; undefined where none has one. The timer does not keep the process running. */
export function whenOneEnds(
  records: Records,
  now: Milliseconds,
  onEnd: () => void,
): NodeJS.Timeout | undefined {
  const next = Math.min(...[...records.values()].map(({ expiresAt }) => expiresAt ?? Infinity));
  if (next === Infinity) return undefined;
  return setTimeout(onEnd, Math.min(Math.max(next - now, 0), LONGEST_WAIT_MS)).unref();
}

/** The tenant has as many projects or decisions as it may have: nothing was stored. */
export class QuotaReached extends Fault {
  constructor() {
    super("usage", sentence`The quota of this tenant is reached.`);
  }
}

export function nameTaken(name: string): Fault {
  return usage`There is a tenant ${name} already; remove it, or choose another name.`;
}

/** @throws Fault `usage` when the name is taken, or there are too many */
export function requirePlace(taken: Pick<Records, "has" | "size">, name: string): void {
  if (name === DEFAULT_TENANT || taken.has(name)) throw nameTaken(name);
  if (taken.size >= MOST_TENANTS) {
    throw usage`There are ${MOST_TENANTS} tenants already; remove one first.`;
  }
}
