// Settles checks: keeps counters, stored answers and the decision log consistent.

import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { Explanation } from "#src/contract/wire/explanation.ts";
import type { DecisionBasis } from "#src/contract/wire/outcome.ts";
import type { Attempt } from "#src/rules/counters/attempt-view.ts";
import type { Counters } from "#src/rules/counters/counters.ts";
import { explainRecord } from "#src/rules/decision/decision-record.ts";
import { sharing } from "#src/sandbox/state/durable-appender.ts";
import type { Issuer } from "#src/sandbox/state/issuer.ts";
import {
  QuotaReached,
  type CheckAttempt,
  type CountedCheck,
  type CountMode,
  type Decided,
  type Look,
  type ConsideredCheck,
  type MaybePromise,
  type SettledCheck,
} from "#src/sandbox/state/sandbox-state.ts";
import { ensureFolder } from "#src/storage/documents/durable-file.ts";
import { nodeFileSystem } from "#src/storage/file-system.ts";
import { storageFault } from "#src/storage/write-fault.ts";
import {
  readCounters,
  writeCounters,
  type CountersMoment,
  type ReadyCounters,
  type StoredAnswer,
} from "./counters-file.ts";
import {
  decisionLine,
  orderKey,
  readBody,
  readHead,
  type CountedAttempt,
  type DecisionBody,
} from "./decision-line.ts";
import { openDecisionLog } from "./decision-log.ts";
import { createLogSeal } from "./log-seal.ts";
import type { RuleSetArchive } from "./rule-set-archive.ts";
import { createStoredAnswers } from "./stored-answers.ts";

/** Recent decisions in memory, as an explanation is usually requested right after its check. */
const RECENT_KEPT = 256;

/** Checks that carry their time arrive in any order: an answer is kept for this much longer than it can be repeated. */
const SKEW_MS: Milliseconds = 86_400_000;
/** The counters are saved after this many decisions, which bounds what a restart replays ... */
const SAVE_EVERY = 50_000;

/** ... but not before a quarter as many as there are keys, or a large state would be saved all the time ... */
const SAVE_EVERY_KEYS = 4;

/** ... and much earlier when idle. Replaying fewer takes less time than saving the counters. */
const SAVE_IDLE_EVERY = 1_000;
const IDLE_MS: Milliseconds = 2_000;

/** Errors one after another must not fill the memory; beyond this a restart forgets the earliest of what they left counted. */
const UNLOGGED_KEPT = 1_000;

/** `durable` resolves when it is written; both are absent after a restart. */
type KeptAnswer = StoredAnswer & {
  readonly durable?: Promise<void> | undefined;
  readonly basis?: DecisionBasis | null;
};

/** What `answer` needs of `count`. */
export interface OpenCount {
  readonly attempt: CheckAttempt;
  /** Key of the stored answer; null without an order id. */
  readonly order: string | null;
}

/** The decisions of a state; `count`, `answer` and `look` are those of SandboxState. */
export interface Decisions {
  readonly total: number;
  readonly keysOf: Counters["keysOf"];
  count(attempt: CheckAttempt, counted: Attempt, mode: CountMode): MaybePromise<CountedCheck>;
  answer(open: OpenCount, decided: Decided, most?: number): Promise<SettledCheck>;
  look(attempt: CheckAttempt, work: Look): ConsideredCheck;
  find(id: string): Promise<Explanation | null>;
  /** A copy of counters and answers; needs as much memory as the counters. */
  moment(): CountersMoment;
  /** @param save false when the counters are about to be replaced; the log has everything, too */
  close(save: boolean): Promise<void>;
}

/**
 * @param ready counters that were read in advance; used if they hash with the same secret
 * @param secret hashes counter keys and seals the log
 * @param ruleSets archive of the rule sets that explain decisions
 * @param repeatMs how long an identical repeat gets the stored answer, in virtual time, also before it: equal checks that are
 *   sent at once are settled in any order
 * @param onFault called once, when a write fails
 */
export async function openDecisions(options: {
  readonly dir: string;
  readonly secret: string;
  readonly ruleSets: RuleSetArchive;
  readonly ready: ReadyCounters | null;
  readonly issuer: Issuer;
  readonly repeatMs: Milliseconds;
  readonly sync: boolean;
  readonly onDamage: (file: string) => void;
  readonly onFault: (fault: unknown) => void;
}): Promise<Decisions> {
  const { dir, secret, ruleSets, issuer, repeatMs, sync, onDamage, onFault } = options;
  await ensureFolder(dir, nodeFileSystem);
  const saved = options.ready?.secret === secret ? options.ready : await readCounters(dir, secret, onDamage);
  const { counters } = saved;
  const answers = createStoredAnswers<KeptAnswer>(repeatMs + SKEW_MS, saved.answers);
  /** Ring buffer by decision number. */
  const recent: (DecisionBody | undefined)[] = Array.from({ length: RECENT_KEPT });
  const repeated = new Set<string>();

  let { total } = saved;
  let covered = saved.sequence;
  let settled = covered;

  const log = await openDecisionLog({
    dir,
    after: covered,
    seal: createLogSeal(secret),
    sync,
    onDamage,
    onRecord({ sequence, text }) {
      const { order, answer, counted } = readHead(text);
      for (const [at, attempt] of counted) counters.record(at, attempt);
      if (order !== null) answers.keep(order, answer);
      total += 1;
      settled = sequence;
    },
  });

  /**
   * Counted, and in no line of the log yet: the next line holds all of it, also what was counted before an error that left
   * it without an answer. So a restart counts everything once, in the same order.
   */
  let unlogged: CountedAttempt[] = [];

  /** The stored answer to an identical repeat; null when the check must be decided. */
  function answerTo(order: string | null, attempt: CheckAttempt): KeptAnswer | null {
    const known = order === null ? undefined : answers.get(order);
    if (known === undefined || known.digest !== attempt.bodyDigest) return null;
    return Math.abs(attempt.at - known.at) < repeatMs ? known : null;
  }

  const reported = sharing((written) =>
    written.catch((error: unknown) => {
      const fault = storageFault(error, dir);
      onFault(fault);
      throw fault;
    }),
  );

  let saving: Promise<void> | null = null;
  let idle: NodeJS.Timeout | undefined;

  async function repeatOf(known: KeptAnswer): Promise<CountedCheck> {
    await known.durable;
    remember(repeated, known.decisionId);
    return { repeat: settledCheck(known, true) };
  }

  /** Synchronous, so that the counters match the sequence number. */
  function moment(): CountersMoment {
    const kept = Array.from(answers.entries(), ([order, answer]) => [order, withoutWait(answer)] as const);
    return { sequence: settled, total, counters: counters.image(), answers: kept, secret };
  }

  /** Decisions made during the save are in the log, and in the next save. */
  function save(): Promise<void> {
    // The counters are ahead of the log: with the next decision a restart would count it again.
    if (unlogged.length > 0) return Promise.resolve();
    saving ??= (async () => {
      const latest = moment();
      await writeCounters(dir, latest);
      // The log still covers the previous generation.
      await log.prune(covered);
      covered = latest.sequence;
    })().finally(() => {
      saving = null;
    });
    return saving;
  }

  function considerSaving(): void {
    const behind = settled - covered;
    if (behind < SAVE_IDLE_EVERY) return;
    if (behind >= Math.max(SAVE_EVERY, counters.size / SAVE_EVERY_KEYS)) save().catch(onFault);
    else idle ??= setTimeout(saveIfIdle, IDLE_MS, settled).unref();
  }

  /** One timer at a time: one for each decision would cost more than the save. */
  function saveIfIdle(since: number): void {
    idle = undefined;
    if (settled !== since) considerSaving();
    else if (settled - covered >= SAVE_IDLE_EVERY) save().catch(onFault);
  }

  return {
    get total() {
      return total;
    },
    keysOf: counters.keysOf,

    // Counts at once: with no other check between a count and its answer, nothing has to be reserved for it.
    count(attempt, counted, mode) {
      const order = orderOf(attempt);
      const known = answerTo(order, attempt);
      if (known !== null) return repeatOf(known);
      const token: OpenCount = { attempt, order };
      if (mode === "peek") return { repeat: null, token, view: counters.peek(attempt.at, counted) };
      const view = counters.record(attempt.at, counted);
      if (unlogged.push([attempt.at, counted]) > UNLOGGED_KEPT) unlogged.shift();
      return { repeat: null, token, view };
    },

    async answer({ attempt, order }, { record, basis, ruleSet }, most = Infinity) {
      if (total >= most) throw new QuotaReached();
      const { orderId, bodyDigest: digest, at } = attempt;
      const { recommendation, message } = record;
      const sequence = log.next;
      const id = `dec-${sequence}-${issuer.hex(`decision ${sequence}`, 8)}`;
      const body = { id, orderId, record };
      const logged = log.append(decisionLine(body, digest, unlogged));
      unlogged = [];
      const keeping = ruleSets.keep(ruleSet);
      const durable = reported(
        keeping === null ? logged : Promise.all([logged, keeping]).then(() => undefined),
      );
      const answer: KeptAnswer = { digest, at, decisionId: id, recommendation, message, basis, durable };
      settled = sequence;
      total += 1;
      if (order !== null) answers.keep(order, answer);
      recent[sequence % RECENT_KEPT] = body;
      await durable;
      considerSaving();
      return settledCheck(answer, false);
    },

    look(attempt, work) {
      const known = answerTo(orderOf(attempt), attempt);
      if (known !== null) return { repeat: settledCheck(known, true), draft: null };
      return { repeat: null, draft: work(counters) };
    },

    async find(id) {
      const sequence = /^dec-(\d{1,15})-[0-9a-f]{8}$/.exec(id)?.[1];
      if (sequence === undefined) return null;
      const number = Number(sequence);
      let body = recent[number % RECENT_KEPT];
      if (body?.id !== id) {
        const text = await log.find(number);
        body = text === null ? undefined : readBody(text);
      }
      if (body?.id !== id) return null;
      const { orderId, record } = body;
      const draft = explainRecord(await ruleSets.find(record.ruleSetHash), record, counters.keysOf);
      return { ...draft, id, orderId, repeat: repeated.has(id) };
    },

    moment,
    async close(wanted) {
      clearTimeout(idle);
      await saving?.catch(() => undefined);
      if (wanted && settled - covered >= SAVE_IDLE_EVERY) await save();
      await log.close();
    },
  };
}

function withoutWait({ digest, at, decisionId, recommendation, message }: KeptAnswer): StoredAnswer {
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

function remember(ids: Set<string>, id: string): void {
  ids.add(id);
  if (ids.size > RECENT_KEPT) ids.delete(ids.values().next().value!);
}
