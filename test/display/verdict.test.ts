import { describe, expect, test } from "vitest";
import { OUTCOMES } from "#src/contract/wire/outcome.ts";
import { RECOMMENDATIONS } from "#src/contract/wire/recommendation.ts";
import { SIGN } from "#src/display/sign.ts";
import { createStyle, ROLE_STYLE } from "#src/display/style.ts";
import {
  decidedByWords,
  ENVIRONMENT_ROLE,
  VERDICT_KINDS,
  VERDICTS,
  verdictKind,
  verdictLabel,
} from "#src/display/verdict.ts";

describe("the vocabulary", () => {
  test.each([
    ["pass", "✔ PASS", "+ PASS", "green"],
    ["block", "✖ BLOCK", "x BLOCK", "red"],
    ["3ds_or_block", "◆ 3DS", "* 3DS", "yellow"],
    ["unknown", "? UNKNOWN", "? UNKNOWN", "magenta"],
    ["indeterminate", "! NOT PASS", "! NOT PASS", "magenta"],
  ] as const)("%s is %s, in ASCII %s, in %s", (kind, label, ascii, color) => {
    expect(verdictLabel(kind, false)).toBe(label);
    expect(verdictLabel(kind, true)).toBe(ascii);
    expect(ROLE_STYLE[VERDICTS[kind].role].color).toBe(color);
  });

  test("tells every kind apart by its word and by each of its symbols", () => {
    for (const part of ["word", "symbol", "ascii"] as const) {
      expect(new Set(VERDICT_KINDS.map((kind) => VERDICTS[kind][part])).size).toBe(VERDICT_KINDS.length);
    }
    for (const kind of VERDICT_KINDS) {
      const { symbol, ascii, word, reaction } = VERDICTS[kind];
      expect(Array.from(symbol)).toHaveLength(1);
      expect(ascii).toMatch(/^[\x21-\x7e]$/);
      expect(word.length).toBeLessThanOrEqual(8);
      expect(reaction).toMatch(/^[A-Z].*[a-z]\.$/);
    }
  });

  test("says the reactions of the specification", () => {
    expect(VERDICTS.pass.reaction).toBe("Continue processing the transaction.");
    expect(VERDICTS.block.reaction).toBe("Block further processing of the transaction.");
    expect(VERDICTS["3ds_or_block"].reaction).toBe(
      "Send the transaction to 3-D Secure; if 3-D Secure cannot be forced, block further processing.",
    );
  });

  test("only a pass may look like a pass", () => {
    for (const kind of VERDICT_KINDS.filter((each) => each !== "pass")) {
      expect(VERDICTS[kind].role).not.toBe("pass");
      expect(ROLE_STYLE[VERDICTS[kind].role].color).not.toBe("green");
    }
  });
});

describe("the verdict of a result", () => {
  test("is the recommendation only when answered", () => {
    for (const recommendation of [...RECOMMENDATIONS, null]) {
      for (const outcome of OUTCOMES) {
        const expected = outcome !== "answered" ? outcome : (recommendation ?? "indeterminate");
        expect(verdictKind({ outcome, recommendation })).toBe(expected);
      }
    }
  });

  test("is unknown when no outcome was ever learnt", () => {
    expect(verdictKind(null)).toBe("unknown");
  });
});

describe("style", () => {
  test("paints by role with named colours", () => {
    const style = createStyle({ color: true, ascii: false });
    expect(style.paint("block", "BLOCK")).toBe("\u001b[1m\u001b[31mBLOCK\u001b[39m\u001b[22m");
    expect(style.paint("quiet", "x")).toBe("x");
    expect(style.paint("pass", "")).toBe("");
    expect(style.symbol(SIGN.ellipsis)).toBe("…");
  });

  test("adds nothing without colour, and nothing but ASCII when asked", () => {
    const style = createStyle({ color: false, ascii: true });
    for (const role of Object.keys(ROLE_STYLE) as (keyof typeof ROLE_STYLE)[]) {
      expect(style.paint(role, "word")).toBe("word");
    }
    for (const sign of Object.values(SIGN)) expect(style.symbol(sign)).toMatch(/^[\x21-\x7e]$/);
  });

  test("is not changed by the environment: that was decided before", () => {
    const before = process.env["NO_COLOR"];
    process.env["NO_COLOR"] = "1";
    try {
      expect(createStyle({ color: true, ascii: false }).paint("error", "x")).toBe("\u001b[31mx\u001b[39m");
    } finally {
      if (before === undefined) delete process.env["NO_COLOR"];
      else process.env["NO_COLOR"] = before;
    }
  });

  test("what decided is told in words, and what is not known stays readable and safe", () => {
    expect(decidedByWords("3ds_score")).toBe("the score");
    expect(decidedByWords("hard_block")).toBe("a blocking rule, regardless of the score");
    for (const hidden of ["_", "\u001b"]) {
      expect(decidedByWords("some_new\u001b[1m_way")).not.toContain(hidden);
    }
  });

  test("no role rests on blue", () => {
    expect(Object.values(ROLE_STYLE).some(({ color }) => color === "blue" || color === "blueBright")).toBe(
      false,
    );
    expect(new Set(Object.values(ENVIRONMENT_ROLE)).size).toBe(3);
  });
});
