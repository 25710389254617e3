// Actions on one history entry: edit its note, save it as a payload, load it into the composer.

import type { Context } from "#src/app/context.ts";
import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import { safe } from "#src/display/safe.ts";
import { FINAL_ACTION, verdictKind } from "#src/display/verdict.ts";
import { forceQuestion, isOpen } from "#src/state/check/checks-state.ts";
import type { Composer } from "#src/state/check/composer.ts";
import { askToSave, proposedName } from "#src/state/check/payload-saving.ts";
import { takeProject } from "#src/state/register/project-switch.ts";
import { problemIn, reportFaults } from "#src/state/report-faults.ts";
import type { Session } from "#src/state/session.ts";
import { askLabel } from "./history-labels.ts";
import { askToSaveRange } from "./history-saving.ts";

export interface HistoryActsOptions {
  /** The entry that is acted on; null for none. */
  readonly chosen: () => HistoryEntry | null;
  /** Ids of the selected entries; null for no range. */
  readonly range: () => readonly string[] | null;
  /** Entries have another note, label or final action than what is shown. */
  readonly changed: () => Promise<void>;
}

export function createHistoryActs(
  context: Context,
  session: Session,
  composer: Pick<Composer, "loadRequest" | "freshOrder">,
  { chosen, range, changed }: HistoryActsOptions,
) {
  const annotate = async (entry: HistoryEntry, text: string): Promise<void> => {
    const note = text === "" ? null : text;
    if (note === entry.note) return;
    await (await context.history()).annotate(entry.id, note);
    session.say(note === null ? "The note is removed." : "The note is saved.", "done");
    await changed();
  };

  return {
    /** Asks for the note of the chosen entry; an empty one removes it. */
    async askNote() {
      const entry = chosen();
      if (entry === null) return;
      await session.askUntil(
        { label: "Note", initial: entry.note ?? "", placeholder: "empty removes the note" },
        (text) => problemIn(() => annotate(entry, text)),
      );
    },
    /** Asks what became of the payment of the chosen entry, or of those of the range. */
    async askLabel() {
      const which = range() ?? chosen();
      if (which !== null) await askLabel(context, session, which, changed);
    },
    async undo() {
      await session.undo();
      await changed();
    },
    /** Asks whether 3-D Secure can be forced for the chosen entry, which is open. */
    async decide() {
      const entry = chosen();
      if (entry === null) return;
      const text = forceQuestion(entry, session.store.getState().project);
      const canForce = await session.choose({ text, yes: "yes, send to 3-D Secure", no: "no, block" });
      if (canForce === null) return;
      await reportFaults(session, async () => {
        const history = await context.history();
        // Another console may have answered meanwhile.
        const now = await history.find(entry.id);
        if (now !== null && isOpen(now)) {
          const action = canForce ? "3ds" : "block";
          await history.decide(entry.id, action);
          // A filter may list it no more.
          const { order_id: order } = entry.request;
          const which = order === undefined ? "without an id" : safe(order, { max: 80 });
          session.say(`Order ${which}: ${FINAL_ACTION[action]}`, "done");
        }
        await changed();
      });
    },
    /** Saves the requests of the range, or asks for name, expected verdict and tags of the chosen one; asks before overwriting. */
    async askPayloadName() {
      const selected = range();
      if (selected !== null) return askToSaveRange(context, session, selected);
      const entry = chosen();
      if (entry === null) return;
      await askToSave(context, session, {
        name: proposedName(entry.request.order_id ?? ""),
        // The verdict it got, so that a change of it is noticed.
        expect: entry.result?.recommendation ?? null,
        tags: [],
        request: entry.request,
      });
    },
    /** Loads the chosen request into the composer and goes there. */
    async resend() {
      const entry = chosen();
      if (entry === null) return;
      if (entry.profile !== context.profile.name) {
        // Another service knows nothing of it: here it is a payment of its own, with an order id of its own.
        composer.loadRequest(entry.request, { from: null, profile: entry.profile });
        composer.freshOrder();
        session.go("check");
        session.say(
          `Loaded from the profile ${entry.profile}, with a fresh order id; nothing is sent yet.`,
          "note",
        );
        return;
      }
      // What is sent again belongs where it was sent before.
      const changed = await takeProject(session, entry.project);
      if (changed === null) return;
      // Where no verdict came, sending it unchanged is attempt 2 of the same payment.
      const open = entry.result?.outcome !== "answered";
      composer.loadRequest(entry.request, { from: entry.id, repeats: open ? entry.id : null });
      session.go("check");
      const loaded =
        verdictKind(entry.result) === "unknown"
          ? "Loaded as attempt 2: the outcome of the first is unknown, and it may have arrived."
          : "Loaded into the composer; nothing is sent yet.";
      session.say(changed ? `${loaded} The project is ${entry.project} now.` : loaded, "note");
    },
  };
}
