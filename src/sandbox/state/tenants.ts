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

export interface TenantsOptions {
  /** The tenant that every sandbox has; open. */
  readonly standard: Tenant;
  readonly place: TenantPlace;
  /** Real time. */
  readonly realNow: () => Milliseconds;
  readonly onProblem: (sentence: string) => void;
}

/** Those that have not expired. */
export class Tenants {
  readonly default: Tenant;
  readonly #options: TenantsOptions;
  #records: ReadonlyMap<string, StoredTenant> = new Map();
  readonly #opened = new Map<string, Promise<Tenant>>();
  /** In `#opened`, and not in the list yet. */
  readonly #making = new Set<string>();
  /** Owners that were found. */
  readonly #byKey = new Map<string, Tenant>();
  readonly #turns = createTurns();
  #expiry: NodeJS.Timeout | undefined;
  #end: () => void = () => undefined;

  private constructor(options: TenantsOptions) {
    this.#options = options;
    this.default = options.standard;
  }

  /** @throws Fault `storage` or `corrupt` when it cannot be told which there are */
  static async open(options: TenantsOptions): Promise<Tenants> {
    const { place } = options;
    const tenants = new Tenants(options);
    await tenants.#refresh();
    await tenants.#expire();
    tenants.#end = place.onChange(() => tenants.#refresh());
    void tenants.#turns.inTurn(() => place.tidy()).catch(tenants.#reported);
    return tenants;
  }

  /** Of all of them. */
  get count(): number {
    return this.#records.size + 1;
  }

  /** Those that are left out, with a sentence that says why. */
  get damaged(): ReadonlyMap<string, string> {
    return this.#options.place.damaged;
  }

  /** All of them, the default one first. */
  async list(): Promise<readonly Tenant[]> {
    const live = [...this.#records.keys()].flatMap((name) => this.#liveRecord(name) ?? []);
    return [this.default, ...(await Promise.all(live.map((record) => this.#openRecord(record))))];
  }

  /**
   * The tenant of a key; the default one for a key that none knows. At once while there is only that one, and for a key that
   * has been asked for.
   */
  of(keyId: string | undefined): MaybePromise<Tenant> {
    if (this.#records.size === 0 || keyId === undefined) return this.default;
    const known = this.#byKey.get(keyId);
    if (known === undefined) return this.#search(keyId);
    return this.#liveRecord(known.name) === null ? this.default : known;
  }

  async named(name: string): Promise<Tenant | null> {
    if (name === DEFAULT_TENANT) return this.default;
    const record = this.#liveRecord(name);
    return record === null ? null : await this.#openRecord(record);
  }

  /** Null for the default one. */
  record(name: string): StoredTenant | null {
    return this.#records.get(name) ?? null;
  }

  /** The tenant that an administrative token reaches, and no other; null for none. */
  async ofToken(token: string): Promise<Tenant | null> {
    const found = recordOfToken(this.#records, token, this.#options.realNow());
    return found === null ? null : await this.named(found.name);
  }

  /**
   * @returns the tenant and its administrative token, which is kept nowhere
   * @throws Fault `usage` when the name is taken or there are too many, `bad_input` for wrong rules
   */
  create(order: TenantOrder): Promise<{ readonly tenant: Tenant; readonly token: string }> {
    const { name, rules, companies, startAt } = order;
    const { place, realNow } = this.#options;
    return this.#changed(name, async () => {
      requirePlace(new Set([...this.#records.keys(), ...place.damaged.keys()]), name);
      const { record, token } = newRecord(order, realNow());
      const first = { companies, startAt: startAt ?? undefined };
      this.#making.add(name);
      try {
        const begin = async (made: Tenant): Promise<void> => {
          if (rules !== null) await made.rules.save(rules);
        };
        return { tenant: await this.#keepOpen(name, place.make(record, first, begin)), token };
      } finally {
        this.#making.delete(name);
      }
    });
  }

  /** Deletes the tenant and its data; its keys are unknown at once. @returns false when there is none, or it is the default one */
  remove(name: string): Promise<boolean> {
    return this.#changed(name, () => this.#drop(name));
  }

  /** The processes that share them, with what each has taken of one; none in a sandbox of one process. */
  members(tenant: string): MaybePromise<readonly SandboxMember[]> {
    return this.#options.place.members(tenant);
  }

  /** Called before the sandbox closes the default one. */
  async close(): Promise<void> {
    this.#end();
    clearTimeout(this.#expiry);
    await this.#turns.idle();
    clearTimeout(this.#expiry);
    for (const opening of this.#opened.values()) await (await opening.catch(() => null))?.close();
  }

  /** Reads the list, and lets go of those that are gone. */
  async #refresh(): Promise<void> {
    const records = await this.#options.place.read();
    this.#records = records;
    for (const name of this.#opened.keys()) {
      if (!records.has(name) && !this.#making.has(name)) await this.#letGo(name);
    }
    clearTimeout(this.#expiry);
    const expire = (): void => void this.#turns.inTurn(() => this.#expire()).catch(this.#reported);
    this.#expiry = whenOneEnds(this.#records, this.#options.realNow(), expire);
  }

  /** Everything that finds it forgets it first, so that no call reaches it while it goes. */
  async #letGo(name: string): Promise<void> {
    const opening = this.#opened.get(name);
    this.#opened.delete(name);
    const tenant = await opening?.catch(() => null);
    if (tenant == null) return;
    for (const [key, owner] of this.#byKey) if (owner === tenant) this.#byKey.delete(key);
    // What it cannot write any more would be deleted next.
    await tenant.close().catch(() => undefined);
  }

  #liveRecord(name: string): StoredTenant | null {
    const record = this.#records.get(name);
    return record === undefined || isOver(record, this.#options.realNow()) ? null : record;
  }

  #keepOpen(name: string, opening: Promise<Tenant>): Promise<Tenant> {
    this.#opened.set(name, opening);
    // The next call tries again.
    opening.catch(() => this.#opened.delete(name));
    return opening;
  }

  #openRecord(record: StoredTenant): Promise<Tenant> {
    return this.#opened.get(record.name) ?? this.#keepOpen(record.name, this.#options.place.open(record));
  }

  async #search(keyId: string): Promise<Tenant> {
    const owner = await this.#options.place.ownerOf(keyId);
    const found = owner === null ? null : await this.named(owner);
    if (found === null) return this.default;
    this.#byKey.set(keyId, found);
    return found;
  }

  async #drop(name: string): Promise<boolean> {
    this.#records = new Map([...this.#records].filter(([each]) => each !== name));
    await this.#letGo(name);
    return await this.#options.place.remove(name);
  }

  #expired(): string[] {
    return [...this.#records.keys()].filter((name) => this.#liveRecord(name) === null);
  }

  /** Removes what has expired; each by the process that is first. */
  async #expire(): Promise<void> {
    for (const name of this.#expired()) {
      if ((await this.#options.place.claimed(name, () => this.#drop(name))) === true)
        this.default.note("tenant_expired", { tenant: name });
    }
    await this.#refresh();
  }

  readonly #reported = (error: unknown): void =>
    this.#options.onProblem(error instanceof Error ? error.message : "A tenant could not be removed.");

  /** @throws Fault `usage` while another process makes or removes one of this name */
  #changed<R>(name: string, work: () => Promise<R>): Promise<R> {
    return this.#turns.inTurn(async () => {
      if (this.#expired().length > 0) await this.#expire();
      const done = await this.#options.place.claimed(name, work);
      await this.#refresh();
      if (done !== null) return done;
      throw usage`Another worker is making or removing the tenant ${name}; try again.`;
    });
  }
}
