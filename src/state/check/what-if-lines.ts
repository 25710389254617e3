// A what-if as lines: the verdict that the sandbox predicts, the rules behind it, and what would flip it. Pure.

import type { WhatIfAnswer } from "#src/actions/check/what-if.ts";
import type { Explanation } from "#src/contract/wire/explanation.ts";
import { decisionOf } from "#src/display/decision.ts";
import { FLIP_HEADING, flipRows, type RuleLine } from "#src/display/explanation-lines.ts";
import { safe } from "#src/display/safe.ts";
import { textLine, type HangingLine } from "#src/display/span.ts";
import { decidedByWords, VERDICTS, verdictSpan } from "#src/display/verdict.ts";
import type { PageRoom, PageView } from "#src/state/page.ts";

export function whatIfLines(
  answer: WhatIfAnswer,
  room: Pick<PageRoom, "width" | "ascii">,
): PageView["lines"] {
  const { verdict, decision, magic, project } = answer;
  const said =
    magic === null || decision?.decidedBy === "magic"
      ? VERDICTS[verdict].reaction
      : "The service would give no trustworthy answer.";
  return [
    { fixed: [verdictSpan(verdict, room.ascii), { text: "  " }], text: said },
    textLine(
      `The form sent now for ${safe(project, { max: 60 })} would get this, after all checks so far. Nothing was sent, counted or recorded.`,
      "note",
    ),
    ...(magic === null
      ? []
      : [textLine(`The order id ${safe(magic.prefix)} ${safe(magic.what)}.`, "warning")]),
    ...(decision === null ? [] : decisionLines(decision, room)),
  ];
}

function decisionLines(
  explained: Omit<Explanation, "id">,
  { width, ascii }: Pick<PageRoom, "width" | "ascii">,
): PageView["lines"] {
  const { recommendation, message, decidedBy } = explained;
  const { reasons, silence, lacking, repeat, flips } = decisionOf({
    result: { outcome: "answered", recommendation, message, explanation: "" },
    explanation: explained,
    finalAction: null,
  });
  const by = decidedBy === "magic" ? "" : `Decided by ${decidedByWords(decidedBy)}.`;
  return [
    ...(repeat
      ? [textLine("The same answer as to the check that was sent before: an identical repeat.", "note")]
      : []),
    textLine(""),
    // The silence says it of the order id.
    { score: explained },
    ...(flips === null
      ? []
      : [textLine(""), textLine(FLIP_HEADING, "quiet"), ...flipRows(flips, width, ascii)]),
    textLine(""),
    ...(by === "" ? [] : [textLine(by)]),
    ...(silence === null ? reasonLines(reasons) : [textLine(silence)]),
    ...(lacking.length === 0 ? [] : [textLine(`Not evaluated for lack of data: ${lacking.join(", ")}.`)]),
    { counters: explained.counters },
  ];
}

/** Columns of `block `. */
const EFFECT = 6;

function reasonLines(reasons: readonly RuleLine[]): HangingLine[] {
  const widest = Math.max(0, ...reasons.map(({ code }) => code.length));
  return reasons.map(({ code, effect, role, text }) => ({
    fixed: [{ text: effect.padEnd(EFFECT), role }, { text: `${code.padEnd(widest)}  ` }],
    text,
  }));
}
