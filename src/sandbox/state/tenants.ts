// The tenants of a running sandbox: which one a key belongs to; creation, expiry and removal.

import { existsSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { corrupt, Fault, usage, whole } from "#src/contract/fault.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import {
  DEFAULT_TENANT,
  TENANT_NAME,
  type SandboxMember,
  type TenantOrder,
} from "#src/contract/wire/sandbox-wire.ts";
import type { MaybePromise } from "./sandbox-state.ts";
import { createTurns } from "./turns.ts";
import type { Store } from "./store.ts";
import { TENANT } from "./maintenance.ts";
import { ensureFolder, replaceDurably, syncFolder } from "#src/storage/documents/durable-file.ts";
import { nodeFileSystem } from "#src/storage/file-system.ts";
import { systemCode, withStorageFaults } from "#src/storage/write-fault.ts";
import type { Tenant, TenantOptions } from "./tenant.ts";
import {
  isOver,
  newRecord,
  recordOfToken,
  requirePlace,
  whenOneEnds,
  type StoredTenant,
} from "./tenant-record.ts";

const FOLDER = "tenants";
const NOTHING = Buffer.alloc(0);

/** File in the folder of a tenant whose creation or removal has not ended. */
const UNFINISHED = "unfinished";

export interface Tenants {
  /** The tenant that every sandbox has. */
  readonly default: Tenant;
  /** Of all of them. */
  readonly count: number;
  /** All of them, the default one first. */
  list(): MaybePromise<readonly Tenant[]>;
  /** Those that are left out, with a sentence that says why; absent where none can be. */
  readonly damaged?: ReadonlyMap<string, string>;
  /**
   * The tenant of a key; the default one for a key that none knows. At once while there is only that one, and for a key that
   * has been asked for.
   */
  of(keyId: string | undefined): MaybePromise<Tenant>;
  named(name: string): MaybePromise<Tenant | null>;
  /** Null for the default one. */
  record(name: string): MaybePromise<StoredTenant | null>;
  /** The tenant that an administrative token reaches, and no other; null for none. */
  ofToken(token: string): MaybePromise<Tenant | null>;
  /**
   * @returns the tenant and its administrative token, which is kept nowhere
   * @throws Fault `usage` when the name is taken or there are too many, `bad_input` for wrong rules
   */
  create(order: TenantOrder): Promise<{ readonly tenant: Tenant; readonly token: string }>;
  /** Deletes it with everything in it; its keys are unknown at once. @returns false when there is none, or it is the default one */
  remove(name: string): Promise<boolean>;
  /** The processes that share them, with what each has taken of one; none in a sandbox of one process. */
  members(tenant: string): MaybePromise<readonly SandboxMember[]>;
  /** Makes this process one of them, when it listens. */
  readonly join?: (address: string) => Promise<void>;
  /** Called before the sandbox closes them. */
  close(): Promise<void>;
}

/** What differs between tenants; the rest is the sandbox's. */
export type OwnOptions = Pick<
  TenantOptions,
  "name" | "dir" | "store" | "seed" | "companies" | "startAt" | "magic" | "quota"
>;

/**
 * Opens those that were created and have not expired. One whose files cannot be used is left out and reported, because the
 * others have nothing to do with it.
 * @param openStore opens the store of a folder
 * @param open opens one, and closes its store when that fails
 * @param standard the default one, which is open
 * @throws Fault `storage` or `corrupt` when it cannot be told which there are
 */
export async function openTenants(options: {
  readonly dir: string;
  readonly standard: Tenant;
  readonly openStore: (dir: string, name: string) => Promise<Store>;
  readonly open: (own: OwnOptions) => Promise<Tenant>;
  readonly realNow: () => Milliseconds;
  readonly onProblem: (sentence: string) => void;
}): Promise<Tenants> {
  const { standard, openStore, open, realNow, onProblem } = options;
  const folder = join(options.dir, FOLDER);
  const folderOf = (name: string): string => join(folder, name);
  const marker = (name: string): string => join(folderOf(name), UNFINISHED);
  const stored = new Map<string, StoredTenant>();
  const tenants = new Map([[DEFAULT_TENANT, standard]]);
  const damaged = new Map<string, string>();
  /** Found by a search. */
  const byKey = new Map<string, Tenant>();
  let expiry: NodeJS.Timeout | undefined;
  const { inTurn, idle } = createTurns();

  const openRecord = (
    store: Store,
    { name, seed, magic, quota }: StoredTenant,
    made: Partial<OwnOptions> = {},
  ) => open({ name, dir: folderOf(name), store, seed, companies: 1, magic, quota, ...made });

  const deleteFolder = (name: string): Promise<void> => rm(folderOf(name), { recursive: true, force: true });

  /** Everything that finds it forgets it first, so that no call reaches it while its files go. */
  async function drop(name: string): Promise<void> {
    const tenant = tenants.get(name);
    for (const each of [tenants, stored, damaged]) each.delete(name);
    for (const [key, owner] of byKey) if (owner === tenant) byKey.delete(key);
    // What it cannot write any more would be deleted next.
    await tenant?.close().catch(() => undefined);
    await withStorageFaults(folder, async () => {
      if (existsSync(folderOf(name))) await replaceDurably(marker(name), NOTHING, nodeFileSystem, null);
      await deleteFolder(name);
    });
  }

  /** Removes what has expired, and waits for the next. */
  async function expire(): Promise<void> {
    clearTimeout(expiry);
    for (const tenant of [...stored.values()].filter((each) => isOver(each, realNow()))) {
      standard.note("tenant_expired", { tenant: tenant.name });
      await drop(tenant.name);
    }
    expiry = whenOneEnds(stored, realNow(), () => void inTurn(expire).catch(reported));
  }

  function reported(error: unknown): void {
    onProblem(error instanceof Error ? error.message : "A tenant could not be removed.");
  }

  /** All at once: a tenant that is being restored keeps nobody else waiting. */
  async function search(keyId: string): Promise<Tenant> {
    const found = await Promise.any([...tenants.values()].map((tenant) => holder(tenant, keyId))).catch(
      () => null,
    );
    if (found === null || !isLive(found)) return standard;
    byKey.set(keyId, found);
    return found;
  }

  /** The tenant if it has the key. @throws Error otherwise */
  async function holder(tenant: Tenant, keyId: string): Promise<Tenant> {
    const { state, shared } = tenant.swappable;
    if ((await shared(() => state.key(keyId))) === null) throw new Error("another tenant's key");
    return tenant;
  }

  function isLive(tenant: Tenant): boolean {
    const record = stored.get(tenant.name);
    return tenants.get(tenant.name) === tenant && (record === undefined || !isOver(record, realNow()));
  }

  /** Why a tenant cannot be served; its files stay as they are. */
  async function leavingOut(name: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await withStorageFaults(folderOf(name), work);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      damaged.set(name, `Tenant ${name} is left out: ${error.message}`);
      onProblem(damaged.get(name)!);
    }
  }

  const opened = new Map<string, Store>();
  for (const name of await withStorageFaults(folder, () => namesOf(folder))) {
    if (existsSync(marker(name))) await withStorageFaults(folder, () => deleteFolder(name));
    else {
      await leavingOut(name, async () => {
        const store = await openStore(folderOf(name), name);
        opened.set(name, store);
        const record = store.value(TENANT) as StoredTenant | undefined;
        // Its folder may have been copied.
        if (record?.name !== name) throw corrupt`it is of another tenant, or of none; remove the tenant.`;
        stored.set(name, record);
      });
    }
  }
  for (const [name, store] of opened) {
    const record = stored.get(name);
    if (record === undefined || isOver(record, realNow())) await store.close();
  }
  await expire();
  for (const record of [...stored.values()].toSorted((one, other) => one.createdAt - other.createdAt)) {
    const { name } = record;
    await leavingOut(name, async () => tenants.set(name, await openRecord(opened.get(name)!, record)));
  }

  return {
    default: standard,
    get count() {
      return tenants.size;
    },
    list: () => [...tenants.values()],
    damaged,
    of(keyId) {
      if (tenants.size === 1 || keyId === undefined) return standard;
      const known = byKey.get(keyId);
      if (known === undefined) return search(keyId);
      return isLive(known) ? known : standard;
    },
    named: (name) => tenants.get(name) ?? null,
    record: (name) => stored.get(name) ?? null,
    ofToken(token) {
      const found = recordOfToken(stored, token, realNow());
      return found === null ? null : (tenants.get(found.name) ?? null);
    },
    create: (order) =>
      inTurn(async () => {
        const { name, rules, companies, startAt } = order;
        await expire();
        requirePlace(new Set([...stored.keys(), ...damaged.keys()]), name);
        if (existsSync(folderOf(name))) {
          const there = `${folderOf(name)} is there and of no tenant`;
          throw usage`${whole(there)}; move it away, or choose another name.`;
        }
        const { record, token } = newRecord(order, realNow());
        const tenant = await withStorageFaults(folder, async () => {
          await ensureFolder(folderOf(name), nodeFileSystem);
          let made: Tenant | undefined;
          try {
            await replaceDurably(marker(name), NOTHING, nodeFileSystem, null);
            const store = await openStore(folderOf(name), name);
            made = await openRecord(store, record, { companies, ...(startAt === null ? {} : { startAt }) });
            if (rules !== null) await made.rules.save(rules);
            await store.change({ [TENANT]: record });
            await rm(marker(name));
            await syncFolder(folderOf(name), nodeFileSystem);
            return made;
          } catch (error) {
            await made?.close().catch(() => undefined);
            await deleteFolder(name);
            throw error;
          }
        });
        stored.set(name, record);
        tenants.set(name, tenant);
        await expire();
        return { tenant, token };
      }),
    remove: (name) =>
      inTurn(async () => {
        if (!stored.has(name) && !damaged.has(name)) return false;
        await drop(name);
        return true;
      }),
    members: () => [],
    async close() {
      clearTimeout(expiry);
      await idle();
      clearTimeout(expiry);
      for (const [name, tenant] of tenants) if (name !== DEFAULT_TENANT) await tenant.close();
    },
  };
}

/** Links are left out: what is deleted and written is in this folder. */
async function namesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (systemCode(error) === "ENOENT") return [];
    throw error;
  });
  return entries
    .filter((entry) => entry.isDirectory() && TENANT_NAME.test(entry.name))
    .map(({ name }) => name);
}
