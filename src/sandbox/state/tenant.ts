// One tenant of a sandbox: everything that a caller's key can see, in one folder of its own.

import { join } from "node:path";
import { Fault } from "#src/contract/fault.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { DEFAULT_TENANT, type TenantQuota } from "#src/contract/wire/sandbox-wire.ts";
import type { RuleSet } from "#src/rules/rule-file/rule-set.ts";
import { openSavedFaults, type FaultOrders } from "./fault-orders.ts";
import { FileMaintenance, LAST_GOOD_RULES, type Maintenance } from "./maintenance.ts";
import { ActiveRules, type RulesPlace } from "./active-rules.ts";
import { ruleFilePlace } from "./rule-file-place.ts";
import { openRequestJournal, type RequestJournal } from "./request-journal.ts";
import type { SandboxLimits } from "./sandbox-limits.ts";
import type { SandboxLogEntry } from "./sandbox-log.ts";
import { openFileState } from "./file-state.ts";
import { createIssuer, type Issuer } from "./issuer.ts";
import { createSandboxClock, type SandboxClock } from "./sandbox-clock.ts";
import type { SharedState } from "./sandbox-state.ts";
import { createSharedLock, undoAll } from "./turns.ts";
import type { Store } from "./store.ts";
import { UsedSignatures } from "./used-signatures.ts";

/** How often the virtual clock's high-water mark is written while nothing else writes it. */
const CLOCK_SAVE_MS: Milliseconds = 60_000;

/** The user's own rule file in the folder, if there is one. */
const RULES_FILE = "rules.yaml";

export interface Tenant extends SharedState {
  readonly name: string;
  readonly issuer: Issuer;
  readonly clock: SandboxClock;
  readonly rules: ActiveRules;
  readonly faults: FaultOrders;
  readonly journal: RequestJournal;
  readonly maintenance: Maintenance;
  /** Whether order ids of MAGIC_VALUES force answers. */
  readonly magic: boolean;
  /** Ids, secrets and latencies are derived from a seed. */
  readonly seeded: boolean;
  /** Signatures that it remembers at most. */
  readonly signatureCapacity: number;
  /** Null for the tenant that every sandbox has. */
  readonly quota: TenantQuota | null;
  /** Writes a line to the log. */
  note(event: SandboxLogEntry["event"], more?: Partial<SandboxLogEntry>): void;
  close(): Promise<void>;
}

export interface TenantOptions {
  readonly name: string;
  readonly dir: string;
  /** Of the folder; closed with the tenant. */
  readonly store: Store;
  /** The same seed and name give the same ids and secrets, which anyone can derive; null for random ones. */
  readonly seed: number | null;
  /** Companies made when it is opened for the first time. */
  readonly companies: number;
  /** Virtual time then; the real time when absent. */
  readonly startAt?: Milliseconds | undefined;
  readonly magic: boolean;
  readonly quota: TenantQuota | null;
  /** Used instead of `rules.yaml` in the folder; it must exist and be valid. */
  readonly rulesFile?: string | undefined;
  /** In place of the starter rules. */
  readonly ruleSet?: RuleSet | undefined;
  readonly limits: SandboxLimits;
  /** How long a signature could be replayed, each way. */
  readonly windowMs: Milliseconds;
  readonly realNow: () => Milliseconds;
  readonly note: Tenant["note"];
  /** Receives one sentence about damage, and about a change that could not be taken over. @param broken true once nothing can be written any more */
  readonly onProblem: (sentence: string, broken: boolean) => void;
}

/** How much a tenant holds; null while its state cannot be read. */
export async function holdings({
  state,
  shared,
}: Tenant): Promise<Readonly<Record<"companies" | "projects" | "decisions" | "signatures", number>> | null> {
  try {
    const { accounts } = state;
    const [companies, projects, decisions, signatures] = await shared(() =>
      // Asked together: a server is far away.
      Promise.all([accounts.companies(), accounts.projects(), state.decisionCount(), state.signatureCount()]),
    );
    return { companies: companies.length, projects: projects.length, decisions, signatures };
  } catch (error) {
    if (error instanceof Fault) return null;
    throw error;
  }
}

/** What differs by where a tenant is kept. */
type Parts = SharedState & Pick<Tenant, "clock" | "rules" | "faults" | "journal" | "maintenance">;

/** For who opens them. */
export interface TenantTools {
  readonly issuer: Issuer;
  /** Gets the steps that close what is open, to be run in reverse. */
  readonly undo: (() => Promise<unknown>)[];
  /** @param place of the tenant's own text, where no file was given */
  readonly openRules: (place: () => RulesPlace) => Promise<ActiveRules>;
}

/** @throws Fault `storage`, `corrupt`, or that of a rule file */
export async function openTenantOf<P extends Parts>(
  options: Omit<TenantOptions, "dir" | "store">,
  open: (tools: TenantTools) => Promise<P>,
): Promise<Tenant & P> {
  const { name, seed, limits, realNow, magic, quota, note, rulesFile, ruleSet } = options;
  const issuer = createIssuer(seed !== null && name !== DEFAULT_TENANT ? `${seed} of ${name}` : seed);
  const undo: (() => Promise<unknown>)[] = [];
  async function openRules(own: () => RulesPlace): Promise<ActiveRules> {
    const place = rulesFile === undefined ? own() : ruleFilePlace(rulesFile, null);
    const onReload = (reason: string | null): void => note("rules_read", reason === null ? {} : { reason });
    const rules = await ActiveRules.open({ place, ruleSet, realNow, onReload });
    undo.push(async () => rules.close());
    return rules;
  }
  try {
    const parts = await open({ issuer, undo, openRules });
    const { replayCapacity: signatureCapacity } = limits;
    const own = { name, issuer, magic, seeded: seed !== null, signatureCapacity, quota, note };
    return { ...parts, ...own, close: () => undoAll(undo) };
  } catch (error) {
    await undoAll(undo).catch(() => undefined);
    throw error;
  }
}

/** That of one process. @throws Fault `storage`, `corrupt`, or that of a rule file */
export function openTenant(options: TenantOptions): Promise<Tenant> {
  const { dir, store, companies, limits, realNow } = options;
  const onProblem = (sentence: string): void => options.onProblem(sentence, !store.isWritable);
  return openTenantOf(options, async ({ issuer, undo, openRules }) => {
    undo.push(() => store.close());
    const signatures = await UsedSignatures.open(store, options.windowMs, limits.replayCapacity, () =>
      onProblem(
        `Some used signatures in ${store.path} are damaged; what they signed could be accepted again.`,
      ),
    );
    const state = await openFileState({ store, issuer, companies, signatures, limits, onProblem });
    undo.push(() => state.close());
    const lock = createSharedLock();
    const { shared } = lock;
    const clock = createSandboxClock(state.accounts.savedClock(), options.startAt, realNow);
    const saveClock = (): Promise<void> => shared(() => state.accounts.saveClock(clock.state()));
    await saveClock();
    undo.push(saveClock);
    const rules = await openRules(() =>
      ruleFilePlace(join(dir, RULES_FILE), {
        text: store.value(LAST_GOOD_RULES) as string | undefined,
        save: (text) => store.change({ [LAST_GOOD_RULES]: text }),
      }),
    );
    const journal = await openRequestJournal(store);
    undo.push(async () => journal.close());
    const faults = openSavedFaults(store, issuer);
    const saving = setInterval(() => void saveClock().catch(() => undefined), CLOCK_SAVE_MS).unref();
    undo.push(async () => clearInterval(saving));
    const maintenance = new FileMaintenance({ dir, store, state, lock, clock, faults });
    return { state, shared, isHeld: () => false, clock, rules, faults, journal, maintenance };
  });
}
