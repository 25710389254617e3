// Counters and stored answers in the store: in pieces, so that a million keys do not keep requests waiting. Their decisions
// need not be counted again at a start.

import { endianness } from "node:os";
import { setImmediate as afterEvents } from "node:timers/promises";
import { corrupt } from "#src/contract/fault.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { Recommendation } from "#src/contract/wire/recommendation.ts";
import type { CountersImage, ImageShape } from "#src/rules/counters/counters-image.ts";
import { createCounters, type Counters } from "#src/rules/counters/counters.ts";
import type { Store } from "./store.ts";
import { StoredAnswers } from "./stored-answers.ts";

export interface StoredAnswer {
  readonly digest: string;
  /** Virtual time. */
  readonly at: Milliseconds;
  readonly decisionId: string;
  readonly recommendation: Recommendation;
  readonly message: string;
}

export type AnswerEntry = readonly [order: string, answer: StoredAnswer];

/** Counters and stored answers up to one decision. */
export interface CountersCopy {
  /** Number of that decision. */
  readonly sequence: number;
  readonly total: number;
  readonly counters: CountersImage;
  /** Oldest first. */
  readonly answers: readonly AnswerEntry[];
}

/** The same, loaded. */
export interface LoadedCounters<A extends StoredAnswer> extends Pick<CountersCopy, "sequence" | "total"> {
  readonly counters: Counters;
  readonly answers: StoredAnswers<A>;
}

/** Its pieces have names that begin with its number. */
interface Head {
  readonly number: number;
  readonly sequence: number;
  readonly total: number;
  /** Pieces of each kind. */
  readonly keys: number;
  readonly answers: number;
  readonly shape: ImageShape;
  /** Keys are in the byte order of the machine. */
  readonly order: string;
}

const HEAD = "counters";
const ANSWERS_A_PIECE = 2_000;
const REMOVED_AT_ONCE = 64;

const keysPiece = (number: number, piece: number): string => `${HEAD} ${number} keys ${piece}`;
const answersPiece = (number: number, piece: number): string => `${HEAD} ${number} answers ${piece}`;

/** Takes the place of what was saved before, which stays until the last piece is written. */
export async function saveCounters(store: Store, copy: CountersCopy): Promise<void> {
  const { sequence, total } = copy;
  const number = (headOf(store)?.number ?? 0) + 1;
  // Of a save that was interrupted.
  await removeAllBut(store, number - 1);
  let keys = 0;
  for (const { buffer, byteOffset, byteLength } of copy.counters.pieces()) {
    const bytes = new Uint8Array(buffer, byteOffset, byteLength);
    await store.change({ [keysPiece(number, keys++)]: bytes }, "NORMAL");
    await afterEvents();
  }
  let answers = 0;
  for (let at = 0; at < copy.answers.length; at += ANSWERS_A_PIECE) {
    const piece = copy.answers.slice(at, at + ANSWERS_A_PIECE);
    await store.change({ [answersPiece(number, answers++)]: piece }, "NORMAL");
    await afterEvents();
  }
  const { shape } = copy.counters;
  const head: Head = { number, sequence, total, keys, answers, shape, order: endianness() };
  await store.change({ [HEAD]: head });
  await removeAllBut(store, number);
}

/**
 * Without any, nothing was counted.
 * @param secret hashes the keys of the counters
 * @param keptMs lifetime of an answer, in virtual time
 * @throws Fault `corrupt`
 */
export async function loadCounters<A extends StoredAnswer>(
  store: Store,
  secret: string,
  keptMs: Milliseconds,
): Promise<LoadedCounters<A>> {
  const counters = createCounters({ secret });
  const answers = new StoredAnswers<A>(keptMs);
  const head = headOf(store);
  if (head === undefined) return { sequence: 0, total: 0, answers, counters };
  if (head.order !== endianness())
    throw corrupt`${store.path} was written on a machine of another kind; use it there, or move its folder away.`;
  const replacement = counters.replace(head.shape);
  for (let piece = 0; piece < head.keys; piece += 1) {
    const bytes = required(store, keysPiece(head.number, piece));
    replacement.put(new Int32Array(new Uint8Array(bytes).buffer));
    await afterEvents();
  }
  replacement.done();
  for (let piece = 0; piece < head.answers; piece += 1) {
    const entries = JSON.parse(required(store, answersPiece(head.number, piece)).toString()) as AnswerEntry[];
    for (const [order, answer] of entries) answers.keep(order, answer as A);
    await afterEvents();
  }
  return { sequence: head.sequence, total: head.total, answers, counters };
}

function headOf(store: Store): Head | undefined {
  return store.value(HEAD) as Head | undefined;
}

function required(store: Store, name: string): Buffer {
  const bytes = store.bytes(name);
  if (bytes !== undefined) return bytes;
  throw corrupt`${store.path} has lost "${name}"; restore it from a backup, or move its folder away.`;
}

async function removeAllBut(store: Store, number: number): Promise<void> {
  const old = store.names(`${HEAD} `).filter((name) => !name.startsWith(`${HEAD} ${number} `));
  for (let at = 0; at < old.length; at += REMOVED_AT_ONCE) {
    await store.change(
      Object.fromEntries(old.slice(at, at + REMOVED_AT_ONCE).map((name) => [name, undefined])),
      "NORMAL",
    );
    await afterEvents();
  }
}
