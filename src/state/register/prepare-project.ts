// Selects the project that was used last at the start; on an empty sandbox it registers one.

import type { ActionContext } from "#src/actions/action-context.ts";
import { knownProjects } from "#src/actions/register/held-credentials.ts";
import { register } from "#src/actions/register/register.ts";
import { projectKey } from "#src/contract/records/project.ts";
import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import type { RegistrationRequest } from "#src/contract/wire/wire.ts";
import { formatCountdown } from "#src/display/time.ts";
import type { Ascii } from "#src/display/sign.ts";
import { reportFaults } from "#src/state/report-faults.ts";
import type { Session } from "#src/state/session.ts";
import type { ProjectSwitch } from "./project-switch.ts";
import { projectWindow } from "./project-window.ts";
import type { RegistrationsState } from "./registrations-state.ts";
import type { Registrations } from "./registrations.ts";

/** Registered on a sandbox without projects. */
const FIRST_PROJECT: RegistrationRequest = {
  merchant_id: "demo-shop",
  name: "Demo shop",
  currency: 980,
  risk_level: "medium",
};

/** What the session is busy with until a project is found or known to be missing. */
export const LOOKING = "Looking for a project with a credential.";

/**
 * Makes the ready project that was used last the session's, loading the projects on the way. Never rejects for a fault, with a toast.
 * A project that becomes ready later is selected by the registrations. Once the signal
 * has fired nothing more is begun.
 * @param used.entries the newest checks of the profile
 */
export async function prepareProject(
  context: ActionContext,
  session: Session,
  registrations: Registrations,
  used: {
    readonly projects: ProjectSwitch;
    readonly entries: readonly HistoryEntry[];
    readonly ascii: Ascii;
  },
  signal: AbortSignal,
): Promise<void> {
  session.setBusy(LOOKING);
  const found = await reportFaults(session, async () => {
    const known = await knownProjects(context);
    if (signal.aborted) return { known, key: null };
    return { known, key: await used.projects.last(used.entries, known.toReversed()) };
  });
  session.setBusy(null);
  if (found === null || signal.aborted) return;
  const { known, key } = found;
  if (key !== null) session.setProject(key);
  else if (known.length === 0 && context.profile.environment === "SANDBOX") {
    await registerFirst(context, session, registrations, used.ascii, signal);
  }
  if (!signal.aborted) await registrations.load();
}

async function registerFirst(
  context: ActionContext,
  session: Session,
  registrations: Registrations,
  ascii: Ascii,
  signal: AbortSignal,
): Promise<void> {
  const key = projectKey(FIRST_PROJECT.merchant_id, FIRST_PROJECT.risk_level);
  session.setBusy(`Preparing the project ${key}: registering it on the sandbox.`);
  const done = await reportFaults(session, () =>
    register(context, { request: FIRST_PROJECT }, signal, () => undefined),
  );
  if (done === null || !done.goOn) {
    session.setBusy(null);
    if (done !== null) session.say(done.result.explanation, "error");
    return;
  }
  // It has come, or the registrations show why it has not.
  const over = (): boolean =>
    session.store.getState().project !== null ||
    registrations.store.getState().progress[key]?.kind === "stopped";
  const look = (): void => {
    if (!over()) {
      const text = waitText(key, context.profile.credentialWaitS, registrations.store.getState(), ascii);
      if (text !== session.store.getState().busy) session.setBusy(text);
      return;
    }
    for (const stop of stops) stop();
    session.setBusy(null);
  };
  const stops = [session.store.subscribe(look), registrations.store.subscribe(look), registrations.watch()];
  look();
}

/** Counts down once the projects are read, and the time of the service is known. */
function waitText(key: string, waitS: number, { projects, now }: RegistrationsState, ascii: Ascii): string {
  const project = projects.find((known) => known.key === key);
  const window = project === undefined || now === null ? null : projectWindow(project, waitS * 1000, now);
  const left = window?.untilRecommended ?? waitS * 1000;
  const what =
    left <= 0 ? "its credential is being fetched" : `its credential comes in ${formatCountdown(left, ascii)}`;
  return `Preparing the project ${key}: ${what}.`;
}
