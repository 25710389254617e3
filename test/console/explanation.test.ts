// Why the sandbox decided so, as lines of the History detail: from the stored copy alone, in every width, nothing left out.

import { explanationOf, traceOf } from "./samples.ts";
import { describe, expect, it } from "vitest";
import { verdictCard, type VerdictCard } from "#screens/check/verdict-card.ts";
import { frameBlocks } from "#screens/demo/frame-rows.ts";
import { detailLines } from "#screens/history/detail-lines.ts";
import { explanationLines } from "#src/ui/explanation-lines.ts";
import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import type { Explanation, RuleTrace } from "#src/contract/wire/explanation.ts";
import { widthOf } from "#src/ui/fit.ts";
import { Page } from "#src/ui/page.ts";
import { createTheme } from "#src/ui/theme.ts";
import { PLAIN_FRAME } from "../check-frame.ts";
import { keyName } from "../keys/standard.ts";
import { answer, intent } from "../storage/entries.ts";

const trace = (code: string, change: Partial<RuleTrace> = {}): RuleTrace =>
  traceOf({ code, text: `${code} in words`, ...change });

const EXPLAINED: Explanation = explanationOf({
  recommendation: "3ds_or_block",
  message: "",
  score: 40,
  decidedBy: "3ds_score",
  rules: [
    trace("CARD_VELOCITY_1H", { values: { 'velocity("card", "1h")': 6, limit: 3 } }),
    trace("HOSTILE", { text: "pa\u0007ss\u001b[32m", values: { "payer.email": "a\u200bb" } }),
    trace("IP_BOGON", { outcome: "not_evaluated", missing: "payer.payer_ip" }),
    trace("ROUND_AMOUNT", { outcome: "no_hit" }),
    trace("TEST_BIN", { mode: "shadow", weight: null, effect: "block", values: { "card.bin_card": 411111 } }),
    trace("BIN_BURST", { mode: "shadow", outcome: "no_hit" }),
    trace("TRIAL", { mode: "shadow", outcome: "not_evaluated", missing: "card" }),
  ],
  counters: [
    { key: "card", window: "1h", value: 6, limit: 3 },
    { key: "spent per payer", window: "24h", value: 120, limit: null },
    { key: "holder per card", window: "30d", value: 1, limit: 1 },
  ],
  flips: [
    {
      what: 'velocity("card", "1h")',
      from: 6,
      to: 3,
      recommendation: "pass",
      text: "If the attempts with this card in 1 h were 3 instead of 6: continue.",
      parts: { what: "attempts with this card in 1 h", now: "6", needed: "3", rule: "CARD_VELOCITY_1H" },
    },
  ],
});

function textOf(explained: Explanation, width = 78, ascii = false): string {
  const page = new Page(width, createTheme({ keyName, color: true, ascii }));
  explanationLines(page, explained);
  return page.rows
    .map((row) =>
      row
        .map(({ text }) => text)
        .join("")
        .trimEnd(),
    )
    .join("\n");
}

describe("a stored explanation", () => {
  it("tells what was compared, what would change it, what was counted, and what nobody could know", () => {
    const text = textOf(EXPLAINED);
    expect(text).toMatch(
      /\+40 +CARD_VELOCITY_1H\n +CARD_VELOCITY_1H in words\n +velocity\("card", "1h"\) = 6, limit = 3/,
    );
    expect(text).toMatch(
      /What would flip it\nValue +Now +Needed +Verdict +Rule\nattempts with this card in 1 h +6 +3 +✔ PASS +CARD_VELOCITY_1H/,
    );
    // Narrower there is what fits, down to sentences.
    expect(textOf(EXPLAINED, 60)).toMatch(
      /Value +Needed +Verdict\nattempts with this card in 1 h +3 +✔ PASS\n/,
    );
    expect(textOf(EXPLAINED, 42)).toMatch(/\nattempts with this card +3 +✔ PASS\nin 1 h\n/);
    expect(textOf(EXPLAINED, 40).replaceAll(/\s+/g, " ")).toContain(
      "✔ PASS If the attempts with this card in 1 h were 3 instead of 6: continue.",
    );
    expect(text).toMatch(
      /with this card 1 h +━+▸ 6 of 3\nEUR by this payer in 24 h: 120\nholders with this card in 30 days: 1/,
    );
    expect(text).toMatch(/Not evaluated\n\+40 +IP_BOGON\n +missing: payer\.payer_ip/);
    expect(text).toContain("1 rule was evaluated without a hit.");
    expect(text).toContain("pa\\x07ss\\x1b[32m");
  });

  it("sets apart what rules in shadow would have said", () => {
    const [counted, shadow] = textOf(EXPLAINED).split("In shadow: tried, and not counted");
    expect(counted).not.toContain("TEST_BIN");
    expect(counted).not.toContain("TRIAL");
    expect(shadow).toMatch(/block +TEST_BIN\n +TEST_BIN in words\n +card\.bin_card = 411111/);
    expect(shadow).toMatch(/BIN_BURST\n +no hit/);
    expect(shadow).toMatch(/TRIAL\n +not evaluated \(missing: card\)/);
  });

  it("says what beat the score, a repeat, and that nothing near would change it", () => {
    const text = textOf({ ...EXPLAINED, decidedBy: "magic", repeat: true, flips: [] });
    expect(text).toContain("the order id, regardless of the rules");
    expect(text).toContain("the stored answer to an identical request");
    expect(text).toContain("No single amount or count near these values would.");
    const { flips: _, ...unasked } = EXPLAINED;
    expect(textOf(unasked)).not.toContain("What would flip it");
  });

  it.each([34, 38, 45, 56, 69, 70, 78, 120])("fits into %i columns, with both thresholds", (width) => {
    for (const ascii of [false, true]) {
      for (const score of [0, 40, 160]) {
        const text = textOf(
          { ...EXPLAINED, score, thresholds: { threeDs: 5_000, block: 9_999 } },
          width,
          ascii,
        );
        for (const line of text.split("\n")) expect(widthOf(line), line).toBeLessThanOrEqual(width);
        const words = text.replaceAll(/\s+/g, " ");
        expect(words).toContain("5000");
        expect(words).toContain("9999");
        // oxlint-disable-next-line no-control-regex
        if (ascii) expect(text).toMatch(/^[\x20-\x7e\n]*$/);
      }
    }
  });
});

/** The card of a check on Check, with nothing else going on. */
function cardOf(entry: HistoryEntry, right: number, limit: number): VerdictCard {
  const shared = { failed: null, inFlight: null, lost: false, asked: false, notSaved: null, project: null };
  const facts = { ...shared, preparing: false, locked: false, answerable: true, isFirst: false };
  const input = { ...facts, entry, selected: false, now: 0, unit: "minor", width: 70, limit } as const;
  return verdictCard(input, right, createTheme({ keyName, color: true, ascii: false }));
}

it("keeps room for the names of counters beside sums and lists of any length", () => {
  const lacking = Array.from({ length: 17 }, (_, n) => trace(`LACKS_${n}`, { outcome: "not_evaluated" }));
  const counters = [{ key: "sum_eur(payer)", window: "24h", value: 1.8e12, limit: 7_500 }];
  const explanation = { ...EXPLAINED, rules: lacking, counters };
  const { right } = cardOf(intent("a", { result: answer(), explanation }), 46, 22);
  expect(right.length).toBeLessThanOrEqual(22);
  const text = right.map((row) => row.map((span) => span.text).join("")).join("\n");
  expect(text.replaceAll(/\s+/g, " ")).toContain("LACKS_3 (and 13 more)");
  expect(text).toMatch(/^ {2}sum_eur\(payer\) .* 1.800.000.M of 7.500$/m);
});

it("is drawn nowhere beside an outcome that cannot be trusted, which has its reason instead", () => {
  const theme = createTheme({ keyName, color: true, ascii: false });
  const reason = "The signature of the answer is wrong.";
  const result = answer({ outcome: "indeterminate", recommendation: null, explanation: reason });
  const entry = intent("a", { result, explanation: EXPLAINED });
  const card = cardOf(entry, 60, 40);
  const options = { theme, unit: "minor", sendingId: null, profile: entry.profile } as const;
  const texts = { index: 0, total: 1, say: "", note: null, projectKey: "p", riskLevel: "medium" } as const;
  const end = { attempts: 1, expected: null, asExpected: null, finalAction: null, virtualTime: 0 } as const;
  const frame = { ...PLAIN_FRAME, ...texts, ...end, request: entry.request, entries: [entry] };
  const room = { width: 120, height: 40 };
  const drawn = [
    [...card.left, ...card.right],
    detailLines(entry, "why", 90, options),
    frameBlocks(frame, room, theme).flat(),
  ];
  for (const rows of drawn) {
    const text = rows.map((row) => row.map((span) => span.text).join("")).join("\n");
    expect(text).toContain(reason);
    expect(text).not.toMatch(/✔|(?<!NOT )PASS|score|No rule|If the attempts|CARD_VELOCITY/i);
    const roles = rows.flat().map(({ role }) => role);
    expect(roles).not.toContain("pass");
    expect(roles).not.toContain("3ds");
  }
});
