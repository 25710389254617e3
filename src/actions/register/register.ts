// The use case of a registration: one request whose outcome is recorded, and resolved by the credential request if unknown.

import type { ActionContext } from "#src/actions/action-context.ts";
import { beforeSending, serviceToSendTo } from "#src/actions/check/may-send.ts";
import { Fault, sentence, whole } from "#src/contract/fault.ts";
import { registrationFields } from "#src/contract/fields/registration-fields.ts";
import { bodyProblem, requiredPaths } from "#src/contract/fields/validate.ts";
import { registrationNumbering } from "#src/contract/records/profile.ts";
import { projectKey, windowEnd, type Project, type ProjectState } from "#src/contract/records/project.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { NO_FACTS, type RegisterResult } from "#src/contract/wire/outcome.ts";
import type { RegistrationRequest } from "#src/contract/wire/wire.ts";
import { shellWord } from "#src/display/shell-word.ts";
import { knownProjects } from "./held-credentials.ts";
import { integrationKey } from "./integration-key.ts";

export interface RegisterInput {
  readonly request: RegistrationRequest;
  /** True to send a second request although the first may have arrived. */
  readonly again?: boolean;
}

export type RegisterEvent =
  | { readonly type: "registering"; readonly project: Project }
  | { readonly type: "answered"; readonly result: RegisterResult };

export interface RegisterOutcome {
  readonly result: RegisterResult;
  /** The stored project; null when the service never received it. */
  readonly project: Project | null;
  /** True when the credential request is the next step. */
  readonly goOn: boolean;
}

/**
 * Registers a project (spec 4.2). Never posts a second time when an earlier request may have arrived, be it in this
 * call or before a crash: the credential request tells whether it did, and is the next step then.
 * @throws Fault("read_only"), Fault("usage") for a body the service would refuse, Fault("credential_missing") without an integration key,
 *   Fault("storage") when the start cannot be written: then nothing was sent
 */
export async function register(
  context: ActionContext,
  input: RegisterInput,
  signal: AbortSignal,
  onEvent: (event: RegisterEvent) => void,
): Promise<RegisterOutcome> {
  const fields = registrationFields(registrationNumbering(context.profile));
  const wrong = bodyProblem(fields, input.request, { required: requiredPaths(fields) });
  if (wrong !== null) throw new Fault("usage", whole(wrong));

  const service = await serviceToSendTo(context);
  const projects = await context.projects();
  const key = await beforeSending(async () => {
    const signing = await integrationKey(context, service);
    await (await context.vault()).probe();
    return signing;
  });

  const { request } = input;
  const id = projectKey(request.merchant_id, request.risk_level);
  const before = await beforeSending(
    async () => (await knownProjects(context)).find((project) => project.key === id) ?? null,
  );
  if (input.again !== true && isUnresolved(before, service.now())) {
    return { result: UNRESOLVED, project: before, goOn: true };
  }
  const start: Project = {
    key: id,
    profile: context.profile.name,
    companyId: key.companyId,
    merchantId: request.merchant_id,
    riskLevel: request.risk_level,
    name: request.name,
    description: request.description ?? null,
    currency: request.currency,
    state: "registering",
    // The 24 hours may have started with an earlier, unanswered attempt.
    startedAt: mayExist(before) ? before.startedAt : service.now(),
    provenStartAt: mayExist(before) ? before.provenStartAt : null,
    serviceOffsetMs: service.offsetMs(),
    projectId: null,
  };
  // A second attempt must not discard a project whose credential is saved.
  if (before?.state !== "ready") await beforeSending(() => projects.put(start));
  onEvent({ type: "registering", project: start });

  const sentAt = service.now();
  const result = await service.client.register(request, key, { signal });
  service.follow(result);
  onEvent({ type: "answered", result });

  if (before?.state === "ready" && !result.registered) {
    // It exists already, was refused, or the credential request resolves it.
    const goOn =
      result.httpStatus === 409 || result.outcome === "unknown" || result.outcome === "indeterminate";
    return { result, project: before, goOn };
  }
  if (result.outcome === "not_sent") {
    await saying(result.explanation, async () => {
      if (before === null) await projects.remove(start.profile, start.key);
      else await projects.put(before);
    });
    return { result, project: before, goOn: false };
  }
  const project: Project = {
    ...start,
    // A success means a new project, even if an older one of this key was stored.
    ...(result.registered ? { startedAt: sentAt } : {}),
    state: stateAfter(result),
    serviceOffsetMs: service.offsetMs(),
    provenStartAt: result.registered ? (result.virtualTimeMs ?? result.serverDateMs) : start.provenStartAt,
  };
  const goOn = project.state !== "refused";
  const next = goOn
    ? ` Fetch its credential within 24 hours: verdict project credential --merchant-id ${shellWord(request.merchant_id)} --risk-level ${request.risk_level} --wait`
    : "";
  await saying(
    `${result.registered ? `${escapeText(id, 80)} is registered at the service.` : result.explanation}${next}`,
    () => projects.put(project),
  );
  return { result, project, goOn };
}

/** Saves the result of a request; a fault begins with that result, because it is stored nowhere else. */
async function saying(whatCame: string, save: () => Promise<unknown>): Promise<void> {
  try {
    await save();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    throw new Fault(
      error.code,
      sentence`${whole(whatCame)} The result could not be saved: ${whole(error.message)}`,
    ).causedBy(error);
  }
}

/** True while the credential request can show whether an earlier registration arrived. */
function isUnresolved(project: Project | null, now: Milliseconds): boolean {
  if (project === null || (project.state !== "unknown" && project.state !== "registering")) return false;
  return now < windowEnd(project);
}

const UNRESOLVED: RegisterResult = {
  // The outcome of the earlier registration.
  outcome: "unknown",
  reason: "unresolved",
  explanation:
    "The registration was not sent again, because an earlier registration may have arrived: the credential request shows whether it arrived.",
  ...NO_FACTS,
  latencyMs: null,
  attempts: 0,
  registered: false,
  message: null,
};

/** True for a project that the service may know from an earlier attempt. */
function mayExist(project: Project | null): project is Project {
  return project !== null && project.state !== "refused";
}

function stateAfter(result: RegisterResult): ProjectState {
  if (result.registered) return "registered";
  // It exists already: perhaps from an earlier attempt whose answer was lost.
  if (result.httpStatus === 409) return "registered";
  return result.outcome === "refused" ? "refused" : "unknown";
}
