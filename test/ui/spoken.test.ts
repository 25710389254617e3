// What a screen reader gets: lines without frames and signs, what is new among them, and verdicts as sentences.

import { describe, expect, it } from "vitest";
import type { CheckResult } from "#src/contract/wire/outcome.ts";
import { createListener, spokenLines, spokenVerdict } from "#src/ui/spoken.ts";
import { verdictMix } from "#src/display/verdict-mix.ts";
import { NO_OUTCOME, VERDICT_KINDS, verdictLabel, VERDICTS } from "#src/display/verdict.ts";

describe("the lines of a frame", () => {
  it.each([
    ["Compose          ", ["Compose"]],
    ["Selected:   amount  12000  120.00 UAH", ["Selected: amount, 12000, 120.00 UAH"]],
    ["█████░░░░  40 %", ["40 %"]],
    ["  a  , b   , c  ", ["a, b, c"]],
    ["The end.  And more…", ["The end. And more..."]],
    ["─────\n   \n ▁▂▃ \n", []],
    ["1,000 of 2,000", ["1,000 of 2,000"]],
  ])("%j", (frame, lines) => {
    expect(spokenLines(frame)).toEqual(lines);
  });

  it("keep what looks like a verdict in a text from outside", () => {
    expect(spokenLines("note ✔ 5 of mine")).toEqual(["note ✔ 5 of mine"]);
  });
});

describe("what is said of a frame", () => {
  const keys = "Enter send, ? help";

  it("is each line that was not there, as often as it was not, and each key once", () => {
    const hear = createListener();
    expect(hear(["a", "b", "b", keys].join("\n"))).toEqual(["a", "b", "b", keys]);
    expect(hear(["b", "a", "a", "c", `${keys}   i why`].join("\n"))).toEqual(["a", "c", "i why"]);
    expect(hear(["b", "a", "a", "c", keys].join("\n"))).toEqual([]);
  });

  it("is not that a line is no more selected", () => {
    const hear = createListener();
    hear(["Selected: Order id, o-1", "Amount, 12", keys].join("\n"));
    expect(hear(["Order id, o-1", "Selected: Amount, 12", keys].join("\n"))).toEqual([
      "Selected: Amount, 12",
    ]);
  });

  it("is not what merely ticks", () => {
    const hear = createListener();
    hear(["sending 0.1 s", "closes in 23 hours", "amount, 12", keys].join("\n"));
    expect(hear(["sending 1.2 s", "closes in 22 hours", "amount, 120", keys].join("\n"))).toEqual([
      "amount, 120",
    ]);
    expect(hear(["sending 1.2 s", "closes in less than a minute", "amount, 120", keys].join("\n"))).toEqual([
      "closes in less than a minute",
    ]);
  });

  it("is no second time what lies below a page that is closed, but what changed there, and what is selected", () => {
    const hear = createListener();
    const form = (amount: string): string =>
      ["SANDBOX, 1 Check", "Order id", amount, "Selected: Send", keys].join("\n");
    hear(form("12"));
    expect(hear(["SANDBOX, 1 Check", "one", "two", keys].join("\n"))).toEqual(["one", "two"]);
    expect(hear(form("13"))).toEqual(["13", "Selected: Send"]);
    expect(hear(["SANDBOX, 1 Check", "one", "two", keys].join("\n"))).toEqual(["one", "two"]);
    expect(hear(form("13"))).toEqual(["Selected: Send"]);
  });
});

describe("a verdict and a count in words", () => {
  it("have no sign", () => {
    for (const kind of VERDICT_KINDS) expect(verdictLabel(kind, "words")).toBe(VERDICTS[kind].word);
    const mix = verdictMix([["pass", 2]], 10, "words");
    expect(mix).toMatchObject([{ bar: "", label: "PASS 2" }]);
  });
});

describe("a verdict as a sentence", () => {
  const result = (change: Partial<CheckResult>): CheckResult =>
    ({
      outcome: "answered",
      recommendation: "block",
      message: "Too many\u001b[31m.",
      explanation: "",
      ...change,
    }) as CheckResult;

  it("says word, reaction and reason, whatever is in it", () => {
    expect(spokenVerdict({ result: result({}), explanation: null, finalAction: null })).toBe(
      `Verdict: block. ${VERDICTS.block.reaction} Reason: Too many\\x1b[31m.`,
    );
    expect(spokenVerdict({ result: null, explanation: null, finalAction: null })).toBe(
      `Verdict: unknown. ${VERDICTS.unknown.reaction} Reason: ${NO_OUTCOME}`,
    );
  });

  it("is another one for every kind", () => {
    const all = VERDICT_KINDS.map((kind) =>
      spokenVerdict({
        result: ["pass", "block", "3ds_or_block"].includes(kind)
          ? result({ recommendation: kind as "pass" })
          : kind === "unknown"
            ? null
            : result({ outcome: kind as "refused", recommendation: null }),
        explanation: null,
        finalAction: null,
      }),
    );
    expect(new Set(all).size).toBe(VERDICT_KINDS.length);
  });
});
