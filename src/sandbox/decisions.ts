// Counters, stored answers and the decision log as one unit: what was answered was counted once and is explained for good.

import { join } from "node:path";
import type { Milliseconds } from "#src/contract/clock.ts";
import type { Explanation } from "#src/contract/explanation.ts";
import type { Recommendation } from "#src/contract/recommendation.ts";
import { createCounters, type Attempt, type Counters } from "#src/rules/counters.ts";
import { openDocument } from "#src/storage/document.ts";
import { ensureFolder } from "#src/storage/durable-file.ts";
import { nodeFileSystem } from "#src/storage/file-system.ts";
import { storageFault } from "#src/storage/write-fault.ts";
import { openDecisionLog } from "./decision-log.ts";
import type { Issuer } from "./issuer.ts";
import type { CheckAttempt, Decide, SettledCheck } from "./sandbox-state.ts";

/** Stored answers at most; beyond it the oldest is forgotten, and its repeat would be counted. */
const ANSWERS_KEPT = 200_000;

/** Explanations in memory: whoever has just sent a check asks for its explanation. */
const RECENT_KEPT = 256;

/** A snapshot is taken after this many decisions, so that a restart reads no more than these again ... */
const SNAPSHOT_EVERY = 50_000;

/** ... and much earlier when nobody is waiting. */
const SNAPSHOT_IDLE_EVERY = 1_000;
const IDLE_MS: Milliseconds = 2_000;

interface StoredAnswer {
  readonly digest: string;
  /** Virtual time. */
  readonly at: Milliseconds;
  readonly decisionId: string;
  readonly recommendation: Recommendation;
  readonly message: string;
}

/** `durable`: on its way to the disk; absent once a restart has read it from there. */
type KeptAnswer = StoredAnswer & { readonly durable?: Promise<void> | undefined };

/** What a restart needs of one decision. */
interface Head {
  readonly order: string | null;
  readonly answer: StoredAnswer;
  readonly counted: readonly (readonly [at: Milliseconds, attempt: Attempt])[];
}

interface Snapshot {
  /** Every decision up to this number is in it. */
  readonly sequence: number;
  readonly total: number;
  readonly counters: unknown;
  readonly answers: readonly (readonly [order: string, answer: StoredAnswer])[];
}

export interface Decisions {
  readonly count: number;
  settle(attempt: CheckAttempt, decide: Decide): Promise<SettledCheck>;
  find(id: string): Promise<Explanation | null>;
  close(): Promise<void>;
}

/**
 * @param secret what counter keys are hashed with
 * @param repeatMs how long an identical repeat gets the stored answer, in virtual time
 * @param onFault called once, when something cannot be written
 */
export async function openDecisions(options: {
  readonly dir: string;
  readonly secret: string;
  readonly issuer: Issuer;
  readonly repeatMs: Milliseconds;
  readonly sync: boolean;
  readonly onDamage: (file: string) => void;
  readonly onFault: (fault: unknown) => void;
}): Promise<Decisions> {
  const { dir, secret, issuer, repeatMs, sync, onDamage, onFault } = options;
  await ensureFolder(dir, nodeFileSystem);
  const counters = createCounters({ secret });
  const answers = new Map<string, KeptAnswer>();
  const recent = new Map<string, Explanation>();
  const repeated = new Set<string>();

  const snapshots = openDocument<{ latest: Snapshot | null }>({
    path: join(dir, "counters.json"),
    format: "verdict/sandbox-counters",
    schema: 1,
    initial: () => ({ latest: null }),
    parse: parseSnapshot,
  });
  const { latest } = await snapshots.read();
  if (latest !== null) {
    counters.restore(latest.counters);
    for (const [order, answer] of latest.answers) answers.set(order, answer);
  }
  let total = latest?.total ?? 0;
  let covered = latest?.sequence ?? 0;
  let settled = covered;

  const log = await openDecisionLog({
    dir,
    after: covered,
    sync,
    onDamage,
    onRecord({ sequence, head }) {
      const { order, answer, counted } = JSON.parse(head) as Head;
      for (const [at, attempt] of counted) counters.record(at, attempt);
      if (order !== null) keepAnswer(order, answer);
      total += 1;
      settled = sequence;
    },
  });

  function keepAnswer(order: string, answer: KeptAnswer): void {
    answers.delete(order);
    answers.set(order, answer);
    for (const [oldest, { at }] of answers) {
      if (answers.size <= ANSWERS_KEPT && answer.at - at < repeatMs) break;
      answers.delete(oldest);
    }
  }

  let snapshotting: Promise<void> | null = null;
  let idle: NodeJS.Timeout | undefined;

  /** Taken between two decisions: counters and number belong together. */
  function takeSnapshot(): Promise<void> {
    snapshotting ??= (async () => {
      const latest: Snapshot = {
        sequence: settled,
        total,
        counters: counters.snapshot(),
        answers: Array.from(answers, ([order, answer]) => [order, { ...answer, durable: undefined }]),
      };
      await snapshots.update((data) => {
        data.latest = latest;
      });
      covered = latest.sequence;
      await log.prune(covered);
    })().finally(() => {
      snapshotting = null;
    });
    return snapshotting;
  }

  function considerSnapshot(): void {
    clearTimeout(idle);
    const behind = settled - covered;
    if (behind >= SNAPSHOT_EVERY) takeSnapshot().catch(onFault);
    else if (behind >= SNAPSHOT_IDLE_EVERY) {
      idle = setTimeout(() => void takeSnapshot().catch(onFault), IDLE_MS).unref();
    }
  }

  return {
    get count() {
      return total;
    },

    async settle(attempt, decide) {
      const order = attempt.orderId === null ? null : `${attempt.projectId}\n${attempt.orderId}`;
      const known = order === null ? undefined : answers.get(order);
      if (
        known !== undefined &&
        known.digest === attempt.bodyDigest &&
        isWithin(known.at, attempt.at, repeatMs)
      ) {
        await known.durable;
        remember(repeated, known.decisionId);
        return settledCheck(known, true);
      }

      const counted: [Milliseconds, Attempt][] = [];
      const draft = decide(recording(counters, counted));
      const sequence = log.next;
      const decisionId = `dec-${sequence}-${issuer.hex(`decision ${sequence}`, 8)}`;
      const explanation: Explanation = { ...draft, id: decisionId, orderId: attempt.orderId, repeat: false };
      const answer: StoredAnswer = {
        digest: attempt.bodyDigest,
        at: attempt.at,
        decisionId,
        recommendation: draft.recommendation,
        message: draft.message,
      };
      const head: Head = { order, answer, counted };
      const durable = log
        .append(JSON.stringify(head), JSON.stringify(explanation))
        .catch((error: unknown) => {
          const fault = storageFault(error, dir);
          onFault(fault);
          throw fault;
        });
      settled = sequence;
      total += 1;
      if (order !== null) keepAnswer(order, { ...answer, durable });
      recent.set(decisionId, explanation);
      if (recent.size > RECENT_KEPT) recent.delete(recent.keys().next().value!);
      await durable;
      considerSnapshot();
      return settledCheck(answer, false);
    },

    async find(id) {
      const sequence = /^dec-(\d{1,15})-[0-9a-f]{8}$/.exec(id)?.[1];
      if (sequence === undefined) return null;
      const body = recent.get(id) ?? (await log.find(Number(sequence)));
      const explanation = typeof body === "string" ? (JSON.parse(body) as Explanation) : body;
      if (explanation === null || explanation.id !== id) return null;
      return { ...explanation, repeat: repeated.has(id) };
    },

    async close() {
      clearTimeout(idle);
      await snapshotting;
      if (settled > covered) await takeSnapshot();
      await log.close();
    },
  };
}

/** The counters in it are judged by whoever restores them. */
function parseSnapshot(data: unknown): { latest: Snapshot | null } {
  const { latest } = data as { latest: Snapshot | null };
  const good =
    latest === null ||
    (Number.isSafeInteger(latest.sequence) &&
      Number.isSafeInteger(latest.total) &&
      Array.isArray(latest.answers));
  if (!good) throw new TypeError("not a snapshot of the sandbox's counters");
  return { latest };
}

/** The counters, noting what is recorded through them. */
function recording(counters: Counters, counted: [Milliseconds, Attempt][]): Counters {
  return {
    ...counters,
    record(at, attempt) {
      counted.push([at, attempt]);
      return counters.record(at, attempt);
    },
  };
}

function settledCheck(answer: StoredAnswer, repeat: boolean): SettledCheck {
  const { decisionId, recommendation, message } = answer;
  return { decisionId, recommendation, message, repeat };
}

/** A virtual clock that was set back makes an answer "later" than its repeat: that is no repeat. */
function isWithin(then: Milliseconds, now: Milliseconds, ms: Milliseconds): boolean {
  return now >= then && now - then < ms;
}

function remember(ids: Set<string>, id: string): void {
  ids.add(id);
  if (ids.size > RECENT_KEPT) ids.delete(ids.values().next().value!);
}
