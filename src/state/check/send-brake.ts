// Stops a held key from sending repeatedly, and a send while a question is open; asks before one that may not be meant.

import { safe } from "#src/display/safe.ts";
import { formatMoney } from "#src/display/money.ts";
import type { Profile } from "#src/contract/records/profile.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import type { KeyName } from "#src/display/key-name.ts";
import type { Session } from "#src/state/session.ts";
import type { Checks } from "./checks.ts";

/** A held key is repeated after 250 to 660 ms, by default, and a verdict takes longer than that to read. */
export const PAUSE_MS = 700;
/** The slowest usual repetition is 90 ms apart; two presses by hand are further. */
const REPEAT_MS = 150;
/** A key pressed so soon after a prompt or a question has gone was meant for that. */
export const CLOSED_MS = 200;
/** On a live profile a second send within this time of the last outcome is asked about. */
export const HURRY_MS = 2_000;

/** Why nothing is sent while the 3-D Secure question stands: one row at 60 columns, a second would hide the question. */
export const questionStands = (keyName: KeyName): string =>
  `Answer the 3-D Secure question first: ${keyName("check.question.yes")}, ${keyName("check.question.no")} or ${keyName("check.question.later")}.`;

/** @param clock.now ms since the epoch */
export function createSendBrake(
  { profile, now }: { readonly profile: Profile; readonly now: () => Milliseconds },
  session: Pick<Session, "store" | "say" | "agree" | "keyName">,
  { store }: Pick<Checks, "store">,
) {
  const never = Number.NEGATIVE_INFINITY;
  let [pressedAt, endedAt, closedAt] = [never, never, never];
  store.subscribe((state, before) => {
    if (state.inFlight === null && before.inFlight !== null) endedAt = now();
  });
  session.store.subscribe(({ prompt, dialog }, before) => {
    if ((before.prompt ?? before.dialog) !== null && (prompt ?? dialog) === null) closedAt = now();
  });
  return {
    /**
     * Called for each press of a key that sends. Calls `send` at once, never, or after a question; where the user can act, a
     * toast says why not.
     * @param request what would be sent
     * @param doubts what is asked about first, a sentence each, safe; on a live profile a hurry is, too
     */
    async press(request: CheckRequest, send: () => void, doubts: readonly string[] = []) {
      const at = now();
      // Each repetition begins the pause again: over a line that stalls, a held key seems to be pressed again.
      const isRepeated =
        isWithin(at - pressedAt, endedAt === never ? REPEAT_MS : PAUSE_MS) ||
        isWithin(at - endedAt, PAUSE_MS);
      pressedAt = at;
      if (isRepeated || isWithin(at - closedAt, CLOSED_MS)) return;
      if (store.getState().question !== null) return session.say(questionStands(session.keyName), "note");
      const isLive = profile.environment === "LIVE";
      const isHurry = isLive && isWithin(at - endedAt, HURRY_MS);
      const ended = `The last check ended ${((at - endedAt) / 1_000).toFixed(1)} s ago.`;
      const asked = [...doubts, ...(isHurry ? [ended] : [])];
      if (asked.length === 0) return send();
      const payment = paymentText(request, profile);
      const agreed = await session.agree({
        text: `${asked.join(" ")} Send ${payment}, ${isLive ? "to LIVE, profile" : "on"} ${profile.name}?`,
        yes: "send it",
        isBeforeSending: true,
      });
      if (agreed) send();
      else session.say(`Not sent: ${payment}.`, "note");
    },
  };
}

export type SendBrake = ReturnType<typeof createSendBrake>;

function paymentText({ order_id, amount, currency }: CheckRequest, { amountUnit }: Profile): string {
  const order = order_id === undefined ? "a payment without an order id" : safe(order_id, { max: 60 });
  return `${order}, ${safe(formatMoney(amount, currency, amountUnit), { max: 40 })}`;
}

/** A clock that was set back says nothing about the last time. */
function isWithin(elapsed: Milliseconds, limit: Milliseconds): boolean {
  return elapsed >= 0 && elapsed < limit;
}
