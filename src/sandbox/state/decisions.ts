// Settles checks over the counters of this process: repeat, count and decision are one turn of the event loop.

import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { Explanation } from "#src/contract/wire/explanation.ts";
import type { DecisionBasis } from "#src/contract/wire/outcome.ts";
import type { Attempt, AttemptView } from "#src/rules/counters/attempt-view.ts";
import type { Counters } from "#src/rules/counters/counters.ts";
import { explainRecord } from "#src/rules/decision/decision-record.ts";
import type { Issuer } from "./issuer.ts";
import { QuotaReached } from "./tenant-record.ts";
import type {
  CheckAttempt,
  ConsideredCheck,
  CountMode,
  Decided,
  Look,
  SettledCheck,
} from "./sandbox-state.ts";
import type { Store } from "./store.ts";
import {
  countedLine,
  decisionLine,
  isDecision,
  orderKey,
  readAnswer,
  readAttempt,
  readBody,
  type CountedLine,
  type DecisionBody,
  type DecisionLine,
} from "./decision-line.ts";
import { ruleSetArchiveOf, type RuleSetArchive } from "./rule-set-archive.ts";
import {
  loadCounters,
  saveCounters,
  type CountersCopy,
  type LoadedCounters,
  type StoredAnswer,
} from "./saved-counters.ts";
import type { StoredAnswers } from "./stored-answers.ts";

/** Recent decisions in memory, as an explanation is usually requested right after its check. */
const RECENT_KEPT = 256;

/** Checks that carry their time arrive in any order: an answer is kept for this much longer than it can be repeated. */
const SKEW_MS: Milliseconds = 86_400_000;
/** The counters are saved after this many decisions, which bounds what a restart counts again ... */
const SAVE_EVERY = 50_000;

/** ... but not before a quarter as many as there are keys, or a large state would be saved all the time ... */
const SAVE_EVERY_KEYS = 4;

/** ... and much earlier when idle. Counting fewer again takes less time than saving the counters. */
const SAVE_IDLE_EVERY = 1_000;
const IDLE_MS: Milliseconds = 2_000;

/** Of the decisions that are kept. Older ones are removed, but stay counted. */
const KEPT_BYTES = 256 * 1024 * 1024;

/** `durable` resolves when it is written; both are absent after a restart. */
type KeptAnswer = StoredAnswer & {
  readonly durable?: Promise<void> | undefined;
  readonly basis?: DecisionBasis | null;
};

export interface DecisionsOptions {
  readonly store: Store;
  /** Hashes the keys of the counters. */
  readonly secret: string;
  readonly issuer: Issuer;
  /**
   * How long an identical repeat gets the stored answer, in virtual time, also before it: equal checks that are sent at once
   * are settled in any order.
   */
  readonly repeatMs: Milliseconds;
  /** Called where decisions cannot be read. */
  readonly onDamage: () => void;
}

/** The decisions of a state; `settle` and `look` are those of SandboxState. */
export class Decisions {
  readonly keysOf: Counters["keysOf"];
  readonly #options: Omit<DecisionsOptions, "store">;
  #store: Store;
  /** Of the rule sets that explain decisions. */
  #ruleSets: RuleSetArchive;
  readonly #counters: Counters;
  readonly #answers: StoredAnswers<KeptAnswer>;
  /** Ring buffer by decision number. */
  readonly #recent: (DecisionBody | undefined)[] = Array.from({ length: RECENT_KEPT });
  readonly #repeated = new Set<string>();
  #total: number;
  /** Up to this number the counters are saved. */
  #savedUpTo: number;
  #last: number;
  #saving: Promise<void> | null = null;
  #idle: NodeJS.Timeout | undefined;

  private constructor(options: DecisionsOptions, loaded: LoadedCounters<KeptAnswer>) {
    this.#options = options;
    this.#store = options.store;
    this.#ruleSets = ruleSetArchiveOf(options.store);
    this.#counters = loaded.counters;
    this.#answers = loaded.answers;
    this.#total = loaded.total;
    this.#savedUpTo = this.#last = loaded.sequence;
    this.keysOf = loaded.counters.keysOf;
  }

  /** Loads the counters, and counts what was decided after they were saved. */
  static async open(options: DecisionsOptions): Promise<Decisions> {
    const { store, secret, repeatMs } = options;
    const opened = new Decisions(options, await loadCounters(store, secret, repeatMs + SKEW_MS));
    for await (const { number, items } of store.rows("decision", opened.#last + 1)) {
      if (items === null) options.onDamage();
      for (const [i, item] of (items ?? []).entries())
        if (number + i > opened.#last) opened.#countAgain(number + i, item as DecisionLine | CountedLine);
      opened.#last = Math.max(opened.#last, number);
    }
    return opened;
  }

  /** Goes on in a store that has the same as the one that they were opened from. */
  moveTo(store: Store): void {
    this.#store = store;
    this.#ruleSets = ruleSetArchiveOf(store);
  }

  get total(): number {
    return this.#total;
  }

  settle(
    attempt: CheckAttempt,
    counted: Attempt,
    mode: CountMode,
    decide: (view: AttemptView) => Decided,
    most: number,
  ): SettledCheck | Promise<SettledCheck> {
    const { orderId, bodyDigest: digest, at } = attempt;
    const order = orderOf(attempt);
    const known = this.#answerTo(order, attempt);
    if (known !== null) return this.#repeat(known);
    if (this.#total >= most) throw new QuotaReached();
    const own = mode === "count" ? ([at, counted] as const) : null;
    const view = own === null ? this.#counters.peek(at, counted) : this.#counters.record(at, counted);
    const number = this.#last + 1;
    let decided: Decided;
    try {
      decided = decide(view);
    } catch (error) {
      if (own !== null) this.#append(countedLine(own)).catch(() => undefined);
      throw error;
    }
    const { record, basis, ruleSet } = decided;
    const { recommendation, message } = record;
    const body = {
      id: `dec-${number}-${this.#options.issuer.hex(`decision ${number}`, 8)}`,
      orderId,
      record,
    };
    // Of the same turn as the decision, which fails with it.
    this.#ruleSets.keep(ruleSet)?.catch(() => undefined);
    const durable = this.#append(decisionLine(body, digest, own));
    const answer: KeptAnswer = { digest, at, decisionId: body.id, recommendation, message, basis, durable };
    this.#total += 1;
    if (order !== null) this.#answers.keep(order, answer);
    this.#recent[number % RECENT_KEPT] = body;
    this.#considerSaving();
    return durable.then(() => settledCheck(answer, false));
  }

  look(attempt: CheckAttempt, work: Look): ConsideredCheck {
    const known = this.#answerTo(orderOf(attempt), attempt);
    if (known !== null) return { repeat: settledCheck(known, true), draft: null };
    return { repeat: null, draft: work(this.#counters) };
  }

  async find(id: string): Promise<Explanation | null> {
    const number = Number(/^dec-(\d{1,15})-[0-9a-f]{8}$/.exec(id)?.[1]);
    if (Number.isNaN(number)) return null;
    const body =
      this.#recent[number % RECENT_KEPT]?.id === id ? this.#recent[number % RECENT_KEPT] : this.#read(number);
    if (body?.id !== id) return null;
    const { orderId, record } = body;
    const ruleSet = await this.#ruleSets.find(record.ruleSetHash);
    const draft = explainRecord(ruleSet, record, this.#counters.keysOf);
    return { ...draft, id, orderId, repeat: this.#repeated.has(id) };
  }

  /** @param save false when the counters are about to be replaced; the log has everything, too */
  async close(save: boolean): Promise<void> {
    clearTimeout(this.#idle);
    await this.#saving?.catch(() => undefined);
    if (save && this.#last - this.#savedUpTo >= SAVE_IDLE_EVERY) await this.#save();
  }

  #append(line: DecisionLine | CountedLine): Promise<void> {
    this.#last += 1;
    return this.#store.append("decision", this.#last, line);
  }

  #countAgain(number: number, line: DecisionLine | CountedLine): void {
    const counted = readAttempt(line);
    if (counted !== null) this.#counters.record(...counted);
    this.#last = number;
    if (!isDecision(line)) return;
    this.#total += 1;
    const answer = readAnswer(line);
    if (answer !== null) this.#answers.keep(...answer);
  }

  /** The stored answer to an identical repeat; null when the check must be decided. */
  #answerTo(order: string | null, attempt: CheckAttempt): KeptAnswer | null {
    const known = order === null ? undefined : this.#answers.get(order);
    if (known === undefined || known.digest !== attempt.bodyDigest) return null;
    return Math.abs(attempt.at - known.at) < this.#options.repeatMs ? known : null;
  }

  async #repeat(known: KeptAnswer): Promise<SettledCheck> {
    await known.durable;
    this.#repeated.add(known.decisionId);
    if (this.#repeated.size > RECENT_KEPT) this.#repeated.delete(this.#repeated.values().next().value!);
    return settledCheck(known, true);
  }

  #read(number: number): DecisionBody | undefined {
    const row = this.#store.find("decision", number);
    const line = row?.items?.[number - row.number] as DecisionLine | CountedLine | undefined;
    return line !== undefined && isDecision(line) ? readBody(line) : undefined;
  }

  /** Synchronous, so that the counters match the number. */
  #copy(): CountersCopy {
    const answers = Array.from(
      this.#answers.entries(),
      ([order, answer]) => [order, stored(answer)] as const,
    );
    return { sequence: this.#last, total: this.#total, counters: this.#counters.image(), answers };
  }

  /** Decisions made during the save are in the log, and in the next save. */
  #save(): Promise<void> {
    this.#saving ??= (async () => {
      const copy = this.#copy();
      await saveCounters(this.#store, copy);
      this.#savedUpTo = copy.sequence;
      await this.#removeOld();
    })().finally(() => {
      this.#saving = null;
    });
    return this.#saving;
  }

  /** Rows begin with their first number, so that the last one that is removed may hold no more than the saved ones. */
  async #removeOld(): Promise<void> {
    const store = this.#store;
    const saved = store.find("decision", this.#savedUpTo)?.number ?? 0;
    await store.forget("decision", Math.min(saved, await store.newestWithin("decision", KEPT_BYTES)));
  }

  /** What could not be saved is in the log; a store that cannot be written says so itself. */
  #considerSaving(): void {
    const behind = this.#last - this.#savedUpTo;
    if (behind < SAVE_IDLE_EVERY) return;
    if (behind >= Math.max(SAVE_EVERY, this.#counters.size / SAVE_EVERY_KEYS))
      this.#save().catch(() => undefined);
    // One timer at a time: one for each decision would cost more than the save.
    else this.#idle ??= setTimeout((last) => this.#saveIfIdle(last), IDLE_MS, this.#last).unref();
  }

  #saveIfIdle(since: number): void {
    this.#idle = undefined;
    if (this.#last !== since) this.#considerSaving();
    else if (this.#last - this.#savedUpTo >= SAVE_IDLE_EVERY) this.#save().catch(() => undefined);
  }
}

function stored({ digest, at, decisionId, recommendation, message }: KeptAnswer): StoredAnswer {
  return { digest, at, decisionId, recommendation, message };
}

/** Key of the stored answer; null without an order id. */
function orderOf({ projectId, orderId }: CheckAttempt): string | null {
  return orderId === null ? null : orderKey(projectId, orderId);
}

function settledCheck(answer: KeptAnswer, repeat: boolean): SettledCheck {
  const { decisionId, recommendation, message, basis = null } = answer;
  return { decisionId, recommendation, message, repeat, basis };
}
