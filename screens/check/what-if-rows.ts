// What the sandbox would say, as rows: the verdict as a question, the rules that speak for it, and what would flip it. Pure.

import type { Explanation, RuleTrace } from "#src/contract/wire/explanation.ts";
import { safe } from "#src/display/safe.ts";
import { decidedByWords, verdictLabel, VERDICTS } from "#src/display/verdict.ts";
import type { Supposed } from "#src/state/check/what-if.ts";
import { widthOf, wrapWords } from "#src/ui/fit.ts";
import type { Span } from "#src/ui/line.tsx";
import type { Theme } from "#src/ui/theme.ts";

export function whatIfRows({ answer }: Supposed, width: number, theme: Theme): Span[][] {
  const { verdict, decision, magic, project } = answer;
  const { role, reaction } = VERDICTS[verdict];
  const label = verdictLabel(verdict, theme.ascii);
  const said =
    magic === null || decision?.decidedBy === "magic"
      ? reaction
      : "Nothing that can be trusted would come back.";
  return [
    ...hanging([{ text: `${label}  `, role }], said, width),
    ...text(
      `If it were sent now for ${safe(project, { max: 60 })}. Nothing was sent, counted or recorded.`,
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

function decisionRows(decision: Decision, width: number, theme: Theme): Span[][] {
  const { rules, score, thresholds, decidedBy, repeat, flips = [] } = decision;
  const hits = rules.filter(({ outcome, mode }) => outcome === "hit" && mode === "live");
  const unknown = rules.filter(({ outcome, mode }) => outcome === "not_evaluated" && mode === "live").length;
  const sum = `Score ${score}: 3-D Secure from ${thresholds.threeDs}, block from ${thresholds.block}; decided by ${decidedByWords(decidedBy)}.`;
  return [
    ...(repeat
      ? text("The same answer as to the check that was sent before: an identical repeat.", width, "note")
      : []),
    [],
    ...text(sum, width, null),
    ...(hits.length === 0
      ? text("No rule has an objection.", width, null)
      : hits.flatMap((hit) => hitRows(hit, width))),
    ...(unknown === 0
      ? []
      : text(
          `${unknown} ${unknown === 1 ? "rule was" : "rules were"} not evaluated for lack of data.`,
          width,
          null,
        )),
    ...(flips.length === 0
      ? []
      : [
          [],
          [{ text: "What would flip it", role: "heading" as const }],
          ...flips.flatMap((flip) =>
            hanging([{ text: `${theme.sign("arrow")} ` }], safe(flip.text, { max: 300 }), width),
          ),
        ]),
  ];
}

const EFFECT = { block: "block", allow: "allow", "3ds": "3DS", score: "" } as const;
/** `+100 ` and `block ` have room. */
const WEIGHT = 6;

function hitRows({ code, effect, weight, text: why }: RuleTrace, width: number): Span[][] {
  const what = weight === null ? EFFECT[effect] : `+${weight}`;
  const fixed: Span[] = [{ text: what.padEnd(WEIGHT), role: "accent" }];
  return hanging(fixed, `${safe(code)}  ${safe(why, { max: 300 })}`, width);
}

function text(words: string, width: number, role: Span["role"]): Span[][] {
  return wrapWords(words, width).map((line): Span[] => [
    role === null || role === undefined ? { text: line } : { text: line, role },
  ]);
}

/** Text behind something fixed; what does not fit goes on below itself. */
export function hanging(fixed: readonly Span[], words: string, width: number): Span[][] {
  const used = fixed.reduce((sum, span) => sum + widthOf(span.text), 0);
  const lines = wrapWords(words, Math.max(1, width - used));
  return lines.map((line, index): Span[] =>
    index === 0 ? [...fixed, { text: line }] : [{ text: " ".repeat(used) + line }],
  );
}
