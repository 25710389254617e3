// What stood in the form of a check when the console was left.

import type { CheckRequest } from "#src/contract/wire/wire.ts";
import type { SavedPayload } from "./saved-payload.ts";

export interface KeptDraft {
  /** What the form accepts of it; no card data. */
  readonly request: CheckRequest;
  /** The payload that it was loaded from; null where it comes from elsewhere. */
  readonly payload: Omit<SavedPayload, "request"> | null;
  /** Labels of the fields whose text the form does not accept, which is not kept. */
  readonly leftOut: readonly string[];
}
