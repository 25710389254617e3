// The facts of two checks for a comparison: verdict, reason, rules of the sandbox, timing, request. Pure.

import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import { hitsOf, type Explanation } from "#src/contract/wire/explanation.ts";
import { trustedExplanation } from "#src/display/decision.ts";
import { ruleEffect } from "#src/display/explanation-lines.ts";
import { safe } from "#src/display/safe.ts";
import { formatDateTime, formatLatency } from "#src/display/time.ts";
import {
  decidedByWords,
  FINAL_ACTION,
  outcomeReason,
  verdictKind,
  VERDICTS,
  verdictSpan,
} from "#src/display/verdict.ts";
import type { EntryPair } from "#src/state/history/history-state.ts";
import type { RenderOptions } from "#src/ui/decision-lines.ts";
import { requestFacts, textValue, type Fact, type SideLine, type Value } from "#src/ui/sides.ts";

/** Every fact that at least one of two checks has. */
export function pairLines({ before, after }: EntryPair, options: RenderOptions): SideLine[] {
  const both = (label: string, read: (entry: HistoryEntry) => Value | null, marks: boolean = true): Fact => ({
    label,
    before: read(before),
    after: read(after),
    marks,
  });
  const facts: Fact[] = [
    both("Verdict", ({ result }) => verdictSpan(verdictKind(result), options.theme.ascii)),
    both("Required", ({ result }) => ({ text: VERDICTS[verdictKind(result)].reaction }), false),
    both("Final", ({ finalAction }) =>
      finalAction === null ? { text: "none yet" } : { text: FINAL_ACTION[finalAction] },
    ),
    both("Reason", ({ result }) => textValue(outcomeReason(result))),
    both("Note", ({ note }) => textValue(note), false),
    both("Latency", ({ result }) => ({ text: formatLatency(result?.latencyMs ?? null) }), false),
    both("Attempts", ({ result }) => textValue(result === null ? null : String(result.attempts)), false),
    both("HTTP status", ({ result }) => textValue(result?.httpStatus?.toString() ?? null)),
    both("Sent at", ({ at }) => ({ text: formatDateTime(at) }), false),
    both("Profile", ({ profile }) => textValue(profile)),
    both("Project", ({ project }) => textValue(project)),
  ];
  return [
    ...facts.filter((fact) => fact.before !== null || fact.after !== null).map(filled),
    ...ruleLines(
      trustedExplanation(before.result, before.explanation),
      trustedExplanation(after.result, after.explanation),
    ),
    { heading: "Request" },
    ...requestFacts(before.request, after.request, options.unit),
  ];
}

/** A fact that one side lacks is a difference. */
function filled({ before, after, ...fact }: Fact): Fact {
  return { ...fact, before: before ?? NONE, after: after ?? NONE };
}

const NONE: Value = { text: "none" };

/** Score and every rule that hit on at least one side; a sentence if an explanation is missing. */
function ruleLines(before: Explanation | null, after: Explanation | null): SideLine[] {
  if (before === null || after === null) {
    const which =
      before === null && after === null
        ? "Neither decision was explained"
        : `The ${before === null ? "earlier" : "later"} decision was not explained`;
    return [{ heading: `${which}; only the sandbox explains its decisions.` }];
  }
  const both = (label: string, read: (explained: Explanation) => string): Fact => ({
    label,
    before: { text: read(before) },
    after: { text: read(after) },
    marks: true,
  });
  const codes = [...new Set([...hitsOf(before), ...hitsOf(after)].map(({ code }) => code))];
  return [
    { heading: codes.length === 0 ? "No rule was hit" : "Rules" },
    both("Score", ({ score }) => String(score)),
    both("Decided by", ({ decidedBy }) => decidedByWords(decidedBy)),
    both("Risk level", ({ riskLevel }) => safe(riskLevel)),
    ...codes.map((code) => both(safe(code, { max: 40 }), (explained) => ruleText(explained, code))),
  ];
}

function ruleText({ rules }: Explanation, code: string): string {
  const rule = rules.find((each) => each.code === code && each.mode === "live");
  if (rule === undefined) return "no such rule";
  if (rule.outcome === "no_hit") return "no hit";
  if (rule.outcome === "not_evaluated") return "not evaluated";
  return `hit, ${ruleEffect(rule)}: ${safe(rule.text, { max: 400 })}`;
}
