// The verbs of the palette: what it does by a name alone, beside keys and command lines.

import { createStore } from "zustand/vanilla";
import type { Context } from "#src/app/context.ts";
import { PROPOSED_FIELDS } from "#src/actions/check/sweep-values.ts";
import { magicOrders } from "#src/actions/sandbox/sandbox-conditions.ts";
import type { MagicValue } from "#src/contract/wire/sandbox-wire.ts";
import type { Checks } from "#src/state/check/checks.ts";
import type { Composer } from "#src/state/check/composer.ts";
import type { Library } from "#src/state/check/library.ts";
import type { Sweeps } from "#src/state/check/sweeps.ts";
import type { HistoryView } from "#src/state/history/history-view.ts";
import type { ProfileBook } from "#src/state/profiles/profiles.ts";
import { projectChoices, type ProjectSwitch } from "#src/state/register/project-switch.ts";
import type { Registrations } from "#src/state/register/registrations.ts";
import { themeVerbs, type LookStore, type Verb } from "./look.ts";
import { reportFaults } from "./report-faults.ts";
import type { Recording } from "./recording.ts";
import type { Session } from "./session.ts";

interface Parts {
  readonly checks: Checks;
  readonly composer: Pick<Composer, "magicOrder">;
  readonly history: HistoryView;
  readonly library: Library;
  readonly profiles: ProfileBook;
  readonly projects: ProjectSwitch;
  /** Null where there is no screen to record. */
  readonly recording: Recording | null;
  readonly registrations: Registrations;
  readonly sweeps: Sweeps;
}

/** What verbs name, once it was read. */
interface VerbNames {
  /** The saved payloads. */
  readonly payloads: readonly string[];
  /** Order ids with which the sandbox forces an answer. */
  readonly orders: readonly MagicValue[];
}

export function createVerbs(context: Context, session: Session, parts: Parts, look?: LookStore) {
  const { checks, composer, history, library, profiles, projects, recording, registrations, sweeps } = parts;
  const store = createStore<VerbNames>(() => ({ payloads: [], orders: [] }));
  const onCheck = (act: () => unknown) => (): void => {
    session.go("check");
    act();
  };
  const askOrder = async (): Promise<void> => {
    const question = { label: "Open order", placeholder: "its order id; * stands for any letters" };
    const order = await session.askUntil(question);
    if (order) await history.openOrder(order);
  };
  return {
    store,
    /** Reads what verbs can name. Never rejects. */
    async learn() {
      await profiles.load();
      // A convenience: the library says what is wrong with it.
      const rows = await context
        .payloads()
        .then((payloads) => payloads.list())
        .catch(() => []);
      store.setState({ payloads: rows.map(({ name }) => name) });
      if (context.profile.environment !== "SANDBOX") return;
      const magic = await reportFaults(session, () => magicOrders(context));
      store.setState({ orders: magic?.enabled === true ? magic.values : [] });
    },
    /** Those that can be done now. */
    list(): readonly Verb[] {
      const { project: used } = session.store.getState();
      const choices = projectChoices(
        projects.store.getState(),
        checks.store.getState().entries,
        registrations.store.getState().projects,
        used,
      );
      const swept = used === null || sweeps.disabled !== null ? [] : PROPOSED_FIELDS;
      return [
        ...choices
          .filter(({ key, ready }) => ready && key !== used)
          .map((choice) => ({
            label: `switch project to ${choice.key}`,
            group: "Projects",
            run: () => projects.use(choice),
          })),
        ...profiles.store
          .getState()
          .profiles.filter(({ name }) => name !== context.profile.name)
          .map(({ name, environment }) => ({
            label: `use profile ${name}`,
            group: environment,
            run: () => void profiles.use(name),
          })),
        { label: "open order ...", group: "History", run: () => void askOrder() },
        ...swept.map((field) => ({
          label: `sweep ${field} ...`,
          group: "Check",
          run: onCheck(() => sweeps.ask(field)),
        })),
        ...store.getState().orders.map(({ prefix, what }) => ({
          label: `order ${prefix}`,
          group: `next order id: ${what.split(";")[0]!}`,
          run: onCheck(() => {
            composer.magicOrder(prefix);
            session.say(`The next check has an order id that begins with ${prefix}.`, "note");
          }),
        })),
        ...store.getState().payloads.map((name) => ({
          label: `load payload ${name}`,
          group: "Library",
          run: onCheck(() => library.loadNamed(name)),
        })),
        ...(recording === null
          ? []
          : [
              {
                label: recording.isOn() ? "recording: end it" : "record the screen ...",
                group: "Everywhere",
                run: recording.toggle,
              },
            ]),
        ...(look === undefined ? [] : themeVerbs(look, session)),
      ];
    },
  };
}
