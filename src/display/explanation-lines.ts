// The explanation of a decision for both front ends: score, rules with their compared values, and what would flip it.

import {
  hitsOf,
  rulesAgainstPass,
  type Explanation,
  type FlipPoint,
  type RuleTrace,
} from "#src/contract/wire/explanation.ts";
import { counted } from "./count.ts";
import { safe } from "./safe.ts";
import type { Ascii } from "./sign.ts";
import type { HangingLine, TableLine } from "./span.ts";
import type { Role } from "./style.ts";
import { verdictSpan } from "./verdict.ts";

const LONGEST = 1_000;

/** One rule in safe words. */
export interface RuleLine {
  readonly code: string;
  /** `+40`, or what a rule does that beats the score: `block`, `3DS`, `allow`. */
  readonly effect: string;
  readonly role: Role | null;
  /** Its reason, or why it was not evaluated. */
  readonly text: string;
  /** `velocity("card", "1h") = 6, limit = 3`; empty where nothing was compared. */
  readonly values: string;
}

export interface RuleSection {
  readonly heading: string;
  readonly rules: readonly RuleLine[];
}

export interface RuleSections {
  readonly hits: RuleSection;
  readonly others: readonly RuleSection[];
  /** Rules that did not hit; the console only counts them. */
  readonly clear: RuleSection;
}

/** The rules grouped by outcome; each section of `others` has at least one. */
export function ruleSections(explained: Pick<Explanation, "rules">): RuleSections {
  const { rules } = explained;
  const hits = hitsOf(explained);
  const live = (outcome: RuleTrace["outcome"]): RuleLine[] =>
    rules.filter((rule) => rule.mode === "live" && rule.outcome === outcome).map(ruleLine);
  const others: readonly RuleSection[] = [
    { heading: "Not evaluated", rules: live("not_evaluated") },
    {
      heading: "In shadow: tried, and not counted",
      rules: rules.filter(({ mode }) => mode === "shadow").map(shadowLine),
    },
  ];
  return {
    hits: { heading: hits.length === 0 ? "No rule was hit" : "Rules that hit", rules: hits.map(ruleLine) },
    others: others.filter((section) => section.rules.length > 0),
    clear: { heading: "Evaluated without a hit", rules: live("no_hit") },
  };
}

export function ruleLine(rule: RuleTrace): RuleLine {
  const { code, outcome, text, missing, values } = rule;
  return {
    code: safe(code, { max: 60 }),
    effect: ruleEffect(rule),
    role: outcome === "hit" ? ruleRole(rule) : null,
    text: missing === undefined ? safe(text, { max: LONGEST }) : `missing: ${safe(missing)}`,
    values: Object.entries(values)
      .map(([name, value]) => `${safe(name, { max: 200 })} = ${comparedValue(value)}`)
      .join(", "),
  };
}

function shadowLine(rule: RuleTrace): RuleLine {
  const line = ruleLine(rule);
  if (rule.outcome === "hit") return { ...line, role: "note" };
  const missing = rule.missing === undefined ? "" : ` (${line.text})`;
  return { ...line, text: rule.outcome === "no_hit" ? "no hit" : `not evaluated${missing}` };
}

/** `+40`, or what a rule does that beats the score. */
export function ruleEffect({ weight, effect }: Pick<RuleTrace, "weight" | "effect">): string {
  if (weight === null) return effect === "3ds" ? "3DS" : effect;
  return weight < 0 ? String(weight) : `+${weight}`;
}

/** `and 3 more, +40 together`: reasons that have no room, with what they add to the score. */
export function moreReasons(left: readonly Pick<RuleLine, "effect">[]): string {
  const points = left.map(({ effect }) => Number(effect)).filter(Number.isInteger);
  const sum = points.reduce((all, each) => all + each, 0);
  const together = left.length === 1 ? "" : " together";
  const added = points.length === 0 ? "" : `, ${ruleEffect({ weight: sum, effect: "score" })}${together}`;
  return `and ${left.length} more${added}`;
}

/** A rule that beats the score has the colour of the verdict that it brings about. */
export function ruleRole({ weight, effect }: Pick<RuleTrace, "weight" | "effect">): Role {
  if (weight !== null) return weight < 0 ? "pass" : "warning";
  return effect === "3ds" ? "challenge" : effect === "allow" ? "pass" : "block";
}

function comparedValue(value: RuleTrace["values"][string]): string {
  if (value === null || value === "") return "none";
  // Converted amounts are quotients: drop the digits of rounding.
  return safe(typeof value === "number" ? String(Number(value.toPrecision(10))) : String(value), {
    max: 200,
  });
}

/** `80; 3-D Secure from 35, block from 75` */
export function scoreText({ score, thresholds }: Pick<Explanation, "score" | "thresholds">): string {
  return `${score}; 3-D Secure from ${thresholds.threeDs}, block from ${thresholds.block}`;
}

export const FLIP_HEADING = "What would flip it";

/** An explanation for which what would flip it was computed. */
export type Flippable = Omit<Explanation, "id" | "flips"> & { readonly flips: readonly FlipPoint[] };

/**
 * A row for each single value that would change the verdict; sentences where there are none, for a screen reader, where there
 * is no room, and in explanations of earlier versions. Then the rules without which it passes, where no value gives a pass.
 */
export function flipRows(
  explained: Flippable,
  width: number,
  ascii: Ascii,
  say?: (kind: FlipPoint["recommendation"]) => string,
): readonly (HangingLine | TableLine)[] {
  const { flips } = explained;
  const cells = flips.flatMap(({ recommendation, parts }) =>
    parts === undefined
      ? []
      : [
          [
            { text: safe(parts.what, { max: 200 }) },
            { text: safe(parts.now, { max: 40 }), role: "quiet" as const },
            { text: safe(parts.needed, { max: 40 }) },
            verdictSpan(recommendation, ascii, say?.(recommendation)),
            { text: safe(parts.rule ?? "", { max: 60 }) },
          ],
        ],
  );
  const widths = FLIP_COLUMNS.map(
    ({ title }, at) => GAP + Math.max(title.length, ...cells.map((row) => row[at]!.text.length)),
  );
  const widthUpTo = (last: number): number =>
    FLIP_COLUMNS.reduce((sum, { order }, at) => (order > last ? sum : sum + widths[at]!), -GAP);
  // What the columns beside it leave to the value.
  const room = width - widthUpTo(0) + widths[0]! - GAP;
  const hasTable = flips.length > 0 && cells.length === flips.length && room >= VALUE_LEAST;
  if (ascii === "words" || !hasTable) return flipLines(explained, ascii, say);
  const columns = FLIP_COLUMNS.map((column) => ({
    ...column,
    from: column.order === 0 ? 0 : widthUpTo(column.order),
  }));
  return [{ columns, cells }, ...withoutLines(explained)];
}

/** In the order in which they get room: the value has it first. */
const FLIP_COLUMNS = [
  { title: "Value", order: 0, wraps: true },
  { title: "Now", order: 2, align: "right" },
  { title: "Needed", order: 0, align: "right" },
  { title: "Verdict", order: 0 },
  { title: "Rule", order: 1 },
] as const;
/** Columns between two of them. */
const GAP = 2;
/** Fewest columns of a value; with less room sentences read better. */
const VALUE_LEAST = 24;

/** A line for each single value that would change the verdict, or a sentence where none would; then as in `flipRows`. */
export function flipLines(
  explained: Flippable,
  ascii: Ascii,
  say?: (kind: FlipPoint["recommendation"]) => string,
): HangingLine[] {
  const { flips } = explained;
  const lines = flips.map(({ recommendation, text }) => {
    const verdict = verdictSpan(recommendation, ascii, say?.(recommendation));
    return {
      fixed: [{ ...verdict, text: `${verdict.text.padEnd(8)} ` }],
      text: safe(text, { max: LONGEST }),
    };
  });
  const none = { fixed: [], text: "No single amount or count near these values would." };
  return [...(lines.length === 0 ? [none] : lines), ...withoutLines(explained)];
}

/** Which rules keep it from passing, where no single value gives a pass. */
function withoutLines(explained: Flippable): HangingLine[] {
  const codes = rulesAgainstPass(explained).map(({ code }) => safe(code, { max: 60 }));
  if (codes.length === 0 || explained.flips.some(({ recommendation }) => recommendation === "pass"))
    return [];
  const named = codes.length === 1 ? "" : `${codes.slice(0, -1).join(", ")} and `;
  return [{ fixed: [], text: `It would pass without ${named}${codes.at(-1)}.` }];
}

/** `2 rules were evaluated without a hit.` */
export function countedRules(count: number, what: string): string {
  return `${counted(count, "rule was", "rules were")} ${what}.`;
}
