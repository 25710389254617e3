// Answers of the terminal are found in any pieces, and never become text or keys; what is typed is never lost.

import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { askColors } from "#src/terminal/color-question.ts";

const OTHERS = [0, 1, 6, 7, 15].map((number) => `\u001b]4;${number};rgb:00/cd/cd\u0007`).join("");
const GRAY = "\u001b]4;8;rgb:7f7f/7f7f/7f7f";
const GROUND = "\u001b]11;rgb:00/00/00";
const ENDS = ["\u0007", "\u001b\\"] as const;

const ask = () => askColors({ write: () => true });

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "setImmediate"] }));
afterEach(() => void vi.useRealTimers());

describe("the question for colours", () => {
  it("is written at once, and answered by all of them", async () => {
    const write = vi.fn();
    const asked = askColors({ write });
    const numbers = ["4;0", "4;1", "4;6", "4;7", "4;8", "4;15", "11"];
    expect(write.mock.calls).toEqual([[numbers.map((number) => `\u001b]${number};?\u0007`).join("")]]);
    expect(asked.typed(`a${GRAY}\u0007b${OTHERS}${GROUND}\u001b\\c`)).toBe("abc");
    const told = await asked.colors;
    expect(told!.whiteBright[0]).toBe(0);
    expect(told!.gray[0]).toBeCloseTo(0.5, 2);
    expect(told!.ground).toEqual([0, 0, 0]);
    expect(asked.typed("\u001b]11;")).toBe("\u001b]11;");
  });

  it("waits 100 ms, and then what comes late is no answer and no text either", async () => {
    const asked = ask();
    expect(asked.typed(`${OTHERS}${GRAY}\u0007`)).toBe("");
    await vi.advanceTimersByTimeAsync(101);
    expect(asked.typed(`${GROUND}\u0007x`)).toBe("x");
    expect(await asked.colors).toBeNull();
  });

  it.each(["\u001b]11;?\u0007", "\u001b]11;rgb:1", "\u001b]4;8;rgb:/\u0007"])(
    "takes %j for no answer, and gives none of it to the keys",
    async (broken) => {
      const asked = ask();
      expect(asked.typed(`${OTHERS}${GRAY}\u0007`)).toBe("");
      expect(asked.typed(broken)).not.toMatch(/rgb|11/);
      expect(asked.typed("q")).toMatch(/q$/);
      await vi.advanceTimersByTimeAsync(101);
      expect(await asked.colors).toBeNull();
    },
  );

  it("gives exactly what is typed, however answers and keys are cut into pieces", () => {
    const key = fc.constantFrom(
      "a",
      "1",
      "]",
      ";",
      "\u001b",
      "\u001b[A",
      "\r",
      "rgb",
      "Ж",
      "\u001b]x",
      "4;8",
    );
    const keys = fc.array(key).map((all) => all.join(""));
    fc.assert(
      fc.property(
        fc.tuple(keys, keys, keys),
        fc.constantFrom(...ENDS),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
        ([before, between, after], end, sizes) => {
          // An Esc right before an answer, or an answer begun by hand, is nothing that a terminal sends.
          fc.pre(!`${before} ${between} ${after}`.match(/\](?:[14]|$|(?= ))/));
          fc.pre(![before, between].some((each) => each.endsWith("\u001b")));
          const input = `${before}${OTHERS}${GRAY}${end}${between}${GROUND}${end}${after}`;
          const asked = ask();
          let typed = "";
          let at = 0;
          for (let piece = 0; at < input.length; piece += 1) {
            const size = sizes[piece % sizes.length]!;
            typed += asked.typed(input.slice(at, at + size));
            at += size;
          }
          // An Esc of an answer that came alone is a key that destroys nothing, and no text.
          const withoutEsc = (text: string): string => text.replaceAll("\u001b", "");
          expect(withoutEsc(typed)).toBe(withoutEsc(`${before}${between}${after}`));
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
