// The dividers between the panes of each screen, where the user has put them; kept for the next start.

import type { Context } from "#src/app/context.ts";
import type { Session } from "./session.ts";

/** Columns of one step. */
const STEP = 4;

export function createDividers(context: Context, session: Session) {
  /** One after the other: the last place is the one that stays. */
  let writing: Promise<unknown> = Promise.resolve();
  return {
    /** A convenience: the doctor reports a damaged file. Never rejects. */
    async load(): Promise<void> {
      const kept = await context
        .dividers()
        .then((memory) => memory.all())
        .catch(() => ({}));
      // What was moved in the meantime stands.
      session.setDividers({ ...kept, ...session.store.getState().dividers });
    },
    /** Moves the divider of the open screen. @param most columns to either side */
    move(direction: 1 | -1, most: number) {
      const { screen, dividers } = session.store.getState();
      const right = Math.min(most, Math.max(-most, (dividers[screen] ?? 0) + direction * STEP));
      session.setDividers({ ...dividers, [screen]: right });
      writing = writing
        .then(() => context.dividers())
        .then((memory) => memory.remember(screen, right))
        .catch(() => undefined);
    },
    /** Once the last place is written. */
    end: () => writing,
  };
}
