// The tenants of a running sandbox, wherever they are kept: which one a key belongs to; creation, expiry and removal.

import { usage } from "#src/contract/fault.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { DEFAULT_TENANT, type SandboxMember, type TenantOrder } from "#src/contract/wire/sandbox-wire.ts";
import type { MaybePromise } from "./turns.ts";
import {
  isOver,
  newRecord,
  recordOfToken,
  requirePlace,
  whenOneEnds,
  type StoredTenant,
} from "./tenant-record.ts";
import type { Tenant, TenantOptions } from "./tenant.ts";
import { createTurns } from "./turns.ts";

export interface Tenants {
  /** The tenant that every sandbox has. */
  readonly default: Tenant;
  /** Of all of them. */
  readonly count: number;
  /** All of them, the default one first. */
  list(): Promise<readonly Tenant[]>;
  /** Those that are left out, with a sentence that says why. */
  readonly damaged: ReadonlyMap<string, string>;
  /**
   * The tenant of a key; the default one for a key that none knows. At once while there is only that one, and for a key that
   * has been asked for.
   */
  of(keyId: string | undefined): MaybePromise<Tenant>;
  named(name: string): Promise<Tenant | null>;
  /** Null for the default one. */
  record(name: string): StoredTenant | null;
  /** The tenant that an administrative token reaches, and no other; null for none. */
  ofToken(token: string): Promise<Tenant | null>;
  /**
   * @returns the tenant and its administrative token, which is kept nowhere
   * @throws Fault `usage` when the name is taken or there are too many, `bad_input` for wrong rules
   */
  create(order: TenantOrder): Promise<{ readonly tenant: Tenant; readonly token: string }>;
  /** Deletes it with everything in it; its keys are unknown at once. @returns false when there is none, or it is the default one */
  remove(name: string): Promise<boolean>;
  /** The processes that share them, with what each has taken of one; none in a sandbox of one process. */
  readonly members: TenantPlace["members"];
  /** Makes this process one of them, when it listens. */
  readonly join?: (address: string) => Promise<void>;
  /** Called before the sandbox closes them. */
  close(): Promise<void>;
}

/** What a new tenant begins with beside its record. */
export type FirstOptions = Pick<TenantOptions, "companies" | "startAt">;

/** Where tenants are kept: folders of this process, or a server. */
export interface TenantPlace {
  /** Records of those that are there and can be used. */
  read(): MaybePromise<ReadonlyMap<string, StoredTenant>>;
  readonly damaged: ReadonlyMap<string, string>;
  /** Opens one that is there. */
  open(record: StoredTenant): Promise<Tenant>;
  /**
   * Makes one, which is there when `begin` has ended; nothing of it stays after an error.
   * @throws Fault `usage` when the name is taken
   */
  make(record: StoredTenant, first: FirstOptions, begin: (made: Tenant) => Promise<void>): Promise<Tenant>;
  /** Deletes one, which is closed here. @returns false when there was none */
  remove(name: string): Promise<boolean>;
  /** The one that has a key; null for the default one, and for none. */
  ownerOf(keyId: string): Promise<string | null>;
  /** Work on a name that no other process may do at the same time. @returns null where another one does */
  claimed<R>(name: string, work: () => Promise<R>): Promise<R | null>;
  /** Removes what a process that was killed has left. */
  tidy(): Promise<void>;
  members(tenant: string): MaybePromise<readonly SandboxMember[]>;
  /** Called when another process has changed them. @returns ends it */
  onChange(listener: () => Promise<void>): () => void;
}

/**
 * Those that have not expired.
 * @param standard the default one, which is open
 * @throws Fault `storage` or `corrupt` when it cannot be told which there are
 */
export async function openTenants(options: {
  readonly standard: Tenant;
  readonly place: TenantPlace;
  /** Real time. */
  readonly realNow: () => Milliseconds;
  readonly onProblem: (sentence: string) => void;
}): Promise<Tenants> {
  const { standard, place, realNow, onProblem } = options;
  let records: ReadonlyMap<string, StoredTenant> = new Map();
  const opened = new Map<string, Promise<Tenant>>();
  /** In `opened`, and not in the list yet. */
  const making = new Set<string>();
  /** Owners that were found. */
  const byKey = new Map<string, Tenant>();
  let expiry: NodeJS.Timeout | undefined;
  const { inTurn, idle } = createTurns();

  /** Reads the list, and lets go of those that are gone. */
  async function refresh(): Promise<void> {
    records = await place.read();
    for (const name of opened.keys()) if (!records.has(name) && !making.has(name)) await letGo(name);
    clearTimeout(expiry);
    expiry = whenOneEnds(records, realNow(), () => void inTurn(expire).catch(reported));
  }

  /** Everything that finds it forgets it first, so that no call reaches it while it goes. */
  async function letGo(name: string): Promise<void> {
    const opening = opened.get(name);
    opened.delete(name);
    const tenant = await opening?.catch(() => null);
    if (tenant == null) return;
    for (const [key, owner] of byKey) if (owner === tenant) byKey.delete(key);
    // What it cannot write any more would be deleted next.
    await tenant.close().catch(() => undefined);
  }

  function liveRecord(name: string): StoredTenant | null {
    const record = records.get(name);
    return record === undefined || isOver(record, realNow()) ? null : record;
  }

  function keepOpen(name: string, opening: Promise<Tenant>): Promise<Tenant> {
    opened.set(name, opening);
    // The next call tries again.
    opening.catch(() => opened.delete(name));
    return opening;
  }

  const openRecord = (record: StoredTenant): Promise<Tenant> =>
    opened.get(record.name) ?? keepOpen(record.name, place.open(record));

  async function named(name: string): Promise<Tenant | null> {
    if (name === DEFAULT_TENANT) return standard;
    const record = liveRecord(name);
    return record === null ? null : await openRecord(record);
  }

  async function search(keyId: string): Promise<Tenant> {
    const owner = await place.ownerOf(keyId);
    const found = owner === null ? null : await named(owner);
    if (found === null) return standard;
    byKey.set(keyId, found);
    return found;
  }

  async function drop(name: string): Promise<boolean> {
    records = new Map([...records].filter(([each]) => each !== name));
    await letGo(name);
    return await place.remove(name);
  }

  const expired = (): string[] => [...records.keys()].filter((name) => liveRecord(name) === null);

  /** Removes what has expired; each by the process that is first. */
  async function expire(): Promise<void> {
    for (const name of expired()) {
      if ((await place.claimed(name, () => drop(name))) === true)
        standard.note("tenant_expired", { tenant: name });
    }
    await refresh();
  }

  function reported(error: unknown): void {
    onProblem(error instanceof Error ? error.message : "A tenant could not be removed.");
  }

  /** @throws Fault `usage` while another process makes or removes one of this name */
  const changed = <R>(name: string, work: () => Promise<R>): Promise<R> =>
    inTurn(async () => {
      if (expired().length > 0) await expire();
      const done = await place.claimed(name, work);
      await refresh();
      if (done !== null) return done;
      throw usage`Another worker is making or removing the tenant ${name}; try again.`;
    });

  await refresh();
  await expire();
  const end = place.onChange(refresh);
  void inTurn(place.tidy).catch(reported);

  return {
    default: standard,
    get count() {
      return records.size + 1;
    },
    list: async () => {
      const live = [...records.keys()].flatMap((name) => liveRecord(name) ?? []);
      return [standard, ...(await Promise.all(live.map(openRecord)))];
    },
    damaged: place.damaged,
    of(keyId) {
      if (records.size === 0 || keyId === undefined) return standard;
      const known = byKey.get(keyId);
      if (known === undefined) return search(keyId);
      return liveRecord(known.name) === null ? standard : known;
    },
    named,
    record: (name) => records.get(name) ?? null,
    async ofToken(token) {
      const found = recordOfToken(records, token, realNow());
      return found === null ? null : await named(found.name);
    },
    create: (order) =>
      changed(order.name, async () => {
        const { name, rules, companies, startAt } = order;
        requirePlace(new Set([...records.keys(), ...place.damaged.keys()]), name);
        const { record, token } = newRecord(order, realNow());
        const first = { companies, startAt: startAt ?? undefined };
        making.add(name);
        try {
          const begin = async (made: Tenant): Promise<void> => {
            if (rules !== null) await made.rules.save(rules);
          };
          return { tenant: await keepOpen(name, place.make(record, first, begin)), token };
        } finally {
          making.delete(name);
        }
      }),
    remove: (name) => changed(name, () => drop(name)),
    members: place.members,
    async close() {
      end();
      clearTimeout(expiry);
      await idle();
      clearTimeout(expiry);
      for (const opening of opened.values()) await (await opening.catch(() => null))?.close();
    },
  };
}
