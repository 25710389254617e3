// Snapshot, restore and reset of a tenant on a server. A reset begins another epoch; a snapshot is a copy of an epoch's keys.

import { randomUUID } from "node:crypto";
import { Fault } from "#src/contract/fault.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { SNAPSHOT_NAME, type SnapshotFacts, type SnapshotOrder } from "#src/contract/wire/sandbox-wire.ts";
import type { Maintenance } from "#src/sandbox/admin/maintenance.ts";
import type { ClockState, SandboxClock } from "#src/sandbox/state/sandbox-clock.ts";
import type { SandboxState } from "#src/sandbox/state/sandbox-state.ts";
import type { Valkey } from "./connection.ts";
import { script } from "./scripts.ts";
import { accountsKey, OWNERS, pairsOf, PROJECTS } from "./valkey-state.ts";
import { changeScript, holderKey, type KnownWorld } from "./world.ts";

/** A worker that copies says so all the time; another may take over after that. */
const HOLD_MS: Milliseconds = 5_000;
const SCANNED = "1000";

/** Lua: the keys of the projects of an epoch are this tenant's no more. */
const DISOWN = (owners: string, keys: string): string => `
for _, id in ipairs(call('HKEYS', ${keys})) do call('HDEL', ${owners}, id) end
`;

/** Keys: world, owners, keys of projects, faults, then pairs of a key and its copy. Argument: whether projects are kept. */
const RESET = changeScript(`
if ARGV[5] == 'keep' then
  for i = 5, #KEYS, 2 do call('COPY', KEYS[i], KEYS[i + 1], 'REPLACE') end
else
  ${DISOWN("KEYS[2]", "KEYS[3]")}
end
call('DEL', KEYS[4])
`);

/** Lua: only who holds the world goes on. */
const HOLDING = "if call('GET', KEYS[2]) ~= ARGV[5] then return {'lost'} end";

/** Keys: world, holder. Argument: whose it must be. */
const RELEASE = changeScript(`${HOLDING}
call('DEL', KEYS[2])
`);

/** Keys: world, holder, snapshots. Arguments: holder, name, facts. */
const KEEP_SNAPSHOT = changeScript(`${HOLDING}
call('HSET', KEYS[3], ARGV[6], ARGV[7])
call('DEL', KEYS[2])
`);

/** Keys: world, holder, owners, keys of projects before and after, accounts. Arguments: holder, tenant, accounts. */
const RESTORE = changeScript(`${HOLDING}
${DISOWN("KEYS[3]", "KEYS[4]")}
for _, id in ipairs(call('HKEYS', KEYS[5])) do call('HSET', KEYS[3], id, ARGV[6]) end
call('SET', KEYS[6], ARGV[7])
call('DEL', KEYS[2])
`);

/** Keys: holder, those to copy. Arguments: holder, ms to hold, how much of the names to leave out, what to put there. Answers bytes; -1 when it is not held. */
const COPY = script(`
local call, bytes = redis.call, 0
if call('GET', KEYS[1]) ~= ARGV[1] then return -1 end
call('PEXPIRE', KEYS[1], ARGV[2])
for i = 2, #KEYS do
  local copy = ARGV[4] .. string.sub(KEYS[i], ARGV[3] + 1)
  if call('COPY', KEYS[i], copy, 'REPLACE') == 1 then bytes = bytes + call('MEMORY', 'USAGE', copy) end
end
return bytes
`);

interface StoredSnapshot extends Omit<SnapshotFacts, "name" | "path"> {
  readonly frozen: boolean;
  /** Companies and their integration keys, sealed. */
  readonly accounts: string;
}

export interface ValkeyMaintenance extends Maintenance {
  /** As `reset`, with any clock. */
  startEpoch(keepProjects: boolean, clock: () => ClockState | null): Promise<void>;
  /** Resolves when it deletes nothing any more. */
  close(): Promise<void>;
}

export function createValkeyMaintenance(options: {
  readonly valkey: Valkey;
  readonly known: KnownWorld;
  readonly tenant: string;
  readonly state: Pick<SandboxState, "projects" | "decisionCount">;
  readonly clock: SandboxClock;
  /** Receives one sentence when old keys could not be deleted. */
  readonly onProblem: (sentence: string) => void;
}): ValkeyMaintenance {
  const { valkey, known, tenant, state, clock, onProblem } = options;
  const { prefix } = known;
  const holder = holderKey(prefix);
  const snapshotsKey = `${prefix}snapshots`;
  const snapshotPrefix = (name: string): string => `${prefix}snap:${name}:`;

  async function scan(pattern: string, onFound: (keys: readonly string[]) => Promise<void>): Promise<void> {
    let cursor = "0";
    do {
      const reply = await valkey.send(["SCAN", cursor, "MATCH", pattern, "COUNT", SCANNED]);
      const [next, found] = reply as [Buffer, readonly Buffer[]];
      cursor = String(next);
      if (found.length > 0) await onFound(found.map(String));
    } while (cursor !== "0");
  }

  async function unlink(keys: readonly string[]): Promise<void> {
    if (keys.length > 0) await valkey.send(["UNLINK", ...keys]);
  }

  let deleting: Promise<void> = Promise.resolve();

  /** Deletes the epochs before this one, also those whose deletion was interrupted. */
  function deleteOldEpochs(): void {
    const { epoch } = known.world;
    const isOld = (key: string): boolean => Number(key.slice(prefix.length).split(":")[0]) < epoch;
    deleting = deleting
      .then(() => scan(`${prefix}[0-9]*`, (keys) => unlink(keys.filter(isOld))))
      .catch((error: unknown) =>
        onProblem(`What was counted before the reset is deleted at the next: ${(error as Error).message}`),
      );
  }

  /** A number that no epoch had, also none that was given up. */
  async function nextEpoch(): Promise<number> {
    return 1 + ((await valkey.send(["INCR", `${prefix}epochs`])) as number);
  }

  /**
   * Work while nothing changes, which ends with a change that releases.
   * @throws Fault `usage` while another one is at work
   */
  async function holding<R>(work: (id: string) => Promise<R>): Promise<R> {
    const id = randomUUID();
    const isFree = await valkey.send(["SET", holder, id, "NX", "PX", String(HOLD_MS)]);
    if (isFree === null) {
      throw new Fault("usage", "Another snapshot is being taken or restored; try again when it is done.");
    }
    try {
      await known.change((world) => ({ ...world, held: true }), { script: changeScript(), evenHeld: true });
      return await work(id);
    } catch (error) {
      const release = { script: RELEASE, keys: () => [holder], args: () => [id], evenHeld: true };
      await known.change((world) => ({ ...world, held: false }), release).catch(() => undefined);
      throw error;
    }
  }

  const lost = (): Fault =>
    new Fault("storage", "It took so long that another worker went on; nothing was changed, try again.");

  /** @returns bytes */
  async function copy(id: string, from: string, to: string): Promise<number> {
    let bytes = 0;
    await scan(`${from}*`, async (keys) => {
      const args = [id, String(HOLD_MS), String(from.length), to];
      const copied = (await valkey.run(COPY, [holder, ...keys], args)) as number;
      if (copied < 0) throw lost();
      bytes += copied;
    });
    return bytes;
  }

  async function stored(name: string): Promise<StoredSnapshot | null> {
    const found = await valkey.send(["HGET", snapshotsKey, name]);
    return found === null ? null : (JSON.parse(String(found)) as StoredSnapshot);
  }

  function factsOf(name: string, snapshot: StoredSnapshot): SnapshotFacts {
    const { at, virtualTime, projects, decisions, bytes } = snapshot;
    return { name, path: snapshotPrefix(name), at, virtualTime, projects, decisions, bytes };
  }

  async function startEpoch(keepProjects: boolean, clockOf: () => ClockState | null): Promise<void> {
    const epoch = await nextEpoch();
    const { records, keys, merchants, times } = PROJECTS;
    await known.change((world) => ({ ...world, epoch, clock: clockOf(), faults: 0 }), {
      script: RESET,
      keys: () => [
        OWNERS,
        known.epochPrefix + keys,
        `${prefix}faults`,
        ...[records, keys, merchants, times].flatMap((name) => [
          known.epochPrefix + name,
          `${prefix}${epoch}:${name}`,
        ]),
      ],
      args: () => [keepProjects ? "keep" : "forget"],
    });
    deleteOldEpochs();
  }

  return {
    async list() {
      const [all] = await known.read(() => [["HGETALL", snapshotsKey]]);
      return [...pairsOf(all)]
        .map(([name, text]) => factsOf(name, JSON.parse(text) as StoredSnapshot))
        .toSorted((a, b) => b.at - a.at);
    },

    async snapshot(order) {
      const name = nameOf(order);
      return await holding(async (id) => {
        if ((await stored(name)) !== null) {
          throw new Fault("usage", `There is a snapshot ${name} already; choose another name.`);
        }
        await scan(`${snapshotPrefix(name)}*`, unlink);
        const snapshot: StoredSnapshot = {
          at: clock.realNow(),
          virtualTime: clock.now(),
          projects: (await state.projects()).length,
          decisions: await state.decisionCount(),
          frozen: clock.reading().frozen,
          accounts: String(await valkey.send(["GET", accountsKey(prefix)])),
          bytes: await copy(id, known.epochPrefix, snapshotPrefix(name)),
        };
        const said = await known.change((world) => ({ ...world, held: false }), {
          script: KEEP_SNAPSHOT,
          keys: () => [holder, snapshotsKey],
          args: () => [id, name, JSON.stringify(snapshot)],
          evenHeld: true,
        });
        if (said !== null) throw lost();
        return factsOf(name, snapshot);
      });
    },

    async restore(order) {
      const name = nameOf(order);
      return await holding(async (id) => {
        const snapshot = await stored(name);
        if (snapshot === null) {
          throw new Fault("usage", `There is no snapshot ${name}; "verdict sandbox snapshot" lists them.`);
        }
        const epoch = await nextEpoch();
        const own = `${prefix}${epoch}:`;
        await copy(id, snapshotPrefix(name), own);
        const { virtualTime, frozen } = snapshot;
        const restored = (): ClockState => ({
          offsetMs: virtualTime - clock.realNow(),
          frozenAt: frozen ? virtualTime : null,
          highWater: virtualTime,
        });
        const said = await known.change((world) => ({ ...world, epoch, clock: restored(), held: false }), {
          script: RESTORE,
          keys: () => [
            holder,
            OWNERS,
            known.epochPrefix + PROJECTS.keys,
            own + PROJECTS.keys,
            accountsKey(prefix),
          ],
          args: () => [id, tenant, snapshot.accounts],
          evenHeld: true,
        });
        if (said !== null) throw lost();
        deleteOldEpochs();
        return factsOf(name, snapshot);
      });
    },

    reset: (keepProjects) => startEpoch(keepProjects, () => clock.plan({ do: "reset" })),
    startEpoch,
    close: () => deleting,
  };
}

function nameOf(order: SnapshotOrder): string {
  if ("name" in order && SNAPSHOT_NAME.test(order.name)) return order.name;
  throw new Fault(
    "usage",
    "The snapshots of this sandbox lie on its server, not in files; give a name of letters, digits, dots, dashes and underscores.",
  );
}
