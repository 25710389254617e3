import fc from "fast-check";
import { marked, type Tokens } from "marked";
import { describe, expect, test } from "vitest";
import type { RunRow } from "#src/contract/records/run.ts";
import { LABELS, type Label } from "#src/contract/records/label.ts";
import type { Outcomes, SideOutcomes } from "#src/contract/records/outcomes.ts";
import type { Recommendation } from "#src/contract/wire/recommendation.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import type { DecisionData } from "#src/replay/reports/decision-data.ts";
import { reportToSign } from "#src/replay/reports/decision-parts.ts";
import { reportMd } from "#src/replay/reports/md.ts";
import { reportPage } from "#src/replay/reports/page-markup.ts";
import { decisionDay, decisionOf, NO_LABELS } from "./decision-sample.ts";
import { HOSTILE, hostileRow } from "./hostile.ts";
import { outcomesOf, type Group } from "./outcomes-sample.ts";
import {
  attribute,
  elementsOf,
  expectNamed,
  expectSelfContained,
  parsedPage,
  textOf,
  type ParsedPage,
} from "./page-elements.ts";
import { comparedRows, runResult, runRow } from "./rows.ts";

const WORDS: readonly Recommendation[] = ["pass", "3ds_or_block", "block"];
const day = await decisionDay(2_500, { gates: ["--max-good-blocked 0.5%", "--min-caught 30%"] });

const decisionMd = (data: DecisionData): string => reportMd(reportToSign(data));

function page(data: DecisionData): ParsedPage & { readonly html: string } {
  const html = reportPage(reportToSign(data));
  const parsed = parsedPage(html);
  // Numbers are held together, which changes no word.
  return { ...parsed, html, text: parsed.text.replaceAll("\u00a0", " ") };
}

interface Table {
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Tables by the heading of their section; the lines of a cell are apart. */
function tablesOf({ elements }: ParsedPage): ReadonlyMap<string, Table> {
  const lines = (cell: Parameters<typeof textOf>[0]): string => {
    const spans = elementsOf(cell).filter((each) => /^(main|extra)$/.test(attribute(each, "class") ?? ""));
    return (spans.length === 0 ? [cell] : spans)
      .map((each) => textOf(each).replaceAll("\u00a0", " "))
      .join("|");
  };
  return new Map(
    elements
      .filter(({ tagName }) => tagName === "section")
      .flatMap((section) => {
        const inside = elementsOf(section);
        const [heads, ...rows] = inside
          .filter(({ tagName }) => tagName === "tr")
          .map((row) =>
            elementsOf(row)
              .filter(({ tagName }) => tagName === "th" || tagName === "td")
              .map(lines),
          );
        const title = textOf(inside.find(({ tagName }) => tagName === "h2")!);
        return heads === undefined ? [] : [[title, { heads, rows }] as const];
      }),
  );
}

/** Counted here once more: payments of these labels with these verdicts, and their worth. */
function counted(side: SideOutcomes, labels: readonly Label[], verdicts = WORDS): [number, number] {
  let [count, eur] = [0, 0];
  for (const label of labels)
    for (const verdict of verdicts) {
      count += side.labels[label][verdict].count;
      eur += side.labels[label][verdict].eur;
    }
  return [count, eur];
}

const grouped = (count: number): string => String(Math.round(count)).replaceAll(/\B(?=(?:\d{3})+$)/g, " ");

describe("the page of a judged day", () => {
  const made = page(day);
  const tables = tablesOf(made);
  const { current, proposed } = day.outcomes!;

  test("asks for nothing, and every part has a name", () => {
    expectSelfContained(made);
    expectNamed(made);
    expect(made.elements.filter(({ tagName }) => tagName === "script")).toHaveLength(1);
  });

  test("says the sentence first, the limits, and on what it rests", () => {
    const h1 = textOf(made.elements.find(({ tagName }) => tagName === "h1")!);
    expect(h1.replaceAll("\u00a0", " ")).toMatch(
      /^[\w ]+ good payments? \([\d ]+ EUR\) (is|are) no longer blocked; .*fraudulent.*\.$/,
    );
    expect(made.text).toContain("Every limit is kept: --max-good-blocked 0.5%, --min-caught 30%.");
    const failed = [{ gate: "min-caught", limit: "85%", figure: 30, message: "30 % of fraud is blocked." }];
    const unkept = page({ ...day, failedGates: failed }).text;
    expect(unkept).toContain("Limit not kept: 30 % of fraud is blocked.");
    expect(unkept).not.toContain("Every limit is kept");
    for (const { name, hash } of [day.current, day.proposed])
      expect(made.text).toContain(`${name}, hash ${hash}`);
    const about = [day.proposed.hash, day.current.hash, day.dataHash].map((hash) => hash.slice(0, 12));
    for (const text of [made.text, decisionMd(day)]) {
      expect(text).toContain(`hash ${day.dataHash} of the payments`);
      const sign = text.slice(text.lastIndexOf("To sign"));
      expect(sign).toMatch(/Decision.*accepted.*\.{40}/);
      for (const what of ["Name", "Date"]) expect(sign).toMatch(new RegExp(`${what}:? *\\.{40}`));
      expect(text).toContain(`rules ${about[0]} instead of ${about[1]}, by data ${about[2]}`);
    }
  });

  test("its numbers are those of the outcomes, in counts and in EUR", () => {
    const { heads, rows } = tables.get("Before and after")!;
    expect(heads).toEqual(["", "Today", "Proposed", "Change"]);
    const [bad, good] = [
      ["fraud", "chargeback"],
      ["refund", "good"],
    ] as const;
    const expected: [string, readonly Label[], Recommendation[]][] = [
      ["Fraud blocked", bad, ["block"]],
      ["Fraud to 3-D Secure", bad, ["3ds_or_block"]],
      ["Fraud passed", bad, ["pass"]],
      ["Good blocked", good, ["block"]],
      ["Good to 3-D Secure", good, ["3ds_or_block"]],
      ["Good passed", good, ["pass"]],
      ["Good blocked or to 3-D Secure", good, ["3ds_or_block", "block"]],
    ];
    for (const [index, [name, labels, verdicts]] of expected.entries()) {
      const [head, ...cells] = rows[index]!;
      expect(head).toBe(`${name}|of ${grouped(counted(current, labels)[0])}`);
      for (const [cell, side] of [
        [cells[0]!, current],
        [cells[1]!, proposed],
      ] as const) {
        const [count, eur] = counted(side, labels, verdicts);
        const [first, share, money] = cell.split("|");
        expect([first, money!.split(" EUR")[0]]).toEqual([grouped(count), grouped(eur)]);
        expect(parseFloat(share!)).toBeCloseTo((count / counted(side, labels)[0]) * 100, 1);
      }
    }
    const blocked = counted(proposed, LABELS, ["block"])[0];
    const right = counted(proposed, bad, ["block"])[0];
    const [head, , after] = rows.at(-1)!;
    expect(head).toMatch(/^A block is right\|fraud of what is blocked\|base rate \d+ of [\d ]+, \d\.\d\d %$/);
    expect(after!.split("|")[1]).toBe(`${grouped(right)} of ${grouped(blocked)}`);
    expect(parseFloat(after!)).toBeCloseTo((right / blocked) * 100, 1);
  });

  test("rules, changes and causes add up to what the outcomes say", () => {
    for (const { heads, rows } of tables.values())
      for (const cells of rows) expect(cells).toHaveLength(heads.length);
    const rules = tables.get("Rules")!;
    for (const [code, hits] of rules.rows) {
      const { bad, good, unlabelled } = day.outcomes!.rules.find((rule) => rule.code === code)!.current!.hits;
      expect(hits).toBe(grouped(bad.count + good.count + unlabelled.count));
    }
    const sum = (name: string, column: string): number => {
      const { heads, rows } = tables.get(name)!;
      const at = heads.indexOf(column);
      return rows.reduce((all, cells) => all + Number(cells[at]!.split("|")[0]!.replaceAll(" ", "")), 0);
    };
    const changed = day.outcomes!.changes.filter(({ was, now }) => was !== now);
    const good = changed.reduce((all, change) => all + change.good.count, 0);
    expect([sum("What changes", "Good"), sum("Why", "Good")]).toEqual([good, good]);
  });

  test("both points are on their curves, told without colour, within the chart", () => {
    const points = made.elements.filter((each) => attribute(each, "class")?.startsWith("dot "));
    for (const side of ["today", "proposed"]) {
      const large = points.filter(
        (each) => attribute(each, "class") === `dot ${side}` && attribute(each, "r") === "7",
      );
      expect(large).toHaveLength(1);
      expect(textOf(large[0]!)).toContain("as it is");
      const line = made.elements.find(
        (each) => attribute(each, "class") === `curve ${side}` && each.tagName === "polyline",
      )!;
      const x = parseFloat(attribute(large[0]!, "cx")!);
      const xs = attribute(line, "points")!
        .split(" ")
        .map((point) => parseFloat(point));
      expect(xs).toContain(x);
      for (const each of points) expect(parseFloat(attribute(each, "cx")!)).toBeLessThanOrEqual(100);
    }
    expect(made.text).toMatch(/today: [\d.]+ % of fraud and [\d.]+ % of good payments blocked/);
  });
});

describe("with fewer labels", () => {
  test("without any it is a page about what changes, without empty parts", () => {
    const { text, elements } = page({ ...day, outcomes: null });
    expect(text).toContain("Labels come with --labels FILE");
    expect(text).not.toMatch(/Fraud|fraudulent|good payment|Scores|Over time/);
    const sections = elements.filter(({ tagName }) => tagName === "section");
    for (const section of sections) expect(textOf(section).length).toBeGreaterThan(40);
    const titles = elements.filter(({ tagName }) => tagName === "h2").map((each) => textOf(each));
    expect(titles).toEqual([
      "Verdicts before and now",
      "What changes",
      "Why",
      "Rules",
      "Cases",
      "What is not known",
      "How this was made",
      "To sign",
    ]);
  });

  test("with labels of fraud alone no block is called right", async () => {
    const data = await decisionDay(1_000, {}, (label) => label === "fraud" || label === "chargeback");
    const { text } = page(data);
    expect(text).toContain("No labelled payment is good");
    expect(text).not.toMatch(/A block is right|Of all fraud|Scores/);
    expect(text).toMatch(/\d+ of 1 000 payments \([\d.]+ %\) have no label and count on neither side/);
  });

  test("a back-test of nothing says so", () => {
    for (const data of [decisionOf(), decisionOf({ outcomes: outcomesOf([]) })]) {
      expect(page(data).text).toContain("No payment was judged.");
      expect(decisionMd(data)).toMatch(/^## No payment was judged\.\n/);
    }
  });

  test("what is not known is named", () => {
    const outcomes = outcomesOf([{ label: "fraud", was: "block", now: "block", count: 3, eur: 0 }], {
      withoutRate: 3,
    });
    const labels = {
      ...NO_LABELS,
      asOf: Date.UTC(2026, 2, 1),
      assumed: 7,
      unused: 1,
      madeAfter: 2,
      turnedBad: 1,
    };
    const { text } = page(
      decisionOf({ outcomes, labels, total: 3, ratesAsOf: null, untimed: 3, rejected: 1, repeats: 2 }),
    );
    for (const sentence of [
      "3 labelled payments of a currency without a rate: counted, but without money.",
      "1 label of the list belongs to no payment here.",
      "2 payments were made after 2026-03-01 00:00 UTC (--as-of) and count on neither side.",
      "1 payment is known as fraud only after 2026-03-01 00:00 UTC (--as-of) and counts on neither side.",
      "7 payments without a label are counted as good, because no complaint is known.",
      "Labels are those known on 2026-03-01 00:00 UTC",
      "The rule file has no exchange rates, so nothing is said in EUR.",
      "No payment has a time of its own",
      "1 line or file of the sources holds no payment, and is left out.",
      "2 identical repeats within 60 s left out",
      "Too few labels to judge",
    ]) {
      expect(text).toContain(sentence);
    }
  });
});

describe("any outcome at all", () => {
  const groups = fc.array(
    fc.record({
      label: fc.constantFrom(...LABELS, null),
      was: fc.constantFrom(...WORDS),
      now: fc.constantFrom(...WORDS),
      count: fc.oneof(fc.nat(3), fc.nat(100_000)),
      eur: fc.double({ min: 0, max: 1e9, noNaN: true }),
    }),
    { maxLength: 8 },
  );

  /** A curve, scores and spans that such payments could have, from their counts. */
  function drawn(list: readonly Group[]): Outcomes {
    const made = outcomesOf(list);
    const side = (of: SideOutcomes): SideOutcomes => {
      const part = (labels: readonly Label[], verdicts: Recommendation[]) => {
        const [count, eur] = counted(of, labels, verdicts);
        return { count, eur };
      };
      const point = (shift: number, ...verdicts: Recommendation[]) => ({
        shift,
        bad: part(["fraud", "chargeback"], verdicts),
        good: part(["good", "refund"], verdicts),
      });
      const scores = [0, 50].map((from) => ({
        from,
        bad: counted(of, ["fraud"])[0],
        good: counted(of, ["good"])[0],
      }));
      return {
        ...of,
        scores,
        curve: [point(-20, "block", "3ds_or_block"), point(0, "block"), point(5)],
        marks: { threeDs: 40, block: 80 },
      };
    };
    const counts = { goodBlocked: counted(made.current, ["good"])[0], badPassed: 0 };
    const span = (from: number) => ({ from, total: 1, current: counts, proposed: counts });
    return {
      ...made,
      current: side(made.current),
      proposed: side(made.proposed),
      spans: [span(0), span(3_600_000)],
    };
  }

  test("is a page and Markdown of numbers", () => {
    fc.assert(
      fc.property(groups, (list) => {
        const data = decisionOf({ outcomes: drawn(list), total: list.length });
        const { html } = page(data);
        for (const text of [html, decisionMd(data)])
          expect(text).not.toMatch(/NaN|undefined|Infinity|\[object/);
      }),
      { numRuns: 60 },
    );
  });
});

/** Payments with a text in every place where somebody else's text can stand. */
async function withText(text: string, row: (seq: number) => RunRow): Promise<DecisionData> {
  const plain = outcomesOf([
    { label: "fraud", was: "block", now: "pass", count: 3, eur: 30 },
    { label: "good", was: "block", now: "pass", count: 9, eur: 90 },
  ]);
  const sided = { row: row(1), earlier: null, eur: 1 };
  const one = { count: 1, eur: 1 };
  const worth = { bad: one, good: one, unlabelled: { count: 0, eur: 0 } };
  const rule = { hits: worth, alone: worth };
  const outcomes: Outcomes = {
    ...plain,
    changes: plain.changes.map((change) => ({
      ...change,
      cases: { bad: [{ ...sided, label: "fraud" }], good: [{ ...sided, label: null }] },
    })),
    causes: [
      {
        was: "block",
        now: "pass",
        before: text,
        after: null,
        bad: { count: 3, eur: 30 },
        good: { count: 9, eur: 90 },
        unlabelled: { count: 0, eur: 0 },
      },
    ],
    rules: [{ code: text, current: rule, proposed: rule }],
  };
  const hits = { mode: "live", hits: 2 } as const;
  const earlier = { ...row(2), result: runResult("block", { basis: { score: 0, rules: [text] } }) };
  const rows = async function* (list: readonly RunRow[]) {
    await Promise.resolve();
    yield* list;
  };
  return decisionOf({
    outcomes,
    comparison: await comparedRows({ baseline: text, run: text }, rows([earlier]), rows([row(2)])),
    current: { name: text, hash: text },
    proposed: { name: text, hash: text },
    sources: [text],
    labels: { ...NO_LABELS, origins: [text], idleTags: [text] },
    rules: [{ code: text, current: hits, proposed: hits, both: 2, alone: 1 }],
    overlap: {
      together: [{ codes: [text, text], count: 2 }],
      within: [{ code: text, other: text, count: 2, otherCount: 3 }],
    },
    gates: [text],
    failedGates: [{ gate: text, limit: text, figure: null, message: text }],
    ratesAsOf: text,
    riskLevel: text,
  });
}

describe("hostile text", () => {
  /** Tags with the names of their attributes. How a cell stands follows from its text, and so may its class. */
  const skeleton = ({ elements }: ParsedPage): string[] =>
    elements
      .filter(({ tagName }) => tagName !== "wbr")
      .map(({ tagName, attrs }) =>
        tagName === "td" || tagName === "th"
          ? tagName
          : [tagName, ...attrs.map(({ name }) => name).sort()].join(" "),
      );

  test.each(HOSTILE)("%j changes no tag and no attribute", async (text) => {
    const build = async (word: string, outcomes: "judged" | "unjudged"): Promise<ParsedPage> => {
      const data = await withText(word, (seq) => hostileRow(seq, word, "pass"));
      return page({ ...data, showPersonal: true, ...(outcomes === "judged" ? {} : { outcomes: null }) });
    };
    for (const kind of ["judged", "unjudged"] as const) {
      const made = await build(text, kind);
      expect(skeleton(made)).toEqual(skeleton(await build("harmless", kind)));
      // oxlint-disable-next-line no-control-regex
      expect(made.text).not.toMatch(/[\u0000-\u0008\u000b\u001b\u007f-\u009f\u202e\u200b\u2028\u2029]/);
    }
  });

  test.each(HOSTILE)("%j stays text in Markdown", async (text) => {
    const data = await withText(text, (seq) => hostileRow(seq, text, "pass"));
    const tokens = marked.lexer(decisionMd({ ...data, showPersonal: true }));
    expect([...new Set(tokens.map(({ type }) => type))].toSorted()).toEqual([
      "heading",
      "list",
      "paragraph",
      "space",
      "table",
    ]);
    for (const token of tokens) {
      if (token.type !== "table") continue;
      const { header, rows } = token as Tokens.Table;
      for (const cells of rows) expect(cells).toHaveLength(header.length);
    }
  });
});

describe("personal data", () => {
  const CANARIES = [
    "ZORAIDA QUETZALCOATL",
    "zoraida@canary-mail.example",
    "+380997770111",
    "198.51.100.213",
    "payer-canary-77",
  ];
  const [name, email, phone, ip, payer] = CANARIES as [string, string, string, string, string];
  const request: CheckRequest = {
    operation: "payment",
    order_id: "o-77",
    amount: 12_000,
    currency: 980,
    payer: { payer_ip: ip, email, number_phone: phone, payer_id: payer },
    card: { holder: name },
  };
  const personal = (seq: number): RunRow =>
    runRow(seq, "pass", {
      key: `o-77#${seq}`,
      origin: `${email}.json`,
      request,
      result: runResult("pass", { message: `${name} (${email}, ${phone}) from ${ip} as ${payer}` }),
    });

  test.each(["html", "md"])("is masked in %s unless it is asked for", async (kind) => {
    const written = (data: DecisionData): string => (kind === "html" ? page(data).text : decisionMd(data));
    const judged = {
      ...(await withText("RULE", personal)),
      sources: [`history:email:${email} "${name}" verdict:block`],
    };
    for (const data of [judged, { ...judged, outcomes: null }]) {
      const text = written(data).toLowerCase();
      for (const canary of CANARIES) expect(text).not.toContain(canary.toLowerCase());
      expect(text).not.toContain("zoraida");
      expect(written({ ...data, showPersonal: true })).toContain(name);
    }
  });
});

test("Markdown has the same sentence, tables and doubts", () => {
  const text = decisionMd(day);
  const h1 = textOf(page(day).elements.find(({ tagName }) => tagName === "h1")!).replaceAll("\u00a0", " ");
  expect(text.split("\n")[0]).toBe(`## ${h1}`);
  expect(text).toContain("**Every limit is kept:** --max-good-blocked 0.5%, --min-caught 30%.");
  const blocked = counted(day.outcomes!.proposed, ["fraud", "chargeback"], ["block"])[0];
  expect(text).toMatch(new RegExp(String.raw`\| Fraud blocked<br>of \d+ \| \d+<br>[^|]* \| ${blocked}<br>`));
  expect(text).toMatch(/\| Change \| Good \| Fraud \|\n\| --- \| --- \| --- \|\n\| ✖ BLOCK → /);
  expect(text).toContain("### What is not known");
  expect(text.length).toBeLessThan(20_000);
  const unjudged = decisionMd({ ...day, outcomes: null });
  expect(unjudged).toMatch(/\| Change \| Payments \|\n\| --- \| --- \|\n\| ✖ BLOCK → /);
  expect(unjudged).not.toContain("Before and after");
});
