// Pictures of the presenter's screen.

import { ENTER, type Lot, type Studio } from "../studio.ts";

/** The presenter's screen: from the choice of a deck to what came out of it. */
export async function captureDemo(lot: Lot): Promise<void> {
  const home = lot.homeOf("demo");
  const forward = async (studio: Studio, ...frames: readonly string[]): Promise<void> => {
    for (const frame of frames) {
      await studio.press(" ");
      await studio.until(frame);
    }
  };
  const cards = lot.open(home, "demo", ["demo"]);
  await cards.until("One card, many attempts");
  await cards.capture("choice");
  await cards.press(ENTER);
  await cards.until("Space begins");
  await cards.capture("title");
  await forward(cards, "step 1 of 6");
  await cards.capture("pass");
  await forward(cards, "step 2 of 6", "attempt 1 of 2", "attempt 2 of 2", "step 4 of 6");
  await cards.capture("3ds");
  await forward(cards, "step 5 of 6, attempt 1 of 2", "step 5 of 6, attempt 2 of 2");
  await cards.capture("block");
  await cards.press("n");
  await cards.capture("notes");
  await cards.press("n");
  await forward(cards, "step 6 of 6", "the end");
  await cards.capture("end");
  await cards.leave();

  const levels = lot.open(home, "demo", ["demo", "three-levels"]);
  await levels.until("Space begins");
  await forward(levels, "step 1 of 3", "step 2 of 3");
  await levels.capture("levels");
  await forward(levels, "step 3 of 3");
  await levels.capture("hard-rule");
  await levels.leave();
}
