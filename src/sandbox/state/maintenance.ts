// Snapshot, restore and reset of a running sandbox. A snapshot is a copy of the store; restore and reset prepare another store
// and exchange it. Requests wait only for the exchange.

import { constants } from "node:fs";
import { copyFile, link, open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, isAbsolute, join } from "node:path";
import { badInput, Fault, noSuch, usage, whole } from "#src/contract/fault.ts";
import { SNAPSHOT_NAME, type SnapshotFacts, type SnapshotOrder } from "#src/contract/wire/sandbox-wire.ts";
import { removeFiles } from "#src/storage/database/database.ts";
import {
  createPrivate,
  ensureFolder,
  NO_LINKS,
  openRegular,
  removeOrphans,
  syncFolder,
  temporaryName,
} from "#src/storage/documents/durable-file.ts";
import { nodeFileSystem } from "#src/storage/file-system.ts";
import { systemCode, withStorageFaults } from "#src/storage/write-fault.ts";
import type { Decisions } from "./decisions.ts";
import { accountValues, type FileState } from "./file-state.ts";
import { clockAt, type ClockState, type SandboxClock } from "./sandbox-clock.ts";
import type { Store } from "./store.ts";
import { createTurns, type SharedLock } from "./turns.ts";
import { SIGNED_FLOOR } from "./used-signatures.ts";
import { FAULTS, type FaultOrders } from "./fault-orders.ts";

/** Snapshots of a tenant that have names, each with a copy of its decisions. */
const MOST_SNAPSHOTS = 100;
const FOLDER = "snapshots";
const ENDING = ".snapshot";
const STAGED = "staged.db";
/** Value of a snapshot: its facts. */
const FACTS = "snapshot";
/** Values that go on through restore and reset. */
export const TENANT = "tenant";
export const LAST_GOOD_RULES = "last good rules";
const LASTING = [TENANT, LAST_GOOD_RULES, SIGNED_FLOOR, FAULTS];
/** Logs that do, as real time does not go back. */
const LASTING_LOGS = ["signature", "request"] as const;

type StoredFacts = Omit<SnapshotFacts, "name" | "path" | "bytes">;

export interface Maintenance {
  /** Newest first; those that have names. */
  list(): Promise<SnapshotFacts[]>;
  /** @throws Fault `usage` when there is one already, or too many are, `storage` when it cannot be written */
  snapshot(order: SnapshotOrder): Promise<SnapshotFacts>;
  /**
   * Restores projects, counts, decisions and virtual time. Used signatures stay used, because real time does not go back.
   * @throws Fault `usage`, `bad_input` or `corrupt`; then everything is as it was
   */
  restore(order: SnapshotOrder): Promise<SnapshotFacts>;
  /** Forgets projects, or only what was counted and decided; ends faults; the clock shows real time again. */
  reset(keepProjects: boolean): Promise<void>;
}

export interface MaintenanceParts {
  readonly dir: string;
  readonly store: Store;
  readonly state: FileState;
  readonly lock: SharedLock;
  readonly clock: SandboxClock;
  readonly faults: FaultOrders;
}

/** Of a tenant in a folder. */
export class FileMaintenance implements Maintenance {
  readonly #parts: MaintenanceParts;
  readonly #staged: string;
  /** Serialised: they share a staged store, and each needs the state that the previous one left. */
  readonly #turns = createTurns();

  constructor(parts: MaintenanceParts) {
    this.#parts = parts;
    this.#staged = join(parts.dir, STAGED);
    // Left by a sandbox that was killed.
    removeFiles(this.#staged);
  }

  async list(): Promise<SnapshotFacts[]> {
    const { dir } = this.#parts;
    const found: SnapshotFacts[] = [];
    for (const file of await readdir(join(dir, FOLDER)).catch(() => [])) {
      if (!file.endsWith(ENDING) || !SNAPSHOT_NAME.test(file.slice(0, -ENDING.length))) continue;
      const facts = await this.#factsOf(join(dir, FOLDER, file));
      if (facts !== undefined) found.push(facts);
    }
    return found.toSorted((a, b) => b.at - a.at);
  }

  snapshot(order: SnapshotOrder): Promise<SnapshotFacts> {
    const { dir, store, state, lock, clock } = this.#parts;
    return this.#turns.inTurn(async () => {
      const path = pathOf(dir, order);
      await requireNewFile(path);
      if ("name" in order && (await this.list()).length >= MOST_SNAPSHOTS) {
        const advice = `remove some of ${dirname(path)}, or name a file outside of it`;
        throw usage`There are ${MOST_SNAPSHOTS} snapshots already; ${whole(advice)}.`;
      }
      // Before the exclusive part, as this waits for the disk; the snapshot has its own virtual time.
      await lock.shared(() => state.accounts.saveClock(clock.state()));
      return await withStorageFaults(path, async () => {
        if ("name" in order) await ensureFolder(dirname(path), nodeFileSystem);
        await removeOrphans(path, nodeFileSystem);
        const temporary = temporaryName(path);
        try {
          await (await createPrivate(temporary, nodeFileSystem)).close();
          const { facts, copying } = await lock.exclusive(async () => {
            await store.settle();
            const projects = (await state.accounts.projects()).length;
            const decisions = await state.decisionCount();
            const now: StoredFacts = { at: clock.realNow(), virtualTime: clock.now(), projects, decisions };
            // Not awaited here: it copies what there is at the call.
            return { facts: now, copying: { done: store.copyTo(temporary) } };
          });
          await copying.done;
          const copy = await store.another(temporary);
          await copy.change({ [FACTS]: facts });
          await copy.finish();
          await place(temporary, path);
          return await this.#described(path, facts);
        } finally {
          removeFiles(temporary);
        }
      });
    });
  }

  async restore(order: SnapshotOrder): Promise<SnapshotFacts> {
    const { dir, state, clock } = this.#parts;
    const path = pathOf(dir, order);
    return await this.#exchange(
      () => withStorageFaults(path, () => this.#openSnapshot(path)),
      async ({ virtualTime }) => {
        const saved = state.accounts.savedClock();
        await this.#changeClock(clockAt(virtualTime, clock.realNow(), saved?.frozenAt != null));
      },
    );
  }

  reset(keepProjects: boolean): Promise<void> {
    const { store, state, clock, faults } = this.#parts;
    return this.#exchange(
      async () => {
        const next = await store.another(this.#staged);
        await state.accounts.reset(keepProjects, async (_, accounts) => {
          await next.change(Object.assign({}, ...accounts.map(accountValues)));
          return true;
        });
        return { next, result: undefined };
      },
      async () => {
        await faults.change((orders) => orders.reset());
        await this.#changeClock(clock.plan({ do: "reset" }));
      },
    );
  }

  /** Makes another store, and puts it in the place of this one while no request uses the state. */
  async #exchange<R>(
    make: () => Promise<{ readonly next: Store; readonly result: R }>,
    after: (result: R) => Promise<void>,
  ): Promise<R> {
    const { store, state, lock } = this.#parts;
    return await this.#turns.inTurn(async () => {
      removeFiles(this.#staged);
      const { next, result } = await make();
      try {
        const copied = new Map<(typeof LASTING_LOGS)[number], number>();
        const copyLogs = async (): Promise<void> => {
          for (const log of LASTING_LOGS)
            copied.set(log, await store.copyLog(log, next, copied.get(log) ?? -1));
        };
        await copyLogs();
        const prepared = await state.prepare(next);
        let deleteBefore: (() => Promise<void>) | undefined;
        await lock.exclusive(async () => {
          let opened: Decisions | undefined;
          await state.pause();
          try {
            deleteBefore = await store.exchange(this.#staged, async () => {
              await next.change(Object.fromEntries(LASTING.map((name) => [name, store.value(name)])));
              await copyLogs();
              await next.finish();
            });
            opened = prepared;
          } finally {
            await state.reload(opened);
          }
          await after(result);
        });
        await deleteBefore?.();
        return result;
      } finally {
        await next.close();
        removeFiles(this.#staged);
      }
    });
  }

  async #changeClock(next: ClockState): Promise<void> {
    await this.#parts.state.accounts.saveClock(next);
    this.#parts.clock.apply(next);
  }

  async #described(path: string, facts: StoredFacts): Promise<SnapshotFacts> {
    return { name: nameOf(this.#parts.dir, path), path, ...facts, bytes: (await stat(path)).size };
  }

  /** The facts of a snapshot; undefined for anything else. */
  async #factsOf(path: string): Promise<SnapshotFacts | undefined> {
    const opened = await this.#parts.store.another(path).catch(() => null);
    try {
      const facts = opened?.value(FACTS) as StoredFacts | undefined;
      return facts && (await this.#described(path, facts));
    } catch {
      return undefined;
    } finally {
      await opened?.close();
    }
  }

  /** A copy beside the state, where it is verified. */
  async #openSnapshot(path: string): Promise<{ readonly next: Store; readonly result: SnapshotFacts }> {
    const bad = (): Fault => badInput`${path} is not a whole snapshot; nothing was changed.`;
    await copySnapshot(path, this.#staged);
    const next = await this.#parts.store.another(this.#staged).catch((error: unknown) => {
      if (error instanceof Fault && error.code === "corrupt") throw bad();
      throw error instanceof Fault && systemCode(error) === undefined ? bad() : error;
    });
    try {
      if (!isOwn(next))
        throw badInput`${path} was taken from another sandbox, whose secrets do not open here; nothing was changed.`;
      const facts = next.value(FACTS) as StoredFacts | undefined;
      if (facts === undefined) throw bad();
      await next.verify().catch(() => {
        throw bad();
      });
      await next.change({ [FACTS]: undefined });
      // The journal goes on with its own numbers, which those of a snapshot may be beyond.
      await next.forget("request", Number.MAX_SAFE_INTEGER);
      return { next, result: await this.#described(path, facts) };
    } catch (error) {
      await next.close();
      removeFiles(this.#staged);
      throw error;
    }
  }
}

/** Whether the key of the sandbox opens something of it. */
function isOwn(next: Store): boolean {
  // Those of the counters are large, and never alone.
  const names = next.names("").filter((name) => !name.startsWith("counters "));
  const opens = (name: string): boolean => {
    try {
      return next.bytes(name) !== undefined;
    } catch {
      return false;
    }
  };
  return names.length === 0 || names.some(opens);
}

/** @throws Fault `bad_input` for anything but a regular file, without blocking on a FIFO */
async function copySnapshot(path: string, to: string): Promise<void> {
  try {
    await (await openRegular(path, constants.O_RDONLY, nodeFileSystem)).close();
  } catch (error) {
    if (!(error instanceof Fault) && systemCode(error) === "ENOENT")
      throw noSuch("snapshot", path, "verdict sandbox snapshot");
    throw badInput`${path} is not a regular file of this account that can be read; give the name of a snapshot.`;
  }
  await copyFile(path, to);
  // On the disk before it is opened: SQLite would wait for that, and requests for SQLite.
  const file = await open(to, "r+");
  try {
    await file.chmod(0o600);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** @throws Fault `usage` when the file exists */
async function requireNewFile(path: string): Promise<void> {
  const there = await stat(path).then(
    () => true,
    () => false,
  );
  if (there) throw taken(path);
}

/** Gives the complete file its name, unless that exists. */
async function place(temporary: string, path: string): Promise<void> {
  try {
    await link(temporary, path);
  } catch (error) {
    if (systemCode(error) === "EEXIST") throw taken(path);
    if (!NO_LINKS.has(systemCode(error))) throw error;
    await requireNewFile(path);
    await rename(temporary, path);
  }
  await rm(temporary, { force: true });
  await syncFolder(dirname(path), nodeFileSystem);
}

function taken(path: string): Fault {
  return usage`There is a snapshot ${path} already; choose another name.`;
}

function nameOf(dir: string, path: string): string | null {
  const folder = join(dir, FOLDER);
  const isNamed = dirname(path) === folder && path.endsWith(ENDING);
  return isNamed ? path.slice(folder.length + 1, -ENDING.length) : null;
}

function pathOf(dir: string, order: SnapshotOrder): string {
  if ("name" in order && SNAPSHOT_NAME.test(order.name)) return join(dir, FOLDER, order.name + ENDING);
  if ("path" in order && isAbsolute(order.path)) return order.path;
  throw usage`A snapshot has a name of letters, digits, dots, dashes and underscores, or the absolute path of a file.`;
}
