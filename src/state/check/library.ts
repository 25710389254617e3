// The library: the saved payloads, and templates to begin with, as a list that is searched, and what can be done with the one
// that is selected.

import { createStore, type StoreApi } from "zustand/vanilla";
import { payloadText, savePayloadText, type PayloadText } from "#src/actions/check/edit-payload.ts";
import { paymentTemplates, type PaymentTemplate } from "#src/actions/check/payment-templates.ts";
import type { Context } from "#src/app/context.ts";
import { Fault } from "#src/contract/fault.ts";
import { payloadSearch, type PayloadRow } from "#src/contract/records/saved-payload.ts";
import { keyName } from "#src/display/key-name.ts";
import { guarded } from "#src/state/guarded.ts";
import type { Session } from "#src/state/session.ts";
import type { Composer } from "./composer.ts";

/** What is listed: what was saved, or what comes with the program. */
export type Shelf = "saved" | "templates";

export interface LibraryState {
  /** It lies over Check. */
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
  /** Their folder; null before they were read. */
  readonly dir: string | null;
}

export interface Library {
  readonly store: StoreApi<LibraryState>;
  /** Opens it and reads what is there now; the saved payloads unless told. */
  open(shelf?: Shelf): void;
  /** The other shelf. */
  turn(): void;
  close(): void;
  /** Reads again what is there. Never rejects. */
  reload(): Promise<void>;
  select(move: number | "first" | "last"): void;
  /** Asks for a search, which is applied as it is typed; Esc brings back the one before. */
  askSearch(): void;
  /** Takes back the search. */
  showAll(): void;
  /** Loads the selected payload into the composer and closes the library; what cannot be read is said. */
  load(): Promise<void>;
  /** Opens the user's editor on the selected payload, also on one that cannot be read. */
  edit(): Promise<void>;
  /** Removes the selected payload after a question. */
  remove(): void;
}

/** Why a template can be neither edited nor removed. */
export const templateText = (): string =>
  `A template comes with the program; load it with ${keyName("library.load", "Enter")}, and ${keyName("check.save", "s")} saves it as yours.`;

/** The selected payload; null while nothing is found. */
export function selectedPayload({ found, selected }: LibraryState): PayloadRow | null {
  return found.find((row) => row.name === selected) ?? null;
}

/** The verbs never reject: what fails is said. */
export function createLibrary(context: Context, session: Session, composer: Composer): Library {
  const store = createStore<LibraryState>(() => ({
    open: false,
    shelf: "saved",
    about: new Map(),
    rows: null,
    found: [],
    search: "",
    selected: null,
    dir: null,
  }));
  const get = store.getState;
  const hasTemplates = context.profile.environment !== "LIVE";
  /** What an editor gave back and could not be saved, by name: it is offered again. */
  const refused = new Map<string, string>();

  const show = (rows: readonly PayloadRow[] | null, search: string): void => {
    const { found: old, selected } = get();
    const found = (rows ?? []).filter(payloadSearch(search));
    // The one that takes the place of a removed row is selected.
    const at = Math.min(
      Math.max(
        0,
        old.findIndex(({ name }) => name === selected),
      ),
      found.length - 1,
    );
    const stays = found.some(({ name }) => name === selected);
    store.setState({ rows, found, search, selected: stays ? selected : (found[at]?.name ?? null) });
  };

  const reload = async (): Promise<void> => {
    if (get().shelf === "templates") return reloadTemplates();
    const read = await guarded(session, async () => {
      const payloads = await context.payloads();
      return { dir: payloads.dir, rows: await payloads.list() };
    });
    // The other shelf may have been asked for meanwhile.
    if (read === null || get().shelf !== "saved") return;
    store.setState({ dir: read.dir });
    show(read.rows, get().search);
  };

  const reloadTemplates = (): void => {
    // Made-up payers have no business on a live service.
    const templates = hasTemplates ? paymentTemplates(context.now()) : [];
    store.setState({ about: new Map(templates.map(({ name, about }) => [name, about])) });
    show(templates.map(rowOf), get().search);
  };

  const take = async (before: PayloadText, text: string): Promise<void> => {
    const { name } = before;
    const saved = await guarded(
      session,
      async () => {
        try {
          return await savePayloadText(context, before, text);
        } catch (error) {
          if (error instanceof Fault) refused.set(name, text);
          throw error;
        }
      },
      (fault) => `${fault.message} ${keyName("library.edit", "e")} opens what you wrote again.`,
    );
    if (saved === null) return;
    refused.delete(name);
    const warning = saved.warnings[0] === undefined ? "" : ` ${saved.warnings[0]}`;
    if (saved.changed) session.say(`Payload "${name}" is saved.${warning}`, "done");
    else session.say("Nothing was changed.", "note");
    await reload();
  };

  const remove = async (name: string): Promise<void> => {
    const gone = await guarded(session, async () => (await context.payloads()).remove(name));
    if (gone === null) return;
    refused.delete(name);
    session.say(gone ? `Payload "${name}" is removed.` : `Payload "${name}" was gone already.`, "done");
    await reload();
  };

  const loadTemplate = (name: string): void => {
    const template = paymentTemplates(context.now()).find((each) => each.name === name);
    if (template === undefined) return;
    const { about, ...payload } = template;
    composer.loadPayload(payload);
    composer.freshOrder();
    close();
    session.say(
      `${about} Nothing is sent yet, and ${keyName("check.undoLoad", "u")} brings the previous one back.`,
      "done",
    );
  };

  const close = (): void => store.setState({ open: false, search: "", rows: null, found: [] });

  return {
    store,
    open(shelf = "saved") {
      store.setState({ open: true, shelf });
      void reload();
    },
    turn() {
      store.setState(({ shelf }) => ({
        shelf: shelf === "saved" ? "templates" : "saved",
        rows: null,
        found: [],
        search: "",
      }));
      void reload();
    },
    close,
    reload,
    select(move) {
      const { found, selected } = get();
      const at = found.findIndex(({ name }) => name === selected);
      const wanted = move === "first" ? 0 : move === "last" ? found.length - 1 : at + move;
      const row = found[Math.max(0, Math.min(wanted, found.length - 1))];
      if (row !== undefined) store.setState({ selected: row.name });
    },
    askSearch() {
      const { search: before } = get();
      session.ask({
        label: "Search",
        initial: before,
        placeholder: "words in name, tags, order id, verdict; tag:risky",
        onChange: (text) => show(get().rows, text),
        onSubmit: (text) => show(get().rows, text.trim()),
        onCancel: () => show(get().rows, before),
      });
    },
    showAll: () => show(get().rows, ""),
    async load() {
      const row = selectedPayload(get());
      if (row === null) return;
      if (row.problem !== null) return session.say(row.problem, "error");
      if (get().shelf === "templates") return loadTemplate(row.name);
      const payload = await guarded(session, async () => (await context.payloads()).read(row.name));
      if (payload === null) return reload();
      const { warnings, ...saved } = payload;
      composer.loadPayload(saved);
      close();
      const expecting = saved.expect === null ? "" : `, expecting ${saved.expect}`;
      session.say(
        `Payload "${saved.name}" is loaded${expecting}; nothing is sent yet, and ${keyName("check.undoLoad", "u")} brings the previous one back.${warnings.length > 0 ? ` ${warnings[0]}` : ""}`,
        "done",
      );
    },
    async edit() {
      const row = selectedPayload(get());
      if (row === null) return;
      if (get().shelf === "templates") return session.say(templateText(), "note");
      const { name } = row;
      const before = await guarded(session, () => payloadText(context, name));
      if (before === null) return;
      session.edit({
        text: refused.get(name) ?? before.text,
        fileName: `${name}.json`,
        onText: (text) => void take(before, text),
      });
    },
    remove() {
      const row = selectedPayload(get());
      if (row === null) return;
      if (get().shelf === "templates") return session.say(templateText(), "note");
      session.confirm({
        title: "Remove the payload",
        text: `Payload "${row.name}" is removed for good; checks that were made with it stay in the history.`,
        yes: "Remove",
        onYes: () => void remove(row.name),
      });
    },
  };
}

function rowOf({ name, expect, tags, request }: PaymentTemplate): PayloadRow {
  const { amount = null, currency = null } = request;
  return { name, expect, tags, orderId: null, amount, currency, modifiedAt: null, problem: null };
}
