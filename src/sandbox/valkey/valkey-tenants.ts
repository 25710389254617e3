// The tenants of a sandbox that several workers share: their list and the owners of keys lie in the server, and each worker opens
// those that it is asked for.

import { randomBytes } from "node:crypto";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { OwnOptions } from "#src/sandbox/state/tenant-folders.ts";
import { nameTaken, type StoredTenant } from "#src/sandbox/state/tenant-record.ts";
import type { Tenant } from "#src/sandbox/state/tenant.ts";
import type { TenantPlace } from "#src/sandbox/state/tenants.ts";
import { TENANT_LIST, type Changes } from "./changes.ts";
import { scan, type Valkey } from "./connection.ts";
import { listOf, pairsOf, textOf, wholeOf } from "./replies.ts";
import { script } from "./scripts.ts";
import { openValue, sealValue } from "./sealed-values.ts";
import { OWNERS } from "./valkey-accounts.ts";
import { tenantPrefix } from "./world.ts";

const RECORDS = "v:tenants";
/** Whose keys may still be there. */
const REMOVED = "v:removed";

/** How long one worker may make or remove a tenant before another may. */
const CLAIM_MS: Milliseconds = 60_000;

/** Keys: records. Arguments: name, record, channel, message. Answers how many were told; -1 where there is one already. */
const ADD = script(`
if redis.call('HSETNX', KEYS[1], ARGV[1], ARGV[2]) == 0 then return -1 end
return redis.call('PUBLISH', ARGV[3], ARGV[4])
`);

/** Without its world no worker can decide for it. Keys: records, its world, the removed. Arguments: name, channel, message. */
const REMOVE = script(`
if redis.call('HDEL', KEYS[1], ARGV[1]) == 0 then return -1 end
redis.call('UNLINK', KEYS[2])
redis.call('SADD', KEYS[3], ARGV[1])
return redis.call('PUBLISH', ARGV[2], ARGV[3])
`);

const READ = script("return redis.call('HGETALL', KEYS[1])");

/** Key: the claim. Argument: whose it must be. */
const RELEASE = script("if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end");

export interface ValkeyTenantsOptions {
  readonly valkey: Pick<Valkey, "send" | "run">;
  readonly changes: Changes;
  /** Opens one, and makes what is missing of it. */
  readonly open: (own: Omit<OwnOptions, "dir" | "store">) => Promise<Tenant>;
  readonly members: TenantPlace["members"];
  readonly sealingKey: Buffer;
}

export function openValkeyTenants(options: ValkeyTenantsOptions): TenantPlace {
  const { valkey, changes, open, members, sealingKey } = options;
  const placeOf = (name: string): string => `${RECORDS} ${name}`;
  const worldOf = (name: string): string => `${tenantPrefix(name)}world`;

  /**
   * One worker at a time makes or removes a tenant of a name.
   * @returns null where another one does
   */
  async function claimed<R>(name: string, work: () => Promise<R>): Promise<R | null> {
    const claim = `v:claim:${name}`;
    const mine = randomBytes(16).toString("hex");
    if ((await valkey.send(["SET", claim, mine, "NX", "PX", String(CLAIM_MS)])) === null) return null;
    try {
      return await work();
    } finally {
      valkey.run(RELEASE, [claim], [mine]).catch(() => undefined);
    }
  }

  /** Deletes what is left of a tenant that is no more. */
  async function sweep(name: string): Promise<void> {
    await scan(valkey, ["SCAN"], ["MATCH", `${tenantPrefix(name)}*`], (keys) =>
      valkey.send(["UNLINK", ...keys]),
    );
    await scan(valkey, ["HSCAN", OWNERS], [], async (pairs) => {
      const its = pairs.filter((_, i) => i % 2 === 0 && pairs[i + 1] === name);
      if (its.length > 0) await valkey.send(["HDEL", OWNERS, ...its]);
    });
    await valkey.send(["SREM", REMOVED, name]);
  }

  async function sweepRemoved(): Promise<void> {
    for (const name of listOf(await valkey.send(["SMEMBERS", REMOVED])).map(textOf)) {
      await claimed(name, async () => {
        if ((await valkey.send(["HEXISTS", RECORDS, name])) === 0) await sweep(name);
      });
    }
  }

  const openRecord = ({ name, seed, magic, quota }: StoredTenant, first = { companies: 1 }) =>
    open({ name, seed, magic, quota, ...first });

  return {
    async read() {
      const records = [...pairsOf(await valkey.run(READ, [RECORDS], []))];
      return new Map(
        records.map(([name, text]) => [name, openValue(sealingKey, text, placeOf(name)) as StoredTenant]),
      );
    },
    damaged: new Map(),
    open: (record) => openRecord(record),
    async make(record, first, begin) {
      const { name } = record;
      const there = [["HEXISTS", RECORDS, name] as const, ["EXISTS", worldOf(name)] as const];
      const [isTaken, isLeft] = (await Promise.all(there.map((command) => valkey.send(command)))).map(
        wholeOf,
      );
      if (isTaken !== 0) throw nameTaken(name);
      // By a worker that was killed; all keys of the server are looked through for it.
      if (isLeft !== 0) await sweep(name);
      const made = await openRecord(record, first);
      try {
        await begin(made);
        await changes.announce(TENANT_LIST, async (channel, message) => {
          const args = [name, sealValue(sealingKey, record, placeOf(name)), channel, message];
          const told = wholeOf(await valkey.run(ADD, [RECORDS], args));
          if (told < 0) throw nameTaken(name);
          return told;
        });
        return made;
      } catch (error) {
        await made.close().catch(() => undefined);
        throw error;
      }
    },
    async remove(name) {
      let told = -1;
      await changes.announce(TENANT_LIST, async (channel, message) => {
        told = wholeOf(await valkey.run(REMOVE, [RECORDS, worldOf(name), REMOVED], [name, channel, message]));
        return Math.max(told, 0);
      });
      if (told < 0) return false;
      await sweep(name);
      return true;
    },
    async ownerOf(keyId) {
      const owner = await valkey.send(["HGET", OWNERS, keyId]);
      return owner === null ? null : textOf(owner);
    },
    claimed,
    tidy: sweepRemoved,
    members,
    onChange: (listener) => changes.listen(TENANT_LIST, listener),
  };
}
