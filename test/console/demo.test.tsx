// The presenter's screen: exactly its area in every size, nothing personal in any frame, and what the audience reads.

import { deckFiles } from "#src/app/deck-files.ts";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { demoView } from "#screens/demo/view-model.ts";
import { AUDIENCE_WORDS, ENGLISH } from "#src/display/audience-words.ts";
import { safe } from "#src/display/safe.ts";
import { countWords } from "#src/contract/text/count-words.ts";
import type { CounterReading, Explanation } from "#src/contract/wire/explanation.ts";
import type { Recommendation } from "#src/contract/wire/recommendation.ts";
import { PIPED_DECK } from "#src/display/deck-lines.ts";
import { readDeck } from "#src/replay/decks/deck-reader.ts";
import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import { verdictKind } from "#src/display/verdict.ts";
import type { DemoState } from "#src/state/sandbox/deck-run.ts";
import type { CheckFrame, Deck, DemoFrame } from "#src/state/sandbox/demo.ts";
import { maskedFrame, maskOf } from "#src/actions/sandbox/demo-frame.ts";
import { CANARY_STORY } from "../canary-story.ts";
import { PLAIN_FRAME } from "../check-frame.ts";
import { dayFrame } from "../day-frame.ts";
import { bigText } from "#src/ui/big-text.ts";
import { widthOf } from "#src/ui/fit.ts";
import { gaugeRows } from "#src/ui/gauge.ts";
import { createTheme } from "#src/ui/theme.ts";
import { keyName } from "../keys/standard.ts";
import { answer, intent } from "../storage/entries.ts";
import { openConsole } from "./driver.tsx";
import { answered, TEST_SECRET, testContext } from "./test-context.ts";
import { explanationOf as decisionOf } from "./samples.ts";

const CANARIES = [
  "CANARY KANARIENVOGEL",
  "canary.bird@cage.example",
  "+380997654321",
  "203.0.113.77",
  "payer-canary-17",
  "9173",
  "for the canary",
  "cage.example",
  "11/2031",
];

/** Every canary is in the payload, in what is said, and in the reasons. */
const DECK: Deck = readDeck(
  `${CANARY_STORY}    repeat: 3
    expect: [pass, 3ds_or_block, block]
    can_force_3ds: yes
  - say: A step without a card
    change: { card: null }
`,
  { file: "story.yaml", name: "story", files: deckFiles(".") },
);

function explanationOf(recommendation: Recommendation, score: number): Explanation {
  const hit = (text: string, weight: number | null, effect: "score" | "block" | "3ds") =>
    ({ code: "R", text, outcome: "hit", mode: "live", weight, effect, values: {} }) as const;
  return decisionOf({
    recommendation,
    message: "203.0.113.77 is not an address",
    orderId: "o",
    score,
    decidedBy: recommendation === "block" ? "hard_block" : "pass",
    rules: [
      hit("the card expired at the end of 11/2031", null, "block"),
      hit(
        `203.0.113.77 and canary.bird@cage.example of payer-canary-17 ${"and so on ".repeat(12)}`,
        40,
        "score",
      ),
      hit("CANARY KANARIENVOGEL with 9173", 25, "score"),
      { ...hit("in the shadow", 5, "score"), mode: "shadow" },
    ],
    counters: [
      { key: "card", window: "1h", value: 3, limit: 3 },
      { key: "spent per payer", window: "24h", value: 12.4, limit: 5000 },
      { key: "ip", window: "1h", value: 6, limit: 5 },
      { key: "email", window: "1h", value: 2, limit: null },
    ],
  });
}

const VERDICTS = ["pass", "3ds_or_block", "block"] as const;

function frameOf(number: number): CheckFrame {
  const step = DECK.steps[number < 3 ? 0 : 1]!;
  const attempt = number < 3 ? number : 0;
  const entryOf = (at: number) => {
    const { request } = step.checks[at]!;
    const recommendation = VERDICTS[number % 3]!;
    // The last one has no trustworthy answer: its words come from the network.
    const result =
      number < 3
        ? answer({ recommendation, message: "It is CANARY KANARIENVOGEL" })
        : answer({
            outcome: "indeterminate",
            recommendation: null,
            explanation: "The code is canary.bird@cage.example and none of the three.",
          });
    return intent(`e${at}`, {
      request,
      result,
      finalAction: recommendation === "3ds_or_block" ? "3ds" : null,
      explanation: number < 3 ? explanationOf(recommendation, [0, 40, 160][number]!) : null,
    });
  };
  return {
    ...PLAIN_FRAME,
    index: number < 3 ? 0 : 1,
    total: 2,
    say: step.say,
    note: step.note,
    request: step.checks[attempt]!.request,
    entries: Array.from({ length: attempt + 1 }, (_, at) => entryOf(at)),
    attempts: step.checks.length,
    expected: number === 2 ? "pass" : VERDICTS[number % 3]!,
    asExpected: number < 2,
    finalAction: number === 1 ? "3ds" : null,
    projectKey: "shop/medium",
    riskLevel: "medium",
    virtualTime: DECK.startAt,
  };
}

const PLAYED = [0, 1, 2, 3].map(frameOf);
const masked = <Frame extends DemoFrame>(frame: Frame) => maskedFrame(frame, maskOf(DECK)) as Frame;
const FRAMES = PLAYED.map(masked);

const STATE: DemoState = {
  choices: [DECK, { ...DECK, name: "other" }, { ...DECK, name: "third" }],
  selected: 1,
  deck: DECK,
  opening: false,
  frames: FRAMES,
  checks: 4,
  at: 0,
  sending: false,
  goingTo: null,
  progress: null,
  notes: true,
  recorded: false,
  autoS: 5,
  paused: false,
  asked: null,
  askedSide: 0,
  askedPage: 0,
  day: null,
  nextAt: null,
  failed: null,
};

/** What a deck can show beside one verdict: watched counters, a fault, new rules, and several answers. */
const [PASS, SECURE, BLOCK] = PLAYED as [CheckFrame, CheckFrame, CheckFrame];
const WATCHED: CheckFrame = {
  ...BLOCK,
  rules: "rules of CANARY KANARIENVOGEL",
  watch: [
    { key: "ip", window: "1h" },
    { key: "card", window: "1h" },
    { key: "email", window: "1h" },
    { key: "payer", window: "90m" },
  ],
};
const FAULTY: CheckFrame = {
  ...PLAYED[3]!,
  fault: "no answer for canary.bird@cage.example",
  watch: WATCHED.watch,
};

function sideOf({ entries }: CheckFrame, title: string): CheckFrame["sides"][number] {
  const side = { projectKey: `shop/${title}`, riskLevel: "low", rules: null, expected: "pass" } as const;
  return { ...side, title, entry: entries.at(-1)! };
}

const SIDES = [sideOf(PASS, "low"), sideOf(SECURE, "medium"), sideOf(BLOCK, "CANARY KANARIENVOGEL.yaml")];
const TWO_SIDES: CheckFrame = { ...PASS, sides: SIDES.slice(0, 2), asExpected: false };
const THREE_SIDES: CheckFrame = { ...PASS, sides: SIDES };
const DAY = dayFrame(2_000);

const ANSWERS: CheckFrame["answers"][number] = {
  flips: [
    {
      what: "amount",
      from: 1,
      to: 2,
      recommendation: "block",
      text: "CANARY KANARIENVOGEL would be blocked.",
    },
  ],
  amounts: {
    profile: "sandbox",
    project: "shop/medium",
    field: "amount",
    values: { kind: "range", from: 100, to: 1_000_000, steps: 3 },
    request: PASS.request,
    at: DECK.startAt,
    points: [],
    stretches: [],
    real: false,
    asked: 3,
    stopped: null,
  },
};
const ASKED: CheckFrame = { ...PASS, answers: [ANSWERS] };
/** More than fits on a page. */
const LONG: CheckFrame = {
  ...PASS,
  answers: [
    {
      ...ANSWERS,
      flips: Array.from({ length: 30 }, (_, to) => ({ ...ANSWERS.flips[0]!, to, text: `Change ${to}.` })),
    },
  ],
};

/** The state in which a frame alone is shown. */
function alone(frame: DemoFrame, change: Partial<DemoState> = {}): DemoState {
  return { ...STATE, frames: [masked(frame)], at: 1, notes: false, ...change };
}

const atPayment = (shown: number, runs: boolean, named: number | null = shown - 1): Partial<DemoState> => ({
  day: { shown, runs, named, speed: 2 },
});

/** The second frame, where 3-D Secure cannot be forced. */
const REFUSED: DemoState = {
  ...STATE,
  at: 2,
  frames: FRAMES.with(1, {
    ...FRAMES[1]!,
    entries: FRAMES[1]!.entries.map((entry) => ({ ...entry, finalAction: "block" })),
  }),
};

/** Everything that the screen can be. */
const STATES: readonly (readonly [string, DemoState])[] = [
  ["the choice", { ...STATE, deck: null }],
  ["the choice before the decks are read", { ...STATE, deck: null, choices: [] }],
  ["the title", STATE],
  ["the title while it opens", { ...STATE, opening: true, frames: [] }],
  ...FRAMES.map((_, index) => [`frame ${index + 1}`, { ...STATE, at: index + 1 }] as const),
  ["a frame without notes", { ...STATE, at: 2, notes: false, autoS: null }],
  ["a frame with a block that was decided", REFUSED],
  ["the end", { ...STATE, at: 5 }],
  ["watched counters", alone(WATCHED)],
  ["a fault", alone(FAULTY, { notes: true })],
  ["two sides", alone(TWO_SIDES)],
  ["three sides", alone(THREE_SIDES, { notes: true })],
  ["the beginning of a day", alone(DAY, atPayment(0, true, null))],
  ["a day that runs past", alone(DAY, { ...atPayment(1_004, true), notes: true, autoS: "reading" })],
  ["a day that is stopped at a case", alone(DAY, atPayment(1_004, false))],
  ["the end of a day", alone(DAY, atPayment(2_000, false, null))],
  ["a day of one rule set without labels", alone(dayFrame(300, { proposed: null, outcomes: null }))],
  ["a day without payments", alone(dayFrame(0, { sentences: [] }))],
  [
    "the end of a deck of all kinds",
    { ...STATE, frames: [WATCHED, TWO_SIDES, THREE_SIDES, DAY].map(masked), at: 5 },
  ],
  ["what would flip it", alone(ASKED, { asked: "flips" })],
  ["amounts", alone(ASKED, { asked: "amounts" })],
  ["an answer of many rows", alone(LONG, { asked: "flips", askedPage: 1, notes: true })],
  ["a question to one of three sides", alone(THREE_SIDES, { asked: "flips", askedSide: 2 })],
  ["a question to a day", alone(DAY, { asked: "flips" })],
  ["a fault", { ...STATE, failed: `The sandbox does not answer. ${"It is gone. ".repeat(20)}` }],
];

const SIZES = [
  [60, 14],
  [60, 18],
  [61, 19],
  [70, 18],
  [80, 22],
  [100, 28],
  [120, 38],
  [140, 38],
  [200, 58],
] as const;

function textOf(state: DemoState, columns: number, rows: number, ascii: boolean = false): string {
  const view = demoView(state, { columns, rows }, createTheme({ keyName, color: !ascii, ascii }));
  return view.map((spans) => spans.map(({ text }) => text).join("")).join("\n");
}

describe("what the audience sees", () => {
  it.each(STATES)("%s fills exactly its area in every size, and holds nothing personal", (_what, state) => {
    for (const ascii of [false, true]) {
      for (const [columns, rows] of SIZES) {
        const lines = textOf(state, columns, rows, ascii).split("\n");
        expect(lines).toHaveLength(rows);
        for (const line of lines) expect(widthOf(line), line).toBe(columns);
        const text = lines.join("\n");
        for (const canary of CANARIES) expect(text, `${canary} at ${columns}x${rows}`).not.toContain(canary);
        expect(text).not.toMatch(/canary|kanarien/i);
        // oxlint-disable-next-line no-control-regex
        if (ascii) expect(text.replaceAll("\n", "")).toMatch(/^[\x20-\x7e]*$/);
      }
    }
  });

  it.each(SIZES.slice(1))(
    "shows verdict, reaction, score with both marks and the strongest reason at %sx%s",
    (columns, rows) => {
      const text = textOf({ ...STATE, at: 2, notes: false }, columns, rows);
      const words = text.replaceAll(/[\s█]+/g, " ");
      expect(text).toContain("◆ 3DS");
      for (const part of ["Send the", "transaction to", "Final action", "Score 40", "35 3", "75 block"]) {
        expect(words, part).toContain(part);
      }
      expect(text).toMatch(/block +the card expired at the end of \(month hidden\)/);
      expect(text).toContain("step 1 of 2, attempt 2 of 3");
      // Played, shown now, and still to come.
      expect(textOf({ ...STATE, at: 2, frames: FRAMES.slice(0, 2) }, columns, rows)).toContain(" ✔ [◆] ·");
    },
  );

  it("has rows as wide as the screen whatever the words of a deck are", () => {
    const word = fc.string({ unit: "grapheme", maxLength: 80 }).map((text) => safe(text, { max: 80 }));
    const words = fc.dictionary(fc.constantFrom(...Object.keys(AUDIENCE_WORDS)), word);
    fc.assert(
      fc.property(
        words,
        fc.constantFrom(...STATES),
        fc.constantFrom(...SIZES),
        (given, [, state], [columns, rows]) => {
          const deck = { ...DECK, words: new Map(Object.entries(given)) };
          const lines = textOf({ ...state, deck: state.deck && deck }, columns, rows).split("\n");
          expect(lines).toHaveLength(rows);
          for (const line of lines) expect(widthOf(line), line).toBe(columns);
        },
      ),
      { numRuns: 150 },
    );
  });

  it("tells a deck in its own words, and only a pass looks like one", () => {
    const words = new Map([
      ["pass", "ТАК"],
      ["block", "НІ"],
      ["block_reaction", "Зупинити оплату."],
      ["why", "Чому"],
      ["score", "Бали"],
      ["step", "крок {n} з {all}"],
      ["indeterminate", "НЕВІДОМО"],
    ]);
    const deck = { ...DECK, words };
    const theme = createTheme({ keyName, color: true, ascii: false });
    const spansOf = (state: DemoState) =>
      demoView({ ...state, deck }, { columns: 140, rows: 37 }, theme).flat();
    const texts = spansOf(alone(BLOCK))
      .map(({ text }) => text)
      .join("");
    for (const said of ["✖ НІ", "Зупинити оплату.", "Чому", "Бали", "крок 1 з 2"])
      expect(texts).toContain(said);
    for (const english of ["BLOCK", "Block further", "Why", "Score", "step"])
      expect(texts).not.toContain(english);
    // A letter without a picture: the word stands in a row of its own.
    const bold = spansOf(alone(BLOCK)).find(({ text }) => text.includes("НІ"));
    expect(bold?.role).toBe("block");
    for (const [name, frame] of [
      ["block", BLOCK],
      ["no answer", FAULTY],
      ["sides", THREE_SIDES],
    ] as const) {
      const green = spansOf(alone(frame))
        .filter(({ role }) => role === "pass")
        .map(({ text }) => text.trim());
      const allowed = frame === THREE_SIDES ? ["✔ ТАК", "0"] : [];
      expect(
        green.filter((text) => /[\p{L}\p{N}]/u.test(text)),
        name,
      ).toEqual(allowed);
    }
  });

  it("keeps watched counters in their rows, also those of which nothing is known, and a past is no limit", () => {
    const watch = [
      { key: "card", window: "1h" },
      { key: "earlier attempts per payer", window: "60d" },
      { key: "ip", window: "1h" },
      { key: "email", window: "1h" },
    ];
    const counters = [
      { key: "earlier attempts per payer", window: "60d", value: 6, limit: null },
      { key: "ip", window: "1h", value: 2, limit: 5 },
    ];
    const placesOf = (frame: CheckFrame, columns: number, rows: number): number[] => {
      const lines = textOf(alone({ ...frame, watch }), columns, rows).split("\n");
      return ["this card 1 h", "this payer 60 days", "this address 1 h", "this e-mail 1 h"].map((label) =>
        lines.findIndex((line) => line.includes(label)),
      );
    };
    for (const [columns, rows] of SIZES.slice(4)) {
      const places = FRAMES.map((frame) => placesOf(frame, columns, rows));
      expect(Math.min(...places.flat())).toBeGreaterThan(0);
      for (const each of places) expect(each).toEqual(places[0]);
    }
    const [entry] = PASS.entries;
    const explanation = { ...entry!.explanation!, counters };
    const text = textOf(alone({ ...PASS, watch, entries: [{ ...entry!, explanation }] }), 80, 22);
    expect(text).toMatch(/payer 60 days +6/);
    expect(text).toMatch(/address 1 h +━+─+ 2\/5/);
    expect(text).toMatch(/card 1 h +-/);
    // Without a list of the deck such a count is left out.
    const fullest = textOf(alone({ ...PASS, entries: [{ ...entry!, explanation }] }), 80, 22);
    expect(fullest).not.toContain("earlier");
  });

  it.each([
    [80, 21],
    [140, 37],
  ])(
    "shows all answers in one look at %i x %i, with word, score and the strongest reason of each",
    (columns, rows) => {
      const text = textOf(alone(THREE_SIDES), columns, rows);
      for (const part of [
        "low",
        "medium",
        "✔ PASS",
        "◆ 3DS",
        "✖ BLOCK",
        "Score  0",
        "Score  40",
        "Score  160",
      ])
        expect(text).toContain(part);
      expect(text.match(/block +the card expired/g)).toHaveLength(3);
      expect(text).toMatch(/✖ expected pass/);
      expect(text).toMatch(/[█▀▄]/);
    },
  );

  it("ends with what the day comes to in big digits, and with the page to hand out", () => {
    const shown = alone(DAY, { at: STATE.checks + 1 });
    for (const [columns, rows] of [
      [80, 21],
      [120, 37],
    ] as const) {
      const text = textOf(shown, columns, rows);
      // The gain and its price, in the same size.
      expect(text).toMatch(/[█▀▄] *\n +Good customers blocked +Fraud that got through/);
      expect(text).toMatch(/of [\d ]+ good payments +of [\d ]+ fraudulent payments/);
      expect(text).toContain(`verdict demo ${shown.deck!.name} --export html=${shown.deck!.name}.html`);
    }
    const long = textOf(alone(dayFrame(20_000), { at: STATE.checks + 1 }), 120, 37);
    expect(long).toContain(bigText("2 400→0", 1, "█")[0]!.trimEnd());
    const named = (name: string): string =>
      textOf({ ...shown, deck: { ...DECK, name } }, 140, 38).replaceAll(/\s+/g, " ");
    expect(named("one-card")).toContain("To hand out: verdict demo one-card --export html=one-card.html");
    // An audience sees no folder.
    expect(named("my deck.yaml")).toContain(
      "To hand out, in the folder of the deck: verdict demo 'my deck.yaml' --export html='my deck.html'",
    );
    expect(named(PIPED_DECK)).not.toContain("To hand out");
    const inWords = new Map([["lang", "uk"]]);
    const abroad = textOf({ ...shown, deck: { ...shown.deck!, words: inWords } }, 120, 37);
    expect(abroad).not.toContain("verdict demo");
  });

  /** The end of a deck of frames. */
  const endOf = (frames: readonly CheckFrame[], columns: number, rows: number): string =>
    textOf({ ...STATE, notes: false, frames: frames.map(masked), at: STATE.checks + 1 }, columns, rows);
  const withEntry = (frame: CheckFrame, change: Partial<HistoryEntry>): CheckFrame => ({
    ...frame,
    entries: [{ ...frame.entries.at(-1)!, ...change }],
  });

  it.each([
    [80, 22],
    [140, 38],
  ])("sums an order that was asked about again once, and says so at %i x %i", (columns, rows) => {
    const once = endOf(
      [PASS, withEntry(PASS, { request: { ...PASS.request, order_id: "o-2" } })],
      columns,
      rows,
    );
    expect(once).toMatch(/375\.00 UAH/);
    expect(once).not.toContain("Each payment once");
    const twice = endOf([PASS, PASS], columns, rows);
    expect(twice).toContain("2 checks, payments: 1. Each payment once: 187.50 UAH.");
    const two = endOf([PASS, withEntry(BLOCK, { request: PASS.request })], columns, rows);
    expect(two).toMatch(/187\.50 UAH +187\.50 UAH/);
    expect(two).toContain("2 checks, payments: 1. Each payment once: 187.50 UAH.");
    // Payments without an order are no order.
    const { order_id: _, ...request } = PASS.request;
    const nameless = [request, { ...request }].map((each) => withEntry(PASS, { request: each }));
    expect(endOf(nameless, columns, rows)).toMatch(/375\.00 UAH(?![^]*Each payment once)/);
  });

  it("says where the money stands that 3-D Secure is asked for", () => {
    const order = (order_id: string) => ({ ...SECURE.request, order_id });
    const frames = [
      withEntry(SECURE, { request: order("o-1"), finalAction: "3ds" }),
      withEntry(SECURE, { request: order("o-2"), finalAction: "block" }),
      withEntry(SECURE, { request: order("o-3"), finalAction: null }),
    ];
    const text = endOf(frames, 80, 22);
    for (const part of ["187.50 UAH to 3DS", "187.50 UAH blocked", "187.50 UAH open"])
      expect(text).toContain(part);
    expect(endOf(frames.slice(0, 1), 80, 22)).toMatch(/187\.50 UAH +$/m);
    expect(endOf(frames.slice(1, 2), 80, 22)).toContain("187.50 UAH blocked");
  });

  it("gives attempts of one step one row at the end where each has no room for its own", () => {
    const attempts = [1, 2, 3, 4, 5, 6, 7, 8].map((at) => ({
      ...PASS,
      attempts: 8,
      entries: Array.from({ length: at }, () => PASS.entries[0]!),
    }));
    expect(endOf(attempts, 80, 40)).toContain("1.8");
    const small = endOf(attempts, 80, 18);
    expect(small).toMatch(/\n +1 +✔( {2}✔){7} /);
    expect(small).not.toContain(" more");
  });

  it("counts answers, not steps, as expected, and says nothing where nothing is expected", () => {
    const sides = SIDES.map((side) => ({ ...side, expected: verdictKind(side.entry.result) }));
    expect(endOf([{ ...THREE_SIDES, sides }, PASS], 80, 22)).toContain(
      `✔ ${ENGLISH("as_expected", { all: 4 })}`,
    );
    const some = sides.map((side, at) => (at === 0 ? { ...side, expected: null } : side));
    expect(endOf([{ ...THREE_SIDES, sides: some }], 80, 22)).toContain(
      ENGLISH("partly_expected", { n: 2, all: 3 }),
    );
    const none = { ...PASS, expected: null, asExpected: null };
    expect(endOf([none], 80, 22)).not.toMatch(/expect/);
  });

  it("shows a day as it runs past, and what it came to", () => {
    const at = (columns: number, rows: number, change: Partial<DemoState>): string =>
      textOf(alone(DAY, change), columns, rows);
    const running = at(80, 21, atPayment(1_004, true, 1_003));
    expect(running).toMatch(/step 2 of 2, speed 2.*\n +A day of payments runs past *\n/);
    expect(running).toMatch(/19 Nov 00:04 +1 004 of 2 000 payments/);
    expect(running).toMatch(/✖ BLOCK +━+─+ +131 +✖ BLOCK +━+─+ +10/);
    expect(running).toMatch(/00:04:19 +tx-101003 +47.00 EUR +✖ BLOCK → ✔ PASS +a good customer/);
    expect(running).not.toMatch(/12\.\d %|no longer blocked/);
    const end = at(120, 37, atPayment(2_000, false, null));
    for (const part of [
      "2 000 of 2 000",
      "Good customers blocked, hour by hour",
      "at most 54 → 2 in 1 h",
      "no longer blocked",
      "A case",
      "A block is right in",
    ])
      expect(end).toContain(part);
    expect(end).toMatch(/of 1 960 good payments +\d\d\.\d %/);
    expect(end).toMatch(/Fraud blocked, of 40 +20/);
    // Nothing but the last rows changes its place at the end.
    const rowsOf = (text: string): string[] =>
      text.split("\n").map((line) => line.replaceAll(/[^A-Za-z]+/g, " "));
    expect(rowsOf(at(80, 21, atPayment(1_999, true))).slice(3, 18)).toEqual(
      rowsOf(at(80, 21, atPayment(2_000, false, null))).slice(3, 18),
    );
  });

  it("says on the title how far a day is decided", () => {
    const opening = { ...STATE, at: 0, opening: true };
    expect(textOf({ ...opening, progress: 40 }, 80, 22)).toContain("deciding the day, 40 %");
    expect(textOf(opening, 80, 22)).toContain("starting the sandbox");
  });

  it("gives no share of nothing", () => {
    const labels = DAY.day.payments.map(
      (payment) => ({ ...payment, today: "pass", proposed: "pass" }) as const,
    );
    const end = textOf(
      alone({ ...DAY, day: { ...DAY.day, payments: labels } }, atPayment(2_000, false, null)),
      120,
      37,
    );
    expect(end).toMatch(/A block is right in +- /);
    expect(end).not.toMatch(/right in +0 %/);
  });

  it("calls nobody good or fraudulent where no payment has a label", () => {
    const payments = DAY.day.payments.map((payment) => ({ ...payment, worth: null }));
    for (const [columns, rows] of SIZES) {
      const text = textOf(
        alone(dayFrame(0, { ...DAY.day, payments, outcomes: null, sentences: [] })),
        columns,
        rows,
      );
      expect(text).toContain("Payments blocked");
      expect(text).not.toMatch(/good|[Ff]raud/);
    }
  });

  it("answers questions, and says where there is no answer", () => {
    expect(textOf(alone(ASKED, { asked: "flips" }), 80, 22)).toContain(
      "✖ BLOCK  (holder hidden) would be blocked.",
    );
    expect(textOf(alone(ASKED, { asked: "amounts" }), 80, 22)).toMatch(
      /Amount from 1.00 UAH to 10 000.00 UAH/,
    );
    expect(textOf(alone(PASS, { asked: "flips" }), 80, 22)).toContain("No single amount or count");
    const sides = { ...THREE_SIDES, answers: [{ flips: [], amounts: null }, ANSWERS] };
    const first = textOf(alone(sides, { asked: "flips" }), 80, 22);
    expect(first).toMatch(/: low 1\/3[^]*✔ PASS[^]*No single amount or count/);
    const second = textOf(alone(sides, { asked: "flips", askedSide: 1 }), 80, 22);
    expect(second).toMatch(/: medium 2\/3[^]*◆ 3DS[^]*would be blocked/);
    for (const asked of ["flips", "amounts"] as const) {
      expect(textOf(alone(FAULTY, { asked }), 80, 22)).toContain("That is not known for this payment.");
    }
  });

  it("says that an answer goes on, with the key that shows more, and begins again behind its end", () => {
    const page = (askedPage: number): string =>
      textOf(alone(LONG, { asked: "flips", askedPage, notes: true }), 80, 22);
    expect(page(0)).toMatch(/Change 0\.[^]*↓ \d+ more: Down/);
    expect(page(0)).not.toContain("↑");
    expect(page(1)).toMatch(/↑ \d+ ↓ \d+ more: Down/);
    const pages = Array.from({ length: 8 }, (_, at) => page(at));
    for (let to = 0; to < 30; to += 1)
      expect(
        pages.some((text) => text.includes(`Change ${to}.`)),
        String(to),
      ).toBe(true);
    const last = pages.findIndex((text) => text.includes("Change 29."));
    expect(pages[last]).toMatch(/↑ \d+: Down/);
    expect(pages[last + 1]).toBe(pages[0]);
  });

  it("draws the verdict in letters that grow with the screen", () => {
    const inkOf = (columns: number, rows: number): number =>
      textOf({ ...STATE, at: 2, notes: false }, columns, rows)
        .split("\n")
        .filter((line) => /^ +████/.test(line)).length;
    expect(inkOf(60, 18)).toBeGreaterThanOrEqual(2);
    expect(inkOf(140, 38)).toBeGreaterThan(inkOf(80, 22));
  });

  it("fills counters up to their limit, and says how far", () => {
    const text = textOf({ ...STATE, at: 3, notes: false }, 140, 38);
    expect(text).toMatch(/with this card 1 h +━+ +3 of +3/);
    expect(text).toMatch(/from this address 1 h +━+▸ +6 of +5/);
    expect(text).toMatch(/EUR by this payer 24 h +━?─+ +12 of 5 000/);
    expect(text).not.toContain("email");
  });

  it("cuts neither the name of a counter nor a reason at 80x24", () => {
    const [frame] = FRAMES;
    const entry = frame!.entries.at(-1)!;
    const explanation = entry.explanation!;
    const counter = (key: string): CounterReading => ({ key, window: "24h", value: 1, limit: 3 });
    const keys = ["card", "card per payer", "charge per order", "amounts in a row per card"];
    const text = "49 000.00 UAH or about 1 000 EUR is over 250 EUR, which needs 3-D Secure";
    const rules = [{ ...explanation.rules[0]!, code: "LARGE", outcome: "hit" as const, text, weight: 10 }];
    const shown = { ...explanation, rules, counters: keys.map(counter) };
    const frames = [{ ...frame!, entries: [{ ...entry, explanation: shown }] }];
    const screen = textOf({ ...STATE, frames, at: 1, notes: false }, 80, 22);
    expect(screen).not.toContain("…");
    for (const key of keys) {
      const words = countWords(key).replace("attempts ", "");
      expect(screen).toMatch(new RegExp(`${words} 24 h +━+─+ 1/3`));
    }
    expect(screen.replaceAll(/\s+/g, " ")).toContain(text);
  });

  it.each([
    [120, "0 50 3-D Secure 90 block 120"],
    [45, "0 50 3-D Secure 90 block"],
    [24, "0 50 3DS 90"],
  ])("names what begins at the marks of a bar of %s columns in the words that fit", (columns, words) => {
    const theme = createTheme({ keyName, color: true, ascii: false });
    const [, , marks] = gaugeRows(
      { score: 0, thresholds: { threeDs: 50, block: 90 }, recommendation: "pass" },
      columns,
      theme,
    );
    const line = marks!.map(({ text }) => text).join("");
    expect(line.trim().replaceAll(/\s+/g, " ")).toBe(words);
    expect(widthOf(line)).toBeLessThanOrEqual(columns);
  });

  it("marks a score that goes on past the scale", () => {
    const theme = createTheme({ keyName, color: true, ascii: false });
    const bar = (score: number): string =>
      gaugeRows({ score, thresholds: { threeDs: 50, block: 90 }, recommendation: "pass" }, 60, theme)[1]!
        .map(({ text }) => text)
        .join("");
    expect(bar(205)).toMatch(/━▸$/);
    expect(bar(120)).toMatch(/━━$/);
  });

  it("says what beat the score, and that the deck expected something else", () => {
    const text = textOf({ ...STATE, at: 3 }, 140, 38);
    expect(text).toContain("Decided by a blocking rule, regardless of the score.");
    expect(text).toContain("expected pass, and the verdict is");
    expect(textOf({ ...STATE, at: 5 }, 80, 22)).toContain(
      "✖ 2 of 4 verdicts differ from the expected verdicts.",
    );
  });

  it("shows no answer as no pass, with no score at all", () => {
    const frame = frameOf(3);
    // Also where the sandbox had one, and its answer came broken.
    const entries = [{ ...frame.entries.at(-1)!, explanation: explanationOf("pass", 0) }];
    for (const text of [
      textOf({ ...STATE, at: 4 }, 120, 38),
      textOf(alone({ ...frame, entries }), 120, 38),
    ]) {
      expect(text).toContain("! NOT PASS");
      expect(text).not.toContain("✔ PASS");
      expect(text).not.toContain("Score");
    }
  });

  it("names the step to which it is on its way", () => {
    expect(textOf({ ...STATE, at: 1, sending: true, goingTo: 2 }, 80, 22)).toContain(
      ` step 2 of ${DECK.steps.length} …`,
    );
  });

  it("keeps the notes below a line, and away unless they are asked for", () => {
    const shown = textOf({ ...STATE, at: 1 }, 80, 22);
    expect(shown).toMatch(
      / For the presenter ─+\s+The card ends in \(last four hidden\) and is valid until \(month hidden\)/,
    );
    expect(textOf({ ...STATE, at: 1, notes: false }, 80, 22)).not.toContain("presenter");
  });
});

/** The whole console, its decks answered by a test service. */
async function openDecks() {
  const aside = await testContext({ check: () => answered("pass") });
  onTestFinished(() => aside.remove());
  const admin = {
    changeClock: () => Promise.resolve({ virtualTime: 0 }),
    whatIf: () => Promise.resolve({ decision: null, magic: null }),
  };
  const sandbox = { admin } as unknown as ReturnType<typeof aside.context.sandbox>;
  const context = { ...aside.context, sandbox: () => sandbox };
  const openEphemeral = () => Promise.resolve({ context, end: () => Promise.resolve() });
  return openConsole({ options: { openEphemeral } });
}

it.each([
  [60, 18, /◆ 3DS → ✖ BLOCK/],
  [120, 38, /█{8} +█{8} +█{8} +█{8} +██ +█{6} +█{8} +██ +██/],
])("shows a block that was decided beside the verdict at %i x %i", (columns, rows, shown) => {
  const text = textOf(REFUSED, columns, rows);
  expect(text).toMatch(shown);
  expect(text).toContain("3-D Secure cannot be forced here.");
});

describe("the demo in the console", () => {
  it("opens from the palette, hides the session, and leads back to it", async () => {
    const { screen, model } = await openDecks();
    await screen.until("Compose");
    model.session.setProject("real-merchant/high");
    await screen.until("real-merchant");
    await screen.press(":demo\r").until("› One card");
    model.session.setBusy("The credential of real-merchant/high is on its way.");
    model.session.say("Saved for real-merchant.", "note");
    const choice = await screen.press("j").until("› The same payment");
    expect(choice).not.toContain("real-merchant");
    expect(choice.split("\n")[0]).toMatch(/SANDBOX +demo +PRESENTER/);
    // No key leads to a screen of the session.
    screen.press("3:");
    expect(await screen.press("\r").until("Ready. Space begins.")).not.toMatch(/Vault|real-merchant|Palette/);
    expect(await screen.press(" ").until("step 1 of 3")).not.toContain(TEST_SECRET);
    await screen.press("n").until("For the presenter");
    await screen.press("\x1b[D").until("Ready. Space begins.");
    await screen.press("?").until("Keys");
    await screen.press("q").until("Ready. Space begins.");
    // Under way it asks, so that a key too many does not end the show.
    for (const [key, title] of [
      ["q", "y end it"],
      ["\x1b", "y end it"],
      ["r", "y start again"],
    ] as const) {
      await screen.press(key).until(title);
      await screen.press("\x1b").until("Ready. Space begins.");
    }
    await screen.press("q").until("y end it");
    await screen.press("y").until("Demo: choose a deck");
    expect(await screen.press("q").until("Compose")).toContain("real-merchant");
    // The audience still looks.
    expect(await screen.until("stays on after a deck")).toContain("PRESENTER");
    await screen.press("p").until((frame) => !frame.includes("PRESENTER"));
    // Who only looked at the decks presented nothing.
    await screen.press("6").until("choose a deck");
    expect(await screen.press("q").until("Compose")).not.toContain("PRESENTER");
  });

  it("offers at the end no key that does nothing there, and on the list how to present a deck of one's own", async () => {
    const { screen, model } = await openDecks();
    await screen.until("Compose");
    expect(await screen.press("6").until("verdict demo FILE")).toMatch(/--export\s+html=FILE/);
    await screen.press("\r").until("Ready.");
    await screen.press(" ").until("step 1 of 6");
    // A wrong number is refused, and the session's own messages stay away.
    model.session.say("Nothing for an audience.", "note");
    expect(await screen.press("G").until("Go to step, 1 to 6")).not.toContain("audience.");
    expect(await screen.press("99\r").until("A step is a number from 1 to 6.")).not.toContain("audience.");
    await screen.press("\x1b").until((frame) => !frame.includes("A step is"));
    const keys = (): string[] => screen.dispatcher.active().map(({ binding }) => binding.id);
    expect(keys()).toEqual(expect.arrayContaining(["demo.forward", "demo.notes"]));
    model.demo.store.setState(({ checks }) => ({ at: checks + 1 }));
    await screen.until("What came out");
    expect(keys()).not.toContain("demo.forward");
    expect(keys()).not.toContain("demo.notes");
    expect(keys()).toEqual(expect.arrayContaining(["demo.back", "demo.end"]));
  });

  it("sends nothing of a deck through the session", async () => {
    const { screen, model } = await openDecks();
    await screen.until("Compose");
    await screen.press("6").until("› One card");
    await screen.press("\r").until("Ready.");
    await screen.press(" ").until("step 1 of 6");
    expect(model.checks.store.getState().entries).toEqual([]);
    expect(model.session.store.getState().project).toBeNull();
    expect(model.summary()).toMatch(/^No check was sent/);
  });
});
