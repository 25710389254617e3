// State of the library, and what can be done with its selected payload: loading, editing and removing it.

import type { StoreApi } from "zustand/vanilla";
import { payloadText, savePayloadText, type PayloadText } from "#src/actions/check/edit-payload.ts";
import { paymentTemplates } from "#src/actions/check/payment-templates.ts";
import type { Context } from "#src/app/context.ts";
import { Fault } from "#src/contract/fault.ts";
import type { PayloadRow } from "#src/contract/records/saved-payload.ts";
import type { KeyName } from "#src/display/key-name.ts";
import { reportFaults } from "#src/state/report-faults.ts";
import type { Session } from "#src/state/session.ts";
import type { Composer } from "./composer.ts";

/** Which list is shown: saved payloads, or the templates of the program. */
export type Shelf = "saved" | "templates";

export interface LibraryState {
  /** It is shown over Check. */
  readonly open: boolean;
  readonly shelf: Shelf;
  /** What a template shows, by its name. */
  readonly about: ReadonlyMap<string, string>;
  /** All of them by name; null before they were read. */
  readonly rows: readonly PayloadRow[] | null;
  /** Those of `rows` that the search finds. */
  readonly found: readonly PayloadRow[];
  readonly search: string;
  /** Name of the selected one; null while nothing is found. */
  readonly selected: string | null;
}

/** The selected payload; null while nothing is found. */
export function selectedPayload({ found, selected }: LibraryState): PayloadRow | null {
  return found.find((row) => row.name === selected) ?? null;
}

/** Why a template can be neither edited nor removed. */
export const templateText = (keyName: KeyName): string =>
  `A template comes with the program; load it with ${keyName("library.load")}, and ${keyName("check.save")} saves it as yours.`;

/** @param library what is listed, and how to close it */
export function createLibraryActs(
  context: Context,
  session: Session,
  composer: Composer,
  library: { readonly store: StoreApi<LibraryState>; reload(): Promise<void>; close(): void },
) {
  const { reload, close } = library;
  const get = library.store.getState;
  /** What an editor gave back and could not be saved, by name: it is offered again. */
  const refused = new Map<string, string>();

  const take = async (before: PayloadText, text: string): Promise<void> => {
    const { name } = before;
    const saved = await reportFaults(
      session,
      async () => {
        try {
          return await savePayloadText(context, before, text);
        } catch (error) {
          if (error instanceof Fault) refused.set(name, text);
          throw error;
        }
      },
      (fault) => `${fault.message} ${session.keyName("library.edit")} opens what you wrote again.`,
    );
    if (saved === null) return;
    refused.delete(name);
    const warning = saved.warnings[0] === undefined ? "" : ` ${saved.warnings[0]}`;
    // The list shows what is said of it.
    await reload();
    if (saved.changed) session.say(`Payload "${name}" is saved.${warning}`, "done");
    else session.say("Nothing was changed.", "note");
  };

  const loadTemplate = (name: string): void => {
    const template = paymentTemplates(context.now()).find((each) => each.name === name);
    if (template === undefined) return;
    const { about, ...payload } = template;
    composer.loadPayload(payload);
    composer.freshOrder();
    close();
    session.say(
      `${about} Nothing is sent yet, and ${session.keyName("check.undoLoad")} restores the previous payment.`,
      "done",
    );
  };

  const loadNamed = async (name: string): Promise<void> => {
    const payload = await reportFaults(session, async () => (await context.payloads()).read(name));
    if (payload === null) return reload();
    const { request, expect, tags, warnings } = payload;
    composer.loadPayload({ name, request, expect, tags });
    close();
    const expecting = expect === null ? "" : `, expecting ${expect}`;
    session.say(
      `Payload "${name}" is loaded${expecting}; nothing is sent yet, and ${session.keyName("check.undoLoad")} restores the previous payment.${warnings.length > 0 ? ` ${warnings[0]}` : ""}`,
      "done",
    );
  };

  return {
    /** Loads the saved payload of this name into the composer and closes the library; a fault is shown as a toast. */
    loadNamed,
    /** The same for the selected payload. */
    async load() {
      const row = selectedPayload(get());
      if (row === null) return;
      if (row.problem !== null) return session.say(row.problem, "error");
      if (get().shelf === "templates") return loadTemplate(row.name);
      await loadNamed(row.name);
    },
    /** Opens the user's editor on the selected payload, also on one that cannot be read. */
    async edit() {
      const row = selectedPayload(get());
      if (row === null) return;
      if (get().shelf === "templates") return session.say(templateText(session.keyName), "note");
      const { name } = row;
      const before = await reportFaults(session, () => payloadText(context, name));
      if (before === null) return;
      session.edit({
        text: refused.get(name) ?? before.text,
        fileName: `${name}.json`,
        onText: (text) => void take(before, text),
      });
    },
    /** Removes the selected payload after a question. */
    async remove() {
      const row = selectedPayload(get());
      if (row === null) return;
      if (get().shelf === "templates") return session.say(templateText(session.keyName), "note");
      const agreed = await session.agree({
        text: `Checks that were made with the payload "${row.name}" stay in the history. Remove it for good?`,
        yes: "remove",
      });
      if (!agreed) return;
      const { name } = row;
      const gone = await reportFaults(session, async () => (await context.payloads()).remove(name));
      if (gone === null) return;
      refused.delete(name);
      await reload();
      session.say(gone ? `Payload "${name}" is removed.` : `Payload "${name}" was gone already.`, "done");
    },
  };
}
