// The use case of a credential request: polls within the 24 hours, and saves the credential before reporting success.

import type { ActionContext, Service } from "#src/actions/action-context.ts";
import { beforeSending, serviceToSendTo } from "#src/actions/check/may-send.ts";
import { Fault, sentence, whole } from "#src/contract/fault.ts";
import { projectKey, windowEnd, windowStart, type Project } from "#src/contract/records/project.ts";
import { CREDENTIAL_WINDOW_MS, type Milliseconds } from "#src/contract/wire/clock.ts";
import type { IntegrationKey } from "#src/contract/wire/credential.ts";
import type { CredentialResult } from "#src/contract/wire/outcome.ts";
import type { CredentialRequest } from "#src/contract/wire/wire.ts";
import type { FormerSummary, SavedEntry } from "#src/vault/vault.ts";
import { heldCredentials } from "./held-credentials.ts";
import { integrationKey } from "./integration-key.ts";
import { unsavedCredential, type UnsavedCredential } from "./unsaved-credential.ts";

export interface CredentialInput {
  readonly request: CredentialRequest;
  /** Wait for the recommended time and ask again until it is ready or the window closes. */
  readonly wait: boolean;
}

export type CredentialEvent =
  /** Nothing happens until `until`; both times are the service's, in ms since the epoch. */
  | { readonly type: "waiting"; readonly until: Milliseconds; readonly closesAt: Milliseconds | null }
  | { readonly type: "asking"; readonly attempt: number }
  | { readonly type: "answered"; readonly result: CredentialResult };

export interface CredentialOutcome {
  readonly result: CredentialResult;
  /** The stored project; null when it was never registered here and no credential was saved. */
  readonly project: Project | null;
  /** The replaced credential, which stays in the vault and can be restored. */
  readonly former: FormerSummary | null;
  /** Set when the credential was received and could not be saved: the only copy of it. */
  readonly notSaved: UnsavedCredential | null;
}

/** Polling without Retry-After: first and longest interval. */
const FIRST_DELAY_MS = 5_000;
const LONGEST_DELAY_MS = 60_000;
/** Shortest interval, also for a shorter Retry-After, so that polling never floods the service. */
const SHORTEST_DELAY_MS = 1_000;
/** Clocks are read again this often while waiting: a machine was suspended, or the sandbox's clock was moved. */
const LONGEST_SLEEP_MS = 30_000;
/** Consecutive unanswered requests after which polling ends. */
const FAILURES_IN_A_ROW = 5;

/**
 * Asks for the credential of a registered project (spec 4.3) and puts it into the vault.
 * @throws Fault("read_only"); Fault("credential_missing") without an integration key; Fault("vault_locked" | "storage" | "corrupt") when the
 *   vault cannot be opened or written before a request: that one was not sent. Afterwards see `notSaved`
 */
export async function fetchCredential(
  context: ActionContext,
  input: CredentialInput,
  signal: AbortSignal,
  onEvent: (event: CredentialEvent) => void,
): Promise<CredentialOutcome> {
  const service = await serviceToSendTo(context);
  const key = await beforeSending(() => integrationKey(context, service));
  const vault = await context.vault();
  const projects = await context.projects();

  const id = projectKey(input.request.merchant_id, input.request.risk_level);
  const known = await projects.get(context.profile.name, id);
  const startedAt = known === null ? null : windowStart(known);
  const closesAt = known === null ? null : windowEnd(known);
  // The window of a project that was registered elsewhere ends within 24 hours.
  const lastAt = closesAt ?? service.now() + CREDENTIAL_WINDOW_MS;

  if (known !== null && known.serviceOffsetMs !== null) service.assumeOffset(known.serviceOffsetMs);
  if (input.wait && startedAt !== null) {
    const recommended = context.profile.credentialWaitS * 1000;
    // A clock that was set back before this must not prolong the wait either.
    const left = Math.min(startedAt + recommended - service.now(), recommended);
    if (left > 0) {
      // Fails before the wait when the vault cannot be written.
      await beforeSending(() => vault.probe());
      await pause(context, service, left, closesAt, signal, onEvent);
    }
  }

  let delay = FIRST_DELAY_MS;
  let failures = 0;
  for (let attempt = 1; ; attempt += 1) {
    onEvent({ type: "asking", attempt });
    // The answer may be the only one, so the vault must be writable before each request.
    await (attempt === 1 ? beforeSending(() => vault.probe()) : vault.probe());
    // The vault stays open until the answer is saved.
    const release = vault.hold();
    let result: CredentialResult;
    try {
      result = await service.client.credential(input.request, key, { signal });
      service.follow(result);
      onEvent({ type: "answered", result });
      if (result.state === "ready") {
        return await keep({ context, service, request: input.request, key, result, known, closesAt });
      }
    } finally {
      release();
    }
    failures = result.outcome === "unknown" || result.outcome === "not_sent" ? failures + 1 : 0;
    const again =
      input.wait &&
      !signal.aborted &&
      service.now() < lastAt &&
      (result.state === "not_ready" || (failures > 0 && failures < FAILURES_IN_A_ROW));
    if (!again) {
      return {
        result,
        project: await remember(context, service, known, result),
        former: null,
        notSaved: null,
      };
    }
    const wait = result.retryAfterS === null ? delay : Math.max(result.retryAfterS * 1000, SHORTEST_DELAY_MS);
    delay = Math.min(delay * 2, LONGEST_DELAY_MS);
    await pause(context, service, Math.min(wait, lastAt - service.now()), closesAt, signal, onEvent);
  }
}

async function pause(
  context: ActionContext,
  service: Service,
  patience: Milliseconds,
  closesAt: Milliseconds | null,
  signal: AbortSignal,
  onEvent: (event: CredentialEvent) => void,
): Promise<void> {
  const until = service.now() + patience;
  onEvent({ type: "waiting", until, closesAt });
  // An advanced clock shortens the wait; a frozen clock, or one that was set back, must not prolong it.
  let slept: Milliseconds = 0;
  for (let left = patience; left > 0; left = Math.min(until - service.now(), patience - slept)) {
    const nap = Math.min(left, LONGEST_SLEEP_MS);
    await context.sleep(nap, signal);
    slept += nap;
  }
}

interface Arrived {
  readonly context: ActionContext;
  readonly service: Service;
  readonly request: CredentialRequest;
  readonly key: IntegrationKey;
  readonly result: CredentialResult;
  readonly known: Project | null;
  /** Service time. */
  readonly closesAt: Milliseconds | null;
}

/** Saves a received credential, or returns it as unsaved. */
async function keep(arrived: Arrived): Promise<CredentialOutcome> {
  const { context, service, request, result, known, closesAt } = arrived;
  const id = projectKey(request.merchant_id, request.risk_level);
  const save = async (): Promise<Project> => {
    await seal(arrived, id);
    return await noteProject(arrived, id);
  };
  let former: FormerSummary | null;
  try {
    ({ former } = await seal(arrived, id));
  } catch (error) {
    const [code, why] =
      error instanceof Fault
        ? [error.code, error.message]
        : (["storage", "the vault failed with an internal error; please report it."] as const);
    const fault = new Fault(
      code,
      sentence`The credential of ${id} was received but not saved: ${whole(why)}`,
    ).causedBy(error);
    const againUntil = closesAt === null ? null : closesAt - (service.offsetMs() ?? 0);
    const given = { fault, projectKey: id, credential: result.credential!, againUntil, save };
    return { result, project: known, former: null, notSaved: unsavedCredential(context, given) };
  }
  return { result, project: await noteProject(arrived, id), former, notSaved: null };
}

async function seal({ context, result }: Arrived, id: string): Promise<SavedEntry> {
  const credential = result.credential!;
  const vault = await context.vault();
  return await vault.put({
    kind: "project_credential",
    profile: context.profile.name,
    projectKey: id,
    projectId: credential.projectId,
    keyId: credential.keyId,
    algorithm: credential.algorithm,
    baseUrl: context.addresses().baseUrl,
    secret: credential.secret,
  });
}

/** Saves the credential before the project that refers to it, so that a crash in between loses nothing. */
async function noteProject(arrived: Arrived, id: string): Promise<Project> {
  const { context, service, request, key, result } = arrived;
  const projects = await context.projects();
  const { name: profile } = context.profile;
  const project: Project = {
    ...((await projects.get(profile, id)) ?? {
      key: id,
      profile,
      companyId: key.companyId,
      merchantId: request.merchant_id,
      riskLevel: request.risk_level,
      name: request.merchant_id,
      description: null,
      currency: null,
      startedAt: service.now(),
      provenStartAt: null,
    }),
    state: "ready",
    serviceOffsetMs: service.offsetMs(),
    projectId: result.credential!.projectId,
  };
  try {
    await projects.put(project);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    throw new Fault(
      error.code,
      sentence`The credential of ${id} is in the vault, but ${whole(error.message)}`,
    ).causedBy(error);
  }
  return project;
}

function stateAfter({ state }: Project, result: CredentialResult, held: boolean): Project["state"] {
  if (result.state === "closed" && !held) return "closed";
  if (state === "ready" && !held) return "removed";
  // The service says that the registration whose outcome was unknown never arrived: it may be sent anew.
  const lost = result.outcome === "refused" && result.reason === "project_not_found";
  return lost && (state === "unknown" || state === "registering") ? "refused" : state;
}

async function remember(
  context: ActionContext,
  service: Service,
  known: Project | null,
  result: CredentialResult,
): Promise<Project | null> {
  const projects = await context.projects();
  const { name } = context.profile;
  if (known === null || (await projects.get(name, known.key)) === null) return null;
  const held = (await heldCredentials(context)).some(({ projectKey: key }) => key === known.key);
  // Others may have changed it since the first request, such as by a credential that was entered by hand.
  return await projects.update(name, known.key, (now) => ({
    ...now,
    state: stateAfter(now, result, held),
    serviceOffsetMs: service.offsetMs() ?? now.serviceOffsetMs,
  }));
}
