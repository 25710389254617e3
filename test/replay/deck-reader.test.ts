// Decks as YAML: what is resolved, and the place of every fault.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { setPath } from "#src/contract/fields/body-path.ts";
import { badInput } from "#src/contract/fault.ts";
import { YamlFault } from "#src/contract/text/yaml-source.ts";
import { AUDIENCE_WORDS, saidIn } from "#src/display/audience-words.ts";
import { BUILT_IN_DECKS, builtInDeck } from "#src/replay/decks/built-in-decks.ts";
import { readDeck } from "#src/replay/decks/deck-reader.ts";
import { checkCount, frameCount, type Deck, type DeckFiles } from "#src/replay/decks/deck.ts";

const HEAD = `title: A title
summary: What it is about.
start: "2026-01-15T10:00:00Z"
seed: 1
project: { merchant: shop, currency: UAH, risk_level: medium }
`;
const PAYLOAD = `    payload:
      operation: payment
      order_id: "o-{n}"
      amount: 12000
      currency: 980
      payer: { email: ann@example.com, number_phone: "+380501234567" }
      card: { holder: ANN EXAMPLE, bin_card: 444433, cin_card: 42 }
`;
/** Rule files that are there, and days. */
const FILES: DeckFiles = {
  rules: (name) => (/^(?:\S+\/)?other\.yaml$/.test(name) ? { text: "name: other" } : missing(name)),
  day: (name) => (name === "day.ndjson" ? { path: `/days/${name}` } : missing(name)),
};
function missing(name: string): never {
  throw badInput`${name} cannot be read: there is no such file.`;
}

/** A first step with a payload, and more steps behind it. */
const withSteps = (more: string = ""): string => `${HEAD}steps:\n  - say: Hello\n${PAYLOAD}${more}`;

const withWords = (words: string): string => withSteps().replace("steps:", `words: ${words}\nsteps:`);

function read(text: string): Deck {
  return readDeck(text, { file: "story.yaml", name: "story.yaml", files: FILES });
}

function faultOf(text: string): YamlFault {
  try {
    read(text);
  } catch (error) {
    if (error instanceof YamlFault) return error;
    throw error;
  }
  throw new Error("The deck was read without a fault.");
}

const ordersOf = ({ steps }: Deck): (string | undefined)[] =>
  steps.flatMap(({ checks }) => checks.map(({ request }) => request.order_id));

describe("a deck", () => {
  it("is resolved: payloads, changes, projects, times and expectations", () => {
    const deck = read(
      withSteps(`    note: For you alone
    expect: pass
    can_force_3ds: no
  - say: Changed
    change: { amount: 500, payer.email: null, card.holder: BEN OTHER }
    clock: +1d12h
    every: +90s
    repeat: 3
    expect: [pass, 3ds_or_block, block]
    risk_level: high
  - say: As before
    project: { merchant: other, currency: 978 }
`),
    );
    expect(deck).toMatchObject({ title: "A title", seed: 1, startAt: Date.UTC(2026, 0, 15, 10) });
    expect(deck.projects.map(({ key }) => key)).toEqual(["shop/medium", "shop/high", "other/medium"]);
    expect(deck.projects[2]!.registration).toEqual({
      merchant_id: "other",
      name: "shop",
      currency: 978,
      risk_level: "medium",
    });
    const [first, second, third] = deck.steps;
    expect(first).toMatchObject({ note: "For you alone", canForce3ds: false, projectKey: "shop/medium" });
    expect(second!.checks.map(({ expected, advanceMs }) => [expected, advanceMs])).toEqual([
      ["pass", 36 * 3_600_000],
      ["3ds_or_block", 90_000],
      ["block", 90_000],
    ]);
    expect(second!.checks[0]!.request).toMatchObject({
      amount: 500,
      payer: { number_phone: "+380501234567" },
      card: { holder: "BEN OTHER", bin_card: 444433 },
    });
    expect(second!.checks[0]!.request.payer).not.toHaveProperty("email");
    expect(second).toMatchObject({ projectKey: "shop/high", riskLevel: "high", canForce3ds: null });
    // The payload goes on from step to step, the project does not.
    expect(third).toMatchObject({ projectKey: "other/medium", checks: [{ expected: null, advanceMs: 0 }] });
    expect(third!.checks[0]!.request.amount).toBe(500);
  });

  it("takes a whole group out with null", () => {
    const deck = read(withSteps("  - { say: No card, change: { card: null } }\n"));
    expect(deck.steps[1]!.checks[0]!.request).not.toHaveProperty("card");
  });

  it("numbers its orders, and keeps one where the same order is meant", () => {
    expect(
      ordersOf(read(withSteps("    repeat: 9\n  - { say: Again, same_order: true, repeat: 2 }\n"))),
    ).toEqual(
      ["01", "02", "03", "04", "05", "06", "07", "08", "09", "09", "09"].map((number) => `o-${number}`),
    );
    const plain = withSteps("    repeat: 3\n  - { say: More, change: { order_id: o-2 } }\n").replace(
      "o-{n}",
      "o",
    );
    expect(ordersOf(read(plain))).toEqual(["o", "o-2", "o-3", "o-2-2"]);
  });

  it("repeats a step with a list of values, one for each check", () => {
    const { steps } = read(
      withSteps(`  - say: Each with another card
    every: +10s
    repeat: { card.cin_card: [1111, 2222, 3333], amount: [100, 200, 300] }
    expect: [pass, pass, block]
  - { say: The last card again }
`),
    );
    const cards = steps[1]!.checks.map(({ request }) => [request.amount, request.card?.cin_card]);
    expect(cards).toEqual([
      [100, 1111],
      [200, 2222],
      [300, 3333],
    ]);
    expect(new Set(steps[1]!.checks.map(({ request }) => request.order_id)).size).toBe(3);
    expect(steps[2]!.checks[0]!.request.card?.cin_card).toBe(3333);
  });

  it.each([
    ["repeat: { card.cin_card: [1, 2], amount: [1] }", "all of the same length"],
    ["repeat: { card.cin_card: [] }", "needs lists of 1 to 50 values"],
    ["repeat: {}", "needs a list of values"],
    ["repeat: { card.cin_card: 1111 }", "must be a list"],
    ["repeat: { card.last: [1] }", "is no field of a check"],
    ['repeat: { card.cin_card: ["12345"] }', "card.cin_card"],
    ["repeat: { amount: [1, 2] }\n    expect: [pass]", "expect lists 1 verdicts, and the step has 2 checks"],
  ])("refuses %s", (lines, sentence) => {
    expect(() => read(withSteps(`  - say: x\n    ${lines}\n`))).toThrow(sentence);
  });

  it("expects of a fault that there is no verdict", () => {
    const { steps } = read(withSteps("  - { say: Silence, fault: timeout, expect: unknown }\n"));
    expect(steps[1]!.checks[0]).toMatchObject({ expected: "unknown" });
  });

  it("gives every check an order of its own, whatever is written", () => {
    const name = fc.constantFrom("a", "a-2", "a-3", "{n}", "b{n}", "a-{n}", "1");
    const step = fc.record({ name, repeat: fc.integer({ min: 1, max: 12 }) });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 12 }), (steps) => {
        const more = steps.map(
          (each) => `  - { say: x, repeat: ${each.repeat}, change: { order_id: "${each.name}" } }\n`,
        );
        const deck = read(withSteps(more.join("")));
        const orders = ordersOf(deck);
        expect(new Set(orders).size).toBe(checkCount(deck));
      }),
    );
  });

  it("takes rules, faults, counters and seconds for its steps", () => {
    const { steps } = read(
      withSteps(`    rules: /home/ann/other.yaml
    watch: [card per payer/30d, ip/1h]
    seconds: 2.5
  - { say: Fault, fault: 503 }
  - { say: Slow, fault: latency 400ms, rules: starter }
`).replace("steps:", "watch: [card/1h]\nsteps:"),
    );
    expect(steps[0]).toMatchObject({
      rules: { name: "other.yaml", text: "name: other" },
      watch: [
        { key: "card per payer", window: "30d" },
        { key: "ip", window: "1h" },
      ],
      seconds: 2.5,
      fault: null,
    });
    expect(steps[1]).toMatchObject({
      rules: null,
      watch: [{ key: "card", window: "1h" }],
      seconds: null,
      fault: { do: "status", status: 503 },
    });
    expect(steps[2]).toMatchObject({
      rules: { name: "starter", text: null },
      fault: { do: "latency", latency: { shape: "fixed", ms: 400 } },
    });
  });

  it("shows risk levels and rules side by side, each with its verdict", () => {
    const { steps, projects } = read(
      withSteps(`  - say: Levels
    side_by_side: [high, low]
    expect: [block, pass]
  - say: Rules
    side_by_side: [starter, rules/other.yaml]
    risk_level: high
    repeat: 2
    expect: pass
`),
    );
    expect(steps[1]).toMatchObject({
      projectKey: "shop/high",
      riskLevel: "high",
      checks: [{ expected: null }],
      sides: [
        { title: "high", projectKey: "shop/high", riskLevel: "high", rules: null, expected: "block" },
        { title: "low", projectKey: "shop/low", riskLevel: "low", rules: null, expected: "pass" },
      ],
    });
    expect(steps[2]!.sides).toMatchObject([
      { title: "starter", projectKey: "shop/high", rules: { text: null }, expected: "pass" },
      { title: "other.yaml", projectKey: "shop/high", rules: { text: "name: other" }, expected: "pass" },
    ]);
    expect(steps[2]!.checks).toHaveLength(2);
    const alike = read(withSteps("  - { say: Both, side_by_side: [a/other.yaml, b/other.yaml] }\n"));
    expect(alike.steps[1]!.sides.map(({ title }) => title)).toEqual(["a/other.yaml", "b/other.yaml"]);
    expect(projects.map(({ key }) => key)).toEqual(expect.arrayContaining(["shop/high", "shop/low"]));
  });

  it("lets a day run past, under the rules in force or under two rule sets", () => {
    const { steps } = read(
      withSteps(`  - { say: Other rules, rules: other.yaml }
  - { say: A day, stream: day.ndjson }
  - { say: Compared, stream: day.ndjson, over: 1m30s, rules: [starter, other.yaml], stop_at: [o-7], risk_level: low }
  - { say: On, change: { amount: 7 } }
`),
    );
    const day = { path: "/days/day.ndjson" };
    expect(steps[2]).toMatchObject({
      checks: [],
      stream: { day, overMs: 20_000, today: { name: "other.yaml" }, proposed: null, stopAt: [] },
    });
    expect(steps[3]).toMatchObject({
      riskLevel: "low",
      rules: null,
      stream: { overMs: 90_000, today: { text: null }, proposed: { name: "other.yaml" }, stopAt: ["o-7"] },
    });
    expect(steps[4]!.checks[0]!.request).toMatchObject({ amount: 7, operation: "payment" });
    expect(frameCount(read(withSteps("  - { say: A day, stream: day.ndjson }\n")))).toBe(2);
  });

  it("words what the audience reads", () => {
    const { words } = read(
      withSteps()
        .replace("steps:", "words: { pass: ГАРАЗД, step: крок {n} з {all} }\nsteps:")
        .replace("{ pass: ГАРАЗД, step: крок {n} з {all} }", '{ pass: ГАРАЗД, step: "крок {n} з {all}" }'),
    );
    const said = saidIn(words);
    // What would fill them in is English.
    expect(() => read(withWords("{ fault: Навмисно, unanswered: Відповіді немає }"))).not.toThrow();
    expect([said("pass"), said("block"), said("step", { n: 2, all: 5 })]).toEqual([
      "ГАРАЗД",
      "BLOCK",
      "крок 2 з 5",
    ]);
  });

  it("is a deck, or a fault with its place, whatever is written", () => {
    const keys = [
      "rules",
      "side_by_side",
      "watch",
      "fault",
      "seconds",
      "stream",
      "over",
      "stop_at",
      "expect",
      "repeat",
      "risk_level",
      "change",
      "clock",
    ];
    const value = fc.oneof(
      fc.constantFrom(
        "starter",
        "other.yaml",
        "gone.yaml",
        "day.ndjson",
        "[low, high]",
        "[starter, other.yaml]",
        "[low, starter]",
        "[card/1h]",
        "503",
        "timeout",
        "20s",
        "+1h",
        "pass",
        "[pass, block]",
        "2",
        "{}",
        "[]",
        "~",
        "&a [*a]",
      ),
      fc.string({ maxLength: 10 }),
      fc.json({ maxDepth: 2 }),
    );
    const words = fc.dictionary(
      fc.constantFrom(...Object.keys(AUDIENCE_WORDS), "x"),
      fc.string({ maxLength: 9 }),
      { maxKeys: 2 },
    );
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...keys), value, { maxKeys: 4 }), words, (step, worded) => {
        const lines = Object.entries(step).map(([key, each]) => `    ${key}: ${each}\n`);
        const text = withSteps(`  - say: x\n${lines.join("")}`).replace(
          "steps:",
          () => `words: ${JSON.stringify(worded)}\nsteps:`,
        );
        try {
          expect(frameCount(read(text))).toBeGreaterThan(1);
        } catch (error) {
          expect(error).toBeInstanceOf(YamlFault);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("changes exactly what a change names, on top of the payload before", () => {
    const change = fc.oneof(
      fc.tuple(fc.constant("amount"), fc.integer({ min: 0, max: 10_000_000 })),
      fc.tuple(
        fc.constantFrom("payer.payer_id", "terminal_id", "card.holder"),
        fc.stringMatching(/^[a-z]{3,9}$/),
      ),
      fc.tuple(fc.constantFrom("payer.email", "card.holder", "terminal_id", "card"), fc.constant(null)),
    );
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 8 }), (changes) => {
        const text = changes.map(
          ([path, value]) => `  - { say: x, change: { ${path}: ${JSON.stringify(value)} } }\n`,
        );
        const requests = read(withSteps(text.join(""))).steps.map(({ checks }) => checks[0]!.request);
        for (const [index, [path, value]] of changes.entries()) {
          const wanted = setPath({ ...requests[index]! }, path, value ?? undefined);
          expect({ ...requests[index + 1]!, order_id: "" }).toEqual({ ...wanted, order_id: "" });
        }
      }),
    );
  });
});

describe("a fault in a deck", () => {
  /** A key of the first step, and a step behind it, with a mark where the fault is. */
  const key = (line: string): string => withSteps(`    ${line}\n`);
  const keys = (first: string, second: string): string => withSteps(`    ${first}\n    ${second}\n`);
  const next = (step: string): string => withSteps(`  - { say: x, ${step} }\n`);
  const instead = (old: string, text: string): string => withSteps().replace(old, text);

  it.each<readonly [string, string, RegExp]>([
    ["nothing at all", "§", /a deck must be a map/],
    ["no steps", `§${HEAD}`, /a deck needs steps/],
    ["an empty list", `${HEAD}steps: §[]\n`, /steps lists 1 to 200, not 0/],
    ["an unknown key of a deck", `${HEAD}§colour: red\nsteps: []\n`, /unknown key "colour" in a deck/],
    ["an unknown key of a step", key("§pause: 3"), /step 1: unknown key "pause"/],
    ["hardly anything", "§title: x\nseed: 3\n", /a deck needs summary, start, project, steps$/],
    ["a step without words", `${HEAD}steps:\n  - §note: x\n`, /a step needs say/],
    [
      "a start without a zone",
      instead('"2026-01-15T10:00:00Z', '§"2026-01-15T10:00:00'),
      /a time with its zone/,
    ],
    ["a broken seed", instead("seed: 1", "seed: §1.5"), /seed must be a whole number/],
    ["letters of no currency", instead("UAH", "§UAX"), /currency has three letters that are no currency/],
    [
      "a currency number that is none",
      instead("{ merchant: shop, currency: UAH", "§{ merchant: shop, currency: 7"),
      /currency .*ISO 4217/,
    ],
    ["no payload in the first step", `${HEAD}steps:\n  - §say: x\n`, /the first step needs a payload/],
    [
      "a later payload that is meant as a change",
      next("payload: §{ payer: { email: a@example.com } }"),
      /required and missing.*write change to alter the step before/,
    ],
    ["payload and change", key("change: §{ amount: 1 }"), /not both/],
    ["a field that is none", next("change: { §payer.mail: a }"), /"payer.mail" is no field/],
    ["a nested field that is none", instead("holder: ANN", "§owner: ANN"), /"card.owner" is no field/],
    ["a text for an integer", instead("amount: 12000", "amount: §lots"), /amount must be a whole number/],
    ["an amount with a point", instead("12000", "§12000.0"), /written in plain digits/],
    [
      "a phone without quotes",
      instead('"+380501234567"', "§+380501234567"),
      /must be a text, not a number. Write it in quotes/,
    ],
    ["an empty order", instead('"o-{n}"', '§""'), /order_id must not be empty/],
    ["a required field taken out", next("change: §{ amount: null }"), /amount is required/],
    ["a clock that goes back", key("clock: §-1h"), /such as \+24h/],
    ["a clock without a unit", key("clock: §+60"), /clock must be a text/],
    ["every without repeat", key("every: §+1m"), /every needs repeat/],
    ["too many repeats", key("repeat: §51"), /from 1 to 50/],
    [
      "a list of another length",
      keys("repeat: 2", "expect: §[pass]"),
      /lists 1 verdicts, and the step has 2/,
    ],
    ["a verdict that is none", key("expect: §PASS"), /expect must be pass, block, 3ds_or_block/],
    ["a force that is neither", key("can_force_3ds: §true"), /can_force_3ds must be/],
    ["the same order before any", key("same_order: §true"), /there is none yet/],
    ["a level that is none", key("risk_level: §extreme"), /low, medium, high/],
    ["one project twice", next("project: §{ currency: EUR }"), /registered once/],
    [
      "rules that are not there",
      key("rules: §gone.yaml"),
      /gone.yaml cannot be read: there is no such file$/,
    ],
    ["two rules for checks", key("rules: §[starter, other.yaml]"), /a list of rules belongs/],
    ["one side", key("side_by_side: §[low]"), /side_by_side lists 2 to 3, not 1/],
    ["a side twice", key("side_by_side: §[low, low]"), /side_by_side names the same twice/],
    ["sides of two kinds", key("side_by_side: §[low, starter]"), /not both/],
    ["sides that are not there", key("side_by_side: [starter, §gone.yaml]"), /no such file/],
    ["the level of levels", keys("side_by_side: [low, high]", "risk_level: §low"), /has the risk levels/],
    [
      "rules of rules",
      keys("side_by_side: [starter, other.yaml]", "rules: §starter"),
      /rules or side_by_side, not both/,
    ],
    [
      "a verdict for too few sides",
      keys("side_by_side: [low, high]", "expect: §[pass]"),
      /lists 1 verdicts, and the step has 2 sides/,
    ],
    [
      "a counter that is none",
      key("watch: [§card 1h]"),
      /an item of watch must be a counter such as card\/1h/,
    ],
    ["nothing to watch", key("watch: §[]"), /watch lists 1 to 8, not 0/],
    ["a fault that is none", key("fault: §200"), /fault must be a number from 400 to 599/],
    ["a fault with more", key("fault: §503 --rate 1"), /at most one value/],
    ["a second that is none", key("seconds: §0"), /seconds must be a number from 1 to 3600/],
    ["a day that is not there", next("stream: §gone.csv"), /gone.csv cannot be read/],
    [
      "a day with a check",
      next("stream: day.ndjson, expect: §pass"),
      /a step has stream or expect, not both/,
    ],
    [
      "a day of three rule sets",
      next("stream: day.ndjson, rules: §[starter, other.yaml, starter]"),
      /rules lists 1 to 2, not 3/,
    ],
    ["a day in no time", next("stream: day.ndjson, over: §10h"), /over must be a duration from 1s to 10m/],
    ["a stop without a day", key("stop_at: §[o-1]"), /stop_at needs stream/],
    ["a word that is none", withWords("{ §great: x }"), /unknown key "great" in words; allowed are pass, /],
    [
      "a word at length",
      withWords(`{ why: §${"x".repeat(81)} }`),
      /has 81 characters; at most 80 are allowed/,
    ],
    [
      "a word without its braces",
      withWords("{ step: §step }"),
      /step of words must hold \{all\} and \{n\}, as in "step \{n\} of \{all\}"/,
    ],
    ["a word with other braces", withWords('{ why: §"{n}" }'), /must hold nothing in braces/],
    ["a word that cannot be seen", withWords('{ why: §"a\\u202eb" }'), /cannot be seen/],
    [
      "the same word for two verdicts",
      withWords("{ block: §No, unknown: no. }"),
      /block of words and unknown must not be the same/,
    ],
    [
      "the word of a pass for another verdict",
      withWords("{ pass: Yes, unknown: §pass }"),
      /unknown of words and pass must not be the same/,
    ],
    ["a verdict without a letter", withWords("{ block: §✅ }"), /needs a letter/],
    [
      "what a pass asks for, asked by another verdict",
      withWords("{ pass_reaction: On, unknown_reaction: §On! }"),
      /unknown_reaction of words and pass_reaction/,
    ],
    [
      "what is said at length",
      withSteps(`  - say: §${"word ".repeat(60)}\n`),
      /has 299 characters; at most 240 are allowed/,
    ],
  ])("is named with its place: %s", (_what, marked, message) => {
    const before = marked.slice(0, marked.indexOf("§")).split("\n");
    const [line, column] = [before.length, before.at(-1)!.length + 1];
    const fault = faultOf(marked.replace("§", ""));
    expect(fault.message).toMatch(message);
    expect([fault.line, fault.column], fault.message).toEqual([line, column]);
    expect(fault.message.startsWith(`story.yaml:${line}:${column}: `)).toBe(true);
  });

  it("is a card number wherever it stands, and its digits are never repeated", () => {
    const card = "4111111111111111";
    const places = [
      withSteps().replace("A title", card),
      withSteps().replace("say: Hello", `say: Card ${card.replaceAll(/(\d{4})(?=\d)/g, "$1 ")} is tried`),
      withSteps().replace("ANN EXAMPLE", card),
      withSteps().replace("o-{n}", card),
      withSteps(`  - { say: x, change: { description: "${card}" } }\n`),
      withSteps(`  - { say: x, change: { "${card}": 1 } }\n`),
      withSteps().replace("merchant: shop", `merchant: "${card}"`),
      withSteps().replace("bin_card: 444433", `bin_card: ${card}`),
      withSteps().replace("cin_card: 42", "cvv: 123"),
    ];
    for (const text of places) {
      const { message } = faultOf(text);
      expect(message).toMatch(/never belong in a deck/);
      expect(message.replaceAll(/\D/g, "")).not.toContain(card);
    }
  });

  it("is no amount and no phone that looks like a card number", () => {
    const deck = read(
      withSteps(
        '  - { say: x, change: { amount: 4111111111111111, payer.number_phone: "+4111111111111111" } }\n',
      ).replace("+4111111111111111", "+411111111111116"),
    );
    expect(deck.steps[1]!.checks[0]!.request.amount).toBe(4_111_111_111_111_111);
  });
});

describe("the built-in decks", () => {
  it.each(BUILT_IN_DECKS)("%s has a note for every step, and expects every verdict there can be", (name) => {
    const deck = builtInDeck(name);
    expect(deck.name).toBe(name);
    expect(deck.steps.map(({ note }) => note)).not.toContain(null);
    const answered = deck.steps.filter(({ fault }) => fault === null);
    const expected = answered.map(({ checks, sides }) =>
      (sides.length > 0 ? sides : checks).map((each) => each.expected),
    );
    expect(expected.flat()).not.toContain(null);
  });
});
