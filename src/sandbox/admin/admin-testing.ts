// The part of the administrative plane that testers use: magic, faults, the journal, the rules, snapshots and reset.

import type { FastifyInstance, FastifyRequest } from "fastify";
import { escapeText } from "#src/contract/text/escape-text.ts";
import { checkFaultOrder } from "#src/contract/wire/sandbox-fault.ts";
import {
  ADMIN,
  DEFAULT_TENANT,
  type MagicListing,
  type SnapshotOrder,
} from "#src/contract/wire/sandbox-wire.ts";
import { ruleSetFacts } from "#src/rules/rule-facts.ts";
import { MAGIC_VALUES } from "#src/sandbox/decisions/magic.ts";
import { Refusal } from "#src/sandbox/http/refusal.ts";
import { JOURNAL_ENTRIES } from "#src/sandbox/http/request-journal.ts";
import type { Tenant } from "#src/sandbox/tenants/tenant.ts";
import { readObject, sendJson, withWords, wrongRequest } from "./admin-body.ts";
import { MOST_FAULTS, type OrderedFaults } from "./fault-orders.ts";

/** Paths whose POST has a body. */
export const TESTING_BODIES: readonly string[] = [
  ADMIN.faults,
  ADMIN.rulesText,
  ADMIN.snapshots,
  ADMIN.restore,
  ADMIN.reset,
];

/**
 * @param bodyBytes most of a body
 * @param isLocal whether its callers are on this machine
 */
export function addTestingRoutes(app: FastifyInstance, bodyBytes: number, isLocal: boolean): void {
  app.get(ADMIN.magic, ({ tenant }, reply) => {
    const values = MAGIC_VALUES.map(({ prefix, what }) => ({ prefix, what }));
    return sendJson(reply, { enabled: tenant.magic, values } satisfies MagicListing);
  });

  /** Changes the faults and saves them, or changes nothing. */
  async function changeFaults<R>({ faults, note }: Tenant, change: (orders: OrderedFaults) => R): Promise<R> {
    const result = await faults.change(change);
    note("faults_changed");
    return result;
  }

  app.get(ADMIN.faults, async ({ tenant }, reply) => sendJson(reply, { faults: await tenant.faults.list() }));
  app.post(ADMIN.faults, async (request, reply) => {
    const order = await withWords(() => checkFaultOrder(readObject(request, bodyBytes)));
    const added = await changeFaults(request.tenant, (orders) => {
      if (orders.list.length < MOST_FAULTS) return orders.add(order);
      throw wrongRequest(`There are ${MOST_FAULTS} faults already; clear some first.`);
    });
    return sendJson(reply, added);
  });
  app.delete(ADMIN.faults, async ({ tenant }, reply) => {
    await changeFaults(tenant, (orders) => orders.clear());
    return sendJson(reply, { faults: await tenant.faults.list() });
  });
  app.delete<{ Params: { id: string } }>(`${ADMIN.faults}/:id`, async ({ tenant, params }, reply) => {
    if (!(await changeFaults(tenant, (orders) => orders.remove(params.id)))) {
      throw new Refusal("not_found", "There is no fault with this id.");
    }
    return sendJson(reply, { faults: await tenant.faults.list() });
  });

  app.get<{ Querystring: Record<string, unknown> }>(ADMIN.journal, async (request, reply) => {
    const number = (name: string, otherwise: number, max: number): number => {
      const given = request.query[name];
      if (given === undefined) return otherwise;
      if (typeof given === "string" && /^\d{1,16}$/.test(given) && Number(given) <= max) return Number(given);
      throw wrongRequest(`The parameter ${name} is a whole number up to ${max}.`);
    };
    const limit = number("limit", 100, JOURNAL_ENTRIES);
    const page = await request.tenant.journal.page(limit, number("after", 0, Number.MAX_SAFE_INTEGER));
    return sendJson(reply, page);
  });

  app.get(ADMIN.rules, async ({ tenant }, reply) => sendJson(reply, await tenant.rules.reading()));
  app.get(ADMIN.ruleFacts, ({ tenant }, reply) => sendJson(reply, ruleSetFacts(tenant.rules.current)));
  app.post(ADMIN.reloadRules, async ({ tenant: { rules } }, reply) => {
    await rules.reload();
    return sendJson(reply, await rules.reading());
  });
  app.get(ADMIN.rulesText, async ({ tenant }, reply) =>
    sendJson(reply, await withWords(() => tenant.rules.text())),
  );
  app.post(ADMIN.rulesText, async (request, reply) => {
    const { rules } = request.tenant;
    const { text, name } = readObject(request, bodyBytes);
    if (typeof text !== "string") throw wrongRequest('The field "text" must be the text of a rule file.');
    await withWords(() => rules.save(text, typeof name === "string" ? escapeText(name, 100) : undefined));
    return sendJson(reply, await rules.reading());
  });
  app.delete(ADMIN.rulesText, async ({ tenant: { rules } }, reply) => {
    await withWords(() => rules.remove());
    return sendJson(reply, await rules.reading());
  });

  app.get(ADMIN.snapshots, async ({ tenant }, reply) =>
    sendJson(reply, { snapshots: await tenant.maintenance.list() }),
  );
  app.post(ADMIN.snapshots, async (request, reply) => {
    const { maintenance, note } = request.tenant;
    const order = orderOf(request, readObject(request, bodyBytes), isLocal);
    const facts = await withWords(() => maintenance.snapshot(order));
    note("snapshot");
    return sendJson(reply, facts);
  });
  app.post(ADMIN.restore, async (request, reply) => {
    const { maintenance, note } = request.tenant;
    const order = orderOf(request, readObject(request, bodyBytes), isLocal);
    const facts = await withWords(() => maintenance.restore(order));
    note("restored", { virtual_time: new Date(facts.virtualTime).toISOString() });
    return sendJson(reply, facts);
  });
  app.post(ADMIN.reset, async (request, reply) => {
    const { maintenance, note } = request.tenant;
    const { keepProjects } = readObject(request, bodyBytes);
    if (typeof keepProjects !== "boolean")
      throw wrongRequest('The field "keepProjects" must be true or false.');
    await withWords(() => maintenance.reset(keepProjects));
    note("reset");
    return sendJson(reply, { status: "success" });
  });
}

/** Only the default tenant's snapshots may lie anywhere: whoever administers a tenant has no say over the host's files. */
function orderOf({ tenant }: FastifyRequest, body: Record<string, unknown>, isLocal: boolean): SnapshotOrder {
  if (typeof body["name"] === "string") return { name: body["name"] };
  if (!isLocal) throw wrongRequest("A snapshot on another machine has a name, and no path.");
  if (tenant.name !== DEFAULT_TENANT) throw wrongRequest("A snapshot of a tenant has a name, and no path.");
  if (typeof body["path"] === "string") return { path: body["path"] };
  throw wrongRequest('A snapshot needs a "name" or a "path".');
}
