// Finding payloads by words, and what may be typed for a verdict and for tags.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  EXPECTATIONS,
  expectationWord,
  payloadSearch,
  payloadTagsProblem,
  readExpectation,
  readTags,
  type PayloadRow,
} from "#src/contract/records/saved-payload.ts";

const ROW: PayloadRow = {
  name: "repeat-buyer",
  expect: "3ds_or_block",
  tags: ["Risky", "eu/ua"],
  orderId: "o-1042",
  amount: 1,
  currency: 980,
  modifiedAt: 0,
  problem: null,
};

describe("searching payloads", () => {
  it.each([
    ["", true],
    ["  ", true],
    ["BUYER", true],
    ["1042", true],
    ["3ds", true],
    ["risk", true],
    ["buyer risky", true],
    ["buyer calm", false],
    ["tag:risky", true],
    ["tag:EU/UA buyer", true],
    ["tag:risk", false],
    ["tag:buyer", false],
    ["980", false],
  ])("%j: %s", (search, found) => {
    expect(payloadSearch(search)(ROW)).toBe(found);
  });

  it("finds every payload by any part of its name", () => {
    fc.assert(
      fc.property(fc.nat(ROW.name.length - 1), fc.nat(ROW.name.length), (from, to) =>
        payloadSearch(ROW.name.slice(Math.min(from, to), Math.max(from, to)))(ROW),
      ),
    );
  });
});

describe("what is typed", () => {
  it("is an expected verdict, or the beginning of one", () => {
    for (const word of EXPECTATIONS) {
      for (let length = 1; length <= word.length; length += 1) {
        const read = readExpectation(` ${word.slice(0, length).toUpperCase()} `);
        expect(read === undefined ? undefined : expectationWord(read)).toBe(word);
      }
    }
    expect(readExpectation("")).toBeNull();
    expect(readExpectation("passed")).toBeUndefined();
    expect(readExpectation("green")).toBeUndefined();
  });

  it("is tags with blanks or commas between them, each once", () => {
    expect(readTags(" a, b b\tc,, ")).toEqual(["a", "b", "c"]);
    expect(payloadTagsProblem(["a", "ünter", "x/y-z_1.2"])).toBeNull();
    expect(payloadTagsProblem(Array.from({ length: 21 }, (_, at) => `t${at}`))).toMatch(/at most 20/);
    fc.assert(
      fc.property(fc.string(), (text) => readTags(text).every((tag) => tag !== "" && !/[\s,]/.test(tag))),
    );
  });
});
