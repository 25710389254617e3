// Sending a check again: the user's act where an earlier attempt got no verdict. Signed anew, and linked to it.

import type { ActionContext } from "#src/actions/action-context.ts";
import { Fault } from "#src/contract/fault.ts";
import { payloadOf } from "#src/contract/fields/payload.ts";
import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";

/** An attempt without an outcome may be under way in another session for as long as a call takes. */
const UNDER_WAY_MS = 30_000;

export interface EarlierAttempt {
  readonly entry: HistoryEntry;
  readonly request: CheckRequest;
  /** What is to be said about the payload, judged anew: a card may have expired since. */
  readonly warnings: readonly string[];
}

/**
 * Finds an attempt that may be sent again.
 * @param id id of its entry, or the beginning of it
 * @throws Fault("usage") when there is none, when it has a verdict, belongs to another profile, or may still be under way
 */
export async function earlierAttempt(context: ActionContext, id: string): Promise<EarlierAttempt> {
  const entry = await (await context.history()).find(id);
  if (entry === null) {
    throw new Fault(
      "usage",
      `The history has no entry "${escapeText(id, 40)}"; "verdict history" lists the ids.`,
    );
  }
  if (entry.result?.outcome === "answered") {
    throw new Fault(
      "usage",
      `Entry ${entry.id} has a verdict, so nothing is to be sent again; "verdict history show ${entry.id}" shows it.`,
    );
  }
  if (entry.profile !== context.profile.name) {
    throw new Fault(
      "usage",
      `Entry ${entry.id} belongs to another profile; add --profile ${escapeText(entry.profile, 64)}.`,
    );
  }
  await refuseTaken(context, entry);
  const waitMs = entry.at + UNDER_WAY_MS - context.now();
  if (entry.result === null && waitMs > 0 && waitMs <= UNDER_WAY_MS) {
    throw new Fault(
      "usage",
      `Entry ${entry.id} may still be under way; send it again in ${Math.ceil(waitMs / 1000)} s.`,
    );
  }
  const { request, warnings } = payloadOf(
    { value: { request: entry.request }, irregularNumbers: new Map() },
    `Entry ${entry.id}`,
    [],
    context.now(),
    context.profile.currencyNumbering,
  );
  return { entry, request, warnings };
}

/** A chain has no branches: what was sent again already goes on from its last attempt. */
async function refuseTaken(context: ActionContext, entry: HistoryEntry): Promise<void> {
  for await (const later of (await context.history()).entries()) {
    if (later.id === entry.id) return;
    if (later.repeats !== entry.id) continue;
    const next =
      later.result?.outcome === "answered"
        ? `"verdict history show ${later.id}" shows its verdict`
        : `"verdict check --again ${later.id}" sends that one again`;
    throw new Fault("usage", `Entry ${entry.id} was sent again already, as ${later.id}; ${next}.`);
  }
}

export interface AttemptNumber {
  /** 2 for the first one that was sent again. */
  readonly number: number;
  /** Id of the first attempt that is known. */
  readonly of: string;
}

/**
 * Which attempt each entry is, for those that repeat another one.
 * @returns by the id of the entry
 */
export async function attemptNumbers(
  context: ActionContext,
  entries: readonly HistoryEntry[],
): Promise<ReadonlyMap<string, AttemptNumber>> {
  const numbers = new Map<string, { number: number; of: string }>();
  for (const { id, repeats } of entries) if (repeats !== null) numbers.set(id, { number: 2, of: repeats });
  const open = new Set(numbers.values());
  if (open.size === 0) return numbers;
  // One pass: what is repeated is always older, and comes later.
  for await (const { id, repeats } of (await context.history()).entries()) {
    for (const attempt of open) {
      if (attempt.of !== id) continue;
      if (repeats === null) open.delete(attempt);
      else {
        attempt.number += 1;
        attempt.of = repeats;
      }
    }
    if (open.size === 0) break;
  }
  return numbers;
}
