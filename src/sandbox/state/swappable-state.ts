// Hot swap of the sandbox's state: requests share the open state until it is closed, replaced on disk and opened again.

import { Fault } from "#src/contract/fault.ts";
import type { ReadyCounters } from "#src/sandbox/decisions/counters-file.ts";
import type { SandboxState } from "./sandbox-state.ts";
import { createSharedLock, type SharedLock } from "./shared-lock.ts";

export interface SwappableState extends SharedLock {
  /** Delegates to the state that is open now. */
  readonly state: SandboxState;
  /** Exclusive work with the state closed; it is opened again afterwards. One swap after another. */
  swap<R>(swap: Swap<R>): Promise<R>;
}

export interface Swap<R> {
  /** Counters of the state to be opened, read in advance so that it opens without delay. */
  readonly ready?: ReadyCounters;
  /** Runs while no state is open, so it may change the files. The state is opened again even if this fails. */
  readonly work: () => Promise<R>;
  /** Runs with the new state, if the work succeeded. */
  readonly after?: () => Promise<void>;
}

/** @param onLost called when the state could not be opened again; every use of it is refused from then on */
export async function openSwappable(
  open: (ready: ReadyCounters | null) => Promise<SandboxState>,
  onLost: (error: unknown) => void,
): Promise<SwappableState> {
  const lock = createSharedLock();
  let inner: SandboxState | null = await open(null);
  const current = (): SandboxState => {
    if (inner !== null) return inner;
    throw new Fault("storage", "The sandbox's state is not open; see its log, then start it again.");
  };

  const state: SandboxState = {
    key: (keyId) => current().key(keyId),
    project: (companyId, merchantId, riskLevel) => current().project(companyId, merchantId, riskLevel),
    projectById: (projectId) => current().projectById(projectId),
    companies: () => current().companies(),
    addKey: (companyId) => current().addKey(companyId),
    projects: () => current().projects(),
    register: (project) => current().register(project),
    savedClock: () => current().savedClock(),
    saveClock: (clock, ages) => current().saveClock(clock, ages),
    keepAge: (projectId, ageMs) => current().keepAge(projectId, ageMs),
    savedFaults: () => current().savedFaults(),
    saveFaults: (faults) => current().saveFaults(faults),
    signatureCount: () => current().signatureCount(),
    rememberSignature: (identity, signedAt, realNow) =>
      current().rememberSignature(identity, signedAt, realNow),
    settle: (attempt, decide) => current().settle(attempt, decide),
    consider: (attempt, decide) => current().consider(attempt, decide),
    decision: (id) => current().decision(id),
    decisionCount: () => current().decisionCount(),
    moment: () => current().moment(),
    prepare: (dir) => current().prepare(dir),
    isWritable: () => inner?.isWritable() ?? false,
    close: async () => {
      await lock.exclusive(async () => {
        await inner?.close();
        inner = null;
      });
    },
  };

  return {
    state,
    ...lock,
    swap: ({ ready = null, work, after }) =>
      lock.exclusive(async () => {
        const closing = current();
        inner = null;
        let result;
        let done = false;
        try {
          await closing.close(false);
          result = await work();
          done = true;
        } finally {
          try {
            inner = await open(done ? ready : null);
          } catch (error) {
            onLost(error);
          }
        }
        await after?.();
        return result;
      }),
  };
}
