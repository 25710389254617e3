// Waits on the way out for the answers to what was sent.

import type { Checks } from "#src/state/check/checks.ts";
import { endedWithin } from "./timers.ts";

/** How long leaving waits for answers that are under way: long enough for a service that answers at all. */
const LAST_ANSWERS_MS = 200;

/** Resolves soon: an answer that comes in time is kept; what hangs is cut with the network, and kept as unknown. */
export async function sendingEnded(
  checks: Checks,
  replay: Promise<void>,
  sweep: Promise<void>,
): Promise<void> {
  const inTime = (ending: Promise<void>): Promise<boolean> => endedWithin(LAST_ANSWERS_MS, ending);
  await Promise.all([checkEnded(checks), inTime(replay), inTime(sweep)]);
}

/** Resolves when no check is under way: what is known of it is on disk then. */
function checkEnded({ store }: Checks): Promise<void> {
  return new Promise((resolve) => {
    if (store.getState().inFlight === null) return resolve();
    const stop = store.subscribe(({ inFlight }) => {
      if (inFlight !== null) return;
      stop();
      resolve();
    });
  });
}
