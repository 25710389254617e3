// The check call, once its key is known: by what time it asks to be decided, in which turn of a run, and how it is decided.

import type { FastifyRequest } from "fastify";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { magicOf, type Magic } from "#src/contract/wire/magic-order.ts";
import { readRunTurn, type RunTurn } from "#src/contract/wire/run-turn.ts";
import type { FaultEffect } from "#src/contract/wire/sandbox-fault.ts";
import { HEADER, type CheckRequest } from "#src/contract/wire/wire.ts";
import { decideCounted, DECIDED_BY_MAGIC } from "#src/rules/decision/decision-record.ts";
import { Refusal } from "#src/sandbox/http/refusal.ts";
import { ClockMoved, type CheckAttempt } from "#src/sandbox/state/sandbox-state.ts";
import type { KeyHolder, SandboxProject } from "#src/sandbox/state/stored-accounts.ts";
import { QuotaReached } from "#src/sandbox/state/tenant-record.ts";
import type { Tenant } from "#src/sandbox/state/tenant.ts";
import { parseTime } from "#src/signing/recipes/time-format.ts";
import type { Received } from "#src/signing/verify.ts";
import type { SandboxSwitches } from "#src/contract/wire/sandbox-wire.ts";
import { attemptOf } from "#src/rules/decision/attempt.ts";
import { ADVICE, type DecisionDraft } from "#src/rules/decision/decide.ts";
import { inIso4217, inMinorUnits, type DecisionInput } from "#src/rules/decision/situation.ts";
import { answerDigest } from "#src/sandbox/state/stored-answers.ts";

/** The answer to a call, and the fault to inject into it, if any. */
export interface Answered {
  readonly body: object;
  readonly effect?: FaultEffect;
}

/** Answers one call of an authenticated key. */
export type CallHandler = (
  holder: KeyHolder,
  document: unknown,
  body: Buffer,
  request: FastifyRequest,
) => Promise<Answered>;

/** @param what "100 projects" */
export function overQuota(what: string): Refusal {
  return new Refusal(
    "too_many_requests",
    `The quota of this tenant is ${what}; reset it, or create another tenant.`,
  );
}

/** Answers the check call: forced by its order id, or decided by the current rules. */
export function createCheck(
  tenant: Tenant,
  options: NumberSwitches & { readonly onServer: boolean },
): CallHandler {
  const { clock, rules, state, quota } = tenant;

  const answer: CallHandler = async (holder, document, body, request) => {
    const check = document as CheckRequest;
    const project = holder.projectId === null ? null : await state.accounts.projectById(holder.projectId);
    // Another worker has reset the sandbox since the key was found.
    if (project === null) {
      throw new Refusal("unavailable", "The sandbox was reset during the call; send it again.");
    }
    const magic = tenant.magic ? magicOf(check.order_id) : null;
    if (magic !== null) request.trace.entry.magic = magic.prefix;
    const effect = magic !== null && "effect" in magic ? magic.effect : undefined;
    if (effect?.do === "status") return { body: {}, effect };
    if (quota !== null && (await state.decisionCount()) >= quota.decisions) {
      throw overQuota(`${quota.decisions} decisions`);
    }
    const now = request.trace.virtualTime ?? clock.now();
    const { ruleSet, input, attempt, keyed } = attemptAt(now, check, body, project, tenant, options);
    const isForced = magic !== null && effect === undefined;
    const settling = state.settle(
      attempt,
      keyed.attempt,
      isForced ? "peek" : "count",
      (view) => {
        request.patience.require();
        request.mayBeDecided = options.onServer;
        const { record, outcomes, basis } = decideCounted(ruleSet, input, keyed, view);
        if (isForced) return { record: forced(record, magic), basis: null, ruleSet };
        rules.note(ruleSet, outcomes);
        return { record, basis, ruleSet };
      },
      quota?.decisions,
    );
    // It is counted by now, unless a server does that.
    if (!options.onServer) request.turn?.end();
    let settled;
    try {
      settled = await settling;
    } catch (error) {
      if (error instanceof ClockMoved) return answer(holder, document, body, request);
      // Others were decided since it was asked.
      if (error instanceof QuotaReached) throw overQuota(`${quota?.decisions} decisions`);
      throw error;
    }
    request.mayBeDecided = true;
    const { decisionId: decision, recommendation, message, repeat, basis } = settled;
    request.trace.basis = basis;
    Object.assign(request.trace.entry, { decision, recommendation, repeat });
    const success = { status: "success", code: recommendation, message };
    return effect === undefined ? { body: success } : { body: success, effect };
  };

  return answer;
}

/** @throws Refusal `invalid_request` for a header that is no time */
export function askedTime({ headers }: Received): Milliseconds | undefined {
  const text = headers.get(HEADER.virtualTime);
  if (text === undefined) return undefined;
  const at = parseTime("iso8601", text);
  if (at !== null) return at;
  throw new Refusal(
    "invalid_request",
    `The header ${HEADER.virtualTime} is not a time; send one such as 2026-03-16T12:00:00.000Z.`,
  );
}

/** Null for a check that belongs to no run. @throws Refusal `invalid_request` for a header that is no turn */
export function askedTurn({ headers }: Received): RunTurn | null {
  const text = headers.get(HEADER.turn);
  if (text === undefined) return null;
  const turn = readRunTurn(text);
  if (turn !== null) return turn;
  throw new Refusal(
    "invalid_request",
    `The header ${HEADER.turn} is not a turn; leave it out, or send a run, a number and the lowest one under way.`,
  );
}

/** Switches that say what the numbers of a check mean. */
export type NumberSwitches = Pick<
  SandboxSwitches,
  "currencyNumbering" | "registrationCurrencyNumbering" | "amountUnit"
>;

/** @throws Refusal `invalid_request` for an amount that cannot be held in minor units */
export function attemptAt(
  now: Milliseconds,
  check: CheckRequest,
  body: Uint8Array,
  { projectId, riskLevel, currency }: SandboxProject,
  { rules: { current: ruleSet }, state }: Pick<Tenant, "rules" | "state">,
  numbers: NumberSwitches,
) {
  const project = { projectId, riskLevel, currency };
  const input = asRulesTakeIt({ request: check, project, now }, numbers);
  const bodyDigest = answerDigest(body, ruleSet);
  const attempt: CheckAttempt = { projectId, orderId: check.order_id ?? null, bodyDigest, at: now };
  return { ruleSet, input, attempt, keyed: attemptOf(ruleSet, input, state) };
}

/** With currencies of ISO 4217, and amounts in minor units. */
function asRulesTakeIt(
  input: DecisionInput,
  { currencyNumbering, registrationCurrencyNumbering, amountUnit }: NumberSwitches,
): DecisionInput {
  const read = inMinorUnits(inIso4217(input, currencyNumbering, registrationCurrencyNumbering), amountUnit);
  const { amount } = read.request;
  if (amount === undefined || Number.isSafeInteger(amount)) return read;
  const message = `amount must be at most ${Number.MAX_SAFE_INTEGER} in minor units of its currency.`;
  throw new Refusal("invalid_request", "The request has a wrong field.", {
    fields: [{ path: "amount", message }],
  });
}

/** The decision with the recommendation that an order id forces, if it does; the results of the rules stay. */
export function forced<D extends Pick<DecisionDraft, "recommendation" | "decidedBy" | "message">>(
  decided: D,
  magic: Magic | null,
): D {
  if (magic === null || !("recommendation" in magic)) return decided;
  const { recommendation, prefix } = magic;
  const message = `${ADVICE[recommendation]}: forced by the order id (${prefix}).`;
  return { ...decided, recommendation, decidedBy: DECIDED_BY_MAGIC, message };
}
