// The state behind a door: everybody uses it side by side, until it is closed, exchanged on disk and opened anew.

import { Fault } from "#src/contract/fault.ts";
import { createGate } from "./gate.ts";
import type { SandboxState } from "./sandbox-state.ts";

export interface ExchangeableState {
  /** Always the state that is open now. */
  readonly state: SandboxState;
  /** Runs what must see one and the same state from beginning to end. */
  through<R>(work: () => Promise<R>): Promise<R>;
  /** Waits for everyone inside and lets nobody in until the exchange is over. One exchange after another. */
  exchange<R>(exchange: Exchange<R>): Promise<R>;
}

export interface Exchange<R> {
  /** With the old state, still open. */
  readonly before?: () => Promise<void>;
  /** While no state is open: its files may be changed. Whether or not this succeeds, the state is opened again. */
  readonly work: () => Promise<R>;
  /** With the new state, when the work has succeeded. */
  readonly after?: () => Promise<void>;
}

/** @param onLost called when it could not be opened again: then every use of it is refused */
export async function openExchangeable(
  open: () => Promise<SandboxState>,
  onLost: (error: unknown) => void,
): Promise<ExchangeableState> {
  const gate = createGate();
  let inner: SandboxState | null = await open();
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
    decision: (id) => current().decision(id),
    decisionCount: () => current().decisionCount(),
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
    exchange: ({ before, work, after }) =>
      gate.alone(async () => {
        const closing = current();
        await before?.();
        inner = null;
        let result;
        try {
          await closing.close();
          result = await work();
        } finally {
          try {
            inner = await open();
          } catch (error) {
            onLost(error);
          }
        }
        await after?.();
        return result;
      }),
  };
}
