// THE vocabulary of results: what each one looks like and is called, on every screen and in every report.

import type { Environment } from "#src/contract/records/profile.ts";
import type { CheckResult } from "#src/contract/wire/outcome.ts";
import { REQUIRED_REACTION, type FinalAction } from "#src/contract/wire/recommendation.ts";
import { safe } from "./safe.ts";
import type { Role } from "./style.ts";

/** A recommendation, or the reason why there is none: the identity of a row, rather than its HTTP status. */
export const VERDICT_KINDS = [
  "pass",
  "block",
  "3ds_or_block",
  "indeterminate",
  "unknown",
  "refused",
  "not_sent",
] as const;

export type VerdictKind = (typeof VERDICT_KINDS)[number];

export interface VerdictLook {
  /** One column wide. */
  readonly symbol: string;
  /** The same for terminals without Unicode. */
  readonly ascii: string;
  /** At most 8 columns wide. */
  readonly word: string;
  readonly role: Role;
  /** One sentence: what the caller does now (spec section 1), or what is known where there is no verdict. */
  readonly reaction: string;
}

export const VERDICTS: Readonly<Record<VerdictKind, VerdictLook>> = {
  pass: { symbol: "✔", ascii: "+", word: "PASS", role: "pass", reaction: REQUIRED_REACTION.pass },
  block: { symbol: "✖", ascii: "x", word: "BLOCK", role: "block", reaction: REQUIRED_REACTION.block },
  "3ds_or_block": {
    symbol: "◆",
    ascii: ">",
    word: "3DS",
    role: "challenge",
    reaction: REQUIRED_REACTION["3ds_or_block"],
  },
  indeterminate: {
    symbol: "!",
    ascii: "!",
    word: "NOT PASS",
    role: "doubt",
    reaction: "The answer is not one of the three recommendations; do not continue on it.",
  },
  unknown: {
    symbol: "?",
    ascii: "?",
    word: "UNKNOWN",
    role: "doubt",
    reaction: "The request left and no trustworthy answer came; do not continue without one.",
  },
  refused: {
    symbol: "⊘",
    ascii: "#",
    word: "REFUSED",
    role: "fault",
    reaction: "The service refused the request and gave no recommendation; do not continue without one.",
  },
  not_sent: {
    symbol: "○",
    ascii: "o",
    word: "NOT SENT",
    role: "fault",
    reaction: "Nothing was sent; do not continue without a recommendation.",
  },
};

/**
 * The verdict of a check, from parsed values alone.
 * @param result null for a check whose outcome was never learnt, e.g. after a crash: unknown
 */
export function verdictKind(result: Pick<CheckResult, "outcome" | "recommendation"> | null): VerdictKind {
  if (result === null) return "unknown";
  if (result.outcome !== "answered") return result.outcome;
  return result.recommendation ?? "indeterminate";
}

/** Symbol and word, e.g. `✔ PASS`. */
export function verdictLabel(kind: VerdictKind, ascii: boolean): string {
  const { symbol, ascii: plain, word } = VERDICTS[kind];
  return `${ascii ? plain : symbol} ${word}`;
}

/** The caller's final action in words. */
export const FINAL_ACTION: Readonly<Record<FinalAction, string>> = {
  continue: "Continue processing.",
  block: "Block further processing.",
  "3ds": "Send to 3-D Secure.",
};

const DECIDED_BY: Readonly<Record<string, string>> = {
  hard_block: "a blocking rule",
  allow_list: "the allow list",
  block_score: "the score",
  require_3ds: "a 3-D Secure rule",
  "3ds_score": "the score",
  pass: "the score",
  magic: "the order id",
};

/** What decided, in a word or two, next to the score and its thresholds; safe. */
export function decidedByWords(decidedBy: string): string {
  return DECIDED_BY[decidedBy] ?? safe(decidedBy.replaceAll("_", " "));
}

/** Colour role of the environment badge. */
export const ENVIRONMENT_ROLE: Readonly<Record<Environment, Role>> = {
  SANDBOX: "sandbox",
  TEST: "test",
  LIVE: "live",
};
