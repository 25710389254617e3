// Snapshot, restore and reset of a tenant on a server. A reset begins another epoch; a snapshot is a copy of an epoch's keys.

import { randomUUID } from "node:crypto";
import { Fault, noSuch, storage, usage } from "#src/contract/fault.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { SNAPSHOT_NAME, type SnapshotFacts, type SnapshotOrder } from "#src/contract/wire/sandbox-wire.ts";
import type { Maintenance } from "#src/sandbox/state/maintenance.ts";
import { clockAt, type SandboxClock } from "#src/sandbox/state/sandbox-clock.ts";
import type { SandboxState } from "#src/sandbox/state/sandbox-state.ts";
import { scan } from "./connection.ts";
import { pairsOf, wholeOf } from "./replies.ts";
import { script, type Script } from "./scripts.ts";
import { openValue, sealValue } from "./sealed-values.ts";
import { ACCOUNTS, accountsRest, appendAccounts, OWNERS } from "./valkey-accounts.ts";
import { changeScript, holderKey, type Birth, type OnServer, type Rest, type World } from "./world.ts";

/** A worker that copies says so all the time; another may take over after that. */
const HOLD_MS: Milliseconds = 5_000;

/** Lua: the key ids of an epoch are this tenant's no more. */
const DISOWN = (owners: string, keys: string): string => `
for _, id in ipairs(call('SMEMBERS', ${keys})) do call('HDEL', ${owners}, id) end
`;

/** Keys: world, those of the accounts after it, accounts and key ids before, faults. Arguments: how many accounts there were, the accounts after. */
const RESET = changeScript(`
if call('LLEN', KEYS[5]) ~= tonumber(ARGV[5]) then return {'other'} end
${DISOWN("KEYS[4]", "KEYS[6]")}
${appendAccounts(6)}
call('DEL', KEYS[7])
`);

/** The world is let go by who holds it, and by nobody else. Keys: world, holder. Argument: whose it must be. */
const release = (along = ""): Script =>
  changeScript(`
if call('GET', KEYS[2]) ~= ARGV[5] then return {'lost'} end
${along}
call('DEL', KEYS[2])
`);
const RELEASE = release();

/** Further key: snapshots. Arguments: name, facts. */
const KEEP_SNAPSHOT = release("call('HSET', KEYS[3], ARGV[6], ARGV[7])");

/** Further keys: owners, key ids before and after. Argument: tenant. */
const RESTORE = release(`
${DISOWN("KEYS[3]", "KEYS[4]")}
for _, id in ipairs(call('SMEMBERS', KEYS[5])) do call('HSET', KEYS[3], id, ARGV[6]) end
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
  /** Of its last check. */
  readonly number: number;
  readonly births: readonly Birth[];
}

/** The step by which a copy is over. */
interface Ending {
  readonly facts: SnapshotFacts;
  readonly script: Script;
  readonly rest: Rest;
  readonly next?: (world: World) => World;
}

export interface ValkeyMaintenanceParts extends OnServer {
  readonly state: Pick<SandboxState, "accounts" | "decisionCount">;
  readonly clock: SandboxClock;
  /** Receives one sentence when old keys could not be deleted. */
  readonly onProblem: (sentence: string) => void;
}

/** Of a tenant whose workers share a server. */
export class ValkeyMaintenance implements Maintenance {
  readonly #parts: ValkeyMaintenanceParts;
  readonly #prefix: string;
  readonly #holder: string;
  readonly #snapshotsKey: string;
  #deleting: Promise<void> = Promise.resolve();

  constructor(parts: ValkeyMaintenanceParts) {
    this.#parts = parts;
    this.#prefix = parts.known.prefix;
    this.#holder = holderKey(this.#prefix);
    this.#snapshotsKey = `${this.#prefix}snapshots`;
  }

  async list(): Promise<SnapshotFacts[]> {
    const [all] = await this.#parts.known.read(() => [["HGETALL", this.#snapshotsKey]]);
    return [...pairsOf(all)]
      .map(([name, text]) =>
        this.#factsOf(name, openValue(this.#parts.sealingKey, text, this.#placeOf(name)) as StoredSnapshot),
      )
      .toSorted((a, b) => b.at - a.at);
  }

  async snapshot(order: SnapshotOrder): Promise<SnapshotFacts> {
    const name = nameOf(order);
    const { valkey, known, sealingKey, state, clock } = this.#parts;
    return await this.#holding(async (id) => {
      if ((await valkey.send(["HEXISTS", this.#snapshotsKey, name])) === 1) {
        throw usage`There is a snapshot ${name} already; choose another name.`;
      }
      await this.#deleteKeys(`${this.#snapshotPrefix(name)}*`);
      const snapshot: StoredSnapshot = {
        at: clock.realNow(),
        virtualTime: clock.now(),
        projects: (await state.accounts.projects()).length,
        decisions: await state.decisionCount(),
        frozen: clock.reading().frozen,
        number: wholeOf((await valkey.send(["GET", `${known.epochPrefix}number`])) ?? 0),
        births: known.world.births,
        bytes: await this.#copy(id, known.epochPrefix, this.#snapshotPrefix(name)),
      };
      const rest: Rest = [[this.#snapshotsKey], [name, sealValue(sealingKey, snapshot, this.#placeOf(name))]];
      return { facts: this.#factsOf(name, snapshot), script: KEEP_SNAPSHOT, rest };
    });
  }

  async restore(order: SnapshotOrder): Promise<SnapshotFacts> {
    const name = nameOf(order);
    const facts = await this.#holding(async (id) => {
      const found = await this.#parts.valkey.send(["HGET", this.#snapshotsKey, name]);
      if (found === null) {
        throw noSuch("snapshot", name, "verdict sandbox snapshot");
      }
      const snapshot = openValue(this.#parts.sealingKey, found, this.#placeOf(name)) as StoredSnapshot;
      const { virtualTime, frozen, number, births } = snapshot;
      const epoch = await this.#nextEpoch();
      const [before, after] = [this.#parts.known.epochPrefix, this.#epochPrefix(epoch)];
      await this.#copy(id, this.#snapshotPrefix(name), after);
      const keys = [OWNERS, before + ACCOUNTS.keys, after + ACCOUNTS.keys];
      return {
        facts: this.#factsOf(name, snapshot),
        script: RESTORE,
        rest: [keys, [this.#parts.name]],
        next: (world) => ({
          ...world,
          epoch,
          births: [...births.filter(([from]) => from <= number), [number + 1, epoch]],
          clock: clockAt(virtualTime, this.#parts.clock.realNow(), frozen),
        }),
      };
    });
    this.#deleteOldEpochs();
    return facts;
  }

  async reset(keepProjects: boolean): Promise<void> {
    const epoch = await this.#nextEpoch();
    const reset = (world: World): World => ({
      ...world,
      epoch,
      births: [[1, epoch]],
      clock: this.#parts.clock.plan({ do: "reset" }),
      faults: 0,
    });
    await this.#parts.state.accounts.reset(keepProjects, async ({ epoch: before, count }, accounts) => {
      const [keys, args] = accountsRest(this.#parts, this.#epochPrefix(epoch), 0, accounts);
      const old = [before + ACCOUNTS.changes, before + ACCOUNTS.keys, `${this.#prefix}faults`];
      const rest = (): Rest => [
        [...keys, ...old],
        [this.#parts.known.epochPrefix === before ? String(count) : "-1", ...args],
      ];
      return (await this.#parts.known.change(reset, { script: RESET, rest })) === null;
    });
    this.#deleteOldEpochs();
  }

  /** Resolves when it deletes nothing any more. */
  close(): Promise<void> {
    return this.#deleting;
  }

  #placeOf(name: string): string {
    return `${this.#snapshotsKey} ${name}`;
  }

  #snapshotPrefix(name: string): string {
    return `${this.#prefix}snap:${name}:`;
  }

  #epochPrefix(epoch: number): string {
    return `${this.#prefix}${epoch}:`;
  }

  async #deleteKeys(pattern: string, isOld: (key: string) => boolean = () => true): Promise<void> {
    await scan(this.#parts.valkey, ["SCAN"], ["MATCH", pattern], async (found) => {
      const keys = found.filter(isOld);
      if (keys.length > 0) await this.#parts.valkey.send(["UNLINK", ...keys]);
    });
  }

  /** Deletes the epochs before this one, also those whose deletion was interrupted. */
  #deleteOldEpochs(): void {
    const { epoch } = this.#parts.known.world;
    const isOld = (key: string): boolean => Number(key.slice(this.#prefix.length).split(":")[0]) < epoch;
    this.#deleting = this.#deleting
      .then(() => this.#deleteKeys(`${this.#prefix}[0-9]*`, isOld))
      .catch((error: unknown) =>
        this.#parts.onProblem(
          `What was counted before the reset is deleted at the next: ${(error as Error).message}`,
        ),
      );
  }

  /** A number that no epoch had, also none that was given up. */
  async #nextEpoch(): Promise<number> {
    return 1 + wholeOf(await this.#parts.valkey.send(["INCR", `${this.#prefix}epochs`]));
  }

  /**
   * Work while nothing changes.
   * @throws Fault `usage` while another one is at work
   */
  async #holding(work: (id: string) => Promise<Ending>): Promise<SnapshotFacts> {
    const id = randomUUID();
    if ((await this.#parts.valkey.send(["SET", this.#holder, id, "NX", "PX", String(HOLD_MS)])) === null) {
      throw usage`Another snapshot is being taken or restored; try again when it is done.`;
    }
    const end = ({ script: ending, rest: [keys, args], next = (world) => world }: Omit<Ending, "facts">) =>
      this.#parts.known.change((world) => ({ ...next(world), held: false }), {
        script: ending,
        rest: () => [
          [this.#holder, ...keys],
          [id, ...args],
        ],
        evenHeld: true,
      });
    try {
      await this.#parts.known.change((world) => ({ ...world, held: true }), { evenHeld: true });
      const ending = await work(id);
      if ((await end(ending)) !== null) throw lost();
      return ending.facts;
    } catch (error) {
      await end({ script: RELEASE, rest: [[], []] }).catch(() => undefined);
      throw error;
    }
  }

  /** @returns bytes */
  async #copy(id: string, from: string, to: string): Promise<number> {
    let bytes = 0;
    await scan(this.#parts.valkey, ["SCAN"], ["MATCH", `${from}*`], async (keys) => {
      const args = [id, String(HOLD_MS), String(from.length), to];
      const copied = wholeOf(await this.#parts.valkey.run(COPY, [this.#holder, ...keys], args));
      if (copied < 0) throw lost();
      bytes += copied;
    });
    return bytes;
  }

  #factsOf(name: string, snapshot: StoredSnapshot): SnapshotFacts {
    const { at, virtualTime, projects, decisions, bytes } = snapshot;
    return { name, path: this.#snapshotPrefix(name), at, virtualTime, projects, decisions, bytes };
  }
}

function lost(): Fault {
  return storage`It took so long that another worker went on; nothing was changed, try again.`;
}

function nameOf(order: SnapshotOrder): string {
  if ("name" in order && SNAPSHOT_NAME.test(order.name)) return order.name;
  throw usage`The snapshots of this sandbox lie on its server, not in files; give a name of letters, digits, dots, dashes and underscores.`;
}
