// A project to send checks with: the one that is ready, or on an empty sandbox one that is registered without being asked.

import type { ActionContext } from "#src/actions/action-context.ts";
import { heldCredentials } from "#src/actions/register/held-credentials.ts";
import { register } from "#src/actions/register/register.ts";
import { projectKey } from "#src/contract/records/project.ts";
import type { RegistrationRequest } from "#src/contract/wire/wire.ts";
import { guarded } from "#src/state/guarded.ts";
import type { Session } from "#src/state/session.ts";
import type { Registrations } from "./registrations.ts";

/** What stands on a sandbox that nobody has registered anything on. */
const FIRST_PROJECT: RegistrationRequest = {
  merchant_id: "demo-shop",
  name: "Demo shop",
  currency: 980,
  risk_level: "medium",
};

/** What the session is busy with until a project is found or known to be missing. */
export const LOOKING = "Looking for a project with a credential.";

/**
 * Makes a ready project the session's, loading the projects on the way. Never rejects for a fault, which is said.
 * Whatever comes later, e.g. a credential that is fetched, the registrations make the session's themselves. Once the signal
 * has fired nothing more is begun.
 */
export async function prepareProject(
  context: ActionContext,
  session: Session,
  registrations: Registrations,
  signal: AbortSignal,
): Promise<void> {
  session.setBusy(LOOKING);
  const found = await guarded(session, async () => {
    const known = await (await context.projects()).list(context.profile.name);
    const ready = known.findLast((project) => project.state === "ready")?.key;
    if (ready !== undefined || signal.aborted) return { known, key: ready ?? null };
    return { known, key: await enteredProject(context) };
  });
  session.setBusy(null);
  if (found === null || signal.aborted) return;
  const { known, key } = found;
  if (key !== null) session.setProject(key);
  else if (known.length === 0 && context.profile.environment === "SANDBOX") {
    await registerFirst(context, session, registrations, signal);
  } else if (known.length === 0 && session.store.getState().toasts.length === 0) {
    // After a profile was saved or taken into use, that it was is what is read; Check says the rest.
    session.say("There is no project yet; register one on the screen Register.", "note");
  }
  if (!signal.aborted) await registrations.load();
}

/** A project whose credential was entered by hand: the vault has it, and no registration tells of it. */
async function enteredProject(context: ActionContext): Promise<string | null> {
  return (await heldCredentials(context))[0]?.projectKey ?? null;
}

async function registerFirst(
  context: ActionContext,
  session: Session,
  registrations: Registrations,
  signal: AbortSignal,
): Promise<void> {
  const key = projectKey(FIRST_PROJECT.merchant_id, FIRST_PROJECT.risk_level);
  session.setBusy(`Preparing the project ${key}: starting the sandbox and registering.`);
  const done = await guarded(session, () =>
    register(context, { request: FIRST_PROJECT }, signal, () => undefined),
  );
  if (done === null || !done.goOn) {
    session.setBusy(null);
    if (done !== null) session.say(done.result.explanation, "error");
    return;
  }
  session.setBusy(
    `Preparing the project ${key}: its credential comes in ${context.profile.credentialWaitS} s.`,
  );
  // It has come, or the registrations have said why it has not.
  const over = (): boolean =>
    session.store.getState().project !== null ||
    registrations.store.getState().progress[key]?.kind === "stopped";
  const look = (): void => {
    if (!over()) return;
    for (const stop of stops) stop();
    session.setBusy(null);
  };
  const stops = [session.store.subscribe(look), registrations.store.subscribe(look)];
}
