// The sandbox's state: files of one directory, held in memory while it runs.

import { rm } from "node:fs/promises";
import { join } from "node:path";
import { Fault, storage, whole } from "#src/contract/fault.ts";
import { becomes, openMap, orNothing } from "#src/contract/text/shape.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { registrationAge } from "#src/sandbox/credential-window.ts";
import {
  readCounters,
  type CountersMoment,
  type ReadyCounters,
} from "#src/sandbox/decisions/counters-file.ts";
import { openDecisions, type OpenCount } from "#src/sandbox/decisions/decisions.ts";
import { openRuleSetArchive } from "#src/sandbox/decisions/rule-set-archive.ts";
import type { SandboxLimits } from "#src/sandbox/http/sandbox-limits.ts";
import { openDocument, type Document } from "#src/storage/documents/document.ts";
import type { OnProblem } from "#src/storage/store-problem.ts";
import { isSyncFailure, storageFault } from "#src/storage/write-fault.ts";
import {
  brokenPair,
  countingSecret,
  indexAccounts,
  makeAccounts,
  makeKey,
  merchantKey,
  noAccounts,
  openKey,
  parseAccounts,
  storedProject,
  type StoredAccounts,
  requireRoom,
} from "./accounts.ts";
import { sharing } from "./durable-appender.ts";
import type { Issuer } from "./issuer.ts";
import type { ReplayCache } from "./replay-cache.ts";
import { CLOCK_STATE } from "./sandbox-clock.ts";
import type { SandboxProject, SandboxState } from "./sandbox-state.ts";
import { createKeyFile, createSecretBox, readKeyFile, type SecretBox } from "./secret-box.ts";
import { setDecisionsAside } from "./snapshot-file.ts";
import { createTurns } from "./turns.ts";

const ACCOUNTS_FILE = "accounts.json";
const KEY_FILE = "state.key";
/** Outside the folder of decisions, because the decisions of snapshots need them, too. */
const RULE_SETS = "rule-sets";

export interface FileState extends SandboxState {
  /** Counters and answers up to now; call it with no decision in progress. */
  moment(): CountersMoment;
  /** Reads the counters of another folder of decisions, in advance of a swap to it. */
  prepare(dir: string): Promise<ReadyCounters>;
  /** @param save false when the counters are about to be replaced */
  close(save?: boolean): Promise<void>;
}

export interface FileStateOptions {
  readonly dir: string;
  readonly issuer: Issuer;
  /** Companies made at the first start. */
  readonly companies: number;
  /** Stays open when the state is swapped: used signatures belong to real time. */
  readonly replays: ReplayCache;
  /** Counters of the directory, if they were read in advance; null to read them now. */
  readonly ready: ReadyCounters | null;
  readonly limits: SandboxLimits;
  /** False: no fdatasync. */
  readonly sync: boolean;
  /** Receives one sentence for each damaged file or failed write. */
  readonly onProblem: (sentence: string) => void;
}

/**
 * Opens the state, or creates it at the first start. The caller holds the lock of the directory.
 * @throws Fault `storage` or `corrupt`
 */
export async function openFileState(options: FileStateOptions): Promise<FileState> {
  const { dir, issuer, limits, replays, sync, onProblem } = options;
  const onRollback: OnProblem = ({ message }) => onProblem(message);
  const document = openAccountsDocument(dir, onRollback);
  const clockDocument = openDocument({
    path: join(dir, "clock.json"),
    format: "verdict/sandbox-clock",
    schema: 1,
    initial: () => ({ clock: null }),
    shape: openMap({ clock: orNothing(CLOCK_STATE) }),
    onProblem: onRollback,
  });

  const { box, accounts } = await openAccounts(options, document);
  const { companies, projects, keys, byMerchant, add, addCompanyKey } = indexAccounts(accounts, box);

  /** The first failed write; nothing is written after it. */
  let failure: unknown = null;
  const onFault = (fault: unknown): void => {
    if (failure !== null) return;
    failure = fault;
    onProblem(fault instanceof Error ? fault.message : "The state could not be written.");
  };
  const requireWritable = (): void => {
    if (failure !== null) throw failure;
  };
  const secret = countingSecret(accounts, box);
  const onDamage = (file: string): void => onProblem(`${file} is damaged; what can be read of it is used.`);
  const decisions = await openDecisions({
    dir: join(dir, "decisions"),
    secret,
    ruleSets: await openRuleSetArchive(join(dir, RULE_SETS)),
    ready: options.ready,
    issuer,
    repeatMs: limits.repeatMs,
    sync,
    onDamage,
    onFault,
  });
  let clock = (await clockDocument.read()).clock;

  /** Changes age floors on disk, then in memory. */
  async function changeAges(floorOf: (project: SandboxProject) => Milliseconds): Promise<void> {
    const changed = [...projects.values()]
      .map((project) => ({ ...project, ageFloorMs: floorOf(project) }))
      .filter((project) => project.ageFloorMs !== projects.get(project.projectId)!.ageFloorMs);
    if (changed.length === 0) return;
    const floors = new Map(changed.map((project) => [project.projectId, project.ageFloorMs]));
    await document.update((data) => {
      for (const stored of data.projects)
        stored.ageFloorMs = floors.get(stored.projectId) ?? stored.ageFloorMs;
    });
    for (const project of changed) projects.set(project.projectId, project);
  }

  /** Serialises changes of the accounts, so that each check and its write are atomic. */
  const { inTurn, idle } = createTurns();

  const reported = sharing((saved) => {
    const durable = saved.catch((error: unknown) => {
      const fault = storageFault(error, dir);
      onFault(fault);
      throw fault;
    });
    durable.catch(() => undefined);
    return durable;
  });

  return {
    key: async (keyId) => keys.get(keyId) ?? null,
    project: async (companyId, merchantId, riskLevel) =>
      projects.get(byMerchant.get(merchantKey({ companyId, merchantId, riskLevel })) ?? "") ?? null,
    projectById: async (projectId) => projects.get(projectId) ?? null,
    companies: async () => companies,
    addKey: (companyId) =>
      inTurn(async () => {
        const number = companies.findIndex((company) => company.companyId === companyId);
        requireRoom(companies, companies[number]);
        const at = number === -1 ? companies.length : number;
        const made = makeKey(issuer, box, at, companies[number]);
        await document.update((data) => {
          if (number === -1) data.companies.push({ companyId: made.companyId, integrationKeys: [made.key] });
          else data.companies[number]!.integrationKeys.push(made.key);
        });
        addCompanyKey(made.companyId, openKey(made.key, made.companyId, box));
      }),
    projects: async () => [...projects.values()],

    register: (project) =>
      inTurn(async () => {
        if (byMerchant.has(merchantKey(project))) return false;
        await document.update((data) => {
          data.projects.push(storedProject(project, box));
        });
        add(project);
        return true;
      }),

    savedClock: async () => clock,
    saveClock: (next, ages) =>
      inTurn(async () => {
        if (ages !== undefined) {
          await changeAges((project) => (ages.do === "forget" ? 0 : registrationAge(project, ages.from)));
        }
        if (JSON.stringify(next) === JSON.stringify(clock)) return;
        try {
          await clockDocument.update((data) => {
            data.clock = next;
          });
        } catch (error) {
          if (!isSyncFailure(error)) throw error;
          onFault(error);
          throw unconfirmedClock(error);
        }
        clock = next;
      }),
    keepAge: (projectId, ageMs) =>
      inTurn(() =>
        changeAges(({ projectId: id, ageFloorMs }) =>
          id === projectId ? Math.max(ageFloorMs, ageMs) : ageFloorMs,
        ),
      ),

    signatureCount: async () => replays.size,
    rememberSignature: async (identity, signedAt, realNow) => {
      requireWritable();
      try {
        const remembered = await replays.remember(identity, signedAt, realNow);
        if (remembered.state !== "new") return remembered;
        return { state: "new", durable: reported(remembered.durable) };
      } catch (error) {
        throw storageFault(error, dir);
      }
    },
    keysOf: decisions.keysOf,
    count(attempt, counted, mode) {
      requireWritable();
      return decisions.count(attempt, counted, mode);
    },
    answer: (token, decided, most) => decisions.answer(token as OpenCount, decided, most),
    look: async (attempt, _, work) => decisions.look(attempt, work),
    decision: (id) => decisions.find(id),
    decisionCount: async () => decisions.total,
    moment: () => decisions.moment(),
    prepare: (folder) => readCounters(folder, secret, onDamage),

    isWritable: () => failure === null,
    async close(save = true) {
      await idle();
      await decisions.close(save);
    },
  };
}

/**
 * Deletes projects, decisions, counts and the clock; companies, their integration keys and used signatures stay. The state
 * must be closed.
 */
export async function resetFileState(
  dir: string,
  keepProjects: boolean,
  onProblem: (sentence: string) => void,
): Promise<void> {
  await openAccountsDocument(dir, ({ message }) => onProblem(message)).update((data) => {
    data.projects = keepProjects ? data.projects.map((project) => ({ ...project, ageFloorMs: 0 })) : [];
  });
  await setDecisionsAside(dir);
  for (const name of ["clock.json.bak", "clock.json"]) await rm(join(dir, name), { force: true });
}

function openAccountsDocument(dir: string, onProblem: OnProblem): Document<StoredAccounts> {
  return openDocument<StoredAccounts>({
    path: join(dir, ACCOUNTS_FILE),
    format: "verdict/sandbox-accounts",
    schema: 1,
    initial: noAccounts,
    shape: becomes({}, parseAccounts),
    onProblem,
  });
}

/** Opens the key file and the accounts, or creates both at the first start. */
async function openAccounts(
  options: FileStateOptions,
  document: Document<StoredAccounts>,
): Promise<{ box: SecretBox; accounts: StoredAccounts }> {
  const keyPath = join(options.dir, KEY_FILE);
  const accountsPath = join(options.dir, ACCOUNTS_FILE);
  const accounts = await document.read();
  const key = await readKeyFile(keyPath);
  if (accounts.companies.length > 0) {
    if (key === null) throw brokenPair(keyPath, accountsPath);
    return { box: createSecretBox(key), accounts };
  }
  // A key file without accounts: the first start was interrupted before anything was sealed.
  const box = createSecretBox(key ?? (await createKeyFile(keyPath)));
  const made = makeAccounts(options.issuer, options.companies, box);
  await document.update((data) => {
    Object.assign(data, made);
  });
  return { box, accounts: made };
}

/** The file may have it already. */
function unconfirmedClock(cause: unknown): Fault {
  return storage`${whole((cause as Error).message)} The clock may be the changed one after the next start; see "verdict sandbox clock" then.`.causedBy(
    cause,
  );
}
