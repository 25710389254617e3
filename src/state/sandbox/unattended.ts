// Plays a deck with nobody at the screen: time goes on as soon as what has changed is drawn.

import { Fault, whole } from "#src/contract/fault.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { VirtualTime } from "#src/state/timers.ts";
import type { DemoStage } from "./demo.ts";

/** What came out of the deck is shown as long as this. */
const LAST_MS: Milliseconds = 5_000;

/**
 * Resolves at the end of a deck that goes forward by itself.
 * @param time the timers of the deck
 * @param drawn resolves when what has changed is drawn
 * @throws Fault("sandbox") when it cannot go on
 */
export async function playUnattended(
  { store }: DemoStage,
  time: VirtualTime,
  drawn: () => Promise<void>,
): Promise<void> {
  for (;;) {
    const before = store.getState();
    await drawn();
    // What has changed meanwhile is drawn first, such as the title behind a day that was decided.
    if (store.getState() !== before) continue;
    const { opening, sending, failed } = before;
    if (failed !== null) throw new Fault("sandbox", whole(failed));
    if (opening || sending) await changed(store);
    else if (!time.next()) break;
  }
  time.pass(LAST_MS);
}

function changed({ subscribe }: DemoStage["store"]): Promise<void> {
  return new Promise((resolve) => {
    const stop = subscribe(() => {
      stop();
      resolve();
    });
  });
}
