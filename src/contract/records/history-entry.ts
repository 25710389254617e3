// One row of the history: the intent of a check, and its outcome.

import type { RecordedExchange } from "./exchange.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { Explanation } from "#src/contract/wire/explanation.ts";
import type { CheckResult } from "#src/contract/wire/outcome.ts";
import type { FinalAction } from "#src/contract/wire/recommendation.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import type { Label } from "./label.ts";

/** How a check was signed; neither the secret nor the signature is ever kept. */
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
  /** Null while no outcome is known: in flight, or lost in a crash; shown as unknown. */
  readonly result: CheckResult | null;
  readonly finalAction: FinalAction | null;
  /** Id of the entry that this one sends again; it is attempt 2 of the same payment. */
  readonly repeats: string | null;
  readonly warnings: readonly string[];
  /** The sandbox's explanation, copied because the sandbox may be reset. */
  readonly explanation: Explanation | null;
  readonly note: string | null;
  /** Missing where nothing was signed. */
  readonly signed?: SignedWith;
  /**
   * The last request and its answer, where a request left and no verdict came. Not kept with a verdict: it would double the
   * size of a history.
   */
  readonly exchange?: RecordedExchange;
  /** What became of the order, as far as anybody has said; kept beside the entries, by order id, and never sent. */
  readonly label?: Label;
}

/** Order ids of checks that test a credential begin so, wherever they are seen. */
export const TEST_ORDER_PREFIX = "credential-test-";

/** True for a check that is no payment. */
export function isCredentialTest({ request }: Pick<HistoryEntry, "request">): boolean {
  return request.order_id?.startsWith(TEST_ORDER_PREFIX) === true;
}
