// Which items of the sources a shard sends.

import { hash } from "node:crypto";
import type { Shard } from "#src/contract/records/run.ts";

/** Hex digits of the hash that are read: 48 bits, an exact number. */
const DIGITS = 12;
const REPEAT = /#\d+$/;

/**
 * By the key alone, so that the shards of the same sources share no item and leave none out, on every machine and in every session.
 * A repeat (`key#2`) is in the shard of its first item, because a service answers it from its store.
 */
export function isInShard({ part, of }: Shard, key: string): boolean {
  const digest = hash("sha256", key.replace(REPEAT, ""), "hex");
  return Number.parseInt(digest.slice(0, DIGITS), 16) % of === part - 1;
}
