// What a screen reader gets: lines without frames and signs, what is new among them, and verdicts as sentences.

import { describe, expect, it } from "vitest";
import type { CheckResult } from "#src/contract/wire/outcome.ts";
import { MARKS_LEGEND } from "#src/display/marks.ts";
import { newLines, spokenLines, spokenVerdict } from "#src/display/spoken.ts";
import { VERDICT_KINDS, VERDICTS } from "#src/display/verdict.ts";

describe("the lines of a frame", () => {
  it.each([
    ["─ Compose ──────────┬─ History ─── 3 of 128 ─", ["Compose, History, 3 of 128"]],
    ["›amount      12000      120.00 UAH", ["Selected: amount, 12000, 120.00 UAH"]],
    ["›[ Send check ]", ["Selected: button Send check"]],
    [" 12:04:11 ✖ BLOCK   400.00 EUR o-1039  97 ms", ["12:04:11 BLOCK, 400.00 EUR o-1039, 97 ms"]],
    [" ✖ The vault is locked.", ["Error: The vault is locked."]],
    [" Enter send · Tab next · ? help   q quit", ["Enter send, Tab next, ? help, q quit"]],
    ["█████░░░░ 40 %", ["40 %"]],
    ["│ kind │ for       │", ["kind, for"]],
    [" amount  120│00 ", ["amount, 12000"]],
    [" All 3     ✔✔✔✔✖ ✔ 2 ✖ 1", ["All 3, PASS 2 BLOCK 1"]],
    [` ${MARKS_LEGEND}`, []],
    [" ? 3-D Secure open", ["? 3-D Secure open"]],
    ["›[ Send check ] ✖ disabled", ["Selected: button Send check, error: disabled"]],
    ["─────\n   \n│\n", []],
    [
      "›12:04:11 ◆ 3DS ? 2xn 12 000.00 UAH",
      ["Selected: 12:04:11 3DS 3-D Secure open attempt 2, has a note 12 000.00 UAH"],
    ],
    [
      " 12:04:11  ◆ 3DS     120.00 UAH o-1  n=",
      ["12:04:11, 3DS, 120.00 UAH o-1, has a note, 3-D Secure decided"],
    ],
    [" i why · ? help", ["i why, ? help"]],
    ["pass → block, and more…", ["pass to block, and more..."]],
  ])("%j", (frame, lines) => {
    expect(spokenLines(frame)).toEqual(lines);
  });
});

describe("what is new", () => {
  it("is each line that was not there, as often as it was not", () => {
    expect(newLines(["a", "b"], ["b", "a", "a", "c"])).toEqual(["a", "c"]);
  });

  it("is not that a line is no more selected, and of the keys only those that did not work before", () => {
    const before = ["Selected: Order id, o-1", "Amount, 12", "Enter send, ? help"];
    const after = ["Order id, o-1", "Selected: Amount, 12", "Enter send, i why, ? help"];
    expect(newLines(before, after)).toEqual(["Selected: Amount, 12", "i why"]);
    expect(newLines(after, after)).toEqual([]);
  });

  it("is not what merely ticks", () => {
    expect(
      newLines(["closes in 23:57:12", "sending 0.1 s"], ["closes in 23:57:11", "sending 1.2 s"]),
    ).toEqual([]);
    expect(newLines(["amount, 12", ""], ["amount, 120", ""])).toEqual(["amount, 120"]);
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
    expect(spokenVerdict({ result: result({}), explanation: null })).toBe(
      `Verdict: block. ${VERDICTS.block.reaction} Reason: Too many\\x1b[31m.`,
    );
    expect(spokenVerdict({ result: null, explanation: null })).toBe(
      `Verdict: unknown. ${VERDICTS.unknown.reaction}`,
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
      }),
    );
    expect(new Set(all).size).toBe(VERDICT_KINDS.length);
  });
});
