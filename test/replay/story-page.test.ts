import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import { AUDIENCE_WORDS } from "#src/display/audience-words.ts";
import { VERDICTS } from "#src/display/verdict.ts";
import { storyPage } from "#src/story-page.ts";
import { HOSTILE } from "./hostile.ts";
import {
  attribute,
  elementsOf,
  expectNamed,
  expectSelfContained,
  parsedPage,
  textOf,
} from "./page-elements.ts";
import { PAYMENT, storyOf, type StoryTexts } from "./story-sample.ts";

const TEXTS: StoryTexts = { said: "A customer pays.", note: "Look at the counters.", request: PAYMENT };
const [WITH, WITHOUT] = [{ notes: true }, { notes: false }];

const pageOf = (texts: Partial<StoryTexts> = {}, options = WITHOUT): string => {
  const { deck, frames } = storyOf({ ...TEXTS, ...texts });
  return storyPage(deck, frames, options);
};
const tagged = (html: string, tag: string, look: string) =>
  parsedPage(html).elements.filter(
    (each) => each.tagName === tag && (attribute(each, "class") ?? "").split(" ").includes(look),
  );

describe("the page of a deck", () => {
  const html = pageOf();
  const slides = tagged(html, "section", "slide");

  test("asks for nothing, has names for those who hear it, and is the same for the same frames", () => {
    const page = parsedPage(html);
    expectSelfContained(page);
    expectNamed(page);
    expect(pageOf()).toBe(html);
  });

  test("has a slide a frame between title and end, each with an address of its own", () => {
    const ids = slides.map((slide) => attribute(slide, "id"));
    expect(ids).toEqual(["start", "step-1", "step-1-2", "step-2", "step-3", "step-4", "step-5", "end"]);
    for (const slide of slides.slice(1))
      expect(elementsOf(slide).map(({ tagName }) => tagName)).toContain("h2");
  });

  test("says each verdict, and what was not expected", () => {
    const heard = (id: string): string => {
      const slide = slides.find((each) => attribute(each, "id") === id)!;
      return elementsOf(slide)
        .filter((each) => attribute(each, "class") === "heard")
        .map(textOf)
        .join("\n");
    };
    expect(heard("step-1")).toContain("PASS. Continue processing the transaction.");
    expect(heard("step-1-2")).toMatch(/BLOCK\. [^]*expected pass, and the verdict is block/);
    expect(heard("step-3")).toContain("UNKNOWN. ");
    const end = slides.at(-1)!;
    const results = elementsOf(end).filter(({ tagName }) => tagName === "li");
    expect(results.map(textOf)).toEqual([
      "1.1✔ PASSA customer pays.",
      "1.2✖ BLOCK✖ A customer pays.",
      "2✔ PASS✖ BLOCKA customer pays.",
      "3? UNKNOWNA customer pays.",
      "4◆ 3DSA customer pays.",
      "5A customer pays.",
    ]);
  });

  test("rows are no wider than their page, on a telephone and on a desk", () => {
    for (const [look, width] of [
      ["wide", 100],
      ["narrow", 40],
    ] as const) {
      const rows = tagged(html, "pre", look).flatMap((pre) => textOf(pre).split("\n"));
      expect(rows.length).toBeGreaterThan(40);
      for (const row of rows) expect(row.length, row).toBeLessThanOrEqual(width);
    }
  });

  test("answers what may be asked, and draws the day", () => {
    const [first] = slides.filter((slide) => attribute(slide, "id") === "step-1");
    const asked = elementsOf(first!).filter(({ tagName }) => tagName === "summary");
    expect(asked.map(textOf)).toEqual([AUDIENCE_WORDS.what_if, AUDIENCE_WORDS.other_amounts]);
    const day = slides.find((slide) => attribute(slide, "id") === "step-5")!;
    const [narrow] = elementsOf(day).filter((each) => attribute(each, "class") === "narrow");
    // Below each other, so that nothing is cut.
    for (const word of ["today", "proposed", "good_blocked", "fraud_passed"] as const)
      expect(textOf(narrow!), word).toContain(AUDIENCE_WORDS[word]);
    expect(textOf(narrow!).match(new RegExp(AUDIENCE_WORDS.fraud_passed, "g"))).toHaveLength(2);
    expect(elementsOf(day).filter(({ tagName }) => tagName === "svg").length).toBeGreaterThan(2);
  });

  test("has notes only where they are asked for", () => {
    expect(html).not.toContain("Look at the counters.");
    expect(html).not.toContain('id="notes"');
    const noted = pageOf({}, WITH);
    expect(tagged(noted, "aside", "note")).toHaveLength(6);
    expect(noted).toContain('id="notes"');
  });

  test("speaks as the deck does", () => {
    const words = new Map([
      ["lang", "uk"],
      ["next", "Далі"],
      ["what_came_out", "Що вийшло"],
      ["pass", "ПРОПУСК"],
    ]);
    const spoken = pageOf({ words });
    expect(spoken).toContain('<html lang="uk">');
    for (const word of ["Далі", "Що вийшло", "ПРОПУСК"]) expect(spoken).toContain(word);
    expect(spoken).not.toContain(AUDIENCE_WORDS.what_came_out);
  });
});

test("only a trustworthy pass is drawn as one", () => {
  const { deck, frames } = storyOf(TEXTS);
  const doubtful = frames.filter((frame) => frame.kind === "check" && frame.fault !== null);
  const html = storyPage(deck, doubtful, WITHOUT);
  expect(html).not.toMatch(/class="(?:verdict )?pass"/);
  expect(parsedPage(html).text).not.toContain(VERDICTS.pass.word);
});

describe("any text in a deck", () => {
  const policy = /<meta http-equiv="Content-Security-Policy" content="([^"]*)">/.exec(pageOf())![1]!;
  const shapeOf = (html: string): string[] => {
    const { elements } = parsedPage(html);
    // Names of lines depend on what is said; a text may be wrapped, or be empty.
    return [
      ...new Set(elements.map(({ tagName, attrs }) => [tagName, ...attrs.map(({ name }) => name)].join(" "))),
    ].sort();
  };
  const shape = new Set(shapeOf(pageOf({}, WITH)));

  const expectHarmless = (said: string): void => {
    const html = pageOf({ said, note: said, outcomes: null }, WITH);
    for (const each of shapeOf(html)) expect(shape).toContain(each);
    expectSelfContained(parsedPage(html));
    expect(html).toContain(policy);
    expect(html.match(/<script/g)).toHaveLength(1);
  };

  test.each(HOSTILE)("cannot become markup or leave the policy: %j", expectHarmless);

  test("cannot become markup or leave the policy, whatever it is", () => {
    const piece = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom(...HOSTILE, "<", ">", "&", '"', "'", "█"),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 4 }), (pieces) => expectHarmless(`x${pieces.join("")}`)),
      { numRuns: 20 },
    );
  });

  test("nor can its words", () => {
    const words = new Map(Object.keys(AUDIENCE_WORDS).map((word) => [word, `"><img src=x>${word}`]));
    const html = pageOf({ words, outcomes: null }, WITH);
    expectSelfContained(parsedPage(html));
    expect(html.match(/<img/g)).toBeNull();
  });
});

test("nothing personal is in a page, wherever it was", () => {
  const CANARIES = [
    "KANARIENVOGEL",
    "canary.bird@cage.example",
    "cage.example",
    "997654321",
    "203.0.113.77",
    "payer-canary-17",
    "9173",
    "11/2031",
    "quinces",
  ];
  const request = {
    ...PAYMENT,
    order_id: "o-41",
    description: "quinces for the cage",
    payer: {
      payer_ip: "203.0.113.77",
      email: "canary.bird@cage.example",
      number_phone: "+380997654321",
      payer_id: "payer-canary-17",
    },
    card: {
      holder: "CANARY KANARIENVOGEL",
      bin_card: 444_411,
      cin_card: 9173,
      expiration_month: 11,
      expiration_year: 2031,
    },
  } as CheckRequest;
  const said =
    "CANARY KANARIENVOGEL, payer-canary-17, canary.bird@cage.example, +380997654321 pays from 203.0.113.77 with 9173 until 11/2031: quinces for the cage";
  const html = pageOf({ said, note: said, request }, WITH).toLowerCase();
  for (const canary of CANARIES) expect(html).not.toContain(canary.toLowerCase());
});
