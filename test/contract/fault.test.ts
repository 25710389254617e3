// Sentences of faults: nothing from outside reaches one unescaped, whatever its code.

import fc from "fast-check";
import { expect, it } from "vitest";
import * as faults from "#src/contract/fault.ts";
import { hasHiddenCharacter } from "#src/contract/text/escape-text.ts";

const { Fault, noSuch, sentence, whole, ...tags } = faults;
const TAGS = Object.entries(tags).filter(([name]) => name !== "Sentence") as [string, typeof faults.usage][];
const anyText = fc.string({ unit: "binary", maxLength: 300 });

it.each(TAGS)("%s escapes and cuts each value", (_, tag) => {
  fc.assert(
    fc.property(anyText, fc.integer(), (text, number) => {
      const { message } = tag`The name "${text}" is taken ${number} times.`;
      expect(hasHiddenCharacter(message)).toBe(false);
      expect(message).toContain(` is taken ${number} times.`);
      expect(Array.from(message).length).toBeLessThanOrEqual(
        200 + `The name "" is taken ${number} times.`.length,
      );
    }),
  );
});

it("cuts no text of its own, and keeps its lines", () => {
  const long = `${"word ".repeat(100)}\nsecond line\u202e`;
  expect(faults.badInput`${whole(long)}.`.message).toBe(`${"word ".repeat(100)}\nsecond line\\u202e.`);
  expect(String(sentence`${whole(long)}`)).toContain("\nsecond line\\u202e");
});

it("keeps code and cause", () => {
  const cause = new Error("ENOSPC");
  const fault = faults.storage`The disk is full.`.causedBy(cause);
  expect(fault).toBeInstanceOf(Fault);
  expect(fault).toMatchObject({ code: "storage", message: "The disk is full.", cause });
});

it("names what is not there, and the command that shows what there is", () => {
  const { code, message } = noSuch("run", "a\u0007b", "verdict run list");
  expect(code).toBe("usage");
  expect(message).toBe('There is no run "a\\x07b"; "verdict run list" shows the runs there are.');
});
