// What all workers of a tenant must agree on, as one string in the server. Every script that decides, registers or remembers
// compares it with what its worker knows, so that no worker acts on what was true before.

import { setTimeout as wait } from "node:timers/promises";
import { storage } from "#src/contract/fault.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { ClockState } from "#src/sandbox/state/sandbox-clock.ts";
import type { Changes } from "./changes.ts";
import type { Argument, Valkey } from "./connection.ts";
import { listOf, saidOf, textOf, wholeOf, type Reply } from "./replies.ts";
import { script, type Script } from "./scripts.ts";
import { openValue, sealValue } from "./sealed-values.ts";

export type Birth = readonly [number: number, epoch: number];

export interface World {
  /** Raised at each change; a tenant that is made anew begins above the one before. */
  readonly version: number;
  /** Raised by reset and restore; what was counted and decided before is no more. */
  readonly epoch: number;
  /** From which decision on they are of which epoch, in order: a restore goes on from the numbers of the snapshot. */
  readonly births: readonly Birth[];
  /** Null before the first save: then it is real time. */
  readonly clock: ClockState | null;
  /** SHA-256 of the rule file that all workers use; null for that of each. */
  readonly rules: string | null;
  /** Raised at each change of the faults; 0 while there are none. */
  readonly faults: number;
  /** A snapshot or a restore is copying: nothing may change. */
  readonly held: boolean;
}

/** Keys and arguments of a script, after those that it has of the world. */
export type Rest = readonly [keys: readonly string[], args: readonly Argument[]];

/** What is one step with a change of the world. */
export interface Along {
  /** Made by `changeScript`; nothing more than the change when absent. */
  readonly script?: Script;
  /** From KEYS[2] and ARGV[5] on. */
  readonly rest?: (next: World) => Rest;
  /** The caller holds the world, or finds out whether it is held. */
  readonly evenHeld?: boolean;
}

/** A tenant on a server, as its parts need it. */
export interface OnServer {
  readonly valkey: Valkey;
  readonly known: KnownWorld;
  readonly name: string;
  /** The same for all workers. */
  readonly sealingKey: Buffer;
}

/** Lua at the beginning of a script of `step`. */
export const IN_WORLD = `
local call = redis.call
local world = call('GET', KEYS[1])
if world ~= ARGV[1] then return {'world', world} end
`;

/** @param along Lua that is part of the change; it may return something else, and then nothing may be changed yet */
export function changeScript(along = ""): Script {
  return script(`${IN_WORLD}${along}
call('SET', KEYS[1], ARGV[2])
return {'changed', call('PUBLISH', ARGV[3], ARGV[4])}
`);
}

const ALONE = changeScript();

/** Unless its holder lives. */
const LET_GO = changeScript("if call('EXISTS', KEYS[2]) == 1 then return {'held'} end");

const READ = script(`${IN_WORLD}
local answers, at = {}, 2
while at <= #ARGV do
  local size = tonumber(ARGV[at])
  answers[#answers + 1] = call(unpack(ARGV, at + 1, at + size))
  at = at + size + 1
end
return {'read', unpack(answers)}
`);

const FIRST = { epoch: 1, births: [[1, 1]], clock: null, rules: null, faults: 0, held: false } as const;

/** Worlds that are met one after another in one step. More are no accident. */
const MOST_TRIES = 100;
/** A snapshot holds the others up no longer; they are refused then. */
const HELD_MS: Milliseconds = 2_000;
const HELD_LOOK_MS: Milliseconds = 20;

/** Names of a tenant's keys begin with it; the braces keep them together in a cluster. */
export function tenantPrefix(tenant: string): string {
  return `v:{${tenant}}:`;
}

/** Present while somebody copies. */
export function holderKey(prefix: string): string {
  return `${prefix}holder`;
}

export interface WorldOptions {
  readonly valkey: Valkey;
  readonly changes: Changes;
  readonly tenant: string;
  readonly sealingKey: Buffer;
  /** Of one that is made. */
  readonly clock: ClockState | null;
  /** Called when not all workers have taken a change within a second. */
  readonly onSlow: () => void;
}

export class KnownWorld {
  /** Names of the tenant's keys begin with it. */
  readonly prefix: string;
  /** As the server has it. */
  text = "";
  world: World = { version: 0, ...FIRST };
  readonly #options: WorldOptions;
  readonly #key: string;
  readonly #listeners: ((now: World, before: World) => void | Promise<void>)[] = [];
  #unholding: Promise<void> | null = null;
  /** What the listeners are at. */
  #taking: Promise<unknown> = Promise.resolve();
  #end: () => void = () => undefined;

  private constructor(options: WorldOptions) {
    this.#options = options;
    this.prefix = tenantPrefix(options.tenant);
    this.#key = `${this.prefix}world`;
  }

  /**
   * Opens the tenant's world; creates it where there is none.
   * @throws Fault `storage` or `corrupt`
   */
  static async open(options: WorldOptions): Promise<KnownWorld> {
    const { valkey, changes, tenant, sealingKey, clock } = options;
    const opened = new KnownWorld(options);
    const first = sealValue(sealingKey, { ...opened.world, clock, version: Date.now() }, opened.#key);
    opened.#take((await valkey.send(["SET", opened.#key, first, "NX", "GET"])) ?? Buffer.from(first));
    opened.#end = changes.listen(tenant, () => opened.reload());
    return opened;
  }

  /** Names of the keys that a reset ends. */
  get epochPrefix(): string {
    return `${this.prefix}${this.world.epoch}:`;
  }

  /** @throws Fault `storage` where there is none: the tenant was removed, or the server has lost it */
  async reload(): Promise<void> {
    this.#take(await this.#options.valkey.send(["GET", this.#key]));
    await this.#taking;
  }

  /**
   * Runs a script whose first key is the world and whose first argument is what is known of it; once more after each answer
   * `world`, when this worker has taken that over. Waits while the world is held.
   * @param rest from KEYS[2] and ARGV[2] on, made anew for each try
   */
  step(stepping: Script, rest: (epochPrefix: string) => Rest): Promise<readonly Reply[]> {
    return this.#inWorld(async () => {
      await this.#unheld();
      const [keys, args] = rest(this.epochPrefix);
      return await this.#options.valkey.run(stepping, [this.#key, ...keys], [this.text, ...args]);
    });
  }

  /** The answers of commands that change nothing, of one moment of this world. */
  async read(commands: (epochPrefix: string) => readonly (readonly Argument[])[]): Promise<readonly Reply[]> {
    const [said, ...answers] = await this.#inWorld(() => {
      const args = commands(this.epochPrefix).flatMap((command) => [String(command.length), ...command]);
      return this.#options.valkey.run(READ, [this.#key], [this.text, ...args]);
    });
    saidOf(said, ["read"]);
    return answers;
  }

  /**
   * Changes it by compare-and-set, again when another worker was first; `next` may give the same world for no change.
   * Resolves when all workers have taken it, or after a second.
   * @returns what `along` answered instead of changing anything; null when it was changed
   */
  async change(next: (world: World) => World, along: Along = {}): Promise<string | null> {
    const { valkey, changes, tenant, sealingKey, onSlow } = this.#options;
    const { script: changing = ALONE, rest, evenHeld = false } = along;
    let answer: string | null = null;
    const all = await changes.announce(tenant, async (channel, message) => {
      let made = "";
      const [said, receivers] = await this.#inWorld(async () => {
        if (!evenHeld) await this.#unheld();
        const { world, text } = this;
        const wanted = next(world);
        if (wanted === world) return [null];
        made = sealValue(sealingKey, { ...wanted, version: world.version + 1 }, this.#key);
        const [keys, args] = rest?.(wanted) ?? [[], []];
        return await valkey.run(changing, [this.#key, ...keys], [text, made, channel, message, ...args]);
      });
      if (said === null) return 0;
      if (String(said) !== "changed") {
        answer = textOf(said);
        return 0;
      }
      this.#take(Buffer.from(made));
      return wholeOf(receivers);
    });
    await this.#taking;
    if (!all) onSlow();
    return answer;
  }

  /** The listener may take its time, but make no step: a change is taken when all listeners have, and steps wait for that. */
  onChange(listener: (now: World, before: World) => void | Promise<void>): void {
    this.#listeners.push(listener);
  }

  close(): void {
    this.#end();
  }

  #take(reply: Reply | undefined): void {
    const { tenant, sealingKey } = this.#options;
    if (reply == null || reply === "") {
      throw storage`The server has nothing of tenant ${tenant}: it was removed, or the server lost it; see its log.`;
    }
    const next = textOf(reply);
    if (next === this.text) return;
    const before = this.world;
    const now = openValue(sealingKey, next, this.#key) as World;
    // Answers of one connection come in order, and are not read in order.
    if (now.version < before.version) return;
    [this.world, this.text] = [now, next];
    const told = this.#listeners.map(async (listener) => listener(now, before));
    this.#taking = Promise.allSettled([this.#taking, ...told]);
  }

  /** Resolves when it is held no more, also where its holder died. */
  async #letGo(): Promise<void> {
    for (let waited = 0; this.world.held; waited += HELD_LOOK_MS) {
      if (waited >= HELD_MS) {
        throw storage`A snapshot is being taken or restored; send the call again.`;
      }
      const left = { script: LET_GO, rest: (): Rest => [[holderKey(this.prefix)], []], evenHeld: true };
      if ((await this.change((now) => (now.held ? { ...now, held: false } : now), left)) !== null) {
        await wait(HELD_LOOK_MS);
      }
    }
  }

  /** All that wait for a snapshot or a restore wait together. */
  async #unheld(): Promise<void> {
    if (this.world.held) await (this.#unholding ??= this.#letGo().finally(() => (this.#unholding = null)));
  }

  /** Runs it until it is run in the present world. */
  async #inWorld(run: () => Promise<Reply>): Promise<readonly Reply[]> {
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const reply = listOf(await run());
      if (String(reply[0]) !== "world") return reply;
      this.#take(reply[1]);
      await this.#taking;
    }
    throw storage`The sandbox is being changed all the time; send the call again.`;
  }
}
