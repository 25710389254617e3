// What keeps a held key from sending one payment after the other, and an open question from being passed over.

import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { keyName } from "#src/display/key-name.ts";
import type { Session } from "#src/state/session.ts";
import type { Checks } from "./checks.ts";

/** A held key is repeated after 250 to 660 ms, by default, and nobody reads a verdict faster. */
export const PAUSE_MS = 700;
/** The slowest usual repetition is 90 ms apart; two presses by hand are further. */
export const REPEAT_MS = 150;

export interface SendBrake {
  /** To be asked for each press of a key that sends: whether it may. Says why not where the user can do something about it. */
  press(): boolean;
}

/** Why nothing is sent while the 3-D Secure question stands. */
export const questionStands = (): string =>
  `The 3-D Secure question is open; answer it with ${keyName("check.question.yes", "y")} or ${keyName("check.question.no", "n")}, or put it off with ${keyName("check.question.later", "Esc")}.`;

export function createSendBrake(
  session: Pick<Session, "say">,
  { store }: Pick<Checks, "store">,
  now: () => Milliseconds,
): SendBrake {
  let [pressedAt, endedAt] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  store.subscribe((state, before) => {
    if (state.inFlight === null && before.inFlight !== null) endedAt = now();
  });
  return {
    press() {
      const at = now();
      const isRepeated = isWithin(at - pressedAt, REPEAT_MS) || isWithin(at - endedAt, PAUSE_MS);
      pressedAt = at;
      if (isRepeated) return false;
      if (store.getState().question === null) return true;
      session.say(questionStands(), "note");
      return false;
    },
  };
}

/** A clock that was set back says nothing about the last time. */
function isWithin(elapsed: Milliseconds, limit: Milliseconds): boolean {
  return elapsed >= 0 && elapsed < limit;
}
