// The use case of a check: intent on disk, call, outcome on disk, final action.

import type { ActionContext, Service } from "#src/actions/action-context.ts";
import { Fault, interrupted } from "#src/contract/fault.ts";
import type { AttemptEvent, RecordedExchange } from "#src/contract/records/exchange.ts";
import type { HistoryEntry, SignedWith } from "#src/contract/records/history-entry.ts";
import type { ProjectCredential } from "#src/contract/wire/credential.ts";
import type { Explanation } from "#src/contract/wire/explanation.ts";
import { type CheckResult, notSent } from "#src/contract/wire/outcome.ts";
import { finalAction } from "#src/contract/wire/recommendation.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import { chooseProject } from "./choose-project.ts";
import { beforeSending, serviceToSendTo } from "./may-send.ts";

export interface CheckInput {
  readonly request: CheckRequest;
  /** `<merchant_id>/<risk_level>` or a project id; undefined for the only project there is. */
  readonly project: string | undefined;
  /** Whether 3-D Secure can be forced for this payment; null when unknown. */
  readonly canForce3ds: boolean | null;
  readonly warnings: readonly string[];
  /** Id of the entry that is sent again. */
  readonly repeats: string | null;
  /** False only when the user accepts a check that is not recorded. */
  readonly record: boolean;
}

export type CheckEvent =
  | { readonly type: "recorded"; readonly entry: HistoryEntry }
  | { readonly type: "sent" }
  | { readonly type: "settled"; readonly entry: HistoryEntry };

export interface Checked {
  readonly entry: HistoryEntry;
  /** Set when the verdict is known but could not be written: it must be shown as not saved. */
  readonly notSaved: Fault | null;
}

/**
 * Sends one check (spec 4.1).
 * The intent is durable before the first byte leaves, so that a crash leaves an entry that is shown as unknown.
 * @throws Fault("read_only"), Fault("credential_missing" | "vault_locked" | "usage") when there is nothing to sign with,
 *   Fault("storage") when the intent cannot be written, Fault("interrupted") while the service is still being opened: then
 *   nothing was sent
 */
export async function check(
  context: ActionContext,
  input: CheckInput,
  signal: AbortSignal,
  onEvent: (event: CheckEvent) => void,
): Promise<Checked> {
  // The service comes first: starting the embedded one puts its keys into the vault.
  const service = await unlessStopped(serviceToSendTo(context), signal);
  const project = await beforeSending(() => chooseProject(context, input.project));
  const intent: HistoryEntry = {
    id: context.newId(),
    at: context.now(),
    profile: context.profile.name,
    project: project.key,
    request: input.request,
    result: null,
    finalAction: null,
    repeats: input.repeats,
    warnings: input.warnings,
    explanation: null,
    note: null,
    signed: signedWith(context.profile.recipe, project.credential),
  };
  const history = await beforeSending(async () => (input.record ? await context.history() : null));
  const body = await beforeSending(async () => await history?.intend(intent));
  onEvent({ type: "recorded", entry: intent });

  let exchanged: Extract<AttemptEvent, { type: "exchanged" }> | null = null;
  let result: CheckResult;
  try {
    result = await service.client.check(input.request, project.credential, {
      signal,
      body,
      onFirstByte: () => onEvent({ type: "sent" }),
      onAttempt: (event) => {
        if (event.type === "exchanged" && event.sent) exchanged = event;
      },
    });
  } catch (error) {
    // Nothing to sign with, e.g. an unknown algorithm: the entry must not stay behind as unknown.
    if (error instanceof Fault) await history?.settle({ ...intent, result: notSent(error) });
    throw error;
  }
  service.follow(result);

  const settled: HistoryEntry = {
    ...intent,
    result,
    finalAction: finalAction(result.recommendation, input.canForce3ds),
    warnings: [...input.warnings, ...answerWarnings(result)],
    ...keptExchange(result, exchanged),
  };
  let notSaved: Fault | null = null;
  const save = async (write: () => Promise<void> | undefined): Promise<void> => {
    try {
      await write();
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      notSaved ??= error;
    }
  };
  // The verdict is on disk before anything else is asked: what comes later may fail or never come.
  await save(() => history?.settle(settled));
  const explanation = await explanationOf(service, result, signal);
  if (explanation !== null) await save(() => history?.explain(settled.id, explanation));
  const entry: HistoryEntry = { ...settled, explanation };
  onEvent({ type: "settled", entry });
  return { entry, notSaved };
}

/** Waits for a promise until the signal fires; the work behind it continues. */
function unlessStopped<T>(wait: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(interrupted`Stopped before anything was sent.`);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    void wait.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

function signedWith(recipe: string, { keyId, projectId, algorithm }: ProjectCredential): SignedWith {
  return { recipe, keyId, projectId, algorithm };
}

/** Only where there is no verdict, and only what may lie on a disk. */
function keptExchange(
  { outcome }: CheckResult,
  exchanged: Extract<AttemptEvent, { type: "exchanged" }> | null,
): { readonly exchange?: RecordedExchange } {
  if (outcome === "answered" || outcome === "not_sent" || exchanged === null) return {};
  return { exchange: exchanged.record() };
}

async function explanationOf(
  service: Service,
  result: CheckResult,
  signal: AbortSignal,
): Promise<Explanation | null> {
  if (result.decisionId === null || signal.aborted) return null;
  return service.explain(result.decisionId);
}

function answerWarnings(result: CheckResult): string[] {
  const warnings: string[] = [];
  if (result.recommendation !== null && result.message === null) {
    warnings.push(
      "The answer has no message, although the service's document lists one; the verdict is still valid.",
    );
  }
  if (result.clockSkewS !== null) {
    const side = result.clockSkewS > 0 ? "ahead of" : "behind";
    warnings.push(
      `This machine's clock is ${Math.abs(Math.round(result.clockSkewS))} s ${side} the service's.`,
    );
  }
  return warnings;
}
