// Sends a check of the history again after an attempt without a verdict, newly signed and linked to that attempt.

import type { ActionContext } from "#src/actions/action-context.ts";
import { findEntry } from "#src/actions/history/find-history.ts";
import { usage } from "#src/contract/fault.ts";
import { payloadOf } from "#src/contract/fields/payload.ts";
import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";

/** An attempt without an outcome may be under way in another session for as long as a call takes. */
const UNDER_WAY_MS = 30_000;

export interface EarlierAttempt {
  readonly entry: HistoryEntry;
  readonly request: CheckRequest;
  /** Current warnings about the payload: a card may have expired since. */
  readonly warnings: readonly string[];
}

/**
 * Finds an attempt that may be sent again.
 * @param id id of its entry, or the beginning of it
 * @throws Fault("usage") when there is none, when it has a verdict, belongs to another profile, or may still be under way
 */
export async function earlierAttempt(context: ActionContext, id: string): Promise<EarlierAttempt> {
  const entry = await findEntry(context, id);
  if (entry.result?.outcome === "answered") {
    throw usage`Entry ${entry.id} already has a verdict; "verdict history show ${entry.id}" shows it.`;
  }
  if (entry.profile !== context.profile.name) {
    throw usage`Entry ${entry.id} belongs to another profile; add --profile ${entry.profile}.`;
  }
  await refuseTaken(context, entry);
  const waitMs = entry.at + UNDER_WAY_MS - context.now();
  if (entry.result === null && waitMs > 0 && waitMs <= UNDER_WAY_MS) {
    throw usage`Entry ${entry.id} may still be under way; send it again in ${Math.ceil(waitMs / 1000)} s.`;
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

/** Refuses a second repeat of one attempt: a chain of attempts continues from its last one. */
async function refuseTaken(context: ActionContext, entry: HistoryEntry): Promise<void> {
  for await (const later of (await context.history()).entries()) {
    if (later.id === entry.id) return;
    if (later.repeats !== entry.id) continue;
    const next =
      later.result?.outcome === "answered"
        ? `"verdict history show ${later.id}" shows its verdict`
        : `"verdict check --again ${later.id}" sends that one again`;
    throw usage`Entry ${entry.id} was sent again already, as ${later.id}; ${next}.`;
  }
}

export interface AttemptNumber {
  /** 2 for the first repeat. */
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
  // One pass is enough, because a repeated attempt is older and so follows later.
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
