// Says what became of the payments of chosen history entries, by their order ids.

import { findHistory } from "#src/actions/history/find-history.ts";
import type { Context } from "#src/app/context.ts";
import { orderIdProblem } from "#src/contract/fields/order-id.ts";
import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import { isLabel, LABEL_CHOICE, LABELS, type Label } from "#src/contract/records/label.ts";
import { counted, formatCount } from "#src/display/count.ts";
import { safe } from "#src/display/safe.ts";
import { reportFaults } from "#src/state/report-faults.ts";
import type { Session } from "#src/state/session.ts";
import { filterOf } from "./history-range.ts";

interface LabelChange {
  readonly labels: Awaited<ReturnType<Context["history"]>>["labels"];
  /** What counted before, of each order that was changed; undefined for none. */
  readonly before: ReadonlyMap<string, Label | undefined>;
  readonly undo: () => Promise<void>;
}

/** A payment, or the ids of a range. */
export type Chosen = Pick<HistoryEntry, "id" | "request"> | readonly string[];

const NO_ORDER_ID = "no order id, which a label needs, so no label can be set";

/**
 * Asks for a label, sets it as of now, and says what was known before.
 * @param labelled called when something else became of payments than what is shown
 */
export async function askLabel(
  context: Context,
  session: Session,
  chosen: Chosen,
  labelled: () => Promise<void>,
): Promise<void> {
  if ("id" in chosen && orderOf(chosen) === null) {
    return session.say(`This check has ${NO_ORDER_ID}.`, "note");
  }
  const line = await session.askUntil(
    {
      label: "id" in chosen ? "What became of it" : `What became of these ${formatCount(chosen.length)}`,
      placeholder: LABEL_CHOICE,
      complete: (text) => ({
        candidates: LABELS.filter((label) => label.startsWith(text)).map((label) => ({ label, text: label })),
        hint: null,
      }),
    },
    (text) =>
      text === "" || isLabel(text.toLowerCase())
        ? null
        : `"${safe(text.toLowerCase(), { max: 40 })}" is no label; write ${LABEL_CHOICE}.`,
  );
  const label = line?.toLowerCase() ?? "";
  if (!isLabel(label)) return;
  await reportFaults(session, async () => {
    await setLabel(context, session, chosen, label);
    await labelled();
  });
}

/**
 * Says that labels have changed, and by which key they are again as before.
 * @param before the labels that counted, by order
 */
export function sayChanged(session: Session, said: string, { labels, before, undo }: LabelChange): void {
  const takeBack = async (): Promise<void> => {
    const isBack = await reportFaults(session, async () => {
      await undo();
      const now = await labels.of([...before.keys()], null);
      const isAsBefore = [...before].every(([order, label]) => now.get(order) === label);
      if (isAsBefore) session.say("The labels are again as before.", "done");
      else
        session.say(
          "This is undone, and the labels are not as before: another session changed them.",
          "note",
        );
      return true;
    });
    // What a full disk refused can be tried again.
    if (isBack === null) session.offerUndo(takeBack);
  };
  session.offerUndo(takeBack);
  session.say(`${said} Press ${session.keyName("labels.undo")} to undo.`, "done");
}

/** Says what is known now and was before. */
async function setLabel(context: Context, session: Session, chosen: Chosen, label: Label): Promise<void> {
  const entries =
    "id" in chosen ? [chosen] : (await findHistory(context, filterOf(chosen), chosen.length)).entries;
  const orders = [...new Set(entries.flatMap((entry) => orderOf(entry) ?? []))];
  if (orders.length === 0) return session.say(`These checks have ${NO_ORDER_ID}.`, "note");
  const { labels } = await context.history();
  const before = await labels.of(orders, null);
  const given = orders.map((orderId) => ({ orderId, label, at: context.now() }));
  await labels.set(given);
  const known = [...before.values()];
  const counts = LABELS.map((each) => `${known.filter((was) => was === each).length} ${each}`);
  const without = entries.filter((entry) => orderOf(entry) === null).length;
  const [first, ...others] = orders;
  const were = others.length === 0 ? known : counts.filter((text) => !text.startsWith("0 "));
  const was = were.join(", ") || "none";
  const which = others.length === 0 ? `order ${safe(first!)}` : counted(orders.length, "order");
  const rest = without === 0 ? "" : ` ${counted(without, "check has", "checks have")} no order id.`;
  sayChanged(session, `Label of ${which}: ${label} (was ${was}).${rest}`, {
    labels,
    before: new Map(orders.map((order) => [order, before.get(order)])),
    undo: () => labels.withdraw(given),
  });
}

function orderOf({ request: { order_id: id } }: Pick<HistoryEntry, "request">): string | null {
  return id === undefined || orderIdProblem(id) !== null ? null : id;
}
