// The law of an isolated replay over whole days.

import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import { backtested, dayFile, expectSame, replayed } from "./isolated-law.ts";
import { testHome, type TestHome } from "./verdict-process.ts";

/** Far more than it takes: where twenty others wanted the two cores, it was more than the ten minutes of every test. */
const LONG = 1_800_000;

function homeOfTest(): TestHome {
  const home = testHome();
  onTestFinished(() => home.remove());
  return home;
}

it.each(["all", "one"])(
  "gives 2,000 payments of a generated day the verdicts of a back-test at 1, 8 and 64 at once, of %s terminals",
  async (terminals) => {
    const home = homeOfTest();
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 1_000_000 }), async (seed) => {
        const day = dayFile(home, seed, 2_000, terminals);
        const backtest = await backtested(home, day);
        for (const concurrency of [1, 8, 64]) expectSame(await replayed(home, day, concurrency), backtest);
      }),
      { numRuns: 1 },
    );
  },
);

it(
  "gives 5,000 payments the verdicts of a back-test",
  async () => {
    const home = homeOfTest();
    const day = dayFile(home, 1, 5_000);
    expectSame(await replayed(home, day, 64), await backtested(home, day));
  },
  LONG,
);

it("gives five replays of a day one set of verdicts", async () => {
  const home = homeOfTest();
  const day = dayFile(home, 2, 400);
  const first = await replayed(home, day, 64);
  for (let again = 0; again < 4; again += 1) expect(await replayed(home, day, 64)).toEqual(first);
});
