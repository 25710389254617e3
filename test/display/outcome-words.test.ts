import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LABELS } from "#src/contract/records/label.ts";
import type { Recommendation } from "#src/contract/wire/recommendation.ts";
import {
  changeWords,
  intervalText,
  liftText,
  outcomeWords,
  rateText,
  shareText,
} from "#src/display/outcome-words.ts";
import { outcomesOf, type Group } from "../replay/outcomes-sample.ts";

const WORDS: readonly Recommendation[] = ["pass", "3ds_or_block", "block"];

function group(
  label: Group["label"],
  was: Recommendation,
  now: Recommendation,
  count: number,
  eur: number = 0,
): Group {
  return { label, was, now, count, eur };
}

/** Enough that is judged alike for the labels to be worth something. */
const CALM = [group("fraud", "block", "block", 300, 9_000), group("good", "pass", "pass", 5_000, 80_000)];

function said(...groups: readonly Group[]): ReturnType<typeof outcomeWords> {
  return outcomeWords(outcomesOf([...CALM, ...groups]));
}

describe("shares", () => {
  test("parts, whole and percent; none of none is nothing to judge", () => {
    expect(shareText({ part: 322, whole: 373 })).toBe("322 of 373, 86.3 %");
    expect(shareText({ part: 0, whole: 20 })).toBe("0 of 20, 0 %");
    expect(shareText({ part: 1_287, whole: 9_627 })).toBe("1 287 of 9 627, 13.4 %");
    expect(shareText({ part: 0, whole: 0 })).toBe("none to judge");
    // "100 %" of one case is one case.
    expect(shareText({ part: 1, whole: 1 })).toBe("1 of 1");
  });

  test("how far so few cases can be trusted, rounded outwards; nothing where there is little doubt", () => {
    // 322 of 373: 0.8247 to 0.8945
    expect(intervalText({ part: 322, whole: 373 })).toBe("between 82 and 90 %, 95 % sure from 373 cases");
    expect(intervalText({ part: 0, whole: 20 })).toBe("between 0 and 17 %, 95 % sure from 20 cases");
    expect(intervalText({ part: 1, whole: 1 })).toBe("between 20 and 100 %, 95 % sure from one case");
    // 28 of 9,700: 0.1998 % to 0.4169 %, beside a limit of 0.5 %.
    expect(intervalText({ part: 28, whole: 9_700 })).toBe(
      "between 0.19 and 0.42 %, 95 % sure from 9 700 cases",
    );
    expect(intervalText({ part: 1_287, whole: 9_627 })).toBeNull();
    expect(intervalText({ part: 470, whole: 96_270 })).toBeNull();
    expect(intervalText({ part: 0, whole: 0 })).toBeNull();
  });
});

describe("a share of few cases, and beside the base rate", () => {
  test("one of one is no hundred per cent", () => {
    expect(rateText({ part: 1, whole: 1 })).toBe("1 of 1");
    expect(rateText({ part: 9, whole: 9 })).toBe("9 of 9");
    expect(rateText({ part: 10, whole: 10 })).toBe("100 %");
    expect(rateText({ part: 0, whole: 0 })).toBe("-");
  });

  test("lift is how many times the base rate a share is", () => {
    const base = { part: 59, whole: 10_000 };
    expect(liftText({ part: 43, whole: 10_000 }, base)).toBe("lift 0.7");
    expect(liftText({ part: 50, whole: 100 }, base)).toBe("lift 85");
    expect(liftText({ part: 0, whole: 100 }, base)).toBe("lift 0.0");
    expect(liftText({ part: 0, whole: 0 }, base)).toBe("");
    expect(liftText({ part: 1, whole: 2 }, { part: 0, whole: 10 })).toBe("");
  });
});

describe("the sentence to sign", () => {
  test("gain and price, with what becomes of the fraud that is let go", () => {
    const words = said(
      group("good", "block", "pass", 1_206, 121_000),
      group("refund", "block", "3ds_or_block", 34, 3_500),
      group("fraud", "block", "pass", 3, 100),
      group("chargeback", "block", "pass", 1, 34),
      group("fraud", "block", "3ds_or_block", 5, 4_866),
    );
    expect(words).toEqual({
      sentence:
        "1 240 good payments (124 500 EUR) are no longer blocked; nine fraudulent ones (5 000 EUR) are no longer blocked, four of them pass (134 EUR).",
      besides: [
        "Net gain if 3-D Secure stops no fraud: 119 500 EUR; net gain if 3-D Secure stops all of the fraud sent to it: 124 366 EUR; fraud blocked: 5 000 EUR less; fraud sent to 3-D Secure: 4 866 EUR more; good payments blocked: 124 500 EUR less.",
      ],
      doubts: [],
    });
  });

  test.each<[string, Group[], string]>([
    [
      "more good blocked",
      [group("good", "pass", "block", 12, 600)],
      "12 good payments (600 EUR) are newly blocked; no fraudulent one changes sides.",
    ],
    [
      "good both ways",
      [group("good", "pass", "block", 1, 0.4), group("good", "block", "pass", 30, 600)],
      "30 good payments (600 EUR) are no longer blocked; one good payment (less than 1 EUR) is newly blocked; no fraudulent one changes sides.",
    ],
    [
      "more fraud blocked",
      [group("fraud", "pass", "block", 7, 700), group("fraud", "3ds_or_block", "block", 2, 80)],
      "Nine fraudulent payments (780 EUR) are newly blocked, seven of them passed before (700 EUR); no good payment changes sides.",
    ],
    [
      "all fraud passes",
      [group("fraud", "block", "pass", 7, 700)],
      "Seven fraudulent payments (700 EUR) are no longer blocked, all of them pass; no good payment changes sides.",
    ],
    [
      "one fraud passes",
      [group("fraud", "block", "pass", 1, 700)],
      "One fraudulent payment (700 EUR) is no longer blocked, and passes; no good payment changes sides.",
    ],
    [
      "no fraud passes, and no rate",
      [group("fraud", "block", "3ds_or_block", 20)],
      "20 fraudulent payments are no longer blocked, not one passes; no good payment changes sides.",
    ],
    ["nothing changes", [], "Nothing changes: every payment gets the verdict that it gets today."],
    [
      "3-D Secure alone",
      [group("good", "pass", "3ds_or_block", 3, 30)],
      "No labelled payment is newly blocked or released.",
    ],
    [
      "fraud that passes without 3-D Secure",
      [group("fraud", "3ds_or_block", "pass", 2, 4)],
      "No labelled payment is newly blocked or released; two fraudulent payments (4 EUR) are passed instead of sent to 3-D Secure.",
    ],
    [
      "gain at the block, price at 3-D Secure",
      [group("good", "block", "pass", 20, 40), group("fraud", "3ds_or_block", "pass", 2, 4)],
      "20 good payments (40 EUR) are no longer blocked; two fraudulent ones (4 EUR) are passed instead of sent to 3-D Secure; no fraudulent one changes sides.",
    ],
  ])("%s", (_, groups, sentence) => {
    expect(said(...groups).sentence).toBe(sentence);
  });

  test.each<[string, Group[], string[]]>([
    [
      "lost",
      [group("good", "pass", "block", 12, 600), group("fraud", "3ds_or_block", "block", 1, 80)],
      [
        "Net loss if 3-D Secure stops no fraud: 520 EUR; net loss if 3-D Secure stops all of the fraud sent to it: 600 EUR; fraud blocked: 80 EUR more; fraud sent to 3-D Secure: 80 EUR less; good payments blocked: 600 EUR more.",
      ],
    ],
    [
      "gained by fraud alone",
      [group("fraud", "pass", "block", 7, 700)],
      ["Net gain, however much fraud 3-D Secure stops: 700 EUR; fraud blocked: 700 EUR more."],
    ],
    [
      "even",
      [group("good", "pass", "block", 1, 80), group("fraud", "pass", "block", 1, 80)],
      [
        "Net gain, however much fraud 3-D Secure stops: none; fraud blocked: 80 EUR more; good payments blocked: 80 EUR more.",
      ],
    ],
    ["not worth a euro", [group("good", "pass", "block", 1, 0.4)], []],
  ])("net money: %s", (_, groups, besides) => {
    expect(said(...groups).besides).toEqual(besides);
  });

  test("net money by a share that 3-D Secure is said to stop", () => {
    const groups = [...CALM, group("fraud", "block", "3ds_or_block", 3, 1_000)];
    const [net] = outcomeWords(outcomesOf(groups), [0.725]).besides;
    expect(net).toBe(
      "Net loss if 3-D Secure stops 72.5 % of the fraud sent to it: 275 EUR; fraud blocked: 1 000 EUR less; fraud sent to 3-D Secure: 1 000 EUR more.",
    );
  });

  test("no net money with labels of one kind, which say one half of it", () => {
    expect(outcomeWords(outcomesOf([group("fraud", "pass", "block", 7, 700)])).besides).toEqual([]);
  });

  test("what changes beside the block", () => {
    const groups = [
      group("good", "pass", "3ds_or_block", 3, 30),
      group("fraud", "3ds_or_block", "pass", 2, 4),
      group(null, "block", "pass", 40, 400),
    ];
    expect(said(...groups).besides).toEqual([
      "Net gain if 3-D Secure stops no fraud: none; net loss if 3-D Secure stops all of the fraud sent to it: 4 EUR; fraud sent to 3-D Secure: 4 EUR less.",
      "Three good payments (30 EUR) are sent to 3-D Secure instead of passed.",
      "40 payments without a label (400 EUR) are no longer blocked.",
    ]);
  });

  test("without labels it tells what changes, and that nobody can judge it", () => {
    const words = outcomeWords(outcomesOf([group(null, "block", "pass", 40, 400)]));
    expect(words.sentence).toBe("40 payments without a label (400 EUR) are no longer blocked.");
    expect(words.besides).toEqual([]);
    expect(words.doubts).toEqual(["No payment has a label, so whether the change is right is not known."]);
    expect(changeWords(outcomesOf([group(null, "block", "pass", 1_249, 3_700)]).changes)).toBe(
      "1 249 payments (3 700 EUR) are no longer blocked.",
    );
    expect(changeWords([])).toBe("No payment was judged.");
  });

  test("labels of one kind, and of too few", () => {
    const good = outcomeWords(outcomesOf([group("good", "block", "pass", 40)]));
    expect(good.sentence).toBe("40 good payments are no longer blocked.");
    expect(good.doubts).toEqual([
      "No labelled payment is fraudulent, so how much fraud is blocked is not known.",
    ]);
    const bad = outcomeWords(
      outcomesOf([group("fraud", "block", "block", 9), group("fraud", "block", "pass", 1)]),
    );
    expect(bad.doubts).toEqual([
      "Too few labels to judge: the share of fraud that is blocked lies between 59 and 99 %, 95 % sure from 10 cases.",
      "No labelled payment is good, so how many good customers are blocked is not known; --unlabelled good counts payments without a label as good.",
    ]);
  });

  test("any outcome at all reads as sentences", () => {
    const groups = fc.array(
      fc.record({
        label: fc.constantFrom(...LABELS, null),
        was: fc.constantFrom(...WORDS),
        now: fc.constantFrom(...WORDS),
        count: fc.oneof(fc.nat(3), fc.nat(100_000)),
        eur: fc.double({ min: 0, max: 1e9, noNaN: true }),
      }),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(groups, (list) => {
        const { sentence, besides, doubts } = outcomeWords(outcomesOf(list));
        for (const text of [sentence, ...besides, ...doubts, changeWords(outcomesOf(list).changes)]) {
          expect(text).toMatch(/^[A-Z0-9][^\n]*[^ ;,]\.$/);
          expect(text).not.toMatch(/NaN|undefined|Infinity|null|\b0 (good|fraud|payment)|e\+/);
          expect(text).not.toMatch(/ {2}|\(\)|\bone \w+ ?\w+s\b (are|is)/);
        }
      }),
      { numRuns: 500 },
    );
  });
});
