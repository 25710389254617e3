// Registers projects on a fresh sandbox and fetches their credentials without a wait, for decks and replays.

import type { SandboxContext } from "#src/actions/sandbox/sandbox-access.ts";
import { changeClock } from "#src/actions/sandbox/sandbox-conditions.ts";
import { Fault, interrupted, whole } from "#src/contract/fault.ts";
import { DEFAULT_CREDENTIAL_WAIT_S } from "#src/contract/records/profile-fields.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { ProjectCredential } from "#src/contract/wire/credential.ts";
import type { RegistrationRequest } from "#src/contract/wire/wire.ts";
import { fetchCredential } from "./fetch-credential.ts";
import { register } from "./register.ts";

/** A project that was registered, with the sentence of the service about it, and its credential. */
export interface RegisteredProject {
  readonly registration: RegistrationRequest;
  readonly message: string;
  readonly credential: ProjectCredential;
}

/**
 * Registers projects on a fresh sandbox and fetches their credentials; its clock stands at `startAt` afterwards, frozen, so
 * that results do not depend on the speed of what follows.
 * @throws Fault when a project cannot be registered, or the sandbox does not answer
 */
export async function registerProjects(
  context: SandboxContext,
  registrations: readonly RegistrationRequest[],
  startAt: Milliseconds,
  signal: AbortSignal,
): Promise<readonly RegisteredProject[]> {
  const registered: RegisteredProject[] = [];
  const messages: string[] = [];
  await changeClock(context, { do: "freeze" });
  await changeClock(context, { do: "set", at: startAt });
  for (const registration of registrations) {
    const { result } = await register(context, { request: registration }, signal, () => undefined);
    if (!result.registered) throw stopped(signal, result.explanation);
    messages.push(result.message ?? "");
  }
  await changeClock(context, { do: "advance", byMs: DEFAULT_CREDENTIAL_WAIT_S * 1000 });
  for (const [index, registration] of registrations.entries()) {
    const request = { merchant_id: registration.merchant_id, risk_level: registration.risk_level };
    const { result, notSaved } = await fetchCredential(
      context,
      { request, wait: false },
      signal,
      () => undefined,
    );
    if (notSaved !== null) throw notSaved.fault;
    if (result.credential === null) throw stopped(signal, result.explanation);
    registered.push({ registration, message: messages[index]!, credential: result.credential });
  }
  await changeClock(context, { do: "set", at: startAt });
  return registered;
}

function stopped(signal: AbortSignal, explanation: string): Fault {
  return signal.aborted
    ? interrupted`Stopped before anything was sent.`
    : new Fault("refused", whole(explanation));
}
