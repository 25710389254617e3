// The placeholders of the user's own commands: what a program gets is exactly what a check holds, argument by argument.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  fillArgument,
  ownVariables,
  PLACEHOLDERS,
  placeholdersIn,
} from "#src/contract/records/own-command.ts";
import { SANDBOX_PROFILE, type Profile } from "#src/contract/records/profile.ts";
import { answer, intent } from "../storage/entries.ts";

const profile: Profile = { ...SANDBOX_PROFILE, baseUrl: "https://check.example" };
const entryOf = (order: string) => intent("e1", { request: { order_id: order, amount: 0, currency: 980 } });

/** What an operating system passes on unchanged. */
const value = fc
  .string({ minLength: 1, unit: "grapheme" })
  .filter((text) => !/\p{Cc}/u.test(text) && text.isWellFormed());
const literal = fc.string({
  unit: fc.constantFrom("{{", "}}", "a", " ", "$", "`", "'", '"', ";", "\\", "-"),
});
const single = (written: string): string => written.replaceAll("{{", "{").replaceAll("}}", "}");

describe("an argument", () => {
  it("is one argument with the exact values in it, which are never read again", () => {
    fc.assert(
      fc.property(value, literal, literal, (order, before, behind) => {
        const subject = { entry: entryOf(order), profile };
        const written = `=${before}{order_id}${behind}{order_id}`;
        expect(fillArgument(written, subject)).toBe(`=${single(before)}${order}${single(behind)}${order}`);
      }),
      {
        examples: [
          ["{id}", "", ""],
          ["$& {{}} $1", "{{", "}}"],
          ['"; rm -rf ~ #', "", " "],
          ["-f", "", ""],
        ],
      },
    );
  });

  it("is the value alone where that cannot be an option", () => {
    fc.assert(
      fc.property(value, (order) => {
        const fill = (): string => fillArgument("{order_id}", { entry: entryOf(order), profile });
        if (order.startsWith("-")) expect(fill).toThrow(/begins with "-"/);
        else expect(fill()).toBe(order);
      }),
    );
  });

  it.each(["a\0b", "a\nb", "\u001b[2J", "\u0085", "\ud800"])("refuses the value %j", (order) => {
    expect(() => fillArgument("x{order_id}", { entry: entryOf(order), profile })).toThrow(
      /control character/,
    );
  });

  it("is a variable as well, with the exact value, without what is missing or no program may be given", () => {
    const order = "-$(touch x); '";
    expect(ownVariables({ entry: entryOf(order), profile })).toMatchObject({
      VERDICT_ID: "e1",
      VERDICT_ORDER_ID: order,
      VERDICT_AMOUNT: "0",
      VERDICT_CURRENCY: "980",
      VERDICT_PROJECT: expect.any(String),
      VERDICT_PROFILE: expect.any(String),
    });
    expect(ownVariables({ entry: entryOf("a\0b"), profile })).not.toHaveProperty("VERDICT_ORDER_ID");
  });

  it("has every value of an entry, and says which one is missing", () => {
    const entry = intent("e1", {
      result: answer({ decisionId: "d-1", recommendation: "pass" }),
      finalAction: "continue",
    });
    const filled = Object.keys(PLACEHOLDERS).map((name) => fillArgument(`{${name}}`, { entry, profile }));
    expect(filled.join(" ")).toBe(
      "e1 A-e1 d-1 merchant-7/medium payment 12000 980 pass continue sandbox https://check.example",
    );
    expect(fillArgument("{amount}", { entry: entryOf("o"), profile })).toBe("0");
    for (const name of Object.keys(PLACEHOLDERS).filter((each) => !["profile", "base_url"].includes(each)))
      expect(() => fillArgument(`{${name}}`, { entry: null, profile })).toThrow(
        `There is no {${name}} here.`,
      );
    const elsewhere = { entry: { ...entry, profile: "other" }, profile };
    expect(fillArgument("{profile}", elsewhere)).toBe("other");
    expect(() => fillArgument("{base_url}", elsewhere)).toThrow("There is no {base_url} here.");
  });

  it("tells doubled braces from placeholders and from braces too many", () => {
    expect(placeholdersIn("{{id}} {id} {no} {} { }")).toEqual(["id", "no", "", " "]);
    expect(placeholdersIn("{{{id}}} {")).toEqual(["id", "{"]);
  });
});
