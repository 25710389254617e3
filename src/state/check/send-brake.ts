// Stops a held key from sending repeatedly, and a send while a question is open.

import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { KeyName } from "#src/display/key-name.ts";
import type { Session } from "#src/state/session.ts";
import type { Checks } from "./checks.ts";

/** A held key is repeated after 250 to 660 ms, by default, and a verdict takes longer than that to read. */
export const PAUSE_MS = 700;
/** The slowest usual repetition is 90 ms apart; two presses by hand are further. */
export const REPEAT_MS = 150;

export interface SendBrake {
  /** Called for each press of a key that sends. @returns whether it may; where the user can act, a toast says why not */
  press(): boolean;
}

/** Why nothing is sent while the 3-D Secure question stands. */
export const questionStands = (keyName: KeyName): string =>
  `The 3-D Secure question is open; answer it with ${keyName("check.question.yes")} or ${keyName("check.question.no")}, or put it off with ${keyName("check.question.later")}.`;

export function createSendBrake(
  session: Pick<Session, "say" | "keyName">,
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
      session.say(questionStands(session.keyName), "note");
      return false;
    },
  };
}

/** A clock that was set back says nothing about the last time. */
function isWithin(elapsed: Milliseconds, limit: Milliseconds): boolean {
  return elapsed >= 0 && elapsed < limit;
}
