// Why the sandbox decided so, from the copy that is kept with the check: score, clauses, counters, and what would flip it. Pure.

import type { CounterReading, Explanation, FlipPoint, RuleTrace } from "#src/contract/wire/explanation.ts";
import { presentedRuling } from "#src/display/presented.ts";
import { safe } from "#src/display/safe.ts";
import type { Role } from "#src/display/style.ts";
import { decidedByWords, VERDICTS, verdictLabel } from "#src/display/verdict.ts";
import { gaugeRows, limitBars } from "#src/ui/gauge.ts";
import { LONGEST, type Page } from "#src/ui/page.ts";
import { createTheme, type Theme } from "#src/ui/theme.ts";

/** Columns of what a hit adds, with the blank behind it. */
const EFFECT = 6;

/** Longer names of what is counted are cut. */
const LONGEST_KEY = 60;

/** Adds everything that is known of the decision. */
export function explanationLines(page: Page, explained: Explanation): void {
  const theme = createTheme({ color: true, ascii: page.look.ascii });
  ruling(page, explained, theme);
  const { rules, counters, flips } = explained;
  const live = rules.filter(({ mode }) => mode === "live");
  const hits = live.filter(({ outcome }) => outcome === "hit");
  page.heading(hits.length === 0 ? "No rule was hit" : "Hits");
  for (const rule of hits) hit(page, rule, roleOf(rule));
  flipLines(page, flips, theme);
  counterLines(page, counters, theme);
  openLines(page, "Not evaluated", live);
  shadowLines(page, rules);
  const clear = live.filter(({ outcome }) => outcome === "no_hit").length;
  if (clear === 0) return;
  page.blank();
  page.text(`${clear} ${clear === 1 ? "rule was" : "rules were"} evaluated without a hit.`);
}

function ruling(page: Page, explained: Explanation, theme: Theme): void {
  page.field("Decided by", `${decidedByWords(explained.decidedBy)}, risk level ${safe(explained.riskLevel)}`);
  const [bar = [], marks = []] = gaugeRows(explained, page.width, theme);
  page.spans(bar);
  const { threeDs, block } = explained.thresholds;
  const below = marks.map(({ text }) => text).join("");
  // What the marks mean stands below them where it has room.
  const hasRoom = below.includes(`3DS from ${threeDs}`) && below.includes(`block from ${block}`);
  if (hasRoom) page.spans(marks);
  else page.text(`3DS from ${threeDs}, block from ${block}.`);
  const beyond = presentedRuling(explained);
  if (beyond !== null) page.text(beyond);
  if (explained.repeat) page.field("Repeat", "the stored answer to an identical request, not counted again");
}

/** What a rule that hit found: its reason, and every value that was compared, by the name it has in the condition. */
function hit(page: Page, rule: RuleTrace, role: Role): void {
  page.spans([
    { text: `${effectOf(rule).padEnd(EFFECT - 1)} `, role },
    { text: safe(rule.code, { max: 60 }), role: "heading" },
  ]);
  page.indented(safe(rule.text, { max: LONGEST }), EFFECT);
  const values = Object.entries(rule.values).map(
    ([name, value]) => `${safe(name, { max: 200 })} = ${safe(String(value), { max: 200 })}`,
  );
  if (values.length > 0) page.hanging({ text: " ".repeat(EFFECT) }, values.join(", "));
}

function effectOf({ weight, effect }: RuleTrace): string {
  if (weight === null) return effect === "3ds" ? "3DS" : effect;
  return weight < 0 ? String(weight) : `+${weight}`;
}

/** A rule that beats the score has the colour of the verdict that it brings about. */
function roleOf({ weight, effect }: RuleTrace): Role {
  if (weight !== null) return weight < 0 ? "pass" : "warning";
  return effect === "3ds" ? "challenge" : effect === "allow" ? "pass" : "block";
}

function flipLines(page: Page, flips: readonly FlipPoint[] | undefined, theme: Theme): void {
  if (flips === undefined) return;
  page.heading("What would flip it");
  if (flips.length === 0) page.text("No single amount or count that is near.");
  for (const { recommendation, text } of flips) {
    const label = verdictLabel(recommendation, theme.ascii);
    const { role } = VERDICTS[recommendation];
    page.hanging({ text: `${label.padEnd(8)} `, role }, safe(text, { max: LONGEST }));
  }
}

/** Those with a limit as bars, and the others behind them. */
function counterLines(page: Page, counters: readonly CounterReading[], theme: Theme): void {
  if (counters.length === 0) return;
  page.heading("Counted");
  for (const row of limitBars(counters, page.width, counters.length, theme, LONGEST_KEY)) page.spans(row);
  const free = counters.filter(({ limit }) => limit === null || limit <= 0);
  for (const { key, window, value } of free) page.text(`${safe(key)} in ${safe(window)}: ${value}`);
}

/** Rules that had nothing to go by: that is not the same as nothing found. */
function openLines(page: Page, heading: string, rules: readonly RuleTrace[]): void {
  const open = rules.filter(({ outcome }) => outcome === "not_evaluated");
  if (open.length === 0) return;
  page.heading(heading);
  for (const { code, missing, text } of open) {
    page.text(safe(code, { max: 60 }));
    page.indented(missing === undefined ? safe(text, { max: LONGEST }) : `missing: ${safe(missing)}`);
  }
}

/** What rules on trial would have said; nothing of it counted. */
function shadowLines(page: Page, rules: readonly RuleTrace[]): void {
  const shadow = rules.filter(({ mode }) => mode === "shadow");
  if (shadow.length === 0) return;
  page.heading("In shadow: tried, and not counted");
  for (const rule of shadow.filter(({ outcome }) => outcome === "hit")) hit(page, rule, "note");
  for (const { code, outcome, missing } of shadow) {
    if (outcome === "hit") continue;
    const why = missing === undefined ? "" : ` (missing: ${safe(missing)})`;
    page.text(`${safe(code, { max: 60 })}: ${outcome === "no_hit" ? "no hit" : `not evaluated${why}`}`);
  }
}
