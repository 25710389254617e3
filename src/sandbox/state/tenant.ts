// One tenant of a sandbox: everything that a caller's key can see, in one folder of its own.

import { join } from "node:path";
import { Fault } from "#src/contract/fault.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { DEFAULT_TENANT, type TenantQuota } from "#src/contract/wire/sandbox-wire.ts";
import type { RuleSet } from "#src/rules/rule-file/rule-set.ts";
import type { FaultOrders } from "./fault-orders.ts";
import { createMaintenance, LAST_GOOD_RULES, type Maintenance } from "./maintenance.ts";
import { openSavedFaults } from "./saved-faults.ts";
import { ActiveRules } from "./active-rules.ts";
import { ruleFilePlace } from "./rule-file-place.ts";
import { openRequestJournal, type RequestJournal } from "./request-journal.ts";
import type { SandboxLimits } from "./sandbox-limits.ts";
import type { SandboxLogEntry } from "./sandbox-log.ts";
import { openFileState } from "./file-state.ts";
import { createIssuer, type Issuer } from "./issuer.ts";
import { createSandboxClock, type SandboxClock } from "./sandbox-clock.ts";
import type { SharedState } from "./sandbox-state.ts";
import { undoAll } from "./undo.ts";
import { createSharedLock } from "./shared-lock.ts";
import type { Store } from "./store.ts";
import { UsedSignatures } from "./used-signatures.ts";

/** How often the virtual clock's high-water mark is written while nothing else writes it. */
const CLOCK_SAVE_MS: Milliseconds = 60_000;

/** The user's own rule file in the folder, if there is one. */
const RULES_FILE = "rules.yaml";

export interface Tenant {
  readonly name: string;
  readonly swappable: SharedState;
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
  /** Flushes and closes its files. */
  close(): Promise<void>;
}

export interface TenantOptions {
  readonly name: string;
  /** Its folder. */
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
  swappable: { state, shared },
}: Tenant): Promise<Readonly<Record<"companies" | "projects" | "decisions" | "signatures", number>> | null> {
  try {
    return await shared(async () => ({
      companies: (await state.companies()).length,
      projects: (await state.projects()).length,
      decisions: await state.decisionCount(),
      signatures: await state.signatureCount(),
    }));
  } catch (error) {
    if (error instanceof Fault) return null;
    throw error;
  }
}

/** @throws Fault `storage`, `corrupt`, or that of a rule file */
export async function openTenant(options: TenantOptions): Promise<Tenant> {
  const { name, dir, store, seed, companies, limits, realNow, magic, quota, note } = options;
  const issuer = createIssuer(seed !== null && name !== DEFAULT_TENANT ? `${seed} of ${name}` : seed);
  const onProblem = (sentence: string): void => options.onProblem(sentence, !store.isWritable);
  /** Steps that close what is open, run in reverse. */
  const undo: (() => Promise<unknown>)[] = [() => store.close()];
  try {
    const capacity = limits.replayCapacity;
    const signatures = await UsedSignatures.open(store, options.windowMs, capacity, () =>
      onProblem(
        `Some used signatures in ${store.path} are damaged; what they signed could be accepted again.`,
      ),
    );
    const state = await openFileState({ store, issuer, companies, signatures, limits, onProblem });
    undo.push(() => state.close());
    const lock = createSharedLock();
    const { shared } = lock;
    const clock = createSandboxClock(await state.savedClock(), options.startAt, realNow);
    const saveClock = (): Promise<void> => shared(() => state.saveClock(clock.state()));
    await saveClock();
    undo.push(saveClock);
    const lastGood = {
      text: store.value(LAST_GOOD_RULES) as string | undefined,
      save: (text: string | undefined) => store.change({ [LAST_GOOD_RULES]: text }),
    };
    const rules = await ActiveRules.open({
      place:
        options.rulesFile === undefined
          ? ruleFilePlace(join(dir, RULES_FILE), lastGood)
          : ruleFilePlace(options.rulesFile, null),
      ruleSet: options.ruleSet,
      realNow,
      onReload: (reason) => note("rules_read", reason === null ? {} : { reason }),
    });
    undo.push(async () => rules.close());
    const journal = await openRequestJournal(store);
    undo.push(async () => journal.close());
    const faults = openSavedFaults(store, issuer);
    const saving = setInterval(() => void saveClock().catch(() => undefined), CLOCK_SAVE_MS).unref();
    undo.push(async () => clearInterval(saving));
    const maintenance = createMaintenance({ dir, store, state, lock, clock, faults });
    return {
      name,
      swappable: { state, shared },
      issuer,
      clock,
      rules,
      faults,
      journal,
      maintenance,
      magic,
      seeded: seed !== null,
      signatureCapacity: capacity,
      quota,
      note,
      close: () => undoAll(undo),
    };
  } catch (error) {
    await undoAll(undo).catch(() => undefined);
    throw error;
  }
}
