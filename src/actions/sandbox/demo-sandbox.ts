// What a deck does with a sandbox: it registers projects, moves the clock, brings rules into force, and sends checks.

import { check } from "#src/actions/check/check.ts";
import { fetchCredential } from "#src/actions/register/fetch-credential.ts";
import { register } from "#src/actions/register/register.ts";
import { Fault, interrupted, whole } from "#src/contract/fault.ts";
import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import { DEFAULT_CREDENTIAL_WAIT_S } from "#src/contract/records/profile-fields.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { ProjectCredential } from "#src/contract/wire/credential.ts";
import type { FaultEffect } from "#src/contract/wire/sandbox-fault.ts";
import type { CheckRequest, RegistrationRequest } from "#src/contract/wire/wire.ts";
import type { DeckRules } from "#src/replay/decks/deck.ts";
import { wholeText } from "./demo-rules.ts";
import { administer, type SandboxContext } from "./sandbox-access.ts";

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
  const admin = await administer(context);
  const registered: RegisteredProject[] = [];
  const messages: string[] = [];
  await admin.changeClock({ do: "freeze" });
  await admin.changeClock({ do: "set", at: startAt });
  for (const registration of registrations) {
    const { result } = await register(context, { request: registration }, signal, () => undefined);
    if (!result.registered) throw stopped(signal, result.explanation);
    messages.push(result.message ?? "");
  }
  await advanceClock(context, DEFAULT_CREDENTIAL_WAIT_S * 1000);
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
  await admin.changeClock({ do: "set", at: startAt });
  return registered;
}

export async function advanceClock(context: SandboxContext, byMs: Milliseconds): Promise<void> {
  if (byMs === 0) return;
  const { virtualTime } = await (await administer(context)).changeClock({ do: "advance", byMs });
  // A check that goes wrong does not tell the time.
  (await context.service()).follow({ virtualTimeMs: virtualTime, serverDateMs: null });
}

/** What the sandbox has counted stays. */
export async function bringIntoForce(context: SandboxContext, rules: DeckRules): Promise<void> {
  const admin = await administer(context);
  await (rules.text === null ? admin.removeRules() : admin.saveRules(await wholeText(rules), rules.name));
}

/** @param planned.fault what goes wrong with it; null for nothing */
export async function sendCheck(
  context: SandboxContext,
  planned: {
    readonly request: CheckRequest;
    readonly project: string;
    readonly canForce3ds: boolean | null;
    readonly fault: FaultEffect | null;
  },
  signal: AbortSignal,
): Promise<HistoryEntry> {
  const { fault, ...input } = planned;
  const admin = await administer(context);
  const { id } =
    fault === null ? { id: null } : await admin.addFault({ on: "check", effect: fault, rate: 1, count: 1 });
  const { entry, notSaved } = await check(
    context,
    { ...input, warnings: [], repeats: null, record: true },
    signal,
    () => undefined,
  );
  // One that did not come to pass must not meet the next check.
  if (id !== null) await admin.clearFaults(id);
  if (notSaved !== null) throw notSaved;
  return entry;
}

function stopped(signal: AbortSignal, explanation: string): Fault {
  return signal.aborted
    ? interrupted`Stopped before anything was sent.`
    : new Fault("refused", whole(explanation));
}
