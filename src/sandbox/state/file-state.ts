// The sandbox's state in this process: what its store has, in memory while it runs.

import { join } from "node:path";
import { corrupt, Fault, whole } from "#src/contract/fault.ts";
import { STATE_FILE } from "#src/storage/database/sandbox-form.ts";
import { createDurably, readWhole } from "#src/storage/documents/durable-file.ts";
import { newSealingKey, SEALING_KEY_BYTES } from "#src/storage/documents/sealing.ts";
import { nodeFileSystem } from "#src/storage/file-system.ts";
import { Accounts, type AccountsChange, type AccountsPlace } from "./accounts.ts";
import { Decisions } from "./decisions.ts";
import type { Issuer } from "./issuer.ts";
import type { ClockState } from "./sandbox-clock.ts";
import type { SandboxLimits } from "./sandbox-limits.ts";
import type { SandboxState } from "./sandbox-state.ts";
import { Store } from "./store.ts";
import type { StoredCompanies } from "./stored-accounts.ts";
import type { UsedSignatures } from "./used-signatures.ts";

const KEY_FILE = "state.key";

/** StoredCompanies. */
const COMPANIES = "companies";
/** Before the id of a project: StoredProject. */
const PROJECT = "project ";
const AGES = "ages";
const CLOCK = "clock";

/**
 * Opens the store of a folder, or makes it at the first start. The caller holds the lock of the folder.
 * @throws Fault `storage` or `corrupt`
 */
export async function openStoreIn(
  dir: string,
  sync: boolean,
  onFailure: (failure: unknown) => void,
): Promise<Store> {
  const [path, keyPath] = [join(dir, STATE_FILE), join(dir, KEY_FILE)];
  const found = await readKeyFile(keyPath);
  if (found === null && Store.isThere(path)) throw brokenPair(keyPath, path);
  // A key without a state: the first start was interrupted before anything was sealed.
  const key = found ?? newSealingKey();
  if (found === null) await createDurably(keyPath, key, nodeFileSystem);
  return await Store.open({ path, key, sync, onFailure });
}

/**
 * Null when there is no key file.
 * @throws Fault `corrupt` when it is not a key
 */
async function readKeyFile(path: string): Promise<Buffer | null> {
  const key = await readWhole(path, nodeFileSystem);
  if (key === null || key.length === SEALING_KEY_BYTES) return key;
  throw corrupt`${path} is not a key; restore it, or move the sandbox's state away.`;
}

export interface FileState extends SandboxState {
  /**
   * Takes over what the store has now: it was exchanged. After an error nothing can be written.
   * @param prepared its decisions, if they were opened in advance
   */
  reload(prepared?: Decisions): Promise<void>;
  /** Opens the decisions of another store, in advance of an exchange. */
  prepare(store: Store): Promise<Decisions>;
  /** Ends what is going on, without a save of the counters, which are about to be replaced. */
  pause(): Promise<void>;
}

export interface FileStateOptions {
  readonly store: Store;
  readonly issuer: Issuer;
  /** Companies made at the first start. */
  readonly companies: number;
  readonly signatures: UsedSignatures;
  readonly limits: Pick<SandboxLimits, "repeatMs">;
  /** Receives one sentence about damage that was found. */
  readonly onProblem: (sentence: string) => void;
}

/** @throws Fault `storage` or `corrupt` */
export async function openFileState(options: FileStateOptions): Promise<FileState> {
  const { store, issuer, limits, signatures, onProblem } = options;
  const place = accountsIn(store);
  const accounts = await Accounts.open(place, issuer, options.companies);
  let decisions = await openDecisions(store);

  function openDecisions(from: Store): Promise<Decisions> {
    return Decisions.open({
      store: from,
      secret: (from.value(COMPANIES) as StoredCompanies).countingSecret,
      issuer,
      repeatMs: limits.repeatMs,
      onDamage: () =>
        onProblem(`Some decisions in ${store.path} are damaged; they are neither counted nor explained.`),
    });
  }

  return {
    accounts,
    signatureCount: async () => signatures.size,
    async rememberSignature(identity, signedAt, realNow) {
      store.requireWritable();
      return await signatures.remember(identity, signedAt, realNow);
    },
    keysOf: (...request) => decisions.keysOf(...request),
    // Without an await before it: all of it is one turn of the event loop.
    async settle(attempt, counted, mode, decide, most = Infinity) {
      store.requireWritable();
      return await decisions.settle(attempt, counted, mode, decide, most);
    },
    look: async (attempt, _, work) => decisions.look(attempt, work),
    decision: (id) => decisions.find(id),
    decisionCount: async () => decisions.total,

    isWritable: () => store.isWritable,
    async reload(prepared) {
      try {
        place.onExchange();
        await accounts.refresh();
        prepared?.moveTo(store);
        decisions = prepared ?? (await openDecisions(store));
      } catch (error) {
        store.fail(error);
        throw error;
      }
    },
    prepare: openDecisions,
    async pause() {
      await accounts.idle();
      await decisions.close(false);
    },
    async close() {
      await accounts.idle();
      await decisions.close(store.isWritable);
    },
  };
}

export function accountValues({ companies, project, ages }: AccountsChange): Record<string, unknown> {
  return {
    ...(companies && { [COMPANIES]: companies }),
    ...(project && { [PROJECT + project.projectId]: project }),
    ...(ages && { [AGES]: ages }),
  };
}

/** Accounts and clock as values of a store, which has what the changes have led to. */
function accountsIn(store: Store): AccountsPlace & { readonly onExchange: () => void } {
  let stores = 1;
  const clock = (): ClockState | null => (store.value(CLOCK) as ClockState | undefined) ?? null;
  return {
    get version() {
      return String(stores);
    },
    onExchange: () => void (stores += 1),
    clock,
    news(point) {
      const epoch = this.version;
      if (point.epoch === epoch) return { ...point, version: epoch, changes: [] };
      const [companies, ages = {}] = [store.value(COMPANIES), store.value(AGES)];
      const projects = store.names(PROJECT).map((name) => ({ project: store.value(name) }));
      const changes = [{ companies, ages }, ...projects] as AccountsChange[];
      return { epoch, version: epoch, count: 0, changes };
    },
    async add({ count }, change, next = clock()!) {
      if (count === 0 && store.value(COMPANIES) !== undefined) return false;
      const values = change === null ? {} : accountValues(change);
      if (JSON.stringify(next) !== JSON.stringify(clock())) values[CLOCK] = next;
      if (Object.keys(values).length > 0) await store.change(values);
      return true;
    },
  };
}

/** A state without the key that seals it is damage and not a first start. */
export function brokenPair(missing: string, there: string): Fault {
  return corrupt`${whole(missing)} is missing beside ${whole(there)}; restore it, or move both away to start with new ones.`;
}
