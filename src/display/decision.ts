// One picture of a decision for every screen and report: the verdict, what to do, and why, in safe words. Pure.

import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import { hitsOf, type CounterReading, type Explanation } from "#src/contract/wire/explanation.ts";
import type { CheckResult } from "#src/contract/wire/outcome.ts";
import { ENGLISH, type Said } from "./audience-words.ts";
import { ruleLine, type Flippable, type RuleLine } from "./explanation-lines.ts";
import { safe } from "./safe.ts";
import { isOverruling, outcomeReason, verdictKinds, type Kinds, type VerdictKind } from "./verdict.ts";

/** A check that is over, as far as its decision needs it. */
export interface Decided extends Pick<HistoryEntry, "finalAction"> {
  readonly explanation: Omit<Explanation, "id"> | null;
  readonly result: Pick<CheckResult, "outcome" | "recommendation" | "message" | "explanation"> | null;
}

export interface Decision {
  readonly kinds: Kinds;
  /** The required reaction; where it has a choice also whether 3-D Secure can be forced, with the final action. */
  readonly reactions: readonly [string, ...string[]];
  /** The final action once it is decided, else the required reaction. */
  readonly todo: string;
  /** Null beside an answer that cannot be trusted, where it would look like what could have been. */
  readonly score: Pick<Explanation, "score" | "thresholds" | "recommendation"> | null;
  /** The stored answer to an identical request, not counted again. */
  readonly repeat: boolean;
  /** What decided in place of the score; null where the score did. */
  readonly ruling: string | null;
  /** The strongest first. */
  readonly reasons: readonly RuleLine[];
  /** Why there are no reasons; null where there are some. */
  readonly silence: string | null;
  /** Rules that were not evaluated, for lack of data. */
  readonly lacking: readonly string[];
  readonly counters: readonly CounterReading[];
  /** Null where they were not computed. */
  readonly flips: Flippable | null;
}

/** The stored explanation; null beside an outcome without a verdict, which it would contradict. */
export function trustedExplanation<Stored>(
  result: Pick<CheckResult, "recommendation"> | null,
  explanation: Stored | null,
): Stored | null {
  return result?.recommendation == null ? null : explanation;
}

/**
 * @param say words of verdicts, e.g. in the language of an audience
 * @param worded makes a text of the service or of a rule safe
 */
export function decisionOf(
  { result, explanation, finalAction }: Decided,
  say: Said = ENGLISH,
  worded: (text: string) => string = (text) => safe(text, { max: 1_000 }),
): Decision {
  const kinds = verdictKinds({ result, finalAction });
  const trusted = trustedExplanation(result, explanation);
  const by = trusted?.decidedBy ?? "";
  // The hits did not decide where the order id did.
  const hits = trusted === null || by === "magic" ? [] : hitsOf(trusted);
  const why = worded(outcomeReason(result));
  // Nothing was wrong, or nothing is known.
  const silence =
    trusted !== null
      ? say(by === "magic" ? "by_magic" : "no_objection")
      : result?.outcome === "answered"
        ? why
        : say("unanswered", { why });
  return {
    kinds,
    ...todoOf(kinds[0], finalAction, say),
    score: trusted,
    repeat: trusted?.repeat === true,
    ruling: isOverruling(by) && by !== "magic" ? say(`by_${by}`) : null,
    reasons: hits.map((rule) => ({ ...ruleLine(rule), text: worded(rule.text) })),
    silence: hits.length > 0 ? null : silence,
    lacking: (trusted?.rules ?? [])
      .filter(({ mode, outcome }) => mode === "live" && outcome === "not_evaluated")
      .map(({ code }) => safe(code, { max: 60 })),
    counters: trusted?.counters ?? [],
    flips: trusted?.flips === undefined ? null : { ...trusted, flips: trusted.flips },
  };
}

function todoOf(
  kind: VerdictKind,
  finalAction: HistoryEntry["finalAction"],
  say: Said,
): Pick<Decision, "reactions" | "todo"> {
  const reaction = say(`${kind}_reaction`);
  if (kind !== "3ds_or_block") return { reactions: [reaction], todo: reaction };
  if (finalAction === null) return { reactions: [reaction, say("open")], todo: reaction };
  const what = say(finalAction === "continue" ? "continue" : `final_${finalAction}`);
  const todo = say("final_action", { what });
  const forced = say(finalAction === "block" ? "not_forced" : "forced");
  return { reactions: [reaction, `${forced}. ${todo}`], todo };
}
