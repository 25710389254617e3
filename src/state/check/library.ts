// The library: the saved payloads, or the templates that come with the program, as a list that can be searched.

import { createStore } from "zustand/vanilla";
import { paymentTemplates, type PaymentTemplate } from "#src/actions/check/payment-templates.ts";
import type { Context } from "#src/app/context.ts";
import { payloadSearch, type PayloadRow } from "#src/contract/records/saved-payload.ts";
import { keptRow, movedRow, type ListMove } from "#src/state/list-selection.ts";
import { reportFaults } from "#src/state/report-faults.ts";
import type { Session } from "#src/state/session.ts";
import type { Composer } from "./composer.ts";
import { createLibraryActs, type LibraryState, type Shelf } from "./library-acts.ts";

/** The verbs never reject: faults are shown as toasts. */
export function createLibrary(context: Context, session: Session, composer: Composer) {
  const store = createStore<LibraryState>(() => ({
    open: false,
    shelf: "saved",
    about: new Map(),
    rows: null,
    found: [],
    search: "",
    selected: null,
  }));
  const get = store.getState;
  const hasTemplates = context.profile.environment !== "LIVE";

  const show = (rows: readonly PayloadRow[] | null, search: string): void => {
    const { found: old, selected } = get();
    const found = (rows ?? []).filter(payloadSearch(search));
    const row = keptRow(found, old, ({ name }) => name === selected);
    store.setState({ rows, found, search, selected: row?.name ?? null });
  };

  const reload = async (): Promise<void> => {
    if (get().shelf === "templates") return reloadTemplates();
    const rows = await reportFaults(session, async () => (await context.payloads()).list());
    // The other shelf may have been opened since.
    if (rows === null || get().shelf !== "saved") return;
    show(rows, get().search);
  };

  const reloadTemplates = (): void => {
    // Made-up payers have no business on a live service.
    const templates = hasTemplates ? paymentTemplates(context.now()) : [];
    store.setState({ about: new Map(templates.map(({ name, about }) => [name, about])) });
    show(templates.map(rowOf), get().search);
  };

  const close = (): void => store.setState({ open: false, search: "", rows: null, found: [] });

  return {
    ...createLibraryActs(context, session, composer, { store, reload, close }),
    store,
    /** Opens it and reads what is there now. */
    open(shelf: Shelf = "saved") {
      store.setState({ open: true, shelf });
      void reload();
    },
    /** The other shelf. */
    switchShelf() {
      store.setState(({ shelf }) => ({
        shelf: shelf === "saved" ? "templates" : "saved",
        rows: null,
        found: [],
        search: "",
      }));
      void reload();
    },
    close,
    /** Reads again what is there. Never rejects. */
    reload,
    select(move: ListMove) {
      const { found, selected } = get();
      store.setState({ selected: movedRow(found, ({ name }) => name === selected, move)?.name ?? null });
    },
    /** Asks for a filter, which is applied as it is typed; Esc brings back the one before. */
    async askSearch() {
      const { search: before } = get();
      const search = await session.askUntil({
        label: "Filter",
        initial: before,
        placeholder: "words in name, tags, order id, verdict; tag:risky",
        onChange: (text) => show(get().rows, text),
      });
      show(get().rows, search ?? before);
    },
    /** Takes back the search. */
    showAll: () => show(get().rows, ""),
  };
}

export type Library = ReturnType<typeof createLibrary>;

function rowOf({ name, expect, tags, request }: PaymentTemplate): PayloadRow {
  const { amount = null, currency = null } = request;
  return { name, expect, tags, orderId: null, amount, currency, modifiedAt: null, problem: null };
}
