// A what-if as lines: the verdict that the sandbox predicts, the rules behind it, and what would flip it. Pure.

import type { WhatIfAnswer } from "#src/actions/check/what-if.ts";
import { hitsOf, type Explanation, type RuleTrace } from "#src/contract/wire/explanation.ts";
import { FLIP_HEADING, flipLines, ruleLine, scoreText } from "#src/display/explanation-lines.ts";
import { safe } from "#src/display/safe.ts";
import type { Ascii } from "#src/display/sign.ts";
import { textLine, type HangingLine } from "#src/display/span.ts";
import { decidedByWords, NO_OBJECTION, VERDICTS, verdictSpan } from "#src/display/verdict.ts";

export function whatIfLines(answer: WhatIfAnswer, ascii: Ascii): HangingLine[] {
  const { verdict, decision, magic, project } = answer;
  const said =
    magic === null || decision?.decidedBy === "magic"
      ? VERDICTS[verdict].reaction
      : "The service would give no trustworthy answer.";
  return [
    { fixed: [verdictSpan(verdict, ascii), { text: "  " }], text: said },
    textLine(
      `This is the expected answer for ${safe(project, { max: 60 })}. Nothing was sent, counted or recorded.`,
      "note",
    ),
    ...(magic === null
      ? []
      : [textLine(`The order id ${safe(magic.prefix)} ${safe(magic.what)}.`, "warning")]),
    ...(decision === null ? [] : decisionLines(decision, ascii)),
  ];
}

function decisionLines(decision: Omit<Explanation, "id">, ascii: Ascii): HangingLine[] {
  const { rules, decidedBy, repeat, flips = [] } = decision;
  const hits = hitsOf(decision);
  const unknown = rules
    .filter(({ outcome, mode }) => outcome === "not_evaluated" && mode === "live")
    .map(({ code }) => code);
  return [
    ...(repeat
      ? [textLine("The same answer as to the check that was sent before: an identical repeat.", "note")]
      : []),
    textLine(""),
    textLine(`Score ${scoreText(decision)}. Decided by ${decidedByWords(decidedBy)}.`),
    ...(hits.length === 0 ? [textLine(NO_OBJECTION)] : hits.map(hitLine)),
    ...(unknown.length === 0
      ? []
      : [textLine(safe(`Not evaluated for lack of data: ${unknown.join(", ")}.`, { max: 400 }))]),
    ...(flips.length === 0
      ? []
      : [textLine(""), textLine(FLIP_HEADING, "heading"), ...flipLines(flips, ascii)]),
  ];
}

/** Columns of `block `. */
const EFFECT = 6;

function hitLine(hit: RuleTrace): HangingLine {
  const { code, effect, role, text } = ruleLine(hit);
  return { fixed: [{ text: effect.padEnd(EFFECT), role }], text: `${code}  ${text}` };
}
