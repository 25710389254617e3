// A decision explained as text: score against thresholds, every rule with the values it compared, counts, and what would flip it.

import { layOut } from "#src/cli/table.ts";
import { countWords, windowWords } from "#src/contract/text/count-words.ts";
import type { Explanation } from "#src/contract/wire/explanation.ts";
import { REQUIRED_REACTION } from "#src/contract/wire/recommendation.ts";
import {
  FLIP_HEADING,
  flipLines,
  ruleSections,
  scoreText,
  type RuleSection,
} from "#src/display/explanation-lines.ts";
import { safe } from "#src/display/safe.ts";
import { paintLine, paintSpans } from "#src/display/span.ts";
import type { Style } from "#src/display/style.ts";
import { formatUtc } from "#src/display/time.ts";
import { decidedByWords, paintedVerdict } from "#src/display/verdict.ts";

const LONGEST = 1_000;

/** A decision by itself: its verdict, and everything that is stored about it. */
export function decisionLines(explanation: Explanation, style: Style): string[] {
  const { recommendation, message } = explanation;
  return [
    `${paintedVerdict(recommendation, style)}  ${REQUIRED_REACTION[recommendation]}`,
    `  ${safe(message, { max: LONGEST })}`,
    "",
    ...explanationLines(explanation, style),
  ];
}

/** Why it was decided so, below a check whose verdict has been told. */
export function explanationLines(explanation: Explanation, style: Style): string[] {
  const { hits, others, clear } = ruleSections(explanation);
  const { flips } = explanation;
  return [
    ...factLines(explanation, style),
    ...[hits, ...others, ...(clear.rules.length === 0 ? [] : [clear])].flatMap((each) =>
      section(each, style),
    ),
    ...counterLines(explanation, style),
    ...(flips === undefined ? [] : ["", style.paint("heading", FLIP_HEADING)]),
    ...(flips === undefined
      ? []
      : flipLines({ ...explanation, flips }, style.ascii).map((line) => `  ${paintLine(line, style)}`)),
  ];
}

function factLines(explained: Explanation, style: Style): string[] {
  const { id, at, orderId, riskLevel } = explained;
  const facts = [
    [
      "decision",
      `${safe(id)}, ${formatUtc(at)} UTC${explained.repeat ? ", given again to an identical repeat" : ""}`,
    ],
    ["order", orderId === null ? "none" : safe(orderId)],
    ["project", `${safe(explained.projectId)}, risk level ${safe(riskLevel)}`],
    ["score", scoreText(explained)],
    ["decided by", decidedByWords(explained.decidedBy)],
    ["rules", `SHA-256 ${safe(explained.ruleSetHash.slice(0, 12))}`],
  ];
  return layOut(style, ["", ""], facts)
    .slice(1)
    .map((line) => `  ${line}`);
}

function section({ heading, rules }: RuleSection, style: Style): string[] {
  const codes = Math.max(0, ...rules.map(({ code }) => code.length));
  const effects = Math.max(0, ...rules.map(({ effect }) => effect.length));
  return [
    "",
    style.paint("heading", heading),
    ...rules.flatMap(({ code, effect, role, text, values }) => [
      `  ${code.padEnd(codes)}  ${paintSpans([{ text: effect.padStart(effects), role }], style)}  ${text}`,
      ...(values === "" ? [] : [`      ${values}`]),
    ]),
  ];
}

function counterLines({ counters }: Explanation, style: Style): string[] {
  if (counters.length === 0) return [];
  const rows = counters.map(({ key, window, value, limit }) => [
    safe(countWords(key)),
    safe(windowWords(window)),
    String(value),
    limit === null ? "-" : String(limit),
    limit !== null && value > limit ? "over" : "",
  ]);
  const table = layOut(style, ["COUNT", "WINDOW", "VALUE", "LIMIT", ""], rows, [2, 3]);
  return ["", style.paint("heading", "Counted, with this attempt"), ...table.map((line) => `  ${line}`)];
}
