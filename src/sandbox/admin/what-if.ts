// What-if checks on the administrative plane: the answer the service would give now, without side effects.

import { checkFields } from "#src/contract/fields/check-fields.ts";
import { magicOf } from "#src/contract/wire/magic-order.ts";
import { ADMIN, type SandboxSwitches, type WhatIf } from "#src/contract/wire/sandbox-wire.ts";
import { BODY_LIMIT_BYTES, type CheckRequest } from "#src/contract/wire/wire.ts";
import { preview } from "#src/rules/decision/flip-point.ts";
import { wrongRequest, type AdminRoutes } from "./admin-body.ts";
import { Refusal } from "#src/sandbox/http/refusal.ts";
import { readDocument } from "#src/sandbox/http/body.ts";
import { attemptAt, forced, type NumberSwitches } from "#src/sandbox/service/check-call.ts";

type Switches = Pick<SandboxSwitches, "require"> & NumberSwitches;

/**
 * The body is validated like a check. Counters, stored answers, decisions, hit counts and the journal are unchanged, and
 * injected faults neither apply nor are used up.
 */
export function whatIfRoutes(switches: () => Switches): AdminRoutes {
  return {
    async [`POST ${ADMIN.whatIf}`]({ tenant, query, body: sent }): Promise<WhatIf> {
      const { state, shared, magic, clock } = tenant;
      const { project: projectId, flips } = query;
      if (typeof projectId !== "string")
        throw wrongRequest("The parameter project names the project by its id.");
      const body = (sent as Buffer | undefined) ?? Buffer.alloc(0);
      const now = clock.now();
      const { require, ...numbers } = switches();
      const fields = checkFields(numbers.currencyNumbering, numbers.amountUnit);
      const check = readDocument(body, fields, require, now, BODY_LIMIT_BYTES) as CheckRequest;
      return await shared(async () => {
        const project = await state.accounts.projectById(projectId);
        if (project === null) throw new Refusal("not_found", "No project has this id.");
        const force = magic ? magicOf(check.order_id) : null;
        const told = force === null ? null : { prefix: force.prefix, what: force.what };
        if (force !== null && "effect" in force && force.effect.do === "status") {
          return { decision: null, magic: told };
        }
        const { ruleSet, input, attempt, keyed } = attemptAt(now, check, body, project, tenant, numbers);
        const { repeat, draft } = await state.look(attempt, keyed.attempt, (counters) =>
          forced(preview(ruleSet, input, counters, flips === "1"), force),
        );
        const { orderId } = attempt;
        if (repeat === null) return { decision: { ...draft, orderId, repeat: false }, magic: told };
        const stored = await state.decision(repeat.decisionId);
        return { decision: stored === null ? null : { ...stored, repeat: true }, magic: told };
      });
    },
  };
}
