// Counts in plain words: every count that the starter rules read, and whatever else comes.

import { expect, it } from "vitest";
import { countWords, windowWords } from "#src/contract/text/count-words.ts";
import { COUNTER_KEYS } from "#src/rules/counters/counter-keys.ts";
import { loadStarter } from "../rules/sample.ts";

it("has words for every key, and for every count of the starter rules", async () => {
  const { rules } = await loadStarter();
  const read = rules.flatMap(({ counters }) => counters.map(({ key }) => key));
  expect(read).not.toEqual([]);
  for (const key of [...COUNTER_KEYS, ...read]) expect(countWords(key)).not.toMatch(/_| per |^\w+$/);
});

it.each([
  ["card", "attempts with this card"],
  ["charge per order", "ways to pay this order"],
  ["spent per payer", "EUR by this payer"],
  ["tiny amounts per ip or payer", "tiny amounts from this address or by this payer"],
  ["card per shop", "card per shop"],
  ["constructor", "constructor"],
])("says %s as %s", (key, words) => {
  expect(countWords(key)).toBe(words);
});

it("says windows as people do", () => {
  expect(["90m", "1h", "30d", "1d", "a while"].map(windowWords)).toEqual([
    "90 min",
    "1 h",
    "30 days",
    "1 day",
    "a while",
  ]);
});
