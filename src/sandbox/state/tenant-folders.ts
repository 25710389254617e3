// The tenants of one process: a folder each, beside the state of the default one.

import { existsSync, readdirSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { corrupt, Fault, usage, whole } from "#src/contract/fault.ts";
import { TENANT_NAME } from "#src/contract/wire/sandbox-wire.ts";
import { ensureFolder, replaceDurably, syncFolder } from "#src/storage/documents/durable-file.ts";
import { nodeFileSystem } from "#src/storage/file-system.ts";
import { systemCode, withStorageFaults } from "#src/storage/write-fault.ts";
import { TENANT } from "./maintenance.ts";
import type { Store } from "./store.ts";
import type { StoredTenant } from "./tenant-record.ts";
import type { Tenant, TenantOptions } from "./tenant.ts";
import type { TenantPlace } from "./tenants.ts";

const FOLDER = "tenants";
/** File in the folder of a tenant whose creation or removal has not ended. */
const UNFINISHED = "unfinished";
const NOTHING = Buffer.alloc(0);

/** What differs between tenants; the rest is the sandbox's. */
export type OwnOptions = Pick<
  TenantOptions,
  "name" | "dir" | "store" | "seed" | "companies" | "startAt" | "magic" | "quota"
>;

/**
 * Opens all of them. One whose files cannot be used is left out and reported, because the others have nothing to do with it.
 * @param openStore opens the store of a folder
 * @param open opens one, and closes its store when that fails
 * @throws Fault `storage` when it cannot be told which there are
 */
export async function openTenantFolders(options: {
  readonly dir: string;
  readonly openStore: (dir: string, name: string) => Promise<Store>;
  readonly open: (own: OwnOptions) => Promise<Tenant>;
  readonly onProblem: (sentence: string) => void;
}): Promise<TenantPlace> {
  const { openStore, open, onProblem } = options;
  const folder = join(options.dir, FOLDER);
  const folderOf = (name: string): string => join(folder, name);
  const marker = (name: string): string => join(folderOf(name), UNFINISHED);
  const isUnfinished = (name: string): boolean =>
    existsSync(marker(name)) || readdirSync(folderOf(name)).length === 0;
  const deleteFolder = (name: string): Promise<void> => rm(folderOf(name), { recursive: true, force: true });
  const records = new Map<string, StoredTenant>();
  const tenants = new Map<string, Tenant>();
  const damaged = new Map<string, string>();

  const openIn = (store: Store, { name, seed, magic, quota }: StoredTenant, first = { companies: 1 }) =>
    open({ name, dir: folderOf(name), store, seed, magic, quota, ...first });

  async function openFolder(name: string): Promise<void> {
    const store = await openStore(folderOf(name), name);
    let record: StoredTenant | undefined;
    try {
      record = store.value(TENANT) as StoredTenant | undefined;
      // Its folder may have been copied.
      if (record?.name !== name) throw corrupt`it is of another tenant, or of none; remove the tenant.`;
    } catch (error) {
      await store.close();
      throw error;
    }
    tenants.set(name, await openIn(store, record));
    records.set(name, record);
  }

  for (const name of await withStorageFaults(folder, () => namesOf(folder))) {
    try {
      await withStorageFaults(folderOf(name), () =>
        isUnfinished(name) ? deleteFolder(name) : openFolder(name),
      );
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      damaged.set(name, `Tenant ${name} is left out: ${error.message}`);
      onProblem(damaged.get(name)!);
    }
  }

  return {
    read: () => new Map([...records].toSorted(([, one], [, other]) => one.createdAt - other.createdAt)),
    damaged,
    open: async ({ name }) => tenants.get(name)!,
    async make(record, first, begin) {
      const { name } = record;
      if (existsSync(folderOf(name))) {
        const there = `${folderOf(name)} is there and of no tenant`;
        throw usage`${whole(there)}; move it away, or choose another name.`;
      }
      return await withStorageFaults(folder, async () => {
        let made: Tenant | undefined;
        try {
          await ensureFolder(folderOf(name), nodeFileSystem);
          await replaceDurably(marker(name), NOTHING, nodeFileSystem, null);
          const store = await openStore(folderOf(name), name);
          made = await openIn(store, record, first);
          await begin(made);
          await store.change({ [TENANT]: record });
          await rm(marker(name));
          await syncFolder(folderOf(name), nodeFileSystem);
        } catch (error) {
          await made?.close().catch(() => undefined);
          await deleteFolder(name);
          throw error;
        }
        tenants.set(name, made);
        records.set(name, record);
        return made;
      });
    },
    async remove(name) {
      const isThere = [records, damaged].some((each) => each.has(name));
      for (const each of [records, tenants, damaged]) each.delete(name);
      await withStorageFaults(folder, async () => {
        if (isThere && existsSync(folderOf(name)))
          await replaceDurably(marker(name), NOTHING, nodeFileSystem, null);
        if (isThere) await deleteFolder(name);
      });
      return isThere;
    },
    /** All at once: a tenant that is being restored keeps nobody else waiting. */
    async ownerOf(keyId) {
      const searches = [...tenants.values()].map(async ({ name, state, shared }) => {
        if ((await shared(() => state.accounts.key(keyId))) === null) throw new Error("another tenant's key");
        return name;
      });
      return await Promise.any(searches).catch(() => null);
    },
    claimed: (_, work) => work(),
    tidy: async () => undefined,
    members: () => [],
    onChange: () => () => undefined,
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
