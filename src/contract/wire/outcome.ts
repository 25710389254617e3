// The result of a call: five outcomes, read fail-closed. Only `answered` has a trustworthy verdict.

import type { Fault } from "#src/contract/fault.ts";
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

/** The part of a result that all calls have. */
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
  /** Tenant of the key in a sandbox (`x-verdict-tenant`); absent for the default one. */
  readonly tenant?: string;
  /** The sandbox's stored answer to an identical check, which was not decided again (`x-verdict-repeat`). */
  readonly repeated?: true;
  /** Absent for other services, for forced answers, and for repeats after a restart of the sandbox. */
  readonly basis?: DecisionBasis;
}

/** What a decision rests on (`x-verdict-score`, `x-verdict-rules`). */
export interface DecisionBasis {
  readonly score: number;
  /** Codes of the live rules that hit: the decisive one first, then by weight. */
  readonly rules: readonly string[];
}

/** Facts from an answer's status and headers. */
export type AnswerFacts = Pick<
  CallResult,
  | "httpStatus"
  | "retryAfterS"
  | "serverDateMs"
  | "clockSkewS"
  | "virtualTimeMs"
  | "decisionId"
  | "tenant"
  | "repeated"
  | "basis"
>;

/** The facts of a call without an answer. */
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
  /** JSON of `code` when it is not a recommendation: untrusted, at most 200 characters. */
  readonly rawCode: string | null;
}

/** What is known of a check without an answer. */
export const NO_ANSWER = {
  ...NO_FACTS,
  reason: null,
  latencyMs: null,
  attempts: 0,
  recommendation: null,
  message: null,
  rawCode: null,
} as const;

/** The result of a check that was refused before a request was made. */
export function notSent({ code, message }: Fault): CheckResult {
  return { ...NO_ANSWER, outcome: "not_sent", reason: code, explanation: message };
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
   * - `not_ready`: try again later (404 credential_not_ready, or a 2xx that is no success with a credential)
   * - `unusable`: a success whose credential cannot be used; a further request does not help
   * - `closed`: 410, the window is over
   * - `failed`: anything else; see `outcome` and `explanation`
   */
  readonly state: "ready" | "not_ready" | "unusable" | "closed" | "failed";
  readonly credential: ProjectCredential | null;
  /** The service's readable text: untrusted. */
  readonly message: string | null;
}
