// Which items of the sources a run sends: by tag, and by shard.

import { hash } from "node:crypto";
import type { ItemChoice, RunItem, Shard } from "#src/contract/records/run.ts";

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

export function isChosen({ shard, onlyTags, skipTags }: ItemChoice, { key, tags }: RunItem): boolean {
  const hasOneOf = (wanted: readonly string[]): boolean => tags.some((tag) => wanted.includes(tag));
  if (onlyTags !== undefined && !hasOneOf(onlyTags)) return false;
  if (skipTags !== undefined && hasOneOf(skipTags)) return false;
  return shard === undefined || isInShard(shard, key);
}
