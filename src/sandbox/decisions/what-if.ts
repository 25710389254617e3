// What the service would answer to a check now: asked on the administrative plane, and leaving no trace.

import { hash } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { checkFields } from "#src/contract/fields/check-fields.ts";
import { ADMIN, type SandboxSwitches, type WhatIf } from "#src/contract/wire/sandbox-wire.ts";
import { BODY_LIMIT_BYTES, type CheckRequest } from "#src/contract/wire/wire.ts";
import { preview } from "#src/rules/decision/decide.ts";
import { previewWithFlips } from "#src/rules/decision/flip-point.ts";
import { sendJson, wrongRequest } from "#src/sandbox/admin/admin-body.ts";
import { Refusal } from "#src/sandbox/http/refusal.ts";
import { readDocument } from "#src/sandbox/http/request-document.ts";
import type { ExchangeableState } from "#src/sandbox/state/exchangeable-state.ts";
import type { SandboxClock } from "#src/sandbox/state/sandbox-clock.ts";
import { checkFacts } from "./check-facts.ts";
import { forced, magicOf } from "./magic.ts";
import type { WatchedRules } from "./watched-rules.ts";

export interface WhatIfOptions {
  readonly exchangeable: ExchangeableState;
  readonly rules: WatchedRules;
  readonly clock: Pick<SandboxClock, "now">;
  /** Whether order ids force answers. */
  readonly magic: boolean;
  readonly switches: () => Pick<SandboxSwitches, "require" | "currencyNumbering" | "amountUnit">;
}

/**
 * The body is that of a check, and is refused like one. Counters, stored answers, decisions, the hits of the rules and the
 * request journal stay as they are, and faults that were ordered neither meet it nor are used up by it.
 */
export function addWhatIfRoute(app: FastifyInstance, options: WhatIfOptions): void {
  const { rules, clock, magic, switches } = options;
  const { state, through } = options.exchangeable;

  app.post<{ Querystring: Record<string, unknown> }>(ADMIN.whatIf, async (request, reply) => {
    const { project: projectId, flips } = request.query;
    if (typeof projectId !== "string")
      throw wrongRequest("The parameter project names the project by its id.");
    const body = (request.body as Buffer | undefined) ?? Buffer.alloc(0);
    const now = clock.now();
    const { require, currencyNumbering, amountUnit } = switches();
    const check = readDocument(
      body,
      checkFields(currencyNumbering, amountUnit),
      require,
      now,
      BODY_LIMIT_BYTES,
    ) as CheckRequest;
    const whatIf = await through(() => consider(projectId, check, body, now, flips === "1"));
    return sendJson(reply, whatIf);
  });

  async function consider(
    projectId: string,
    check: CheckRequest,
    body: Buffer,
    now: number,
    withFlips: boolean,
  ): Promise<WhatIf> {
    const project = await state.projectById(projectId);
    if (project === null) throw new Refusal("not_found", "No project has this id.");
    const { riskLevel, currency } = project;
    const force = magic ? magicOf(check.order_id) : null;
    const told = force === null ? null : { prefix: force.prefix, what: force.what };
    if (force !== null && "effect" in force && force.effect.do === "status") {
      return { decision: null, magic: told };
    }
    const orderId = check.order_id ?? null;
    const attempt = { projectId, orderId, bodyDigest: hash("sha256", body, "base64url"), at: now };
    const facts = checkFacts(
      { request: check, project: { projectId, riskLevel, currency }, now },
      switches(),
    );
    const { repeat, draft } = await state.consider(attempt, (counters) => {
      const found = (withFlips ? previewWithFlips : preview)(rules.current, facts, counters);
      return force !== null && "recommendation" in force
        ? forced(found, force.recommendation, force.prefix)
        : found;
    });
    if (repeat === null) return { decision: { ...draft, orderId, repeat: false }, magic: told };
    const stored = await state.decision(repeat.decisionId);
    return { decision: stored === null ? null : { ...stored, repeat: true }, magic: told };
  }
}
