// What became of a call: five outcomes, read fail-closed. Only `answered` carries a trustworthy verdict.

import type { ProjectCredential } from "./credential.ts";
import type { Recommendation } from "./recommendation.ts";

export const OUTCOMES = ["answered", "indeterminate", "refused", "unknown", "not_sent"] as const;

/**
 * - `answered`: a well-formed success
 * - `indeterminate`: a complete 2xx answer that is not a well-formed success
 * - `refused`: a complete 3xx, 4xx or 503
 * - `unknown`: bytes left, and no trustworthy answer came
 * - `not_sent`: not one byte of the request was written
 */
export type Outcome = (typeof OUTCOMES)[number];

/** What every call reports, whatever became of it. */
export interface CallResult {
  readonly outcome: Outcome;
  /** Stable word for anything but a plain success, e.g. `connect_refused`, `deadline`, `truncated`, `bad_code`, or the service's error slug. Null when answered. */
  readonly reason: string | null;
  /** One sentence for people: what happened and what to do. Untrusted text in it is already escaped. */
  readonly explanation: string;
  readonly httpStatus: number | null;
  /** From the first byte written to the last byte read, in ms with fractions; null when nothing was sent. */
  readonly latencyMs: number | null;
  /** Requests made for this call, retries included; 0 when refused locally. */
  readonly attempts: number;
  /** Retry-After of the answer, in seconds. */
  readonly retryAfterS: number | null;
  /** The answer's `Date`, in ms since the epoch. */
  readonly serverDateMs: number | null;
  /** Local clock minus `Date`, in seconds; only where it exceeds 30 s. */
  readonly clockSkewS: number | null;
  /** Virtual time of a sandbox (`x-verdict-time`), in ms since the epoch. */
  readonly virtualTimeMs: number | null;
  /** Id of the sandbox's decision (`x-verdict-decision`). */
  readonly decisionId: string | null;
}

/** What an answer's headers and status tell besides its meaning. */
export type AnswerFacts = Pick<
  CallResult,
  "httpStatus" | "retryAfterS" | "serverDateMs" | "clockSkewS" | "virtualTimeMs" | "decisionId"
>;

/** Those of a call without an answer. */
export const NO_FACTS: AnswerFacts = {
  httpStatus: null,
  retryAfterS: null,
  serverDateMs: null,
  clockSkewS: null,
  virtualTimeMs: null,
  decisionId: null,
};

export interface CheckResult extends CallResult {
  /** Null unless `outcome` is `answered`. */
  readonly recommendation: Recommendation | null;
  /** The service's readable text: untrusted. */
  readonly message: string | null;
  /** What stood in `code` when it is not a recommendation: untrusted, at most 200 characters of its JSON. */
  readonly rawCode: string | null;
}

export interface RegisterResult extends CallResult {
  /** True only for a 2xx whose body is an object with `status` exactly `success`. */
  readonly registered: boolean;
  /** The service's readable text: untrusted. */
  readonly message: string | null;
}

export interface CredentialResult extends CallResult {
  /**
   * - `ready`: all four strings are there and well-formed
   * - `not_ready`: ask again later (404 credential_not_ready, or a 2xx that is no success with a credential)
   * - `unusable`: a success with a credential whose values cannot be used: asking again does not help
   * - `closed`: 410, the window is over
   * - `failed`: anything else; `outcome` and `explanation` say what
   */
  readonly state: "ready" | "not_ready" | "unusable" | "closed" | "failed";
  readonly credential: ProjectCredential | null;
  /** The service's readable text: untrusted. */
  readonly message: string | null;
}
