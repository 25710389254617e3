// Snapshot, restore and reset of a running sandbox: between two requests the whole state is closed, exchanged and opened.

import { isAbsolute } from "node:path";
import { Fault } from "#src/contract/fault.ts";
import { SNAPSHOT_NAME, type SnapshotFacts, type SnapshotOrder } from "#src/contract/sandbox-wire.ts";
import { withStorageFaults } from "#src/storage/write-fault.ts";
import type { ExchangeableState } from "./exchangeable-state.ts";
import type { FaultOrders } from "./fault-orders.ts";
import { resetFileState } from "./file-state.ts";
import type { ClockState, SandboxClock } from "./sandbox-clock.ts";
import { listSnapshots, namedSnapshot, readSnapshot, writeSnapshot } from "./snapshot-file.ts";

export interface Maintenance {
  /** Newest first; those that have names. */
  list(): Promise<SnapshotFacts[]>;
  /** @throws Fault `usage` when there is one already, `storage` when it cannot be written */
  snapshot(order: SnapshotOrder): Promise<SnapshotFacts>;
  /**
   * Sets projects, counts, decisions and virtual time back. Used signatures stay used, because real time does not go back.
   * @throws Fault `usage`, `bad_input` or `corrupt`; then everything is as it was
   */
  restore(order: SnapshotOrder): Promise<SnapshotFacts>;
  /** Forgets projects, or only what was counted and decided; ends faults; the clock shows real time again. */
  reset(keepProjects: boolean): Promise<void>;
}

export function createMaintenance(options: {
  readonly stateDir: string;
  readonly exchangeable: ExchangeableState;
  readonly clock: SandboxClock;
  readonly faults: FaultOrders;
}): Maintenance {
  const { stateDir, clock, faults } = options;
  const { state, exchange } = options.exchangeable;

  return {
    list: () => listSnapshots(stateDir),

    async snapshot(order) {
      const path = pathOf(stateDir, order);
      const held = { projects: 0, decisions: 0 };
      return await exchange({
        async before() {
          await state.saveClock(clock.state());
          held.projects = (await state.projects()).length;
          held.decisions = await state.decisionCount();
        },
        work: () =>
          withStorageFaults(path, () =>
            writeSnapshot(stateDir, path, { at: clock.realNow(), virtualTime: clock.now(), ...held }),
          ),
      });
    },

    async restore(order) {
      const path = pathOf(stateDir, order);
      let virtualTime = 0;
      return await exchange({
        async work() {
          const { facts, putInPlace } = await withStorageFaults(path, () => readSnapshot(stateDir, path));
          await withStorageFaults(stateDir, putInPlace);
          ({ virtualTime } = facts);
          return facts;
        },
        async after() {
          const saved = await state.savedClock();
          await changeClock({
            offsetMs: virtualTime - clock.realNow(),
            frozenAt: saved?.frozenAt == null ? null : virtualTime,
            highWater: virtualTime,
          });
        },
      });
    },

    async reset(keepProjects) {
      await exchange({
        work: () => withStorageFaults(stateDir, () => resetFileState(stateDir, keepProjects)),
        async after() {
          faults.clear();
          await changeClock(clock.plan({ do: "reset" }));
        },
      });
    },
  };

  async function changeClock(next: ClockState): Promise<void> {
    await state.saveClock(next);
    clock.apply(next);
  }
}

function pathOf(stateDir: string, order: SnapshotOrder): string {
  if ("name" in order && SNAPSHOT_NAME.test(order.name)) return namedSnapshot(stateDir, order.name);
  if ("path" in order && isAbsolute(order.path)) return order.path;
  throw new Fault(
    "usage",
    "A snapshot has a name of letters, digits, dots, dashes and underscores, or the absolute path of a file.",
  );
}
