// Counts and decisions of one tenant on a server, for any number of workers.

import { hash } from "node:crypto";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { Explanation } from "#src/contract/wire/explanation.ts";
import type { DecisionBasis } from "#src/contract/wire/outcome.ts";
import type { Attempt, AttemptView } from "#src/rules/counters/attempt-view.ts";
import { counterKeys } from "#src/rules/counters/counter-keys.ts";
import {
  compactionOf,
  countsPacked,
  keysToPeek,
  packAttempt,
  peekPacked,
} from "#src/rules/counters/packed-keys.ts";
import { explainRecord } from "#src/rules/decision/decision-record.ts";
import { orderKey, type DecisionBody } from "#src/sandbox/state/decision-line.ts";
import { createRuleSetArchive, type RuleSetArchive } from "#src/sandbox/state/rule-set-archive.ts";
import type { Issuer } from "#src/sandbox/state/issuer.ts";
import type { ClockState } from "#src/sandbox/state/sandbox-clock.ts";
import {
  ClockMoved,
  type CheckAttempt,
  type ConsideredCheck,
  type CountMode,
  type Decided,
  type Look,
  type SandboxState,
  type SettledCheck,
} from "#src/sandbox/state/sandbox-state.ts";
import { QuotaReached } from "#src/sandbox/state/tenant-record.ts";
import type { Argument, Valkey } from "./connection.ts";
import { bytesOf, listOf, saidOf, textOf, wholeOf, wrongReply, type Reply } from "./replies.ts";
import { ANSWER, COMPACT, COUNT } from "./scripts.ts";
import { damaged, openValue, sealValue } from "./sealed-values.ts";
import type { Birth, KnownWorld } from "./world.ts";

/** What is counted and decided is kept for longer than any window, in real time, so that nothing piles up. */
const KEEP_S = 61 * 86_400;
const DAY_MS: Milliseconds = 86_400_000;
/** Decisions whose basis this worker can still tell. */
const BASES_KEPT = 10_000;
const REPEATED = "r".charCodeAt(0);
/** By which a script knows what is asked; `look` leaves no trace. */
const LETTERS = { count: "c", peek: "p", look: "l" } as const satisfies Record<CountMode | "look", string>;

export interface ValkeyDecisionsOptions {
  readonly valkey: Valkey;
  readonly known: Pick<KnownWorld, "prefix" | "epochPrefix" | "world" | "step">;
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
  readonly births: readonly Birth[];
  readonly attempt: CheckAttempt;
}

/** A decision as it is sealed: with the digest of the body that it answers. */
interface StoredBody extends DecisionBody {
  readonly digest: string;
}

/** The part of a state that counts and decides. */
export class ValkeyDecisions implements Pick<
  SandboxState,
  "keysOf" | "settle" | "look" | "decision" | "decisionCount"
> {
  readonly #options: ValkeyDecisionsOptions;
  readonly #sealingKey: Buffer;
  readonly #bases = new Map<string, DecisionBasis | null>();
  readonly #ruleSets: RuleSetArchive;

  constructor(options: ValkeyDecisionsOptions) {
    const { valkey, known, secret } = options;
    this.#options = options;
    this.#sealingKey = hash("sha256", `verdict decisions\0${secret}`, "buffer");
    const kept = new Set<string | undefined>();
    // A server that was away may have lost what it had.
    valkey.onAgain(() => kept.clear());
    const rulesKey = (digest: string): string => `${known.prefix}ruleset:${digest}`;
    this.#ruleSets = createRuleSetArchive({
      kept,
      read: async (digest) => {
        const text = await valkey.send(["GET", rulesKey(digest)]);
        return text === null ? null : textOf(text);
      },
      write: ({ hash: digest, text }) => valkey.send(["SET", rulesKey(digest), text, "NX"]),
      place: rulesKey,
    });
  }

  /** A field, because it is passed on as a function. */
  readonly keysOf: SandboxState["keysOf"] = (request, projectId, address) =>
    counterKeys(request, projectId, this.#options.secret, address);

  async settle(
    attempt: CheckAttempt,
    counted: Attempt,
    mode: CountMode,
    decide: (view: AttemptView) => Decided,
    most = Infinity,
  ): Promise<SettledCheck> {
    const found = await this.#count(attempt, counted, mode);
    return found.repeat ?? (await this.#answer(found.token, decide(found.view), most));
  }

  async look(attempt: CheckAttempt, counted: Attempt, work: Look): Promise<ConsideredCheck> {
    const keys = keysToPeek(counted);
    const asked = await this.#ask("look", attempt, keys);
    if (asked.repeat !== null) return { repeat: asked.repeat, draft: null };
    const values = byKey(keys, asked.values);
    const { keysOf } = this;
    return { repeat: null, draft: work({ keysOf, peek: (at, tried) => peekPacked(at, tried, values) }) };
  }

  async decision(id: string): Promise<Explanation | null> {
    const { valkey, known } = this.#options;
    const number = Number(/^dec-(\d{1,15})-[0-9a-f]{8}$/.exec(id)?.[1]);
    if (Number.isNaN(number)) return null;
    const { births } = known.world;
    const stored = await valkey.send(["GET", `${known.epochPrefix}d:${number}`]);
    if (stored === null) return null;
    const { orderId, record, repeat, ...body } = this.#readBody(stored, this.#placeOf(number, births));
    if (body.id !== id) return null;
    const draft = explainRecord(await this.#ruleSets.find(record.ruleSetHash), record, this.keysOf);
    return { ...draft, id, orderId, repeat };
  }

  async decisionCount(): Promise<number> {
    const { valkey, known } = this.#options;
    return wholeOf((await valkey.send(["GET", `${known.epochPrefix}count`])) ?? 0);
  }

  /** The key of an order, which can hold anything, also what is personal; none without one. */
  #orderKeys(epoch: string, { projectId, orderId }: CheckAttempt): string[] {
    if (orderId === null) return [];
    const name = hash("sha256", `${this.#options.secret}\0${orderKey(projectId, orderId)}`, "base64url");
    return [`${epoch}o:${name.slice(0, 22)}`];
  }

  /** What a decision is bound to: its tenant, its number, and the epoch in which it was made. */
  #placeOf(number: number, births: readonly Birth[]): string {
    const epoch = births.findLast(([from]) => from <= number)?.[1];
    return `${this.#options.known.prefix}${epoch}:d:${number}`;
  }

  /** @throws Fault `storage` where it is not the decision of this place */
  #readBody(stored: Reply | undefined, place: string): StoredBody & { readonly repeat: boolean } {
    const bytes = bytesOf(stored);
    const body = openValue(this.#sealingKey, bytes.toString("latin1", 1), place) as StoredBody;
    return { ...body, repeat: bytes[0] === REPEATED };
  }

  /** The stored answer to this very check. @throws Fault `storage` where it is that to another one, or to an earlier one */
  #answerTo(attempt: CheckAttempt, stored: Reply | undefined, place: string): SettledCheck {
    const body = this.#readBody(stored, place);
    const { project, at } = body.record;
    if (
      project.projectId !== attempt.projectId ||
      body.orderId !== attempt.orderId ||
      body.digest !== attempt.bodyDigest ||
      Math.abs(attempt.at - at) >= this.#options.repeatMs
    ) {
      throw damaged(place);
    }
    return this.#settled(body, true);
  }

  #settled({ id, record }: DecisionBody, repeat: boolean): SettledCheck {
    const { recommendation, message } = record;
    return { decisionId: id, recommendation, message, repeat, basis: this.#bases.get(id) ?? null };
  }

  #compact(key: string, value: Buffer | null): void {
    const shorter = value === null ? null : compactionOf(value);
    if (shorter === null) return;
    const { head, length, image } = shorter;
    // One that fails leaves the value as it is, and the next check that meets it tries again.
    this.#options.valkey.run(COMPACT, [key], [head, String(length), image]).catch(() => undefined);
  }

  /**
   * Asks for a repeat, and else for a number and the values of keys; see COUNT.
   * @param records of the attempt; none to count nothing
   */
  async #ask(
    mode: keyof typeof LETTERS,
    attempt: CheckAttempt,
    keys: readonly string[],
    records: Argument = "",
    beforeEach: () => void = () => undefined,
  ) {
    const { known, repeatMs, realNow } = this.#options;
    let epoch = "";
    let births: readonly Birth[] = [];
    const [said, ...rest] = await known.step(COUNT, (own) => {
      beforeEach();
      epoch = own;
      ({ births } = known.world);
      return [
        [`${own}number`, ...this.#orderKeys(own, attempt)],
        [
          `${own}d:`,
          `${own}k:`,
          LETTERS[mode] + attempt.bodyDigest,
          String(attempt.at),
          String(repeatMs),
          String(KEEP_S),
          dayOf(realNow()),
          keys.join(""),
          records,
        ],
      ];
    });
    if (saidOf(said, ["repeat", "counted"]) === "counted") {
      if (rest.length !== keys.length + 2) throw wrongReply();
      const number = wholeOf(rest[0]);
      const first = rest[1] === null ? null : bytesOf(rest[1]);
      const values = rest.slice(2).map((value) => (value === null ? null : bytesOf(value)));
      return { repeat: null, epoch, births, number, first, values };
    }
    const number = wholeOf(rest[0]);
    return { repeat: this.#answerTo(attempt, rest[1], this.#placeOf(number, births)) };
  }

  /** First half of a decision: a repeat, or what the check is counted with. */
  async #count(
    attempt: CheckAttempt,
    counted: Attempt,
    mode: CountMode,
  ): Promise<
    | { readonly repeat: SettledCheck }
    | { readonly repeat: null; readonly token: Token; readonly view: AttemptView }
  > {
    const { at } = attempt;
    const own = mode === "count" ? packAttempt(at, counted) : null;
    const keys = own?.keys ?? keysToPeek(counted);
    const { known } = this.#options;
    const { clock } = known.world;
    const asked = await this.#ask(mode, attempt, keys, own?.records, () => {
      if (!isSameTime(clock, known.world.clock)) throw new ClockMoved();
    });
    if (asked.repeat !== null) return asked;
    const { number, epoch, births, first, values } = asked;
    const token: Token = { number, epoch, births, attempt };
    if (own === null) return { repeat: null, token, view: peekPacked(at, counted, byKey(keys, values)) };
    // Counted before, by whoever did not answer: its numbers are those of then.
    const [then, upTo] = first === null ? [at, null] : [first.readDoubleLE(), number];
    if (first === null) {
      for (const [i, value] of values.entries()) this.#compact(`${epoch}k:${keys[i]}`, value);
    }
    return { repeat: null, token, view: countsPacked(then, counted, own, values, upTo) };
  }

  /** Second half: stores the decision, unless another worker has decided the same check meanwhile. */
  async #answer(token: Token, decided: Decided, most: number): Promise<SettledCheck> {
    const { valkey, issuer } = this.#options;
    const { record, basis, ruleSet } = decided;
    const { number, epoch, births, attempt } = token;
    const id = `dec-${number}-${issuer.hex(`decision ${number}`, 8)}`;
    const { orderId, bodyDigest: digest } = attempt;
    const body: StoredBody = { id, orderId, digest, record };
    const place = this.#placeOf(number, births);
    const keeping = this.#ruleSets.keep(ruleSet);
    const answering = valkey.run(
      ANSWER,
      [`${epoch}d:${number}`, `${epoch}count`],
      [
        `-${sealValue(this.#sealingKey, body, place)}`,
        String(KEEP_S),
        String(Math.min(most, Number.MAX_SAFE_INTEGER)),
      ],
    );
    const [reply] = await Promise.all([answering, keeping]);
    const [said, other] = listOf(reply);
    const is = saidOf(said, ["stored", "full", "other"]);
    if (is === "full") throw new QuotaReached();
    if (is === "other") return this.#answerTo(attempt, other, place);
    this.#bases.set(id, basis);
    if (this.#bases.size > BASES_KEPT) this.#bases.delete(this.#bases.keys().next().value!);
    return this.#settled(body, false);
  }
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

function byKey(keys: readonly string[], values: readonly (Buffer | null)[]): Map<string, Buffer | null> {
  return new Map(keys.map((key, i) => [key, values[i] ?? null]));
}
