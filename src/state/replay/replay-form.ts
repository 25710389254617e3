// The open form of a new replay, with the preflight of its source.

import { createStore, type StoreApi } from "zustand/vanilla";
import { heldCredentials } from "#src/actions/register/held-credentials.ts";
import type { Context } from "#src/app/context.ts";
import type { RunInfo } from "#src/contract/records/run.ts";
import { textOf, type EntryForm } from "#src/state/entry-form.ts";
import { formVerbs, type FormVerbs } from "#src/state/form-verbs.ts";
import { faultOf, reportFaults } from "#src/state/report-faults.ts";
import type { Session } from "#src/state/session.ts";
import type { After } from "#src/state/timers.ts";
import type { ReplayEngine } from "./replay-engine.ts";
import { createSetup, NO_PAYLOAD, sourceFault, sourceWord } from "./replay-setup.ts";
import { createSourcePreflight, type PreflightState } from "./source-preflight.ts";

export interface SetupState {
  readonly form: EntryForm;
  readonly preflight: PreflightState;
}

export interface ReplayForms extends FormVerbs {
  readonly store: StoreApi<{ readonly setup: SetupState | null }>;
  /** Opens it with what there is to choose from. @returns false where no project has a credential, with a toast */
  open(offer: { readonly runs: readonly RunInfo[]; readonly baseline: string | null }): Promise<boolean>;
  /** Opens it as it was left. */
  reopen(setup: SetupState): void;
  close(): void;
}

/** @param start Enter on the button, once the source has been counted */
export function createReplayForms(
  context: Context,
  session: Session,
  engine: Pick<ReplayEngine, "preflight">,
  after: After,
  start: (setup: SetupState) => void,
): ReplayForms {
  const store = createStore<{ readonly setup: SetupState | null }>(() => ({ setup: null }));
  const preflight = createSourcePreflight(
    (source, signal) =>
      engine.preflight(sourceWord(source, context.home.data), signal).catch((error: unknown) => {
        throw sourceFault(source, faultOf(error));
      }),
    after,
    (found) => store.setState(({ setup }) => ({ setup: setup && { ...setup, preflight: found } })),
  );
  let submitting = false;

  const show = (form: EntryForm, now: boolean = false): void => {
    store.setState(({ setup }) => ({ setup: { preflight: { state: "reading" }, ...setup, form } }));
    preflight.look(textOf(form, "source").trim(), now);
  };
  const close = (): void => {
    preflight.stop();
    store.setState({ setup: null });
  };

  return {
    store,
    async open({ runs, baseline }) {
      const projects = await reportFaults(session, () => readyProjects(context));
      if (projects === null) return false;
      const [first, ...others] = projects;
      if (first === undefined) {
        session.say(
          `There is no project with a credential yet; press ${session.keyName("shell.register")} to register one.`,
          "note",
        );
        return false;
      }
      const { project } = session.store.getState();
      show(createSetup({ projects: [first, ...others], project, runs, baseline }), true);
      return true;
    },
    reopen: (setup) => show(setup.form, true),
    close,
    ...formVerbs({
      form: () => store.getState().setup?.form ?? null,
      change: show,
      close() {
        close();
        return true;
      },
      async send() {
        if (submitting) return;
        // The confirmation names what would be sent, and counting it may take a moment.
        submitting = true;
        await preflight.settled().finally(() => {
          submitting = false;
        });
        const { setup } = store.getState();
        if (setup === null) return;
        if (setup.preflight.state === "fault" && setup.preflight.message === NO_PAYLOAD)
          session.say(NO_PAYLOAD, "note");
        else start(setup);
      },
    }),
  };
}

/** Keys of the projects of the profile that have a credential. */
async function readyProjects(context: Context): Promise<string[]> {
  const vault = await context.vault();
  await vault.refresh();
  return [...new Set((await heldCredentials(context)).map(({ projectKey }) => projectKey))];
}
