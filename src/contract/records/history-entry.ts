// One row of the history: a check that was about to be sent, and what became of it.

import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { Explanation } from "#src/contract/wire/explanation.ts";
import type { CheckResult } from "#src/contract/wire/outcome.ts";
import type { FinalAction } from "#src/contract/wire/recommendation.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";

/** With what a check was signed; neither the secret nor the signature is ever kept. */
export interface SignedWith {
  /** Id of the recipe. */
  readonly recipe: string;
  readonly keyId: string;
  readonly projectId: string;
  /** As the credential names it. */
  readonly algorithm: string;
}

export interface HistoryEntry {
  /** Sortable id of the attempt. */
  readonly id: string;
  /** When the intent was written, local wall time. */
  readonly at: Milliseconds;
  readonly profile: string;
  /** Key of the project, `<merchant_id>/<risk_level>`. */
  readonly project: string;
  readonly request: CheckRequest;
  /** Null while no outcome is known: in flight, or lost in a crash. Shown as unknown then. */
  readonly result: CheckResult | null;
  readonly finalAction: FinalAction | null;
  /** Id of the entry that this one sends again; it is attempt 2 of the same payment. */
  readonly repeats: string | null;
  readonly warnings: readonly string[];
  /** Explanation of the sandbox, copied so that it outlives the sandbox. */
  readonly explanation: Explanation | null;
  readonly note: string | null;
  /** Missing in entries of earlier versions. */
  readonly signed?: SignedWith;
}
