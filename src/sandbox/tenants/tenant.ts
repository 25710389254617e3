// One tenant of a sandbox: everything that a caller's key can see, in one folder of its own.

import { join } from "node:path";
import { Fault } from "#src/contract/fault.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { DEFAULT_TENANT, type TenantQuota } from "#src/contract/wire/sandbox-wire.ts";
import type { RuleSet } from "#src/rules/rule-file/rule-set.ts";
import type { FaultOrders } from "#src/sandbox/admin/fault-orders.ts";
import { createMaintenance, type Maintenance } from "#src/sandbox/admin/maintenance.ts";
import { openFaultOrders } from "#src/sandbox/admin/saved-faults.ts";
import { openWatchedRules, type WatchedRules } from "#src/sandbox/decisions/watched-rules.ts";
import { undoAll } from "#src/sandbox/http/listening.ts";
import { openRequestJournal, type RequestJournal } from "#src/sandbox/http/request-journal.ts";
import type { SandboxLimits } from "#src/sandbox/http/sandbox-limits.ts";
import type { SandboxLogEntry } from "#src/sandbox/http/sandbox-log.ts";
import { openFileState } from "#src/sandbox/state/file-state.ts";
import { createIssuer, type Issuer } from "#src/sandbox/state/issuer.ts";
import { openReplayCache } from "#src/sandbox/state/replay-cache.ts";
import { createSandboxClock, type SandboxClock } from "#src/sandbox/state/sandbox-clock.ts";
import type { SharedState } from "#src/sandbox/state/sandbox-state.ts";
import { openSwappable } from "#src/sandbox/state/swappable-state.ts";

/** How often the virtual clock's high-water mark is written while nothing else writes it. */
const CLOCK_SAVE_MS: Milliseconds = 60_000;

/** The user's own rule file in the folder, if there is one. */
const RULES_FILE = "rules.yaml";
/** Its last valid content. */
const LAST_GOOD_RULES = "rules.last-good.yaml";

export interface Tenant {
  readonly name: string;
  readonly swappable: SharedState;
  readonly issuer: Issuer;
  readonly clock: SandboxClock;
  readonly rules: WatchedRules;
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
  /** Its folder, created when missing. */
  readonly dir: string;
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
  /** False: nothing waits for the disk. */
  readonly sync: boolean;
  readonly realNow: () => Milliseconds;
  readonly note: Tenant["note"];
  /** Receives one sentence for each damaged file or failed write. @param broken true once nothing can be written any more */
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
  const { name, dir, seed, companies, limits, sync, realNow, magic, quota, note } = options;
  const issuer = createIssuer(seed !== null && name !== DEFAULT_TENANT ? `${seed} of ${name}` : seed);
  /** Steps that close what is open, run in reverse. */
  const undo: (() => Promise<unknown>)[] = [];
  try {
    // Called while the state is being opened, too, when nothing is broken yet.
    let isBroken = (): boolean => false;
    const onProblem = (sentence: string): void => options.onProblem(sentence, isBroken());
    const replays = await openReplayCache({
      dir: join(dir, "signatures"),
      windowMs: options.windowMs,
      capacity: limits.replayCapacity,
      sync,
    });
    undo.push(() => replays.close());
    const swappable = await openSwappable(
      (ready) => openFileState({ dir, issuer, companies, replays, ready, limits, sync, onProblem }),
      (error) => onProblem(error instanceof Error ? error.message : "The state could not be opened again."),
    );
    const { state, shared } = swappable;
    isBroken = () => !state.isWritable();
    undo.push(() => state.close());
    const clock = createSandboxClock(await state.savedClock(), options.startAt, realNow);
    const saveClock = (): Promise<void> => shared(() => state.saveClock(clock.state()));
    await saveClock();
    undo.push(saveClock);
    const rules = await openWatchedRules({
      file: options.rulesFile ?? join(dir, RULES_FILE),
      named: options.rulesFile !== undefined,
      lastGood: join(dir, LAST_GOOD_RULES),
      ruleSet: options.ruleSet,
      realNow,
      onReload: (reason) => note("rules_read", reason === null ? {} : { reason }),
    });
    undo.push(async () => rules.close());
    const journal = openRequestJournal(dir);
    undo.push(async () => journal.close());
    const faults = await openFaultOrders(dir, issuer, onProblem);
    undo.push(() => faults.save());
    const saving = setInterval(() => void saveClock().catch(() => undefined), CLOCK_SAVE_MS).unref();
    undo.push(async () => clearInterval(saving));
    const maintenance = createMaintenance({ stateDir: dir, swappable, clock, faults, onProblem });
    return {
      name,
      swappable,
      issuer,
      clock,
      rules,
      faults,
      journal,
      maintenance,
      magic,
      seeded: seed !== null,
      signatureCapacity: limits.replayCapacity,
      quota,
      note,
      close: () => undoAll(undo),
    };
  } catch (error) {
    await undoAll(undo).catch(() => undefined);
    throw error;
  }
}
