// Snapshot, restore and reset of a running sandbox. Requests wait only while a snapshot is captured or the state is swapped.

import { dirname, isAbsolute } from "node:path";
import { usage, whole } from "#src/contract/fault.ts";
import { SNAPSHOT_NAME, type SnapshotFacts, type SnapshotOrder } from "#src/contract/wire/sandbox-wire.ts";
import type { SwappableState } from "#src/sandbox/state/swappable-state.ts";
import { resetFileState } from "#src/sandbox/state/file-state.ts";
import type { ClockState, SandboxClock } from "#src/sandbox/state/sandbox-clock.ts";
import {
  listSnapshots,
  namedSnapshot,
  readSnapshot,
  removeOldDecisions,
} from "#src/sandbox/state/snapshot-file.ts";
import { holdState, requireNewFile, writeSnapshot } from "#src/sandbox/state/snapshot-writer.ts";
import { createTurns } from "#src/sandbox/state/turns.ts";
import { withStorageFaults } from "#src/storage/write-fault.ts";
import type { FaultOrders } from "./fault-orders.ts";

/** Snapshots of a tenant that have names, each with a copy of its decisions. */
const MOST_SNAPSHOTS = 100;

export interface Maintenance {
  /** Newest first; those that have names. */
  list(): Promise<SnapshotFacts[]>;
  /** @throws Fault `usage` when there is one already, or too many are, `storage` when it cannot be written */
  snapshot(order: SnapshotOrder): Promise<SnapshotFacts>;
  /**
   * Restores projects, counts, decisions and virtual time. Used signatures stay used, because real time does not go back.
   * @throws Fault `usage`, `bad_input` or `corrupt`; then everything is as it was
   */
  restore(order: SnapshotOrder): Promise<SnapshotFacts>;
  /** Forgets projects, or only what was counted and decided; ends faults; the clock shows real time again. */
  reset(keepProjects: boolean): Promise<void>;
}

export function createMaintenance(options: {
  readonly stateDir: string;
  readonly swappable: SwappableState;
  readonly clock: SandboxClock;
  readonly faults: FaultOrders;
  /** Receives one sentence about damage that was found. */
  readonly onProblem: (sentence: string) => void;
}): Maintenance {
  const { stateDir, clock, faults, onProblem } = options;
  const { state, shared, exclusive, swap } = options.swappable;
  /** Serialised: they share a staging folder, and each needs the state that the previous one left. */
  const { inTurn } = createTurns();

  return {
    list: () => listSnapshots(stateDir),

    snapshot: (order) =>
      inTurn(async () => {
        const path = pathOf(stateDir, order);
        await requireNewFile(path);
        if ("name" in order && (await listSnapshots(stateDir)).length >= MOST_SNAPSHOTS) {
          const advice = `remove some of ${dirname(path)}, or name a file outside of it`;
          throw usage`There are ${MOST_SNAPSHOTS} snapshots already; ${whole(advice)}.`;
        }
        // Before the exclusive part, as this waits for the disk; the snapshot has its own virtual time.
        await shared(() => state.saveClock(clock.state()));
        const { moment, held } = await exclusive(async () => {
          const projects = (await state.projects()).length;
          const decisions = await state.decisionCount();
          const counters = state.moment();
          return {
            moment: { at: clock.realNow(), virtualTime: clock.now(), projects, decisions },
            held: await withStorageFaults(stateDir, () => holdState(stateDir, counters)),
          };
        });
        return await withStorageFaults(path, () => writeSnapshot(stateDir, path, moment, held));
      }),

    restore: (order) =>
      inTurn(async () => {
        const path = pathOf(stateDir, order);
        const { facts, decisions, putInPlace } = await withStorageFaults(path, () =>
          readSnapshot(stateDir, path),
        );
        const ready = await state.prepare(decisions);
        const { virtualTime } = facts;
        await swap({
          ready,
          work: () => withStorageFaults(stateDir, putInPlace),
          async after() {
            const saved = await state.savedClock();
            await changeClock({
              offsetMs: virtualTime - clock.realNow(),
              frozenAt: saved?.frozenAt == null ? null : virtualTime,
              highWater: virtualTime,
            });
          },
        });
        await removeOldDecisions(stateDir);
        return facts;
      }),

    reset: (keepProjects) =>
      inTurn(async () => {
        await swap({
          work: () => withStorageFaults(stateDir, () => resetFileState(stateDir, keepProjects, onProblem)),
          async after() {
            await faults.change((orders) => orders.reset());
            await changeClock(clock.plan({ do: "reset" }));
          },
        });
        await removeOldDecisions(stateDir);
      }),
  };

  async function changeClock(next: ClockState): Promise<void> {
    await state.saveClock(next);
    clock.apply(next);
  }
}

function pathOf(stateDir: string, order: SnapshotOrder): string {
  if ("name" in order && SNAPSHOT_NAME.test(order.name)) return namedSnapshot(stateDir, order.name);
  if ("path" in order && isAbsolute(order.path)) return order.path;
  throw usage`A snapshot has a name of letters, digits, dots, dashes and underscores, or the absolute path of a file.`;
}
