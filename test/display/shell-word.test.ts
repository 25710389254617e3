// The judge of a shell word is a shell.

import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, it } from "vitest";
import { shellWord } from "#src/display/shell-word.ts";

const asBash = (word: string): string =>
  execFileSync("bash", ["--noprofile", "--norc", "-c", `printf %s ${word}`], {
    encoding: "utf8",
    env: { PATH: process.env["PATH"], LC_ALL: "C.UTF-8" },
  });

it.each([["demo-shop"], ["my shop ü"], ["it's"], ["a\u001b[31mred\u202e"], ["$(id)`id`;\\"], ["*"]])(
  "%j comes back",
  (value) => {
    expect(asBash(shellWord(value))).toBe(value);
  },
);

it("any text without NUL comes back, and the word itself hides nothing", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }), (value) => {
      fc.pre(!value.includes("\0"));
      const word = shellWord(value);
      expect(asBash(word)).toBe(value);
      expect(word).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    }),
    { numRuns: 60 },
  );
});
