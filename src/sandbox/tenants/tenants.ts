// The tenants of a running sandbox: which one a key belongs to; creation, expiry and removal.

import { lstat, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { Fault } from "#src/contract/fault.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import {
  DEFAULT_TENANT,
  TENANT_NAME,
  type SandboxMember,
  type TenantOrder,
} from "#src/contract/wire/sandbox-wire.ts";
import { loadRules } from "#src/rules/rule-file/rule-file.ts";
import type { MaybePromise } from "#src/sandbox/state/sandbox-state.ts";
import { createTurns } from "#src/sandbox/state/turns.ts";
import { ensureFolder } from "#src/storage/documents/durable-file.ts";
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
import { openTenantsDocument } from "./tenants-file.ts";

const FOLDER = "tenants";

/** Before the name of a tenant: a folder that says that its creation or removal has not ended. */
const UNFINISHED = ".";

export interface Tenants {
  /** The tenant that every sandbox has. */
  readonly default: Tenant;
  /** Of all of them. */
  readonly count: number;
  /** All of them, the default one first. */
  list(): MaybePromise<readonly Tenant[]>;
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
  "name" | "dir" | "seed" | "companies" | "startAt" | "magic" | "quota"
>;

/**
 * Opens those that were created and have not expired. One whose files cannot be used is left out and reported, because the
 * others have nothing to do with it.
 * @param open opens one
 * @param standard the default one, which is open
 * @throws Fault `storage` or `corrupt` when it cannot be told which there are
 */
export async function openTenants(options: {
  readonly dir: string;
  readonly standard: Tenant;
  readonly open: (own: OwnOptions) => Promise<Tenant>;
  readonly realNow: () => Milliseconds;
  readonly onProblem: (sentence: string) => void;
}): Promise<Tenants> {
  const { standard, open, realNow, onProblem } = options;
  const folder = join(options.dir, FOLDER);
  const folderOf = (name: string): string => join(folder, name);
  const document = openTenantsDocument(options.dir, ({ message }) => onProblem(message));
  const stored = new Map((await document.read()).tenants.map((tenant) => [tenant.name, tenant]));
  const tenants = new Map([[DEFAULT_TENANT, standard]]);
  /** Found by a search. */
  const byKey = new Map<string, Tenant>();
  let expiry: NodeJS.Timeout | undefined;
  const { inTurn, idle } = createTurns();

  const save = (): Promise<void> =>
    document.update((data) => {
      data.tenants = [...stored.values()];
    });

  function openStored(
    { name, seed, magic, quota }: StoredTenant,
    made: Partial<OwnOptions> = {},
  ): Promise<Tenant> {
    const own = { name, dir: folderOf(name), seed, companies: 1, magic, quota, ...made };
    return withStorageFaults(own.dir, () => open(own));
  }

  const deleteFolder = (name: string): Promise<void> => rm(folderOf(name), { recursive: true, force: true });

  /** Everything that finds it forgets it first, so that no call reaches it while its files go. */
  async function drop(name: string): Promise<void> {
    const tenant = tenants.get(name);
    tenants.delete(name);
    stored.delete(name);
    for (const [key, owner] of byKey) if (owner === tenant) byKey.delete(key);
    // What it cannot write any more would be deleted next.
    await tenant?.close().catch(() => undefined);
    // Before the list is written, which a full disk may refuse.
    await withStorageFaults(folder, async () => {
      await deleteFolder(UNFINISHED + name);
      await rename(folderOf(name), folderOf(UNFINISHED + name)).catch((error: unknown) => {
        if (systemCode(error) !== "ENOENT") throw error;
      });
      await deleteFolder(UNFINISHED + name);
    });
    await save();
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

  const folders = await withStorageFaults(folder, finishInterrupted);
  await expire();
  for (const record of stored.values()) {
    try {
      if (!folders.has(record.name)) throw new Fault("corrupt", "its folder is missing; remove the tenant.");
      tenants.set(record.name, await openStored(record));
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      onProblem(`Tenant ${record.name} is left out: ${error.message}`);
    }
  }

  /** @returns the tenants that have a folder */
  async function finishInterrupted(): Promise<ReadonlySet<string>> {
    // Links are left out: what is deleted and written is in this folder.
    const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
      if (systemCode(error) === "ENOENT") return [];
      throw error;
    });
    const found = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    const names = new Set(found.filter((name) => TENANT_NAME.test(name)));
    for (const name of found.filter((each) => each.startsWith(UNFINISHED)).map((each) => each.slice(1))) {
      if (!TENANT_NAME.test(name)) continue;
      if (!stored.has(name)) {
        names.delete(name);
        await deleteFolder(name);
      } else if (!names.has(name)) {
        stored.delete(name);
        await save();
      }
      await deleteFolder(UNFINISHED + name);
    }
    for (const name of names) {
      // The list may be an older one, after damage.
      if (!stored.has(name))
        onProblem(
          `${folderOf(name)} is of no tenant that is listed, and is kept; move it away, or restore tenants.json.`,
        );
    }
    return names;
  }

  return {
    default: standard,
    get count() {
      return tenants.size;
    },
    list: () => [...tenants.values()],
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
        requirePlace(stored, name);
        if (rules !== null) await loadRules(rules, "rules.yaml");
        await withStorageFaults(folder, async () => {
          const isThere = await lstat(folderOf(name)).then(
            () => true,
            () => false,
          );
          if (isThere)
            throw new Fault(
              "usage",
              `${folderOf(name)} is there and of no tenant; move it away, or choose another name.`,
            );
          await ensureFolder(folderOf(UNFINISHED + name), nodeFileSystem);
        });
        const { record, token } = newRecord(order, realNow());
        let tenant: Tenant | undefined;
        try {
          tenant = await openStored(record, { companies, ...(startAt === null ? {} : { startAt }) });
          if (rules !== null) await tenant.rules.save(rules);
          stored.set(name, record);
          await save();
        } catch (error) {
          stored.delete(name);
          await tenant?.close().catch(() => undefined);
          await deleteFolder(name);
          throw error;
        } finally {
          await deleteFolder(UNFINISHED + name);
        }
        tenants.set(name, tenant);
        await expire();
        return { tenant, token };
      }),
    remove: (name) =>
      inTurn(async () => {
        if (!stored.has(name)) return false;
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
