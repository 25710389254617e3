// The stored explanation of a decision: score, rules, counters, and what would flip it. Pure.

import { countWords, windowWords } from "#src/contract/text/count-words.ts";
import type { CounterReading, Explanation } from "#src/contract/wire/explanation.ts";
import {
  countedRules,
  FLIP_HEADING,
  flipRows,
  type Flippable,
  ruleSections,
  type RuleSection,
} from "#src/display/explanation-lines.ts";
import { safe } from "#src/display/safe.ts";
import { decidedByWords } from "#src/display/verdict.ts";
import { gaugeRows, hasLimit, limitBars } from "./gauge.ts";
import { Page } from "./page.ts";
import type { Row } from "./rows.ts";
import type { Theme } from "./theme.ts";

/** Columns of the effect of a rule, with the space behind it. */
const EFFECT = 6;

/** Adds the whole explanation to the page. */
export function explanationLines(page: Page, explained: Explanation): void {
  const { theme } = page;
  for (const row of gaugeRows(explained, page.width, theme)) page.spans(row);
  rulingFields(page, explained);
  const { hits, others, clear } = ruleSections(explained);
  section(page, hits);
  const { flips } = explained;
  if (flips !== undefined) flipSection(page, { ...explained, flips });
  for (const row of counterRows(explained.counters, page.width, theme)) page.spans(row);
  for (const other of others) section(page, other);
  if (clear.rules.length === 0) return;
  page.blank();
  page.text(countedRules(clear.rules.length, "evaluated without a hit"));
}

/** What would flip it. */
export function flipSection(page: Page, explained: Flippable): void {
  page.heading(FLIP_HEADING);
  for (const line of flipRows(explained, page.width, page.theme.ascii)) page.line(line);
}

/** What decided beside the score. */
export function rulingFields(page: Page, { decidedBy, riskLevel, repeat }: Explanation): void {
  page.field("Decided by", `${decidedByWords(decidedBy)}; risk level ${safe(riskLevel)}`);
  if (repeat) page.field("Repeat", "the stored answer to an identical request, not counted again");
}

/** Each rule with its reason and its compared values by their names in the condition. */
function section(page: Page, { heading, rules }: RuleSection): void {
  page.heading(heading);
  for (const { code, effect, text, values } of rules) {
    page.spans([{ text: effect.padEnd(EFFECT), role: "heading" }, { text: code }]);
    page.indented(text, EFFECT);
    if (values !== "") page.indented(values, EFFECT, "quiet");
  }
}

/** Counters with a limit as bars, then the others, below a heading. */
export function counterRows(
  counters: readonly CounterReading[],
  width: number,
  theme: Theme,
): readonly Row[] {
  if (counters.length === 0) return [];
  const page = new Page(width, theme);
  page.heading("Counted");
  for (const row of limitBars(counters, width, counters.length, theme)) page.spans(row);
  const free = counters.filter((counter) => !hasLimit(counter));
  for (const { key, window, value } of free) {
    page.text(`${safe(countWords(key))} in ${safe(windowWords(window))}: ${value}`);
  }
  return page.rows;
}
