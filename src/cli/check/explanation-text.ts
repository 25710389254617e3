// A decision explained as text: score against thresholds, every rule with the values it compared, counts, and what would flip it.

import { layOut } from "#src/cli/table.ts";
import type { Explanation, RuleTrace } from "#src/contract/wire/explanation.ts";
import { REQUIRED_REACTION } from "#src/contract/wire/recommendation.ts";
import { safe } from "#src/display/safe.ts";
import type { Style } from "#src/display/style.ts";
import { formatUtc } from "#src/display/time.ts";
import { VERDICTS, verdictLabel } from "#src/display/verdict.ts";

const LONGEST = 1_000;

const DECIDED_BY: Readonly<Record<string, string>> = {
  hard_block: "a rule that blocks whatever the score",
  allow_list: "the list of those that are allowed, which beats the score",
  block_score: "the score, which reaches that of a block",
  require_3ds: "a rule that requires 3-D Secure",
  "3ds_score": "the score, which reaches that of 3-D Secure",
  pass: "the score, which stays below that of 3-D Secure",
  magic: "the order id, which forces this answer in the sandbox whatever the rules say",
};

/** A decision by itself: its verdict, and everything that is stored about it. */
export function decisionLines(explanation: Explanation, style: Style): string[] {
  const { recommendation, message } = explanation;
  const label = style.paint(VERDICTS[recommendation].role, verdictLabel(recommendation, style.ascii));
  return [
    `${label}  ${REQUIRED_REACTION[recommendation]}`,
    `  ${safe(message, { max: LONGEST })}`,
    "",
    ...explanationLines(explanation, style),
  ];
}

/** Why it was decided so, below a check whose verdict has been told. */
export function explanationLines(explanation: Explanation, style: Style): string[] {
  return [
    ...factLines(explanation),
    ...ruleSections(explanation, style),
    ...counterLines(explanation, style),
    ...flipLines(explanation, style),
  ];
}

function factLines(explained: Explanation): string[] {
  const { id, at, orderId, riskLevel, score, thresholds } = explained;
  const facts = [
    [
      "decision",
      `${safe(id)}, ${formatUtc(at)} UTC${explained.repeat ? ", given again to an identical repeat" : ""}`,
    ],
    ["order", orderId === null ? "none" : safe(orderId)],
    ["project", `${safe(explained.projectId)}, risk level ${safe(riskLevel)}`],
    ["score", `${score}; 3-D Secure from ${thresholds.threeDs}, block from ${thresholds.block}`],
    ["decided by", DECIDED_BY[explained.decidedBy] ?? safe(explained.decidedBy.replaceAll("_", " "))],
    ["rules", `SHA-256 ${safe(explained.ruleSetHash.slice(0, 12))}`],
  ];
  return layOut(["", ""], facts)
    .slice(1)
    .map((line) => `  ${line}`);
}

function ruleSections({ rules }: Explanation, style: Style): string[] {
  const hits = rules.filter(({ outcome }) => outcome === "hit");
  const live = hits.filter(({ mode }) => mode === "live");
  return [
    ...section(live.length === 0 ? "No rule was hit" : "Rules that hit, by weight", live, style),
    ...section(
      "Hit in shadow: tried without deciding",
      hits.filter(({ mode }) => mode !== "live"),
      style,
    ),
    ...section(
      "Not evaluated",
      rules.filter(({ outcome }) => outcome === "not_evaluated"),
      style,
    ),
    ...section(
      "Evaluated without a hit",
      rules.filter(({ outcome }) => outcome === "no_hit"),
      style,
    ),
  ];
}

function section(title: string, rules: readonly RuleTrace[], style: Style): string[] {
  if (rules.length === 0 && !title.startsWith("No rule")) return [];
  const codes = Math.max(0, ...rules.map(({ code }) => safe(code).length));
  const weights = Math.max(0, ...rules.map((rule) => weightText(rule).length));
  return [
    "",
    style.paint("heading", title),
    ...rules.flatMap((rule) => [
      `  ${safe(rule.code).padEnd(codes)}  ${weightText(rule).padStart(weights)}  ${reason(rule)}`,
      ...valuesLine(rule).map((line) => `      ${line}`),
    ]),
  ];
}

function weightText({ weight, effect, mode, outcome }: RuleTrace): string {
  const part = weight === null ? effect : `+${weight}`;
  return mode === "shadow" && outcome !== "hit" ? `${part} shadow` : part;
}

function reason({ text, missing }: RuleTrace): string {
  return safe(missing ?? text, { max: LONGEST });
}

/** Every clause's compared values: `velocity("card", "1h") = 6, limit = 3`. */
function valuesLine({ values }: RuleTrace): string[] {
  const parts = Object.entries(values).map(([name, value]) => `${safe(name)} = ${valueText(value)}`);
  return parts.length === 0 ? [] : [parts.join(", ")];
}

function valueText(value: RuleTrace["values"][string]): string {
  if (value === null || value === "") return "none";
  // Money in EUR comes out of a division.
  return typeof value === "number" ? String(Number(value.toPrecision(10))) : safe(String(value));
}

function counterLines({ counters }: Explanation, style: Style): string[] {
  if (counters.length === 0) return [];
  const rows = counters.map(({ key, window, value, limit }) => [
    safe(key),
    safe(window),
    String(value),
    limit === null ? "-" : String(limit),
    limit !== null && value > limit ? "over" : "",
  ]);
  const table = layOut(["COUNT", "WINDOW", "VALUE", "LIMIT", ""], rows, [2, 3]);
  return ["", style.paint("heading", "Counted, with this attempt"), ...table.map((line) => `  ${line}`)];
}

function flipLines({ flips }: Explanation, style: Style): string[] {
  const title = style.paint("heading", "What would flip it, everything else left as it was");
  if (flips === undefined) return [];
  return [
    "",
    title,
    ...(flips.length === 0
      ? ["  No single amount or count near these values would."]
      : flips.map(({ text }) => `  ${safe(text, { max: LONGEST })}`)),
  ];
}
