// The tenants of a sandbox that several workers share: their list and the owners of keys lie in the server, and each worker opens
// those that it is asked for.

import { randomBytes } from "node:crypto";
import { usage } from "#src/contract/fault.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { DEFAULT_TENANT } from "#src/contract/wire/sandbox-wire.ts";
import { loadRules } from "#src/rules/rule-file/rule-file.ts";
import type { SecretBox } from "#src/sandbox/state/secret-box.ts";
import { createTurns } from "#src/sandbox/state/turns.ts";
import type { Tenant } from "#src/sandbox/state/tenant.ts";
import {
  isOver,
  nameTaken,
  newRecord,
  recordOfToken,
  requirePlace,
  whenOneEnds,
  type StoredTenant,
} from "#src/sandbox/state/tenant-record.ts";
import type { OwnOptions, Tenants } from "#src/sandbox/state/tenants.ts";
import { TENANT_LIST, type Changes } from "./changes.ts";
import { scan, type Valkey } from "./connection.ts";
import { listOf, textOf, wholeOf } from "./replies.ts";
import { script } from "./scripts.ts";
import { openValue, sealValue } from "./sealed-values.ts";
import { OWNERS } from "./valkey-state.ts";
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

/** Key: the claim. Argument: whose it must be. */
const RELEASE = script("if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end");

export interface ValkeyTenantsOptions {
  readonly valkey: Pick<Valkey, "send" | "run">;
  readonly changes: Changes;
  readonly standard: Tenant;
  /** Opens one, and makes what is missing of it. */
  readonly open: (own: Omit<OwnOptions, "dir" | "store">) => Promise<Tenant>;
  readonly members: Tenants["members"];
  /** The same for all workers. */
  readonly box: SecretBox;
  /** Real time, by the clock of the server. */
  readonly realNow: () => Milliseconds;
  readonly onProblem: (sentence: string) => void;
}

/** @throws Fault `storage` */
export async function openValkeyTenants(options: ValkeyTenantsOptions): Promise<Tenants> {
  const { valkey, changes, standard, open, box, realNow, onProblem } = options;
  const placeOf = (name: string): string => `${RECORDS} ${name}`;
  let records = new Map<string, StoredTenant>();
  const opened = new Map<string, Promise<Tenant>>();
  /** Owners that the server has told. */
  const byKey = new Map<string, Tenant>();
  let expiry: NodeJS.Timeout | undefined;
  const { inTurn, idle } = createTurns();

  /** Reads the list, and lets go of those that are gone. */
  async function refresh(): Promise<void> {
    const names = listOf(await valkey.send(["HKEYS", RECORDS])).map(textOf);
    const found = names.length === 0 ? [] : listOf(await valkey.send(["HMGET", RECORDS, ...names]));
    // One that was removed in between is gone.
    const there = names.flatMap((name, i) => (found[i] == null ? [] : [[name, found[i]] as const]));
    records = new Map(
      there.map(([name, text]) => [name, openValue(box, text, placeOf(name)) as StoredTenant]),
    );
    for (const name of opened.keys()) if (!records.has(name)) await letGo(name);
    clearTimeout(expiry);
    expiry = whenOneEnds(records, realNow(), () => void inTurn(expire).catch(reported));
  }

  async function letGo(name: string): Promise<void> {
    const opening = opened.get(name);
    opened.delete(name);
    const tenant = await opening?.catch(() => null);
    if (tenant == null) return;
    for (const [key, owner] of byKey) if (owner === tenant) byKey.delete(key);
    // What it would still write is gone.
    await tenant.close().catch(() => undefined);
  }

  function liveRecord(name: string): StoredTenant | null {
    const record = records.get(name);
    return record === undefined || isOver(record, realNow()) ? null : record;
  }

  function openRecord({ name, seed, magic, quota }: StoredTenant): Promise<Tenant> {
    let opening = opened.get(name);
    if (opening === undefined) {
      opening = open({ name, seed, companies: 1, magic, quota });
      opened.set(name, opening);
      // The next call tries again.
      opening.catch(() => opened.delete(name));
    }
    return opening;
  }

  async function named(name: string): Promise<Tenant | null> {
    if (name === DEFAULT_TENANT) return standard;
    const record = liveRecord(name);
    return record === null ? null : await openRecord(record);
  }

  async function search(keyId: string): Promise<Tenant> {
    const owner = await valkey.send(["HGET", OWNERS, keyId]);
    const found = owner === null ? null : await named(textOf(owner));
    if (found === null) return standard;
    byKey.set(keyId, found);
    return found;
  }

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
      await valkey.run(RELEASE, [claim], [mine]).catch(() => undefined);
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

  /** @returns whether there was one */
  async function drop(name: string): Promise<boolean> {
    let told = -1;
    await changes.announce(TENANT_LIST, async (channel, message) => {
      const keys = [RECORDS, `${tenantPrefix(name)}world`, REMOVED];
      told = wholeOf(await valkey.run(REMOVE, keys, [name, channel, message]));
      return Math.max(told, 0);
    });
    if (told < 0) return false;
    await sweep(name);
    return true;
  }

  /** Removes what has expired; each by the worker that is first. */
  async function expire(): Promise<void> {
    for (const name of [...records.keys()].filter((each) => liveRecord(each) === null)) {
      if ((await claimed(name, () => drop(name))) === true) {
        standard.note("tenant_expired", { tenant: name });
      }
    }
    await refresh();
  }

  function reported(error: unknown): void {
    onProblem(error instanceof Error ? error.message : "A tenant could not be removed.");
  }

  /** What a worker that was killed has left. */
  async function sweepRemoved(): Promise<void> {
    for (const name of listOf(await valkey.send(["SMEMBERS", REMOVED])).map(textOf)) {
      await claimed(name, async () => {
        if ((await valkey.send(["HEXISTS", RECORDS, name])) === 0) await sweep(name);
      });
    }
  }

  /** @throws Fault `usage` while another worker makes or removes one of this name */
  const changed = <R>(name: string, work: () => Promise<R>): Promise<R> =>
    inTurn(async () => {
      const done = await claimed(name, work);
      await refresh();
      if (done !== null) return done;
      throw usage`Another worker is making or removing the tenant ${name}; try again.`;
    });

  const end = changes.listen(TENANT_LIST, refresh);
  await refresh();
  await expire();
  void inTurn(sweepRemoved).catch(reported);

  return {
    default: standard,
    get count() {
      return records.size + 1;
    },
    list: async () => {
      const live = [...records.keys()].flatMap((name) => liveRecord(name) ?? []);
      return [standard, ...(await Promise.all(live.map(openRecord)))];
    },
    of(keyId) {
      if (records.size === 0 || keyId === undefined) return standard;
      const known = byKey.get(keyId);
      if (known === undefined) return search(keyId);
      return known === standard || liveRecord(known.name) !== null ? known : standard;
    },
    named,
    record: (name) => records.get(name) ?? null,
    ofToken(token) {
      const found = recordOfToken(records, token, realNow());
      return found === null ? null : named(found.name);
    },
    async create(order) {
      const { name, seed, rules, companies, startAt, magic, quota } = order;
      if (rules !== null) await loadRules(rules, "rules.yaml");
      await inTurn(expire);
      return await changed(name, async () => {
        await refresh();
        requirePlace(records, name);
        await sweep(name);
        // It is only made here, and opened like any other once it is in the list.
        const making = await open({ name, seed, companies, magic, quota, startAt: startAt ?? undefined });
        try {
          if (rules !== null) await making.rules.save(rules);
        } finally {
          await making.close();
        }
        const { record, token } = newRecord(order, realNow());
        await changes.announce(TENANT_LIST, async (channel, message) => {
          const args = [name, sealValue(box, record, placeOf(name)), channel, message];
          const told = wholeOf(await valkey.run(ADD, [RECORDS], args));
          if (told < 0) throw nameTaken(name);
          return told;
        });
        return { tenant: await openRecord(record), token };
      });
    },
    remove: (name) => changed(name, () => drop(name)),
    members: options.members,
    async close() {
      end();
      clearTimeout(expiry);
      await idle();
      clearTimeout(expiry);
      for (const opening of opened.values()) await (await opening.catch(() => null))?.close();
    },
  };
}
