// Counts and decisions of one tenant on a server, for any number of workers.

import { hash } from "node:crypto";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { DecisionBasis } from "#src/contract/wire/outcome.ts";
import { counterKeys } from "#src/rules/counters/counter-keys.ts";
import {
  compactionOf,
  countsPacked,
  keysToPeek,
  packAttempt,
  peekPacked,
} from "#src/rules/counters/packed-keys.ts";
import { explainRecord } from "#src/rules/decision/decision-record.ts";
import { orderKey, type DecisionBody } from "#src/sandbox/decisions/decision-line.ts";
import { createLogSeal } from "#src/sandbox/decisions/log-seal.ts";
import { createRuleSetArchive } from "#src/sandbox/decisions/rule-set-archive.ts";
import type { Issuer } from "#src/sandbox/state/issuer.ts";
import type { ClockState } from "#src/sandbox/state/sandbox-clock.ts";
import {
  ClockMoved,
  type CheckAttempt,
  type CountMode,
  type SandboxState,
  type SettledCheck,
} from "#src/sandbox/state/sandbox-state.ts";
import type { Argument, Reply, Valkey } from "./connection.ts";
import { ANSWER, COMPACT, COUNT, type Script } from "./scripts.ts";

/** What is counted and decided is kept for longer than any window, in real time, so that nothing piles up. */
const KEEP_S = 61 * 86_400;
const DAY_MS: Milliseconds = 86_400_000;
/** Decisions whose basis this worker can still tell. */
const BASES_KEPT = 10_000;
const REPEATED = "r".charCodeAt(0);
const NUMBER_BYTES = 6;
const LETTERS = { count: "c", peek: "p" } as const satisfies Record<CountMode, string>;

/** What a worker knows of the tenant's world; see world.ts. */
interface World {
  /** Of all keys of the tenant. */
  readonly prefix: string;
  /** Of those that a reset ends. */
  readonly epochPrefix: string;
  readonly world: { readonly clock: ClockState | null };
  step(
    script: Script,
    keys: (epochPrefix: string) => readonly string[],
    args: (epochPrefix: string) => readonly Argument[],
  ): Promise<readonly Reply[]>;
  read(commands: (epochPrefix: string) => readonly (readonly Argument[])[]): Promise<readonly Reply[]>;
}

export interface ValkeyDecisionsOptions {
  readonly valkey: Valkey;
  readonly world: World;
  /** Hashes counter keys and seals decisions; the same for all workers, and never on the server. */
  readonly secret: string;
  readonly issuer: Issuer;
  /** How long an identical repeat gets the stored answer, in virtual time. */
  readonly repeatMs: Milliseconds;
  readonly realNow: () => Milliseconds;
}

interface Token {
  readonly number: number;
  readonly epoch: string;
  readonly orderId: string | null;
}

/** The part of a state that counts and decides. */
export type ValkeyDecisions = Pick<
  SandboxState,
  "keysOf" | "count" | "answer" | "look" | "decision" | "decisionCount"
>;

export function openValkeyDecisions(options: ValkeyDecisionsOptions): ValkeyDecisions {
  const { valkey, world, secret, issuer, repeatMs, realNow } = options;
  const seal = createLogSeal(secret);
  const bases = new Map<string, DecisionBasis | null>();
  const kept = new Set<string | undefined>();
  // A server that was away may have lost what it had.
  valkey.onAgain(() => kept.clear());
  const rulesKey = (digest: string): string => `${world.prefix}ruleset:${digest}`;
  const ruleSets = createRuleSetArchive({
    kept,
    read: async (digest) => textOf(await valkey.send(["GET", rulesKey(digest)])),
    write: ({ hash: digest, text }) => valkey.send(["SET", rulesKey(digest), text, "NX"]),
    place: rulesKey,
  });

  /** The key of an order, which can hold anything, also what is personal; none without one. */
  function orderKeys(epoch: string, { projectId, orderId }: CheckAttempt): string[] {
    if (orderId === null) return [];
    const name = hash("sha256", `${secret}\0${orderKey(projectId, orderId)}`, "base64url");
    return [`${epoch}o:${name.slice(0, 22)}`];
  }

  function readBody(stored: Buffer): DecisionBody & { readonly repeat: boolean } {
    const body = JSON.parse(seal.open(stored.toString("latin1", 1))) as DecisionBody;
    return { ...body, repeat: stored[0] === REPEATED };
  }

  function settled({ id, record }: DecisionBody, repeat: boolean): SettledCheck {
    const { recommendation, message } = record;
    return { decisionId: id, recommendation, message, repeat, basis: bases.get(id) ?? null };
  }

  function compact(key: string, value: Buffer | null): void {
    const shorter = value === null ? null : compactionOf(value);
    if (shorter === null) return;
    const { head, length, image } = shorter;
    // One that fails leaves the value as it is, and the next check that meets it tries again.
    valkey.run(COMPACT, [key], [head, String(length), image]).catch(() => undefined);
  }

  const keysOf: SandboxState["keysOf"] = (request, projectId, address) =>
    counterKeys(request, projectId, secret, address);

  return {
    keysOf,

    async count(attempt, counted, mode) {
      const { orderId, bodyDigest, at } = attempt;
      const own = mode === "count" ? packAttempt(at, counted) : null;
      const keys = own?.keys ?? keysToPeek(counted);
      const { clock } = world.world;
      let epoch = "";
      const [said, ...found] = await world.step(
        COUNT,
        (present) => {
          epoch = present;
          return [`${epoch}number`, ...orderKeys(epoch, attempt)];
        },
        () => {
          if (!isSameTime(clock, world.world.clock)) throw new ClockMoved();
          return [
            `${epoch}d:`,
            `${epoch}k:`,
            LETTERS[mode] + bodyDigest,
            String(at),
            String(repeatMs),
            String(KEEP_S),
            dayOf(realNow()),
            keys.join(""),
            own?.records ?? "",
          ];
        },
      );
      const kind = String(said);
      if (kind === "repeat") return { repeat: settled(readBody(found[0] as Buffer), true) };
      const [number, first, ...values] = found as [number, Buffer, ...(Buffer | null)[]];
      const token: Token = { number, epoch, orderId };
      if (own === null) {
        const byKey = new Map(keys.map((key, i) => [key, values[i] ?? null]));
        return { repeat: null, token, view: peekPacked(at, counted, byKey) };
      }
      if (kind === "again") {
        return {
          repeat: null,
          token,
          view: countsPacked(first.readDoubleLE(), counted, own, values, number),
        };
      }
      for (const [i, value] of values.entries()) compact(`${epoch}k:${keys[i]}`, value);
      return { repeat: null, token, view: countsPacked(at, counted, own, values, null) };
    },

    async answer(token, { record, basis, ruleSet }) {
      const { number, epoch, orderId } = token as Token;
      const id = `dec-${number}-${issuer.hex(`decision ${number}`, 8)}`;
      const body: DecisionBody = { id, orderId, record };
      const keeping = ruleSets.keep(ruleSet);
      const answering = valkey.run(
        ANSWER,
        [`${epoch}d:${number}`, `${epoch}count`],
        [`-${seal.seal(JSON.stringify(body))}`, String(KEEP_S)],
      );
      const [stored] = await Promise.all([answering, keeping]);
      // Another worker has decided the same check meanwhile.
      if (stored !== null) return settled(readBody(stored as Buffer), true);
      bases.set(id, basis);
      if (bases.size > BASES_KEPT) bases.delete(bases.keys().next().value!);
      return settled(body, false);
    },

    async look(attempt, counted, work) {
      const keys = keysToPeek(counted);
      let epoch = "";
      const [values, order] = await world.read((present) => {
        epoch = present;
        const orders = orderKeys(epoch, attempt);
        // The number is a key that is always there to be asked for.
        const names = [`${epoch}number`, ...keys.map((key) => `${epoch}k:${key}`)];
        return [["MGET", ...names], ...orders.map((name) => ["GET", name])];
      });
      if (Buffer.isBuffer(order) && isRepeatOf(order, attempt, repeatMs)) {
        const stored = await valkey.send(["GET", `${epoch}d:${order.readUIntLE(0, NUMBER_BYTES)}`]);
        if (stored !== null) return { repeat: settled(readBody(stored as Buffer), true), draft: null };
      }
      const [, ...packed] = values as (Buffer | null)[];
      const byKey = new Map(keys.map((key, i) => [key, packed[i] ?? null]));
      return { repeat: null, draft: work({ keysOf, peek: (at, tried) => peekPacked(at, tried, byKey) }) };
    },

    async decision(id) {
      const number = /^dec-(\d{1,15})-[0-9a-f]{8}$/.exec(id)?.[1];
      if (number === undefined) return null;
      const stored = (await valkey.send(["GET", `${world.epochPrefix}d:${Number(number)}`])) as Buffer | null;
      if (stored === null) return null;
      const { orderId, record, repeat, ...body } = readBody(stored);
      if (body.id !== id) return null;
      const draft = explainRecord(await ruleSets.find(record.ruleSetHash), record, keysOf);
      return { ...draft, id, orderId, repeat };
    },

    decisionCount: async () => Number(textOf(await valkey.send(["GET", `${world.epochPrefix}count`])) ?? 0),
  };
}

function textOf(reply: Reply): string | null {
  return reply === null ? null : (reply as Buffer).toString("utf8");
}

/** Three letters that tell one day from another. */
function dayOf(now: Milliseconds): string {
  return Math.floor(now / DAY_MS)
    .toString(36)
    .padStart(3, "0")
    .slice(-3);
}

function isSameTime(one: ClockState | null, other: ClockState | null): boolean {
  return one?.offsetMs === other?.offsetMs && one?.frozenAt === other?.frozenAt;
}

/** @param order as COUNT keeps it */
function isRepeatOf(order: Buffer, { bodyDigest, at }: CheckAttempt, repeatMs: Milliseconds): boolean {
  const away = Math.abs(at - order.readDoubleLE(NUMBER_BYTES));
  return away < repeatMs && order.toString("latin1", 15) === bodyDigest;
}
