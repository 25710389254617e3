// Keeps the form of a check over the end of the console, as far as it could be sent.

import type { Context } from "#src/app/context.ts";
import { setPath } from "#src/contract/fields/body-path.ts";
import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import { reportFaults } from "#src/state/report-faults.ts";
import type { Session } from "#src/state/session.ts";
import { afterTimeout, type After } from "#src/state/timers.ts";
import { isMadeOrder, type Composer } from "./composer.ts";
import { textWithoutOrder, type Composition } from "./draft.ts";

/** Nothing is written before the form has stood still for as long. */
const CALM_MS = 1_000;

export function createDraftKeeping(
  context: Context,
  session: Session,
  composer: Composer,
  after: After = afterTimeout,
) {
  const { name, environment } = context.profile;
  const begun = composer.store.getState();
  let cancel: (() => void) | null = null;

  /** What may lie on a disk: nothing that the form does not accept. An order id that was made here, or sent, is used up. */
  const textOf = (): string => {
    const { payload, sent } = composer.store.getState();
    const { order_id: order = "", ...rest } = composer.toRequest();
    const request =
      isMadeOrder(order) || order === sent?.orderId ? rest : setPath(rest, "order_id", order || undefined);
    return JSON.stringify(payload === null ? request : { ...payload, request });
  };

  const write = async (): Promise<void> => {
    cancel?.();
    cancel = null;
    const isBegun = touched(composer, begun) === null;
    // One from another profile is asked about before it is sent, which the next start would not know.
    const isForeign = environment !== "SANDBOX" && composer.store.getState().origin !== null;
    if (!isBegun && !isForeign && composer.draft().blocked !== null) return;
    const text = textOf();
    // A convenience: a disk that is full or cannot be written is reported where something is lost by it.
    await context
      .drafts()
      .then((drafts) =>
        drafts.update((all) => void (isBegun || isForeign ? delete all[name] : (all[name] = text))),
      )
      .catch(() => undefined);
  };

  const stop = composer.store.subscribe(({ fields }, before) => {
    if (fields === before.fields) return;
    cancel?.();
    cancel = after(CALM_MS, () => void write());
  });

  /** False where it is another payment. */
  const goOnWith = (lost: HistoryEntry | null): boolean => {
    const isSame = lost !== null && textWithoutOrder(composer.toRequest()) === textWithoutOrder(lost.request);
    if (!isSame) return false;
    const { before } = composer.store.getState();
    composer.loadRequest(lost.request, { from: lost.id, repeats: lost.id });
    composer.store.setState({ before });
    return true;
  };

  return {
    /**
     * Brings back what was left in this profile. Never rejects for a fault, with a toast.
     * @param lost the last check, where it got no verdict: the same payment keeps its order id, and is another attempt
     */
    async restore(lost: HistoryEntry | null = null) {
      const text = await reportFaults(session, async () => (await (await context.drafts()).read())[name]);
      if (text == null) return void goOnWith(lost);
      // A key that was typed ahead sends nothing that counts, and what was typed ahead stays.
      const waits = environment === "LIVE" || touched(composer, begun) !== null;
      const key = session.keyName("check.undoLoad");
      const done = waits
        ? `The payment of the last session is kept; ${key} brings it back.`
        : `The form has the payment of the last session; ${key} starts a new payment.`;
      const now = composer.store.getState();
      if (!composer.takeDraft(text, done)) return;
      if (!goOnWith(lost) && composer.toRequest().order_id === undefined) composer.freshOrder();
      if (waits) composer.store.setState((left) => ({ ...now, before: left }));
    },
    /** Keeps what is not yet; never rejects. */
    async end() {
      stop();
      if (cancel !== null) await write();
    },
  };
}

/** The composition, unless it is what the composer began with; an order id that was made here changes by itself. */
export function touched(composer: Composer, begun: Composition): Composition | null {
  const texts = ({ fields }: Composition): string =>
    JSON.stringify(Object.entries(fields).map(([, { text }]) => (isMadeOrder(text) ? "" : text)));
  const { fields, base, sent, payload, origin } = composer.store.getState();
  const now = { fields, base, sent, payload, origin };
  return texts(now) === texts(begun) ? null : now;
}
