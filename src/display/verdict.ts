// The vocabulary of results: symbol, word, colour role and reaction of each, for every screen and report.

import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import type { Environment } from "#src/contract/records/profile.ts";
import type { CheckResult } from "#src/contract/wire/outcome.ts";
import { REQUIRED_REACTION, type FinalAction } from "#src/contract/wire/recommendation.ts";
import { hasHidden, safe } from "./safe.ts";
import { SIGN, signText, type Ascii } from "./sign.ts";
import { paintSpans, type RoleSpan } from "./span.ts";
import type { Role, Style } from "./style.ts";

/** A recommendation, or why there is none. */
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

/** A verdict, and behind it what became of it. */
export type Kinds = readonly [VerdictKind, ...VerdictKind[]];

export interface VerdictPresentation {
  /** One column wide. */
  readonly symbol: string;
  /** The same for terminals without Unicode. */
  readonly ascii: string;
  /** At most 8 columns wide. */
  readonly word: string;
  readonly role: Role;
  /** One sentence: the required reaction (spec section 1), or what is known without a verdict. */
  readonly reaction: string;
}

export const VERDICTS: Readonly<Record<VerdictKind, VerdictPresentation>> = {
  pass: { symbol: "✔", ascii: "+", word: "PASS", role: "pass", reaction: REQUIRED_REACTION.pass },
  block: { symbol: "✖", ascii: "x", word: "BLOCK", role: "block", reaction: REQUIRED_REACTION.block },
  "3ds_or_block": {
    symbol: "◆",
    ascii: "*",
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
    reaction: "No trustworthy answer came; do not continue without one.",
  },
  refused: {
    symbol: "⊘",
    ascii: "#",
    word: "REFUSED",
    role: "fault",
    reaction: "No recommendation came; do not continue without one.",
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
 * @param result null for a check whose outcome was never recorded, e.g. after a crash: unknown
 */
export function verdictKind(result: Pick<CheckResult, "outcome" | "recommendation"> | null): VerdictKind {
  if (result === null) return "unknown";
  if (result.outcome !== "answered") return result.outcome;
  return result.recommendation ?? "indeterminate";
}

/** The verdict of a check, and behind it what the caller made of it where that is to block. */
export function verdictKinds({
  result,
  finalAction,
}: Pick<HistoryEntry, "finalAction"> & { readonly result: Parameters<typeof verdictKind>[0] }): Kinds {
  const kind = verdictKind(result);
  return kind === "3ds_or_block" && finalAction === "block" ? [kind, "block"] : [kind];
}

/** The symbol alone: `✔`. */
export function verdictSign(kind: VerdictKind, ascii: Ascii): string {
  return signText(VERDICTS[kind], ascii);
}

/** Symbol and word, e.g. `✔ PASS`. @param word in another language */
export function verdictLabel(kind: VerdictKind, ascii: Ascii, word: string = VERDICTS[kind].word): string {
  return `${verdictSign(kind, ascii)} ${word}`.trimStart();
}

/** Symbol and word in the colour of the verdict; a dash for none. */
export function verdictSpan(kind: VerdictKind | null, ascii: Ascii, word?: string): RoleSpan {
  return kind === null ? { text: "-" } : { text: verdictLabel(kind, ascii, word), role: VERDICTS[kind].role };
}

/** The same as text of the command line. */
export function paintedVerdict(kind: VerdictKind | null, style: Style, word?: string): string {
  return paintSpans([verdictSpan(kind, style.ascii, word)], style);
}

/** The caller's final action in words. */
export const FINAL_ACTION: Readonly<Record<FinalAction, string>> = {
  continue: "Continue processing.",
  block: "Block further processing.",
  "3ds": "Send to 3-D Secure.",
};

/** In place of a final action that is not decided. */
export const FINAL_OPEN = "Open: it is not known yet whether 3-D Secure can be forced.";

const FINAL_WORD: Readonly<Record<FinalAction, string>> = {
  continue: "continue",
  block: "block",
  "3ds": "3DS",
};

/** The final action in a word for a column: `open` while it is not decided, `-` for none. */
export function finalWord({ finalAction, result }: Pick<HistoryEntry, "finalAction" | "result">): string {
  if (finalAction !== null) return FINAL_WORD[finalAction];
  return result?.recommendation === "3ds_or_block" ? "open" : "-";
}

/** The final action, or that it is open; null where there is no recommendation to act on. */
export function finalActionText({
  finalAction,
  result,
}: Pick<HistoryEntry, "finalAction" | "result">): string | null {
  if (finalAction !== null) return FINAL_ACTION[finalAction];
  return result?.outcome === "answered" && result.recommendation === "3ds_or_block" ? FINAL_OPEN : null;
}

/** What takes precedence over the score. */
const BEATS_SCORE = {
  hard_block: "a blocking rule, regardless of the score",
  allow_list: "the allow list, regardless of the score",
  require_3ds: "a 3-D Secure rule, regardless of the score",
  magic: "the order id, regardless of the rules",
} as const;

export type Overruling = keyof typeof BEATS_SCORE;
export const OVERRULINGS = Object.keys(BEATS_SCORE) as Overruling[];

const BY_SCORE: readonly string[] = ["block_score", "3ds_score", "pass"];

/** What decided, next to the score and its thresholds; safe. */
export function decidedByWords(decidedBy: string): string {
  if (BY_SCORE.includes(decidedBy)) return "the score";
  return isOverruling(decidedBy) ? BEATS_SCORE[decidedBy] : safe(decidedBy.replaceAll("_", " "));
}

export function isOverruling(decidedBy: string): decidedBy is Overruling {
  return Object.hasOwn(BEATS_SCORE, decidedBy);
}

/** `Decided by a blocking rule, regardless of the score.` */
export function overrulingSentence(decidedBy: Overruling): string {
  return `Decided by ${BEATS_SCORE[decidedBy]}.`;
}

/** The reason of a pass without any hit. */
export const NO_OBJECTION = "No rule had an objection.";

export const NO_OUTCOME =
  "No outcome was recorded, and the request may have arrived: send it again only if a second check of this payment is wanted.";

/** Why a check ended as it did: the service's text for an answer, else what happened to the call. Untrusted. */
export function outcomeReason(
  result: Pick<CheckResult, "outcome" | "message" | "explanation"> | null,
): string {
  if (result === null) return NO_OUTCOME;
  return result.outcome === "answered" && result.message !== null ? result.message : result.explanation;
}

/** The same made safe. */
export function reasonText(result: Parameters<typeof outcomeReason>[0], ascii: Ascii): string {
  return badgedText(outcomeReason(result), ascii);
}

/** A text made safe, with a badge if it has invisible characters. */
export function badgedText(text: string, ascii: Ascii): string {
  const badge = hasHidden(text) ? `${signText(SIGN.hidden, ascii)} ` : "";
  return `${badge}${safe(text, { max: 500 })}`;
}

/** Colour role of the environment badge. */
export const ENVIRONMENT_ROLE: Readonly<Record<Environment, Role>> = {
  SANDBOX: "sandbox",
  TEST: "test",
  LIVE: "live",
};
