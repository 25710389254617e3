// The check call, once its key is known: by what time it asks to be decided, in which turn of a run, and how it is decided.

import type { FastifyRequest } from "fastify";
import type { Milliseconds } from "#src/contract/wire/clock.ts";
import { magicOf } from "#src/contract/wire/magic-order.ts";
import { readRunTurn, type RunTurn } from "#src/contract/wire/run-turn.ts";
import type { FaultEffect } from "#src/contract/wire/sandbox-fault.ts";
import { HEADER, type CheckRequest } from "#src/contract/wire/wire.ts";
import { decideCounted } from "#src/rules/decision/decision-record.ts";
import { Refusal } from "#src/sandbox/http/refusal.ts";
import { ClockMoved } from "#src/sandbox/state/sandbox-state.ts";
import type { KeyHolder } from "#src/sandbox/state/stored-accounts.ts";
import { QuotaReached } from "#src/sandbox/state/tenant-record.ts";
import type { Tenant } from "#src/sandbox/state/tenant.ts";
import { parseTime } from "#src/signing/recipes/time-format.ts";
import type { Received } from "#src/signing/verify.ts";
import { attemptAt, forced, type NumberSwitches } from "./check-attempt.ts";

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
