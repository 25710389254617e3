// Loading rule files: what is refused, where the message points, and what embedded tests prove.

import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Fault } from "#src/contract/fault.ts";
import { YamlFault } from "#src/contract/text/yaml-source.ts";
import { checkRules } from "#src/rules/rule-file/embedded-tests.ts";
import { loadRules, loadRulesUntested, STARTER_HEAD } from "#src/rules/rule-file/rule-file.ts";
import { loadStarter, starterText } from "./sample.ts";

const HEAD = `name: mine
thresholds:
  low: { three_ds: 50, block: 90 }
  medium: { three_ds: 35, block: 75 }
  high: { three_ds: 20, block: 60 }
rates: { as_of: "2026-01-01", per_eur: { EUR: 1, JPY: 160 } }
sample:
  at: "2026-03-16T12:00:00Z"
  project_currency: 978
  request: { amount: 12000, currency: 978, payer: { email: a@example.com } }
rules:
`;
const HEAD_LINES = HEAD.split("\n").length - 1;

/** A file of one rule with the given lines in place of a plain condition. */
const ruleWith = (...lines: string[]): string =>
  `${HEAD}  - code: MINE\n    text: hit\n    score: 10\n    ${lines.join("\n    ")}\n`;
const when = (condition: string): string => ruleWith(`when: ${condition}`);

async function fault(text: string): Promise<YamlFault> {
  const error: unknown = await loadRules(text, "mine.yaml").then(
    () => new Error("it loaded"),
    (refusal: unknown) => refusal,
  );
  if (!(error instanceof YamlFault)) throw error;
  return error;
}

it.each(["rules: 3\n", "thresholds: {}\nsample: {}\n", "rates: 1\n"])(
  "names every part that %j lacks, before anything else",
  async (text) => {
    const { line, column, message } = await fault(text);
    const lacks = ["name", "thresholds", "sample", "rules"].filter((key) => !text.includes(key));
    expect([line, column]).toEqual([1, 1]);
    expect(message).toContain(`the file needs ${lacks.join(", ")}`);
  },
);

describe("the starter rules", () => {
  it("are the same from the build as from their text", async () => {
    const fromText = await loadRulesUntested(`${starterText}# one line more`, "rules.yaml");
    const fromBuild = await loadRulesUntested(starterText, "rules.yaml");
    expect(starterText.startsWith(STARTER_HEAD)).toBe(true);
    const data = ({ text: _text, hash: _hash, ...rest }: typeof fromText): unknown => ({
      ...rest,
      rules: rest.rules.map(({ expression, ...rule }) => ({ ...rule, source: expression.source })),
      lists: [...rest.lists.keys()],
    });
    expect(JSON.stringify(data(fromBuild))).toBe(JSON.stringify(data(fromText)));
  });

  it("load, and their embedded tests run", async () => {
    const ruleSet = await loadStarter();
    expect(ruleSet.rules.length).toBe(41);
    const results = checkRules(ruleSet);
    expect(results.filter(({ ok }) => !ok)).toEqual([]);
    for (const { code, tests } of ruleSet.rules) {
      // Every test was run, also of a rule that does not decide.
      expect(
        results.filter((result) => result.code === code).map(({ name }) => name),
        code,
      ).toEqual(tests.map(({ name }) => name));
      const outcomes = new Set(tests.map((test) => test.expect));
      expect([...outcomes], code).toEqual(expect.arrayContaining(["hit", "no_hit", "not_evaluated"]));
    }
  });

  it("fail when any of their tests expects something else", async () => {
    const ruleSet = await loadStarter();
    const other = { hit: "no_hit", no_hit: "hit", not_evaluated: "no_hit" } as const;
    const turned = ruleSet.rules.map((rule) => ({
      ...rule,
      tests: rule.tests.map((test) => ({ ...test, expect: other[test.expect] })),
    }));
    const results = checkRules({ ...ruleSet, rules: turned });
    expect(results.length).toBeGreaterThanOrEqual(3 * ruleSet.rules.length);
    expect(results.filter(({ ok }) => ok)).toEqual([]);
  });

  it("are named by the hash of their text", async () => {
    const { hash } = await loadStarter();
    expect(hash).toBe(createHash("sha256").update(starterText).digest("hex"));
  });

  it("scale velocity limits by 1.5 and 0.6, rounded up", async () => {
    const { rules } = await loadStarter();
    const limits = rules.filter(({ code }) => /VELOCITY|FREQ|_PER_/.test(code) && !code.startsWith("SPEND"));
    expect(limits.length).toBeGreaterThanOrEqual(10);
    for (const { code, params } of limits) {
      const medium = Number(params.medium["limit"]);
      expect(Number(params.low["limit"]), code).toBe(Math.ceil(medium * 1.5));
      expect(Number(params.high["limit"]), code).toBe(Math.max(1, Math.ceil(medium * 0.6)));
    }
  });

  it("carry the thresholds of each risk level", async () => {
    expect((await loadStarter()).thresholds).toEqual({
      low: { threeDs: 50, block: 90 },
      medium: { threeDs: 35, block: 75 },
      high: { threeDs: 20, block: 60 },
    });
  });
});

describe("a fault in the file", () => {
  it("names an unknown key with line, column and rule", async () => {
    const error = await fault(ruleWith("when: amount > 1", "scoer: 10"));
    expect(error).toBeInstanceOf(Fault);
    expect(error.code).toBe("bad_input");
    expect([error.line, error.column, error.subject]).toEqual([HEAD_LINES + 5, 5, "MINE"]);
    expect(error.message).toBe(
      `mine.yaml:${HEAD_LINES + 5}:5: MINE: unknown key "scoer" in the rule; ` +
        "allowed are code, text, clear, when, params, score, effect, needs, mode, tests",
    );
    expect(error.excerpt).toBe("    scoer: 10\n    ^");
  });

  it.each([
    ["a key twice", ruleWith("when: amount > 1", "when: amount > 2"), /unique/],
    ["no condition", ruleWith("mode: live"), /the rule needs when/],
    [
      "score and effect",
      ruleWith("when: amount > 1", "effect: block"),
      /the rule needs one of score, effect, and only one/,
    ],
    ["an unknown mode", ruleWith("when: amount > 1", "mode: on_fire"), /mode must be live, shadow, off/],
    ["an unknown need", ruleWith("when: amount > 1", "needs: [cart]"), /"cart" is neither a field/],
    [
      "a parameter that is not used",
      ruleWith("when: amount > 1", "params: { limit: 1 }"),
      /limit is not used/,
    ],
    [
      "a parameter without a level",
      ruleWith("when: amount > l", "params: { l: { low: 1, medium: 2 } }"),
      /l needs high/,
    ],
    [
      "mixed parameters",
      ruleWith("when: amount > l", "params: { l: { low: 1, medium: 2, high: x } }"),
      /same type/,
    ],
    ["a parameter called as a field", ruleWith("when: amount > 1", "params: { amount: 1 }"), /hides a field/],
    [
      "an unknown word in a text",
      ruleWith("when: amount > 1", "clear: is {limit}"),
      /\{limit\} is no parameter/,
    ],
    [
      "a weight below 1",
      when("amount > 1").replace("score: 10", "score: 0"),
      /score must be a number from 1 to 1000/,
    ],
    [
      "a code of one letter",
      when("amount > 1").replace("code: MINE", "code: P"),
      /code must be 2 to 60 capital letters, digits and _, a letter first/,
    ],
    [
      "an earlier code",
      `${when("amount > 1")}${when("amount > 1").slice(HEAD.length)}`,
      /earlier rule has this code/,
    ],
    [
      "an unknown currency",
      when("amount > 1").replace("JPY", "XQX"),
      /"XQX" in per_eur of rates must be a currency/,
    ],
    ["gold", when("amount > 1").replace("JPY", "XAU"), /"XAU" in per_eur of rates must be a currency/],
    [
      "thresholds upside down",
      when("amount > 1").replace("three_ds: 50", "three_ds: 91"),
      /three_ds of \w+ must not exceed block/,
    ],
    ["an unknown part of the file", `${when("amount > 1")}extra: 1\n`, /unknown key "extra" in the file/],
    ["no map", "just text", /the file must be a map/],
    ["nothing", "", /the file is empty; "verdict rules print starter"/],
    ["broken YAML", "name: [", /mine\.yaml:1:/],
    ["a list that is not there", ruleWith(`when: list_entry("bad") != ""`), /"bad" is not one of the lists/],
    [
      "an entry of two types",
      when("amount > 1").replace("sample:", "lists: { bad: [{ bin: 411111, payer: a }] }\nsample:"),
      /needs one of card, bin, .*, and only one/,
    ],
    [
      "an entry that is no network",
      when("amount > 1").replace("sample:", "lists: { bad: [{ ip: 203.0.113.0/33 }] }\nsample:"),
      /ip of an item of bad must be an address or a network/,
    ],
    [
      "a full card number in a list",
      when("amount > 1").replace("sample:", 'lists: { bad: [{ card: "4111111111111111" }] }\nsample:'),
      /card of an item of bad must be BIN, last four and expiry/,
    ],
    [
      "a BIN with a zero in front, which no payment has",
      when("amount > 1").replace("sample:", 'lists: { bad: [{ bin: "012345" }] }\nsample:'),
      /bin of an item of bad must be 6 to 8 digits, the first of them not 0/,
    ],
    [
      "an entry until no day",
      when("amount > 1").replace("sample:", "lists: { bad: [{ payer: a, until: 2026-02-30 }] }\nsample:"),
      /until of an item of bad must be a day such as 2026-06-01/,
    ],
    [
      "an entry from a time without a zone",
      when("amount > 1").replace(
        "sample:",
        "lists: { bad: [{ payer: a, from: 2026-02-03T10:00 }] }\nsample:",
      ),
      /from of an item of bad must be a day .* or a time such as 2026-06-01T12:00:00Z/,
    ],
    [
      "an entry that never holds",
      when("amount > 1").replace(
        "sample:",
        "lists: { bad: [{ payer: a, from: 2026-06-01, until: 2026-06-01 }] }\nsample:",
      ),
      /mine\.yaml:\d+:53: until of an item of bad must be later than from; the entry would never hold/,
    ],
    [
      "a list of ids and texts",
      ruleWith("when: payer.payer_id in ids", "params: { ids: [007, a] }"),
      /ids must be a list of texts or of integers; write a text such as 007 in quotes/,
    ],
    ["a key that is not counted", when("velocity('order', '1h') > 1"), /"order" is not counted/],
    [
      "a misspelt count",
      ruleWith("when: amount > 1", "tests: [{ counts: { card/1h: 1 }, expect: hit }]"),
      /"card\/1h" in counts of an item of tests must be a count such as velocity/,
    ],
  ])("%s is refused", async (_, text, message) => {
    expect((await fault(text)).message).toMatch(message);
  });

  describe("a number or a boolean without quotes, where a text belongs", () => {
    const places: [part: string, what: string][] = [
      ["lists: { bad: [{ payer: VALUE }] }", "payer of an item of bad"],
      ["lists: { bad: [{ terminal: VALUE }] }", "terminal of an item of bad"],
      ["lists: { bad: [{ email: VALUE }] }", "email of an item of bad"],
      ["lists: { bad: [{ domain: VALUE }] }", "domain of an item of bad"],
      ["lists: { bad: [{ ip: VALUE }] }", "ip of an item of bad"],
      ["lists: { bad: [{ card: VALUE }] }", "card of an item of bad"],
      ["lists: { bad: [{ payer: a, note: VALUE }] }", "note of an item of bad"],
      ["lists: { bad: [{ payer: a, from: VALUE }] }", "from of an item of bad"],
      ["request: { order_id: VALUE }", "order_id of request"],
      ["request: { payer: { payer_id: VALUE } }", "payer_id of payer"],
      ["tests: [{ given: { terminal_id: VALUE }, expect: hit }]", "terminal_id of given"],
      ["tests: [{ given: { card: { holder: VALUE } }, expect: hit }]", "holder of card"],
      ["tests: [{ lists: { bad: [{ payer: VALUE }] }, expect: hit }]", "payer of an item of bad"],
      ["tests: [{ name: VALUE, expect: hit }]", "name of an item of tests"],
    ];
    it.each(places)("is refused: %s", async (part, what) => {
      const before = `${what.split(" ")[0]}: `;
      for (const [value, kind] of [
        ["007", "a number"],
        ["1e5", "a number"],
        ["true", "a boolean"],
      ] as const) {
        const line = part.replace("VALUE", value);
        const text = line.startsWith("tests")
          ? ruleWith("when: amount > 1", line)
          : line.startsWith("request")
            ? when("amount > 1").replace(/request: .*/, line)
            : when("amount > 1").replace("sample:", `${line}\nsample:`);
        const error = await fault(text);
        expect(error.message).toContain(` ${what} must be a text, not ${kind}. Write it in quotes.`);
        expect(error.excerpt.split("\n")[0]!.indexOf(before) + before.length + 1).toBe(error.column);
      }
    });
  });

  it("is not a BIN or a telephone number in plain digits, which are read as written", async () => {
    const entries = "[{ bin: 411111 }, { phone: 00380501234567 }, { phone: +380501234567 }]";
    const text = when("amount > 1").replace("sample:", `lists: { bad: ${entries} }\nsample:`);
    expect((await loadRules(text, "mine.yaml")).lists.get("bad")!.entries).toEqual([
      { type: "bin", text: "411111" },
      { type: "phone", text: "00380501234567" },
      { type: "phone", text: "+380501234567" },
    ]);
    for (const bin of ["4e5", "411111.0", "0x1F4A0"]) {
      const error = await fault(
        when("amount > 1").replace("sample:", `lists: { bad: [{ bin: ${bin} }] }\nsample:`),
      );
      expect(error.message).toContain(
        "bin of an item of bad must be a text, not a number. Write it in quotes.",
      );
    }
  });

  it("is never anything but a fault in the file, whatever the file", async () => {
    const line = fc.nat(starterText.split("\n").length - 1);
    const change = fc.record({
      line,
      text: fc.constantFrom("", "  x: 1", "- a", "    when: 1", "]", "{", "*a", "&a *a"),
    });
    await fc.assert(
      fc.asyncProperty(change, async (at) => {
        const lines = starterText.split("\n").with(at.line, at.text);
        const error: unknown = await loadRules(lines.join("\n"), "mine.yaml").catch(
          (refusal: unknown) => refusal,
        );
        if (error instanceof Error) expect(error).toBeInstanceOf(YamlFault);
      }),
      { numRuns: 60 },
    );
  });

  it("includes aliases that go round in circles", async () => {
    const circle = ruleWith("when: amount > 1", "tests: [{ given: &a { payer: *a }, expect: hit }]");
    expect((await fault(circle)).message).toMatch(/aliases/);
  });

  it.each([
    ["a test", `tests: [&t { given: { amount: 1 }, expect: no_hit }${", *t".repeat(20_000)}]`],
    ["a list", `params: { limit: &l [${"1, ".repeat(5_000)}2], other: *l, third: *l, fourth: *l }`],
    [
      "what doubles with each line",
      `params: { a: &a [1, 2], b: &b [*a, *a], ${Array.from({ length: 30 }, (_, i) => `b${i}: &b${i} [*b${i - 1 < 0 ? "" : i - 1}, *b${i - 1 < 0 ? "" : i - 1}]`).join(", ")} }`,
    ],
  ])("includes aliases by which %s stands for thousands", async (_, line) => {
    expect((await fault(ruleWith("when: amount > 1", line))).message).toMatch(/aliases stand for more than/);
  });

  it("includes more tests than can be run in a moment", async () => {
    const test = "{ given: { amount: 1 }, expect: no_hit }";
    const many = (count: number): string =>
      ruleWith("when: amount > 1", `tests: [${Array.from({ length: count }, () => test).join(", ")}]`);
    expect((await fault(many(2_001))).message).toContain("more than 2000 tests");
    expect((await loadRules(many(2_000), "mine.yaml")).rules[0]!.tests).toHaveLength(2_000);
  });

  it("but not what is shared by a few", async () => {
    const shared = "tests: [&t { given: { amount: 1 }, expect: no_hit }, *t, *t]";
    expect((await loadRules(ruleWith("when: amount > 1", shared), "mine.yaml")).rules[0]!.tests).toHaveLength(
      3,
    );
  });

  it("shows hidden characters instead of passing them on", async () => {
    const error = await fault(ruleWith("when: amount > 1", '"sc\\e[31more": 10'));
    expect(error.message).toContain("sc\\x1b[31more");
  });
});

describe("a fault in a condition", () => {
  it.each([
    ["a type error", "amount > 1 && payer.email > 3", "payer.email > 3", /no such overload/],
    ["an unknown field", "payer.emial == 'x'", "emial", /No such key: emial/],
    ["an unknown name", "1 < limit", "limit", /Unknown variable: limit/],
    ["a syntax error", "amount >> 1", "> 1", /Unexpected token|Expected/i],
    ["matches", "1 < 2 && payer.email.matches('x')", "payer.email.matches", /write regex\(text, pattern\)/],
    ["a function of other types", "amount > 1 && int(order_id) > 2", "int(", /int takes int or double/],
    [
      "text that would be cut",
      "order_id.substring(0, 2) == 'ab'",
      "order_id.sub",
      /substring is not available/,
    ],
    ["bytes", "amount > 1 && b'ab' == b'ab'", "b'ab' ==", /a value of the type bytes/],
    ["a value without a type", "dyn(amount) == 1.0", "dyn", /a value of the type dyn/],
    ["a map", "amount in {1:2}", "{1:2}", /a value of the type map/],
    ["an untyped comparison", "amount > 1 && [].all(x, x > 0)", "amount", /its types are not certain/],
    ["nested macros", "1 < 2 && [1].all(x, [2].exists(y, y > x))", "[2].exists", /inside another macro/],
    [
      "a bind in a bind",
      "cel.bind(a, 'x', cel.bind(b, a + a, b == a))",
      "cel.bind(b",
      /inside another macro/,
    ],
    ["an unknown window", "1 < 2 || velocity('card', '90s') > 1", "velocity", /"90s" is not a window/],
    ["an unknown count", "velocity('cart', '1h') > 1", "velocity", /"cart" is not counted/],
    ["a computed count", "velocity(payer.email, '1h') > 1", "velocity", /must be written as text in quotes/],
    ["a bad pattern", "regex(payer.email, '(')", "regex", /the pattern is not valid/],
    ["a back reference", "regex(payer.email, '(a)\\\\1')", "regex", /the pattern is not valid/],
    ["no truth value", "amount + 1", "amount", /must give true or false and gives int/],
  ])("%s is pointed at", async (_, condition, at, message) => {
    const error = await fault(when(condition));
    expect(error.message).toMatch(message);
    expect(error.subject).toBe("MINE");
    const line = `    when: ${condition}`;
    expect([error.line, error.column]).toEqual([HEAD_LINES + 4, line.indexOf(at) + 1]);
  });

  it("is pointed at inside quotes and on the right line of a block", async () => {
    const quoted = await fault(when('"amount > nope"'));
    expect([quoted.line, quoted.column]).toEqual([HEAD_LINES + 4, 21]);
    const block = await fault(ruleWith("when: |", "  amount > 1 &&", "    nope > 2"));
    expect([block.line, block.column]).toEqual([HEAD_LINES + 6, 9]);
  });

  it("cannot be too large", async () => {
    expect((await fault(when(Array.from({ length: 400 }, () => "amount").join(" + ")))).message).toMatch(
      /max/i,
    );
  });
});

describe("embedded tests", () => {
  const withTest = (test: string): string => ruleWith("when: amount > 20000", `tests: [${test}]`);

  it("stop a file whose rule does not do what they say", async () => {
    const error = await fault(withTest("{ name: large, given: { amount: 1 }, expect: hit }"));
    expect(error.message).toContain('the test "large" expects hit and got no_hit');
    expect([error.line, error.column]).toEqual([HEAD_LINES + 5, 5]);
    const missing = await fault(withTest("{ given: { amount: null }, expect: hit }"));
    expect(missing.message).toContain("got not_evaluated (amount is missing)");
  });

  it("are all reported when asked", async () => {
    const text = withTest("{ given: { amount: 20001 }, expect: hit }, { given: { amount: 1 }, expect: hit }");
    const results = checkRules(await loadRulesUntested(text, "mine.yaml"));
    expect(results.map(({ ok }) => ok)).toEqual([true, false]);
  });

  it("leave rules alone that are off", async () => {
    const off = ruleWith("when: amount > 1", "mode: off", "tests: [{ expect: no_hit }]");
    expect(checkRules(await loadRules(off, "mine.yaml"))).toEqual([]);
  });
});
