// The loaded rules as data: everything as the file says it, and nothing that does not go through JSON.

import { expect, it } from "vitest";
import { parse } from "yaml";
import { ruleSetFacts } from "#src/rules/rule-facts.ts";
import { loadStarter, starterText } from "./sample.ts";

interface Written {
  readonly code: string;
  readonly when: string;
  readonly text: string;
  readonly mode?: string;
  readonly tests?: readonly { readonly name?: string; readonly expect: string }[];
}

it("holds every starter rule as it is written", async () => {
  const facts = ruleSetFacts(await loadStarter());
  const written = (parse(starterText) as { rules: Written[] }).rules;
  expect(facts.rules.map(({ code }) => code)).toEqual(written.map(({ code }) => code));
  for (const [index, rule] of facts.rules.entries()) {
    const { when, text, mode = "live", tests = [] } = written[index]!;
    expect(rule).toMatchObject({ condition: when, text, mode });
    expect(rule.tests.map(({ expect: outcome }) => outcome)).toEqual(
      tests.map(({ expect: outcome }) => outcome),
    );
    expect(rule.weights === null).toBe(rule.effect !== "score");
  }
  expect(JSON.parse(JSON.stringify(facts))).toEqual(facts);
});

it("has parameters by level, and lists that do not fill a screen", async () => {
  const { rules, thresholds } = ruleSetFacts(await loadStarter());
  const find = (code: string) => rules.find((rule) => rule.code === code)!;
  expect(find("CARD_VELOCITY_1H").params).toEqual([
    { name: "limit", values: { low: "5", medium: "3", high: "2" } },
  ]);
  expect(thresholds.medium).toEqual({ threeDs: 35, block: 75 });
  expect(find("TEST_BIN").params[0]!.values.medium).toMatch(/^411111, .* and \d+ more$/);
});
