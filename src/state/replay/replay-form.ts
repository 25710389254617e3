// The form of a new replay while it is open, and what its source would send.

import { createStore, type StoreApi } from "zustand/vanilla";
import { heldCredentials } from "#src/actions/register/held-credentials.ts";
import type { Context } from "#src/app/context.ts";
import type { RunInfo } from "#src/contract/records/run.ts";
import { keyName } from "#src/display/key-name.ts";
import {
  enterText,
  firstWrong,
  focusOn,
  moveFocus,
  pressKey,
  SUBMIT,
  textOf,
  type EntryForm,
} from "#src/state/entry-form.ts";
import { faultOf, guarded } from "#src/state/guarded.ts";
import type { Session } from "#src/state/session.ts";
import type { After } from "#src/state/timers.ts";
import type { ReplayEngine } from "./replay-engine.ts";
import { createSetup, NO_PAYLOAD, sourceFault, sourceWord } from "./replay-setup.ts";
import { createSourceSurvey, type SurveyState } from "./source-survey.ts";

export interface SetupState {
  readonly form: EntryForm;
  readonly survey: SurveyState;
}

export interface ReplayForms {
  readonly store: StoreApi<{ readonly setup: SetupState | null }>;
  /** Opens it with what there is to choose from. @returns false where no project has a credential, which is said */
  open(offer: { readonly runs: readonly RunInfo[]; readonly baseline: string | null }): Promise<boolean>;
  /** Opens it as it was left. */
  reopen(setup: SetupState): void;
  close(): void;
  move(delta: 1 | -1): void;
  /** A key for the field in focus; false when it has no use for it. */
  key(name: string): boolean;
  /** Typed or pasted text for the field in focus. */
  enter(text: string): void;
  /** Esc: from a field to the button, from there out of the form. False when it is not open. */
  leave(): boolean;
  /** Enter: the next field, or on the button `start` once the source has been counted. */
  submit(start: (setup: SetupState) => void): Promise<void>;
}

export function createReplayForms(
  context: Context,
  session: Session,
  engine: Pick<ReplayEngine, "survey">,
  after: After,
): ReplayForms {
  const store = createStore<{ readonly setup: SetupState | null }>(() => ({ setup: null }));
  const survey = createSourceSurvey(
    (source, signal) =>
      engine.survey(sourceWord(source, context.home.data), signal).catch((error: unknown) => {
        throw sourceFault(source, faultOf(error));
      }),
    after,
    (found) => store.setState(({ setup }) => ({ setup: setup && { ...setup, survey: found } })),
  );
  let submitting = false;

  const opened = (): SetupState | null => store.getState().setup;
  const show = (form: EntryForm, now: boolean = false): void => {
    store.setState(({ setup }) => ({ setup: { survey: { state: "reading" }, ...setup, form } }));
    survey.look(textOf(form, "source").trim(), now);
  };
  const close = (): void => {
    survey.stop();
    store.setState({ setup: null });
  };

  return {
    store,
    async open({ runs, baseline }) {
      const projects = await guarded(session, () => readyProjects(context));
      if (projects === null) return false;
      const [first, ...others] = projects;
      if (first === undefined) {
        session.say(
          `There is no project with a credential yet; press ${keyName("shell.register", "2")} to register one.`,
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
    move(delta) {
      const setup = opened();
      if (setup !== null) show(moveFocus(setup.form, delta));
    },
    key(name) {
      const setup = opened();
      const form = setup && pressKey(setup.form, name);
      if (form !== null) show(form);
      return form !== null;
    },
    enter(text) {
      const setup = opened();
      if (setup !== null) show(enterText(setup.form, text));
    },
    leave() {
      const setup = opened();
      if (setup === null) return false;
      if (setup.form.focus === SUBMIT) close();
      else show(focusOn(setup.form, SUBMIT));
      return true;
    },
    async submit(start) {
      const setup = opened();
      if (setup === null || submitting) return;
      if (setup.form.focus !== SUBMIT) return show(moveFocus(setup.form, 1));
      const wrong = firstWrong(setup.form);
      if (wrong !== null) return show(wrong);
      // What would be sent is said before it is sent, and counting it may take a moment.
      submitting = true;
      await survey.settled().finally(() => {
        submitting = false;
      });
      const now = opened();
      if (now === null) return;
      const { survey: counted } = now;
      if (counted.state === "fault" && counted.message === NO_PAYLOAD) session.say(NO_PAYLOAD, "note");
      else start(now);
    },
  };
}

/** Keys of the projects of the profile that have a credential. */
async function readyProjects(context: Context): Promise<string[]> {
  const vault = await context.vault();
  await vault.refresh();
  return [...new Set((await heldCredentials(context)).map(({ projectKey }) => projectKey))];
}
