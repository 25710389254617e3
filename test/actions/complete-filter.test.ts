// What is offered while a filter of the history is typed.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { completeFilter, isHalfTyped, wrongFilter } from "#src/actions/history/complete-filter.ts";
import { FILTER_FIELDS } from "#src/storage/database/history-filter.ts";

const NOW = Date.UTC(2026, 0, 2);

function offered(filter: string): string[] {
  return completeFilter(filter, NOW).candidates.map(({ label }) => label);
}

function taken(filter: string): string | undefined {
  return completeFilter(filter, NOW).candidates[0]?.text;
}

describe("what may be typed next", () => {
  it("is every field where nothing is typed, then those that begin so", () => {
    expect(offered("").map((label) => label.slice(0, -1))).toEqual(FILTER_FIELDS);
    expect(offered("-")).toEqual(offered(""));
    expect(offered("amount>1 o")).toEqual(["outcome:", "order:", "operation:"]);
    expect(taken("amount>1 -OR")).toBe("amount>1 -order:");
    expect(taken("am")).toBe("amount>");
  });

  it("is a value behind a field, and behind a whole one the next", () => {
    expect(offered("final:")).toEqual(["continue", "block", "3ds", "open", "none"]);
    expect(taken("amount>1 final:")).toBe("amount>1 final:continue");
    expect(taken("amount>1 final:continue")).toBe("amount>1 final:block");
    expect(taken("final:none")).toBe("final:continue");
    expect(taken("-final=BL")).toBe("-final=block");
    expect(offered("amount>10")).toEqual(["1000", "10000", "100000"]);
  });

  it("is a value and its field for a word that is no field", () => {
    expect(offered("blo")).toEqual(["verdict:block", "final:block"]);
    expect(offered("b")).toEqual(["bin:", "before:"]);
  });

  it("is what was probably meant where nothing begins so", () => {
    expect(taken("blok")).toBe("verdict:block");
    expect(taken("blcok")).toBe("verdict:block");
    expect(taken("since:2d -bloock")).toBe("since:2d -verdict:block");
    expect(taken("verdict:blokc")).toBe("verdict:block");
    expect(taken("vredict:pass")).toBe("verdict:pass");
    expect(taken("curency:UAH")).toBe("currency:UAH");
    expect(offered("o-88x5zb4")).toEqual([]);
    expect(offered("olena")).toEqual([]);
  });

  it("is nothing inside of quotes", () => {
    expect(offered('"a verd')).toEqual([]);
    expect(offered('"a" verd')).toEqual(["verdict:"]);
  });

  it("says what is wrong where nothing can be typed behind it, or further ahead", () => {
    const hint = (filter: string): string | null => completeFilter(filter, NOW).hint;
    expect(hint("")).toBeNull();
    expect(hint("verdict:")).toBeNull();
    expect(hint("verdict:bl")).toBeNull();
    expect(hint("verdict:blok")).toMatch(/^"blok" is not a valid verdict; use pass, block/);
    expect(hint("verdict:blok amount>1")).toMatch(/^"blok" is not a valid verdict/);
    expect(hint("amount>")).toBe("in the unit that was sent: 100000 is 1 000.00 UAH");
    expect(hint("amount>1000")).toBe("in the unit that was sent: 1000 is 10.00 UAH");
    expect(completeFilter("amount>1000", 0, "major").hint).toBe(
      "in the unit that was sent: 1000 is 1000 UAH",
    );
    expect(hint("amount>x")).toMatch(/is not a number/);
    expect(hint("email:")).toBe("the whole text in any case, * for anything");
    expect(hint('"open')).toBe("these quotes are not closed");
  });

  it("leads by Tab alone from any text to a filter that can be applied or goes on", () => {
    const piece = fc.constantFrom(
      ..."verdict final amount since order : = > < - * 3ds block blok 2d 100 x".split(" "),
      " ",
      '"',
      "\\",
      "🙂",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const typed = pieces.join("");
        for (const { label, text } of completeFilter(typed, NOW).candidates) {
          expect(label).toMatch(/^[a-z0-9_:>A-Z]+$/);
          expect(text).toMatch(/[:=<>]/);
          // It changes the last term alone.
          const head = /^(?:.*\s)?-?/s.exec(typed)![0];
          expect(text.startsWith(head)).toBe(true);
          const before = wrongFilter(head.replace(/-$/, ""), NOW);
          if (before === null && !/[><=]/.test(text.slice(head.length))) {
            expect(wrongFilter(text.endsWith(":") ? `${text}1d` : text, NOW)?.reason ?? "").not.toContain(
              "no field",
            );
          }
        }
      }),
    );
  });
});

it("is half typed as long as it may become a field", () => {
  for (const filter of ["v", "verdict", "amount>1 -si", "bin"]) expect(isHalfTyped(filter)).toBe(true);
  for (const filter of ["", "verdict ", "verdicts", "verdict:", "amount>1", "-", '"ver', "o-1"]) {
    expect(isHalfTyped(filter)).toBe(false);
  }
});
