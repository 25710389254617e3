// A what-if as rows: the verdict that the sandbox predicts, the rules behind it, and what would flip it. Pure.

import { hitsOf, type Explanation, type RuleTrace } from "#src/contract/wire/explanation.ts";
import { FLIP_HEADING, flipLines, ruleLine, scoreText } from "#src/display/explanation-lines.ts";
import { safe } from "#src/display/safe.ts";
import { decidedByWords, NO_OBJECTION, VERDICTS, verdictSpan } from "#src/display/verdict.ts";
import type { Supposed } from "#src/state/check/what-if.ts";
import { wrapWords } from "#src/ui/fit.ts";
import type { Span } from "#src/ui/line.tsx";
import { hangingRows, type Row } from "#src/ui/rows.ts";
import type { Theme } from "#src/ui/theme.ts";

export function whatIfRows({ answer }: Supposed, width: number, theme: Theme): Row[] {
  const { verdict, decision, magic, project } = answer;
  const said =
    magic === null || decision?.decidedBy === "magic"
      ? VERDICTS[verdict].reaction
      : "The service would give no trustworthy answer.";
  return [
    ...hangingRows({ fixed: [verdictSpan(verdict, theme.ascii), { text: "  " }], text: said }, width),
    ...text(
      `This is the expected answer for ${safe(project, { max: 60 })}. Nothing was sent, counted or recorded.`,
      width,
      "note",
    ),
    ...(magic === null
      ? []
      : text(`The order id ${safe(magic.prefix)} ${safe(magic.what)}.`, width, "warning")),
    ...(decision === null ? [] : decisionRows(decision, width, theme)),
  ];
}

type Decision = Omit<Explanation, "id">;

function decisionRows(decision: Decision, width: number, theme: Theme): Row[] {
  const { rules, decidedBy, repeat, flips = [] } = decision;
  const hits = hitsOf(decision);
  const unknown = rules
    .filter(({ outcome, mode }) => outcome === "not_evaluated" && mode === "live")
    .map(({ code }) => code);
  const sum = `Score ${scoreText(decision)}. Decided by ${decidedByWords(decidedBy)}.`;
  return [
    ...(repeat
      ? text("The same answer as to the check that was sent before: an identical repeat.", width, "note")
      : []),
    [],
    ...text(sum, width),
    ...(hits.length === 0 ? text(NO_OBJECTION, width) : hits.flatMap((hit) => hitRows(hit, width))),
    ...(unknown.length === 0
      ? []
      : text(safe(`Not evaluated for lack of data: ${unknown.join(", ")}.`, { max: 400 }), width)),
    ...(flips.length === 0
      ? []
      : [
          [],
          [{ text: FLIP_HEADING, role: "heading" as const }],
          ...flipLines(flips, theme.ascii).flatMap((line) => hangingRows(line, width)),
        ]),
  ];
}

/** Columns of `block `. */
const EFFECT = 6;

function hitRows(hit: RuleTrace, width: number): Row[] {
  const { code, effect, role, text: why } = ruleLine(hit);
  return hangingRows({ fixed: [{ text: effect.padEnd(EFFECT), role }], text: `${code}  ${why}` }, width);
}

function text(words: string, width: number, role: Span["role"] = null): Row[] {
  return wrapWords(words, width).map((line): Row => [{ text: line, role }]);
}
