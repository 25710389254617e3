// The words of everything that a person can meet: what a machine can tell of the rules that CONTRIBUTING.md names.

import { expect, it } from "vitest";
import { sentences, type Sentence } from "#src/build/sentences.ts";

/** Bent words, and what stands in their place. */
const BENT: Readonly<Record<string, RegExp>> = {
  "the noun again": /\b(?:that|those) of\b/i,
  'a default: "default 300"': /\bunless told\b/i,
  "what happens": /\bas well as\b/i,
  'a verb with "not" or "no"': /\bnone of\b/i,
  "people by what they do": /\b(?:whoever|whom|nobody|somebody)\b/i,
  "the things": /\bwhatever\b/i,
  again: /\banew\b/i,
  'a time: "while ..."': /\bmeanwhile\b/i,
};
const MOST_WORDS = 30;

const all = sentences();
const shown = ({ file, line }: Sentence, said: string): string => `${file}:${line}: ${said}`;

it("finds what a person meets: help, faults, labels, reasons of rules, what a speaker reads", () => {
  expect(all.length).toBeGreaterThan(5_000);
  const files = new Set(all.map(({ file }) => file.split("/").slice(0, 2).join("/")));
  expect([...files]).toEqual(
    expect.arrayContaining([
      "screens/history",
      "src/cli",
      "src/contract",
      "src/replay",
      "src/rules",
      "src/vault",
    ]),
  );
});

it.each(Object.entries(BENT))("says %s", (_instead, bent) => {
  expect(all.filter(({ text }) => bent.test(text)).map((each) => shown(each, each.text))).toEqual([]);
});

it(`has no sentence of more than ${MOST_WORDS} words`, () => {
  const long = all.flatMap((each) =>
    each.text
      .split(/(?<=[.;:?!]) /)
      .filter((sentence) => sentence.split(" ").length > MOST_WORDS)
      .map((sentence) => shown(each, sentence)),
  );
  expect(long).toEqual([]);
});
