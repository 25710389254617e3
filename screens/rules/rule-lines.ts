// One rule as lines: condition, limits, effect of a hit, and its hits so far. Pure.

import { allOf, precisionOf } from "#src/contract/records/outcome-shares.ts";
import type { RuleWorth, Weighed } from "#src/contract/records/outcomes.ts";
import type { RuleFacts } from "#src/contract/records/rule-facts.ts";
import type { RuleRecords } from "#src/contract/records/rule-record.ts";
import { RISK_LEVELS, type RiskLevel } from "#src/contract/wire/wire.ts";
import { formatCount } from "#src/display/count.ts";
import { intervalText, liftText, shareText, worthText } from "#src/display/outcome-words.ts";
import { safe } from "#src/display/safe.ts";
import { formatDateTime } from "#src/display/time.ts";
import type { ListedRule } from "#src/state/sandbox/rules.ts";
import { fit, widthOf } from "#src/ui/fit.ts";
import { LONGEST, Page } from "#src/ui/page.ts";
import type { Row } from "#src/ui/rows.ts";
import type { Theme } from "#src/ui/theme.ts";

const MODE: Readonly<Record<RuleFacts["mode"], string>> = {
  live: "live: a hit counts",
  shadow: "shadow: evaluated and shown, but not added to the score",
  off: "off: not evaluated",
};

const EXPECTED = { hit: "hit", no_hit: "no hit", not_evaluated: "not evaluated" } as const;

/** Lines of at most `width` columns. @param level risk level of the project, whose column is marked */
export function ruleLines(
  rule: ListedRule,
  level: RiskLevel,
  labelled: RuleRecords["labelled"],
  width: number,
  theme: Theme,
): Row[] {
  const page = new Page(width, theme);
  page.field("Mode", MODE[rule.mode]);
  page.field("A hit", consequence(rule, level));
  page.field("Says", safe(rule.text, { max: LONGEST }));
  page.field("When", safe(rule.condition.replaceAll(/\s+/g, " "), { max: LONGEST }));
  levels(page, rule, level);
  if (rule.record === null) done(page, rule);
  else record(page, rule.record, labelled);
  if (rule.tests.length === 0) return page.rows;
  page.heading(`Tests in the file, all passed (${rule.tests.length})`);
  for (const { name, expect } of rule.tests) {
    const head = { text: `${theme.sign("done")} ${EXPECTED[expect].padEnd(13)} `, role: "note" as const };
    page.line({ fixed: [head], text: safe(name, { max: 200 }) });
  }
  return page.rows;
}

function consequence({ effect, weights }: RuleFacts, level: RiskLevel): string {
  switch (effect) {
    case "score":
      return weights === null ? "adds to the score" : `adds ${weights[level]} to the score`;
    case "block":
      return "blocks, regardless of the score";
    case "allow":
      return "passes the payment, unless a hard rule blocks it";
    case "3ds":
      return "requires 3-D Secure, unless another rule blocks the payment";
  }
}

/** Values that differ by risk level as a table; the others as one value. */
function levels(page: Page, { weights, params }: RuleFacts, level: RiskLevel): void {
  const all = [...params, ...(weights === null ? [] : [{ name: "weight", values: mapLevels(weights) }])];
  const rows = all
    .map(({ name, values }) => ({ name: safe(name, { max: 60 }), values: mapLevels(values) }))
    // A weight that is the same on all levels is shown above.
    .filter(({ values }, index) => index < params.length || !isSame(values));
  if (rows.length === 0) return;
  page.heading("Parameters");
  const same = rows.filter(({ values }) => isSame(values));
  const varied = rows.filter((row) => !same.includes(row));
  const names = Math.max(6, ...rows.map(({ name }) => widthOf(name)));
  for (const { name, values } of same)
    page.line({ fixed: [{ text: `${fit(name, names)}  ` }], text: values.medium });
  if (varied.length === 0) return;
  const column = Math.max(
    10,
    ...varied.flatMap(({ values }) => RISK_LEVELS.map((each) => widthOf(values[each]) + 3)),
  );
  const cells = (cell: (each: RiskLevel) => string): Row =>
    RISK_LEVELS.map((each) => ({
      text: fit(cell(each), column, { align: "right", ellipsis: page.theme.sign("ellipsis") }),
      role: each === level ? ("heading" as const) : null,
    }));
  page.spans([{ text: fit("", names + 2) }, ...cells((each) => (each === level ? `[${each}]` : `${each} `))]);
  for (const { name, values } of varied) {
    page.spans([{ text: `${fit(name, names)}  ` }, ...cells((each) => `${values[each]} `)]);
  }
}

function isSame({ low, medium, high }: Readonly<Record<RiskLevel, string>>): boolean {
  return low === medium && medium === high;
}

function mapLevels(values: Readonly<Record<RiskLevel, string | number>>): Record<RiskLevel, string> {
  const text = (level: RiskLevel): string => safe(String(values[level]), { max: LONGEST });
  return { low: text("low"), medium: text("medium"), high: text("high") };
}

/** What it did since the chosen time, and how far that can be trusted. */
function record(page: Page, { hits, alone }: RuleWorth, { bad, good }: RuleRecords["labelled"]): void {
  const worth = (weighed: Weighed): string => {
    const eur = worthText(weighed);
    return `${formatCount(weighed.count)}${eur === "" ? "" : `, ${eur}`}`;
  };
  const precision = precisionOf(hits);
  const base = { part: bad, whole: bad + good };
  const known = [shareText(precision), intervalText(precision), liftText(precision, base)];
  page.heading("Since the chosen time");
  page.field("Hits", `${worth(allOf(hits))}; alone ${formatCount(allOf(alone).count)}`);
  page.field("Fraud", worth(hits.bad));
  page.field("Good", worth(hits.good));
  page.field("Precision", known.filter((text) => text !== null && text !== "").join("; "));
  page.field("Base rate", shareText(base));
}

function done(page: Page, { activity }: ListedRule): void {
  page.heading("Counted by the sandbox");
  if (activity === null) return page.text("The counts are unknown.");
  const { hits, shadowHits, notEvaluated, lastHitAt } = activity;
  page.field(
    "Hits",
    shadowHits === 0 ? formatCount(hits) : `${formatCount(hits)}, and ${formatCount(shadowHits)} in shadow`,
  );
  page.field("Not eval.", `${formatCount(notEvaluated)}, because a field or data is missing`);
  page.field("Last hit", lastHitAt === null ? "none" : formatDateTime(lastHitAt));
}
