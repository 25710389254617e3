// The sandbox's state in this process: what its store has, in memory while it runs.

import { join } from "node:path";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { STATE_FILE } from "#src/storage/database/sandbox-form.ts";
import { registrationAge } from "./credential-window.ts";
import { Decisions } from "./decisions.ts";
import type { SandboxLimits } from "./sandbox-limits.ts";
import {
  addStoredKey,
  brokenPair,
  companiesOf,
  holderOf,
  holdersOf,
  makeCompanies,
  merchantKey,
  projectOf,
  storedProject,
  type StoredCompanies,
  type StoredProject,
} from "./accounts.ts";
import type { Issuer } from "./issuer.ts";
import type { ClockState } from "./sandbox-clock.ts";
import type { Company, KeyHolder, SandboxProject, SandboxState } from "./sandbox-state.ts";
import { createKeyFile, readKeyFile } from "./secret-box.ts";
import { Store } from "./store.ts";
import { createTurns } from "./turns.ts";
import type { UsedSignatures } from "./used-signatures.ts";

const KEY_FILE = "state.key";

/** StoredCompanies. */
export const COMPANIES = "companies";
/** Before the id of a project: StoredProject. */
export const PROJECT = "project ";
export const CLOCK = "clock";

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
  const key = found ?? (await createKeyFile(keyPath));
  return await Store.open({ path, key, sync, onFailure });
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
  if (store.value(COMPANIES) === undefined)
    await store.change({ [COMPANIES]: makeCompanies(issuer, options.companies) });
  const stored = (of = store): StoredCompanies => of.value(COMPANIES) as StoredCompanies;
  let companies: readonly Company[] = [];
  /** By project id. */
  const projects = new Map<string, SandboxProject>();
  /** By key id: integration keys and the credentials of projects. */
  const keys = new Map<string, KeyHolder>();
  /** Project ids by `merchantKey`. */
  const byMerchant = new Map<string, string>();
  let decisions = await load();

  function openDecisions(from: Store): Promise<Decisions> {
    return Decisions.open({
      store: from,
      secret: stored(from).countingSecret,
      issuer,
      repeatMs: limits.repeatMs,
      onDamage: () =>
        onProblem(`Some decisions in ${store.path} are damaged; they are neither counted nor explained.`),
    });
  }

  async function load(prepared?: Decisions): Promise<Decisions> {
    for (const each of [projects, keys, byMerchant]) each.clear();
    takeCompanies(stored());
    const all = store.names(PROJECT).map((name) => projectOf(store.value(name) as StoredProject));
    for (const project of all.toSorted((a, b) => a.registeredAt - b.registeredAt)) add(project);
    prepared?.moveTo(store);
    return prepared ?? (await openDecisions(store));
  }

  function takeCompanies(taken: StoredCompanies): void {
    companies = companiesOf(taken);
    for (const [keyId, holder] of holdersOf(companies)) keys.set(keyId, holder);
  }

  function add(project: SandboxProject): void {
    projects.set(project.projectId, project);
    byMerchant.set(merchantKey(project), project.projectId);
    keys.set(project.credential.keyId, holderOf(project));
  }

  const clockOf = (): ClockState | null => (store.value(CLOCK) as ClockState | undefined) ?? null;

  /** Projects whose age floor is to be another one. */
  function aged(floorOf: (project: SandboxProject) => Milliseconds): SandboxProject[] {
    return [...projects.values()]
      .map((project) => ({ ...project, ageFloorMs: floorOf(project) }))
      .filter(({ projectId, ageFloorMs }) => ageFloorMs !== projects.get(projectId)!.ageFloorMs);
  }

  async function change(
    changed: readonly SandboxProject[],
    more: Record<string, unknown> = {},
  ): Promise<void> {
    const values = changed.map((project) => [PROJECT + project.projectId, storedProject(project)]);
    await store.change({ ...Object.fromEntries(values), ...more });
    for (const project of changed) add(project);
  }

  /** Serialises changes of the accounts, so that each check and its write are atomic. */
  const { inTurn, idle } = createTurns();

  return {
    key: async (keyId) => keys.get(keyId) ?? null,
    project: async (companyId, merchantId, riskLevel) =>
      projects.get(byMerchant.get(merchantKey({ companyId, merchantId, riskLevel })) ?? "") ?? null,
    projectById: async (projectId) => projects.get(projectId) ?? null,
    companies: async () => companies,
    addKey: (companyId) =>
      inTurn(async () => {
        const next = stored();
        addStoredKey(next, issuer, companyId);
        await store.change({ [COMPANIES]: next });
        takeCompanies(next);
      }),
    projects: async () => [...projects.values()],

    register: (project) =>
      inTurn(async () => {
        if (byMerchant.has(merchantKey(project))) return false;
        await change([project]);
        return true;
      }),

    savedClock: async () => clockOf(),
    saveClock: (next, ages) =>
      inTurn(async () => {
        const changed =
          ages === undefined
            ? []
            : aged((project) => (ages.do === "forget" ? 0 : registrationAge(project, ages.from)));
        if (changed.length === 0 && JSON.stringify(next) === JSON.stringify(clockOf())) return;
        await change(changed, { [CLOCK]: next });
      }),
    keepAge: (projectId, ageMs) =>
      inTurn(async () => {
        const changed = aged(({ projectId: id, ageFloorMs }) =>
          id === projectId ? Math.max(ageFloorMs, ageMs) : ageFloorMs,
        );
        if (changed.length > 0) await change(changed);
      }),

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
        decisions = await load(prepared);
      } catch (error) {
        store.fail(error);
        throw error;
      }
    },
    prepare: openDecisions,
    async pause() {
      await idle();
      await decisions.close(false);
    },
    async close() {
      await idle();
      await decisions.close(store.isWritable);
    },
  };
}
