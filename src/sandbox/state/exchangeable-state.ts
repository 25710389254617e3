// The state behind a door: everybody uses it side by side, until it is closed, exchanged on disk and opened anew.

import { Fault } from "#src/contract/fault.ts";
import type { ReadyCounters } from "#src/sandbox/decisions/counters-file.ts";
import { createGate } from "./gate.ts";
import type { SandboxState } from "./sandbox-state.ts";

export interface ExchangeableState {
  /** Always the state that is open now. */
  readonly state: SandboxState;
  /** Runs what must see one and the same state from beginning to end. */
  through<R>(work: () => Promise<R>): Promise<R>;
  /** Waits for everyone inside and lets nobody in until the work is over. */
  alone<R>(work: () => Promise<R>): Promise<R>;
  /** The same, with the state closed, changed on disk and opened anew. One exchange after another. */
  exchange<R>(exchange: Exchange<R>): Promise<R>;
}

export interface Exchange<R> {
  /** Counters of what will be there after the work, read before: the state opens without delay. */
  readonly ready?: ReadyCounters;
  /** While no state is open: its files may be changed. Whether or not this succeeds, the state is opened again. */
  readonly work: () => Promise<R>;
  /** With the new state, when the work has succeeded. */
  readonly after?: () => Promise<void>;
}

/** @param onLost called when it could not be opened again: then every use of it is refused */
export async function openExchangeable(
  open: (ready: ReadyCounters | null) => Promise<SandboxState>,
  onLost: (error: unknown) => void,
): Promise<ExchangeableState> {
  const gate = createGate();
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
      await gate.alone(async () => {
        await inner?.close();
        inner = null;
      });
    },
  };

  return {
    state,
    through: (work) => gate.through(work),
    alone: (work) => gate.alone(work),
    exchange: ({ ready = null, work, after }) =>
      gate.alone(async () => {
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
