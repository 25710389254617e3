// The two forms of the Register screen: a registration, and a credential entered by hand.

import type { StoreApi } from "zustand/vanilla";
import type { ActionContext } from "#src/actions/action-context.ts";
import { saveKey } from "#src/actions/register/add-key.ts";
import { register } from "#src/actions/register/register.ts";
import { registrationNumbering } from "#src/contract/records/profile.ts";
import { projectKey, type Project } from "#src/contract/records/project.ts";
import type { RegistrationRequest } from "#src/contract/wire/wire.ts";
import { withoutSecrets, type EntryForm } from "#src/state/entry-form.ts";
import { closeForm, formVerbs } from "#src/state/form-verbs.ts";
import { reportFaults } from "#src/state/report-faults.ts";
import type { Session } from "#src/state/session.ts";
import { enteredKey, projectCredentialForm } from "#src/state/vault/key-forms.ts";
import { keptText } from "#src/state/vault/keyring-state.ts";
import type { FetchSchedule } from "./fetch-schedule.ts";
import { createRegistrationForm, registrationRequest } from "./registration-form.ts";
import { offerProject } from "#src/state/project-offer.ts";
import {
  openForm,
  selectedProject,
  whyNotByHand,
  withProject,
  type RegistrationsState,
} from "./registrations-state.ts";

/**
 * @param reload reads the projects again
 * @param signal ends what is under way
 */
export function createProjectForms(
  context: ActionContext,
  session: Session,
  { getState, setState }: StoreApi<RegistrationsState>,
  { stop, tick }: Pick<FetchSchedule, "stop" | "tick">,
  reload: () => Promise<void>,
  signal: AbortSignal,
) {
  async function registerNow(request: RegistrationRequest): Promise<void> {
    const key = projectKey(request.merchant_id, request.risk_level);
    if (getState().working !== null) return;
    setState({ working: key });
    const done = await reportFaults(session, () =>
      register(context, { request }, signal, (event) => {
        if (event.type !== "registering") return;
        setState(({ projects }) => ({ projects: withProject(projects, event.project) }));
        // It is listed whatever the filter was.
        setState({ selectedKey: key, pointedKey: null, filter: "" });
        stop(key);
      }),
    );
    setState({ working: null });
    await reportFaults(session, reload);
    if (done !== null) {
      const { result } = done;
      if (result.registered) session.say(`Registered ${key}; the credential is next.`, "done");
      else session.say(result.explanation, done.goOn ? "note" : "error");
      if (done.goOn)
        setState({ form: createRegistrationForm(registrationNumbering(context.profile)), selectedKey: key });
    }
    tick();
  }

  async function saveByHand(project: Project, form: EntryForm): Promise<void> {
    if (getState().working !== null) return;
    setState({ working: project.key });
    const saved = await reportFaults(session, () => saveKey(context, enteredKey(form, project)));
    setState({ working: null });
    if (saved === null) return;
    setState({ byHand: null });
    stop(project.key);
    session.say(
      `The credential of ${project.key} is in the vault.${keptText(saved.former, session.keyName)}${offerProject(session, project.key)}`,
      "done",
    );
    await reportFaults(session, reload);
    tick();
  }

  return {
    ...formVerbs({
      session,
      form: () => openForm(getState()),
      change: (form) =>
        setState(({ byHand }) => (byHand === null ? { form } : { byHand: { ...byHand, form } })),
      close() {
        const { byHand } = getState();
        return byHand !== null && closeForm(session, byHand.form, () => setState({ byHand: null }));
      },
      async send(form) {
        const { byHand } = getState();
        if (byHand !== null) return await saveByHand(byHand.project, form);
        const request = registrationRequest(form, registrationNumbering(context.profile));
        const question = {
          text: `Register ${projectKey(request.merchant_id, request.risk_level)} at the LIVE service?`,
          yes: "register",
        };
        if (context.profile.environment !== "LIVE" || (await session.agree(question)))
          await registerNow(request);
      },
      complain: (sentence) => session.say(sentence, "note"),
    }),
    /** Opens the form by hand for the selected project. */
    enterByHand() {
      const project = selectedProject(getState());
      const why = whyNotByHand(getState(), context.profile.credentialWaitS * 1000);
      if (why !== null || project === null) return session.say(why ?? "", "note");
      setState({ byHand: { project, form: projectCredentialForm() } });
    },
    /** Forgets what was typed of a secret. */
    forgetSecret: () =>
      setState(({ byHand }) => ({ byHand: byHand && { ...byHand, form: withoutSecrets(byHand.form) } })),
  };
}
