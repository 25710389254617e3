// The open form of a new replay, with the preflight of its source.

import type { StoreApi } from "zustand/vanilla";
import { heldCredentials } from "#src/actions/register/held-credentials.ts";
import type { Context } from "#src/app/context.ts";
import type { EntryForm } from "#src/state/entry-form.ts";
import { closeForm, formVerbs } from "#src/state/form-verbs.ts";
import { faultOf, reportFaults } from "#src/state/report-faults.ts";
import type { Session } from "#src/state/session.ts";
import type { After } from "#src/state/timers.ts";
import type { Preflighted, ReplayEngine } from "./replay-engine.ts";
import {
  createSetup,
  fitFields,
  noPayload,
  setupInput,
  sourceFault,
  sourceWord,
  type SetupOffer,
} from "./replay-setup.ts";
import type { ReplaysState, SetupState } from "./replays-state.ts";
import { createSourcePreflight, type PreflightState } from "./source-preflight.ts";

/**
 * @param store its `setup` is the form that is open
 * @param start Enter on the button, once the source has been counted
 */
export function createReplayForms(
  context: Context,
  session: Session,
  engine: Pick<ReplayEngine, "preflight">,
  store: StoreApi<ReplaysState>,
  after: After,
  start: (setup: SetupState) => void,
) {
  const preflight = createSourcePreflight(
    (wanted: Preflighted, signal) =>
      engine
        .preflight({ ...wanted, source: sourceWord(wanted.source, context.home.data) }, signal)
        .catch((error: unknown) => {
          throw sourceFault(wanted.source, faultOf(error), session.keyName);
        }),
    after,
    (found) => store.setState(({ setup }) => ({ setup: setup && { ...setup, preflight: found } })),
  );
  let submitting = false;
  let last: EntryForm | null = null;
  let opened: EntryForm | null = null;

  const show = (changed: EntryForm, now: boolean = false): void => {
    const form = fitFields(changed, session.keyName);
    store.setState(({ setup }) => ({ setup: { preflight: { state: "reading" }, ...setup, form } }));
    const { source, isolated, onlyTags, skipTags } = setupInput(form);
    preflight.look({ source, isolated, onlyTags, skipTags }, now);
  };
  const close = (): void => {
    preflight.stop();
    store.setState({ setup: null });
  };

  return {
    /** Opens it with what there is to choose from. @returns false where the projects could not be read, with a toast */
    async open(offer: Pick<SetupOffer, "runs" | "baseline" | "again">) {
      const projects = await reportFaults(session, () => readyProjects(context));
      if (projects === null) return false;
      if (projects.length === 0) {
        session.say(
          `No project has a credential yet, so that a replay can only be isolated; ${session.keyName("shell.register")} registers one.`,
          "note",
        );
      }
      const { project } = session.store.getState();
      show(createSetup({ ...offer, projects, project, last, keyName: session.keyName }), true);
      opened = store.getState().setup?.form ?? null;
      return true;
    },
    /** Opens it as it was left. */
    reopen: (setup: SetupState) => show(setup.form, true),
    close,
    ...formVerbs({
      session,
      form: () => store.getState().setup?.form ?? null,
      change: show,
      close() {
        const form = store.getState().setup?.form ?? null;
        // What was there when it was opened is there the next time, too.
        const isLost = form?.texts !== opened?.texts || form?.choices !== opened?.choices;
        return closeForm(session, isLost ? form : null, close);
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
        const nothing = nothingToSend(setup.preflight, noPayload(session.keyName));
        if (nothing !== null) session.say(nothing, "note");
        else {
          last = setup.form;
          start(setup);
        }
      },
    }),
  };
}

/** Why a replay would send nothing, as far as its source is counted; null where it may send something. @param noneSaved the fault of an empty library */
function nothingToSend(counted: PreflightState, noneSaved: string): string | null {
  if (counted.state === "fault" && counted.message === noneSaved) return noneSaved;
  return counted.state === "done" && counted.preflight.items === 0
    ? "There is no payment to send: change Source or the tags."
    : null;
}

/** Keys of the projects of the profile that have a credential. */
async function readyProjects(context: Context): Promise<string[]> {
  const vault = await context.vault();
  await vault.refresh();
  return [...new Set((await heldCredentials(context)).map(({ projectKey }) => projectKey))];
}
