// One picture of a decision for every screen and report: the verdict, what to do, and why, in safe words. Pure.

import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import {
  hitsOf,
  type CounterReading,
  type Explanation,
  type FlipPoint,
} from "#src/contract/wire/explanation.ts";
import type { CheckResult } from "#src/contract/wire/outcome.ts";
import { ENGLISH, type Said } from "./audience-words.ts";
import { ruleLine, type RuleLine } from "./explanation-lines.ts";
import { safe } from "./safe.ts";
import { isOverruling, NO_OUTCOME, verdictKinds, type Kinds } from "./verdict.ts";

/** A check that is over, as far as its decision needs it. */
export interface Decided extends Pick<HistoryEntry, "explanation" | "finalAction"> {
  readonly result: Pick<CheckResult, "outcome" | "recommendation" | "message" | "explanation"> | null;
}

export interface Decision {
  readonly kinds: Kinds;
  /** The required reaction. */
  readonly reaction: string;
  /** The final action once it is decided, else the required reaction. */
  readonly todo: string;
  /** Whether 3-D Secure can be forced, with the final action; null where the verdict determines it. */
  readonly settled: string | null;
  /** Null beside an answer that cannot be trusted, where it would look like what could have been. */
  readonly score: Pick<Explanation, "score" | "thresholds"> | null;
  /** The stored answer to an identical request, not counted again. */
  readonly repeat: boolean;
  /** What decided in place of the score; null where the score did. */
  readonly ruling: string | null;
  /** The strongest first. */
  readonly reasons: readonly RuleLine[];
  /** Why there are no reasons; null where there are some. */
  readonly silence: string | null;
  readonly counters: readonly CounterReading[];
  /** Null where they were not computed. */
  readonly flips: readonly FlipPoint[] | null;
}

type Worded = (text: string) => string;

/**
 * @param say words of verdicts, e.g. in the language of an audience
 * @param worded makes a text of the service or of a rule safe
 */
export function decisionOf(
  entry: Decided,
  say: Said = ENGLISH,
  worded: Worded = (text) => safe(text, { max: 1_000 }),
): Decision {
  const { result, explanation, finalAction } = entry;
  const kinds = verdictKinds(entry);
  const reaction = say(`${kinds[0]}_reaction`);
  const hasChoice = kinds[0] === "3ds_or_block";
  const final =
    hasChoice && finalAction !== null
      ? say("final_action", { what: say(finalAction === "continue" ? "continue" : `final_${finalAction}`) })
      : null;
  const settled =
    final === null ? say("open") : `${say(finalAction === "block" ? "not_forced" : "forced")}. ${final}`;
  const trusted = result?.recommendation == null ? null : explanation;
  const by = trusted?.decidedBy ?? "";
  const reasons = reasonsOf(entry, worded);
  return {
    kinds,
    reaction,
    todo: final ?? reaction,
    settled: hasChoice ? settled : null,
    score: trusted,
    repeat: trusted?.repeat === true,
    ruling: isOverruling(by) && by !== "magic" ? say(`by_${by}`) : null,
    reasons,
    silence: reasons.length > 0 ? null : silenceOf(entry, say, worded),
    counters: explanation?.counters ?? [],
    flips: explanation?.flips ?? null,
  };
}

/** The rules that hit and count. */
function reasonsOf({ result, explanation }: Decided, worded: Worded): RuleLine[] {
  // The hits did not decide where the order id did.
  const isSilent =
    result?.outcome !== "answered" || explanation === null || explanation.decidedBy === "magic";
  return isSilent ? [] : hitsOf(explanation).map((rule) => ({ ...ruleLine(rule), text: worded(rule.text) }));
}

/** Why there are no reasons: nothing was wrong, or nothing is known. */
function silenceOf({ result, explanation }: Decided, say: Said, worded: Worded): string {
  if (result === null) return NO_OUTCOME;
  if (result.outcome !== "answered") return say("unanswered", { why: worded(result.explanation) });
  if (explanation !== null) return say(explanation.decidedBy === "magic" ? "by_magic" : "no_objection");
  return result.message === null ? "The service gives no reason." : worded(result.message);
}
