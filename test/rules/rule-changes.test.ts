// What one rule file changes of another, in words.

import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

import { ruleChanges } from "#src/rules/rule-facts.ts";
import { loadRulesUntested } from "#src/rules/rule-file/rule-file.ts";

const TEXT = readFileSync("src/rules/rule-file/starter-rules.yaml", "utf8");

const changed = async (edit: (text: string) => string): Promise<string[]> =>
  ruleChanges(await loadRulesUntested(TEXT, "today.yaml"), await loadRulesUntested(edit(TEXT), "new.yaml"));

it.each<[string, (text: string) => string, string[]]>([
  ["nothing", (text) => text, []],
  [
    "a mark of one level",
    (text) => text.replace("medium: { three_ds: 35, block: 75 }", "medium: { three_ds: 30, block: 60 }"),
    ["3-D Secure mark at medium from 35 to 30", "block mark at medium from 75 to 60"],
  ],
  [
    "a score of all levels, a limit of two, and a mode",
    (text) =>
      text.replace(
        /(code: CARD_VELOCITY_1H[\s\S]*?)limit: \{ low: 5, medium: 3, high: 2 \} \}\n {4}score: 35/,
        "$1limit: { low: 5, medium: 4, high: 4 } }\n    mode: shadow\n    score: 40",
      ),
    [
      "CARD_VELOCITY_1H from live to shadow",
      "score of CARD_VELOCITY_1H from 35 to 40",
      "limit of CARD_VELOCITY_1H at medium from 3 to 4",
      "limit of CARD_VELOCITY_1H at high from 2 to 4",
    ],
  ],
  [
    "another code, and a condition",
    (text) =>
      text
        .replace("code: ROUND_AMOUNT", "code: ROUND_SUM")
        .replace("months_to_expiry() < 0", "months_to_expiry() < 1"),
    ["another condition of CARD_EXPIRED", "ROUND_SUM is new", "ROUND_AMOUNT is gone"],
  ],
  [
    "a list",
    (text) => text.replace("blocked: []", "blocked: [{ bin: 411111 }]"),
    ["lists, rates, texts, tests or comments"],
  ],
])("%s", async (_what, edit, wanted) => {
  expect(await changed(edit)).toEqual(wanted);
});
