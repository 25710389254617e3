// Two checks as facts to be set side by side: verdict, reason, rules of the sandbox, timing, request. Pure.

import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import type { Explanation } from "#src/contract/wire/explanation.ts";
import { safe } from "#src/display/safe.ts";
import { formatDateTime, formatLatency } from "#src/display/time.ts";
import { decidedByWords, FINAL_ACTION, VERDICTS, verdictKind, verdictLabel } from "#src/display/verdict.ts";
import type { EntryPair } from "#src/state/history/history-state.ts";
import { requestFacts, textValue, type Fact, type SideLine, type Value } from "#src/ui/sides.ts";
import type { Look } from "./detail-lines.ts";

/** Every fact of two checks; those that neither has are left out. */
export function pairLines({ before, after }: EntryPair, look: Look): SideLine[] {
  const both = (label: string, read: (entry: HistoryEntry) => Value | null, marks: boolean = true): Fact => ({
    label,
    before: read(before),
    after: read(after),
    marks,
  });
  const facts: Fact[] = [
    both("Verdict", ({ result }) => {
      const kind = verdictKind(result);
      return { text: verdictLabel(kind, look.ascii), role: VERDICTS[kind].role };
    }),
    both("Required", ({ result }) => ({ text: VERDICTS[verdictKind(result)].reaction }), false),
    both("Final", ({ finalAction }) =>
      finalAction === null ? { text: "none yet" } : { text: FINAL_ACTION[finalAction] },
    ),
    both("Reason", reasonOf),
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
    ...ruleLines(before.explanation, after.explanation),
    { heading: "Request" },
    ...requestFacts(before.request, after.request, look.unit),
  ];
}

/** What one of them lacks is a difference, too. */
function filled({ before, after, ...fact }: Fact): Fact {
  return { ...fact, before: before ?? NONE, after: after ?? NONE };
}

const NONE: Value = { text: "none" };

function reasonOf({ result }: HistoryEntry): Value | null {
  if (result === null) return { text: "No outcome was recorded; the request may have arrived." };
  return textValue(result.outcome === "answered" ? result.message : result.explanation);
}

/** Score and every rule that hit on one side at least; a sentence where the sandbox has not explained both. */
function ruleLines(before: Explanation | null, after: Explanation | null): SideLine[] {
  if (before === null || after === null) {
    const which =
      before === null && after === null
        ? "Neither decision was explained"
        : `The ${before === null ? "earlier" : "later"} decision was not explained`;
    return [{ heading: `${which}; only the sandbox explains itself.` }];
  }
  const both = (label: string, read: (explained: Explanation) => string): Fact => ({
    label,
    before: { text: read(before) },
    after: { text: read(after) },
    marks: true,
  });
  const codes = [...new Set([...hitsOf(before), ...hitsOf(after)])];
  return [
    { heading: codes.length === 0 ? "No rule was hit" : "Rules" },
    both("Score", ({ score }) => String(score)),
    both("Decided by", ({ decidedBy }) => decidedByWords(decidedBy)),
    both("Risk level", ({ riskLevel }) => safe(riskLevel)),
    ...codes.map((code) => both(safe(code, { max: 40 }), (explained) => ruleText(explained, code))),
  ];
}

function hitsOf({ rules }: Explanation): string[] {
  return rules.filter(({ mode, outcome }) => mode === "live" && outcome === "hit").map(({ code }) => code);
}

function ruleText({ rules }: Explanation, code: string): string {
  const rule = rules.find((each) => each.code === code && each.mode === "live");
  if (rule === undefined) return "no such rule";
  if (rule.outcome === "no_hit") return "no hit";
  if (rule.outcome === "not_evaluated") return "not evaluated";
  const effect =
    rule.weight === null
      ? rule.effect === "3ds"
        ? "3DS"
        : rule.effect
      : rule.weight < 0
        ? String(rule.weight)
        : `+${rule.weight}`;
  return `hit, ${effect}: ${safe(rule.text, { max: 400 })}`;
}
