// The use case of a sweep: varies one field of a check over a range or a list. On the sandbox it asks what-if questions
// without effects; elsewhere each value is a real check, which needs the name of the profile as confirmation.

import type { ActionContext } from "#src/actions/action-context.ts";
import type { SandboxContext } from "#src/actions/sandbox/sandbox-access.ts";
import { Fault, usage } from "#src/contract/fault.ts";
import { checkFields } from "#src/contract/fields/check-fields.ts";
import type { FieldValue } from "#src/contract/fields/field.ts";
import { setPath } from "#src/contract/fields/body-path.ts";
import { checkField } from "#src/contract/fields/validate.ts";
import type { Profile } from "#src/contract/records/profile.ts";
import {
  samplesOf,
  type SweepPoint,
  type SweepResult,
  type SweepValues,
} from "#src/contract/records/sweep.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { hitsOf } from "#src/contract/wire/explanation.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import { verdictKind } from "#src/display/verdict.ts";
import { check } from "./check.ts";
import { requireSendable } from "./may-send.ts";
import { probeRange, stretchesOf } from "./sweep-tips.ts";
import { suppose } from "./what-if.ts";

export interface SweepInput {
  readonly request: CheckRequest;
  /** `<merchant_id>/<risk_level>` or a project id; undefined for the only project there is. */
  readonly project: string | undefined;
  /** Dotted path of the field that is changed. */
  readonly field: string;
  readonly values: SweepValues;
  /** Name of the profile as the user typed it, required for real checks; null on the sandbox. */
  readonly confirmed: string | null;
}

export interface SweepEvent {
  readonly type: "probed";
  readonly point: SweepPoint;
  /** Tried values, and planned ones; narrowing a change down adds to both. */
  readonly done: number;
  readonly planned: number;
}

/** Checks that one sweep may send. */
export const MOST_SENT = 60;
/** Questions that one sweep may ask of the sandbox; each change of a range takes some twenty. */
const MOST_ASKED = 2_000;
/** Pause between two real checks, to limit the load on the service. */
const PAUSE_MS: Milliseconds = 250;
/** Consecutive values without a trustworthy verdict after which the sweep stops. */
const MOST_FAILURES = 3;

/** The most checks that a sweep sends to a service that is not the sandbox. */
export function mostSent(values: SweepValues): number {
  const planned = values.kind === "list" ? values.values.length : samplesOf(values).length;
  // The changes of a list are not narrowed down.
  return values.kind === "list" ? planned : Math.max(planned, MOST_SENT);
}

/** Tries one value; null when no more may be tried, for the noted reason. */
type Ask = (request: CheckRequest, value: FieldValue) => Promise<SweepPoint | null>;

/**
 * Tries the values, and in a range narrows each change of the verdict down to neighbours. Each value has an order id of its own
 * where the request has one: otherwise a service would take them for repeats of one payment. A cancelled or cut sweep gives what
 * it has.
 * @throws Fault("read_only"), Fault("usage") for real checks without the name of their profile and for too many of them,
 *   Fault("credential_missing" | "vault_locked" | "sandbox" | "storage")
 */
export async function sweep(
  context: SandboxContext,
  input: SweepInput,
  signal: AbortSignal,
  onEvent: (event: SweepEvent) => void,
): Promise<SweepResult> {
  const { profile } = context;
  const { values, field: path } = input;
  const isReal = profile.environment !== "SANDBOX";
  if (isReal) requireConfirmation(profile, input);
  const field = checkFields(profile.currencyNumbering).find((each) => each.path === path)!;
  const at = context.now();
  const tried: { stopped: string | null; asked: number } = { stopped: null, asked: 0 };
  const { project, ask } = isReal
    ? realChecks(context, input, signal, tried)
    : await questions(context, input.project, tried);
  const orders = orderIds(context, input, isReal);

  let done = 0;
  const planned = values.kind === "list" ? values.values.length : samplesOf(values).length;
  const probe = async (value: FieldValue): Promise<SweepPoint | null> => {
    if (signal.aborted) tried.stopped = "It was cancelled.";
    if (tried.stopped !== null) return null;
    const request = setPath({ ...input.request, ...orders() }, path, value) as CheckRequest;
    const context = { body: request, now: at, amountUnit: profile.amountUnit, strict: !isReal };
    const wrong = checkField(field, value, context).find(({ severity }) => severity === "error");
    const point =
      wrong === undefined
        ? await ask(request, value)
        : { value, verdict: "refused" as const, reason: wrong.message, codes: null };
    if (point === null) return null;
    done += 1;
    onEvent({ type: "probed", point, done, planned: Math.max(planned, done) });
    return point;
  };

  const points =
    values.kind === "range"
      ? await probeRange(samplesOf(values), probe)
      : await probeAll(values.values, probe);
  return {
    profile: profile.name,
    project: project(),
    field: path,
    values,
    request: input.request,
    at,
    points,
    stretches: stretchesOf(points, values.kind === "range"),
    real: isReal,
    ...tried,
  };
}

async function probeAll(
  values: readonly FieldValue[],
  probe: (value: FieldValue) => Promise<SweepPoint | null>,
): Promise<SweepPoint[]> {
  const points: SweepPoint[] = [];
  for (const value of values) {
    const point = await probe(value);
    if (point === null) break;
    points.push(point);
  }
  return points;
}

/** @throws Fault("read_only" | "usage") */
function requireConfirmation(profile: Profile, { confirmed, values }: SweepInput): void {
  requireSendable(profile);
  const name = escapeText(profile.name, 64);
  const most = mostSent(values);
  if (most > MOST_SENT) {
    throw usage`This sweep would send ${most} checks, and the limit for a service that counts them is ${MOST_SENT}; give fewer values.`;
  }
  if (confirmed === profile.name) return;
  throw usage`A sweep on the profile ${name} sends up to ${most} real checks; it starts only when ${name} is given as the confirmation.`;
}

interface Tried {
  stopped: string | null;
  asked: number;
}

interface Asking {
  /** Known after the first question. */
  readonly project: () => string;
  readonly ask: Ask;
}

async function questions(
  context: SandboxContext,
  project: string | undefined,
  tried: Tried,
): Promise<Asking> {
  const supposing = await suppose(context, project);
  return {
    project: () => supposing.project,
    async ask(request, value) {
      if (tried.asked >= MOST_ASKED) {
        tried.stopped = `The verdict changes too often: the sweep stopped after ${MOST_ASKED} values; use a smaller range.`;
        return null;
      }
      tried.asked += 1;
      try {
        const { verdict, decision, magic } = await supposing.ask(request);
        if (decision === null || verdict === "unknown") {
          return {
            value,
            verdict,
            reason: magic === null ? null : `The order id ${magic.what}.`,
            codes: null,
          };
        }
        const hits = hitsOf(decision);
        const reasons = hits.map(({ text }) => text);
        return { value, verdict, reason: reasons[0] ?? null, codes: hits.map(({ code }) => code), reasons };
      } catch (error) {
        // A refusal is a result as well.
        if (!(error instanceof Fault) || error.code !== "bad_input") throw error;
        return { value, verdict: "refused", reason: error.message, codes: null };
      }
    },
  };
}

function realChecks(context: ActionContext, input: SweepInput, signal: AbortSignal, tried: Tried): Asking {
  let project = input.project ?? "";
  let failures = 0;
  return {
    project: () => project,
    async ask(request, value) {
      if (tried.asked >= MOST_SENT) {
        tried.stopped = `A sweep sends at most ${MOST_SENT} checks to a service that counts them; the exact limits of the other changes are not known.`;
        return null;
      }
      if (tried.asked > 0 && !(await paused(context, signal))) {
        tried.stopped = "It was cancelled.";
        return null;
      }
      tried.asked += 1;
      const sending = {
        request,
        project: input.project,
        canForce3ds: null,
        warnings: [],
        repeats: null,
        record: true,
      };
      const { entry } = await check(context, sending, signal, () => undefined);
      project = entry.project;
      const { result } = entry;
      const isVerdict = result?.outcome === "answered" && result.recommendation !== null;
      failures = isVerdict ? 0 : failures + 1;
      if (failures >= MOST_FAILURES) {
        tried.stopped = `${MOST_FAILURES} values in a row got no trustworthy verdict, so the sweep stopped.`;
      }
      const reason = result === null ? null : isVerdict ? result.message : result.explanation;
      return {
        value,
        verdict: verdictKind(result),
        reason,
        codes: entry.explanation && hitsOf(entry.explanation).map(({ code }) => code),
      };
    },
  };
}

/** False when it was cancelled. */
async function paused(context: ActionContext, signal: AbortSignal): Promise<boolean> {
  try {
    await context.sleep(PAUSE_MS, signal);
    return true;
  } catch (error) {
    if (error instanceof Fault && error.code === "interrupted") return false;
    throw error;
  }
}

/** An order id for each value; none when the request has none, or when the order id is varied. */
function orderIds(
  context: ActionContext,
  { request, field }: SweepInput,
  isReal: boolean,
): () => Pick<CheckRequest, "order_id"> {
  if (request.order_id === undefined || field === "order_id") return () => ({});
  const base = `sweep-${context.newId()}`;
  let number = 0;
  // Questions leave no trace, so one unused order id is enough for all of them.
  return () => ({ order_id: isReal ? `${base}-${(number += 1)}` : base });
}
