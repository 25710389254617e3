// Saving a request of the history as a payload that can be checked and replayed again.

import type { HistoryEntry } from "#src/contract/history-entry.ts";
import type { Recommendation } from "#src/contract/recommendation.ts";
import type { ActionContext } from "./action-context.ts";

export interface SavePayloadInput {
  readonly name: string;
  readonly entry: Pick<HistoryEntry, "request" | "result">;
  /** True once the user has agreed that a payload of that name is overwritten. */
  readonly replace: boolean;
}

export interface SavedAs {
  /** False: a payload of that name is there and was left as it is; ask, then save with `replace`. */
  readonly saved: boolean;
  readonly path: string;
  /** The verdict that the payload expects from now on: the one it got. Null where it got none. */
  readonly expect: Recommendation | null;
}

/**
 * Saves the request of an entry with the verdict it got as the expected one, so that a change of the verdict is noticed.
 * @throws Fault("bad_input") for a name that cannot be used, Fault("storage") when it could not be written
 */
export async function savePayload(
  context: Pick<ActionContext, "payloads">,
  input: SavePayloadInput,
): Promise<SavedAs> {
  const { name, entry, replace } = input;
  const payloads = await context.payloads();
  const expect = entry.result?.recommendation ?? null;
  const saved = await payloads.save({ name, expect, tags: [], request: entry.request }, replace);
  return { saved, path: payloads.path(name), expect };
}
