// What a server answers, read one way: anything of another kind than was asked for is a fault of one sentence.

import { Fault, storage } from "#src/contract/fault.ts";

export type Reply = null | number | string | Buffer | readonly Reply[];

export function wrongReply(): Fault {
  return storage`The server of the state answered something else than was asked for; see whether it is a Valkey or Redis server, and its log.`;
}

/** The kinds of answers that commands of ours have: no map, truth, double or number beyond 2^53. @throws Fault `storage` */
export function requireReply(answer: unknown): Reply {
  if (!isReply(answer)) throw wrongReply();
  return answer;
}

function isReply(answer: unknown): answer is Reply {
  if (Array.isArray(answer)) return answer.every(isReply);
  return (
    answer === null || Number.isSafeInteger(answer) || typeof answer === "string" || Buffer.isBuffer(answer)
  );
}

/** @throws Fault `storage` */
export function bytesOf(reply: Reply | undefined): Buffer {
  if (Buffer.isBuffer(reply)) return reply;
  throw wrongReply();
}

/** @throws Fault `storage` */
export function textOf(reply: Reply | undefined): string {
  return bytesOf(reply).toString("utf8");
}

/** @throws Fault `storage` */
export function listOf(reply: Reply | undefined): readonly Reply[] {
  if (Array.isArray(reply)) return reply as readonly Reply[];
  throw wrongReply();
}

/** A whole number, also one that the server has as a text. @throws Fault `storage` */
export function wholeOf(reply: Reply | undefined): number {
  const number = typeof reply === "number" ? reply : Number(/^-?\d{1,16}$/.exec(textOf(reply))?.[0]);
  if (Number.isSafeInteger(number)) return number;
  throw wrongReply();
}

/** What a script says first; it must be one of these. @throws Fault `storage` */
export function saidOf<const T extends string>(reply: Reply | undefined, words: readonly T[]): T {
  const text = textOf(reply);
  const said = words.find((word) => word === text);
  if (said === undefined) throw wrongReply();
  return said;
}

/** Of HGETALL in a script. */
export function pairsOf(reply: Reply | undefined): Map<string, string> {
  const words = listOf(reply).map(textOf);
  return new Map(words.flatMap((word, i) => (i % 2 === 0 ? [[word, words[i + 1]!] as const] : [])));
}
