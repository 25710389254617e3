// Interface of the sandbox's state; routes do not know how it is stored.

import { Fault, whole } from "#src/contract/fault.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { Explanation } from "#src/contract/wire/explanation.ts";
import type { DecisionBasis } from "#src/contract/wire/outcome.ts";
import type { Recommendation } from "#src/contract/wire/recommendation.ts";
import type { Attempt, AttemptView } from "#src/rules/counters/attempt-view.ts";
import type { Counters } from "#src/rules/counters/counters.ts";
import type { DecisionDraft } from "#src/rules/decision/decide.ts";
import type { DecisionRecord } from "#src/rules/decision/decision-record.ts";
import type { RuleSet } from "#src/rules/rule-file/rule-set.ts";
import type { Accounts } from "./accounts.ts";
import type { Remembered } from "./used-signatures.ts";

export interface CheckAttempt {
  readonly projectId: string;
  /** Null when the body has none; then it is never a repeat. */
  readonly orderId: string | null;
  readonly bodyDigest: string;
  /** Virtual time. */
  readonly at: Milliseconds;
}

export interface SettledCheck {
  readonly decisionId: string;
  readonly recommendation: Recommendation;
  readonly message: string;
  /** True for the stored answer to an identical repeat, which was not counted. */
  readonly repeat: boolean;
  /** Null for a forced answer, and for a repeat after a restart. */
  readonly basis: DecisionBasis | null;
}

/** `peek`: the counts as they would be with the check, which is not counted. */
export type CountMode = "count" | "peek";

/** The virtual clock was changed since the time of the attempt was read, by another process: nothing was counted. */
export class ClockMoved extends Fault {
  constructor() {
    super("storage", whole("The virtual clock is being changed all the time; send the call again."));
  }
}

export type ConsideredCheck =
  | { readonly repeat: SettledCheck; readonly draft: null }
  | { readonly repeat: null; readonly draft: DecisionDraft };

/** A decision to be stored, and the rule set that explains it; project and time are those of the attempt. */
export interface Decided {
  readonly record: DecisionRecord;
  /** Null for a forced one. */
  readonly basis: DecisionBasis | null;
  readonly ruleSet: RuleSet;
}

export type Look = (counters: Pick<Counters, "keysOf" | "peek">) => DecisionDraft;

/**
 * Every method that changes something resolves when the change survives the end of the process; where it also survives a
 * power cut, the method says so. All reject with a Fault `storage` when the change cannot be written.
 */
export interface SandboxState {
  readonly accounts: Accounts;
  /** Signatures that are remembered now. */
  signatureCount(): Promise<number>;
  rememberSignature(identity: string, signedAt: Milliseconds, realNow: Milliseconds): Promise<Remembered>;
  /** Keys of a request, hashed with the secret of this state's counters. */
  readonly keysOf: Counters["keysOf"];
  /**
   * Decides once: an identical repeat gets the stored answer, and `decide` is not called; any other check is counted once, and
   * stored with what was counted for it. One that `decide` throws for is no decision, and stays counted.
   * @param counted the same check for the counters
   * @param decide decides by the counts, which include the check
   * @param most decisions that there may be
   * @throws QuotaReached, or ClockMoved when the attempt is to be made anew
   */
  settle(
    attempt: CheckAttempt,
    counted: Attempt,
    mode: CountMode,
    decide: (view: AttemptView) => Decided,
    most?: number,
  ): Promise<SettledCheck>;
  /** Dry run: nothing is counted, remembered or written. `work` is not called for an identical repeat. */
  look(attempt: CheckAttempt, counted: Attempt, work: Look): Promise<ConsideredCheck>;
  decision(id: string): Promise<Explanation | null>;
  decisionCount(): Promise<number>;

  /** False after a failed write: calls that must be remembered are refused then. */
  isWritable(): boolean;
  close(): Promise<void>;
}

/** A state that requests use together. */
export interface SharedState {
  readonly state: SandboxState;
  /** Work during which the state stays what it is. */
  shared<R>(work: () => Promise<R>): Promise<R>;
  /** While true, requests are to wait: another process copies the state. */
  isHeld(): boolean;
}
