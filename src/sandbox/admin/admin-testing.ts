// The part of the administrative plane that testers use: magic, faults, the journal, the rules, snapshots and reset.

import { escapeText } from "#src/contract/text/escape-text.ts";
import { MAGIC_VALUES } from "#src/contract/wire/magic-order.ts";
import { checkFaultOrder } from "#src/contract/wire/sandbox-fault.ts";
import {
  ADMIN,
  DEFAULT_TENANT,
  type MagicListing,
  type SnapshotOrder,
} from "#src/contract/wire/sandbox-wire.ts";
import { ruleSetFacts } from "#src/rules/rule-facts.ts";
import { Refusal } from "#src/sandbox/http/refusal.ts";
import { JOURNAL_ENTRIES } from "#src/sandbox/state/request-journal.ts";
import type { Tenant } from "#src/sandbox/state/tenant.ts";
import {
  DONE,
  readObject,
  requireTenantRules,
  wrongRequest,
  type AdminRequest,
  type AdminRoutes,
} from "./admin-body.ts";
import { MOST_FAULTS, type OrderedFaults } from "#src/sandbox/state/fault-orders.ts";

/** @param isLocal whether its callers are on this machine */
export function testingRoutes(isLocal: boolean): AdminRoutes {
  /** Changes the faults and saves them, or changes nothing. */
  async function changeFaults<R>({ faults, note }: Tenant, change: (orders: OrderedFaults) => R): Promise<R> {
    const result = await faults.change(change);
    note("faults_changed");
    return result;
  }
  const listFaults = async ({ faults }: Tenant) => ({ faults: await faults.list() });

  return {
    [`GET ${ADMIN.magic}`]({ tenant }): MagicListing {
      const values = MAGIC_VALUES.map(({ prefix, what }) => ({ prefix, what }));
      return { enabled: tenant.magic, values };
    },

    [`GET ${ADMIN.faults}`]: ({ tenant }) => listFaults(tenant),
    async [`POST ${ADMIN.faults}`](request) {
      const order = checkFaultOrder(readObject(request));
      return await changeFaults(request.tenant, (orders) => {
        if (orders.list.length < MOST_FAULTS) return orders.add(order);
        throw wrongRequest(`There are ${MOST_FAULTS} faults already; clear some first.`);
      });
    },
    async [`DELETE ${ADMIN.faults}`]({ tenant }) {
      await changeFaults(tenant, (orders) => orders.clear());
      return await listFaults(tenant);
    },
    async [`DELETE ${ADMIN.faults}/:id`]({ tenant, params }) {
      if (await changeFaults(tenant, (orders) => orders.remove(params["id"]!))) return listFaults(tenant);
      throw new Refusal("not_found", "There is no fault with this id.");
    },

    [`GET ${ADMIN.journal}`]({ tenant, query }) {
      const number = (name: string, otherwise: number, max: number): number => {
        const given = query[name];
        if (given === undefined) return otherwise;
        if (typeof given === "string" && /^\d{1,16}$/.test(given) && Number(given) <= max)
          return Number(given);
        throw wrongRequest(`The parameter ${name} is a whole number up to ${max}.`);
      };
      const limit = number("limit", 100, JOURNAL_ENTRIES);
      return tenant.journal.page(limit, number("after", 0, Number.MAX_SAFE_INTEGER));
    },

    [`GET ${ADMIN.rules}`]: ({ tenant }) => tenant.rules.reading(),
    [`GET ${ADMIN.ruleFacts}`]: ({ tenant }) => ruleSetFacts(tenant.rules.current),
    async [`POST ${ADMIN.reloadRules}`]({ tenant: { rules } }) {
      await rules.reload();
      return await rules.reading();
    },
    [`GET ${ADMIN.rulesText}`]: ({ tenant }) => tenant.rules.text(),
    async [`POST ${ADMIN.rulesText}`](request) {
      const { rules } = request.tenant;
      const { text, name } = readObject(request);
      if (typeof text !== "string") throw wrongRequest('The field "text" must be the text of a rule file.');
      if (request.tenant.name !== DEFAULT_TENANT) requireTenantRules(text);
      await rules.save(text, typeof name === "string" ? escapeText(name, 100) : undefined);
      return await rules.reading();
    },
    async [`DELETE ${ADMIN.rulesText}`]({ tenant: { rules } }) {
      await rules.remove();
      return await rules.reading();
    },

    [`GET ${ADMIN.snapshots}`]: async ({ tenant }) => ({ snapshots: await tenant.maintenance.list() }),
    async [`POST ${ADMIN.snapshots}`](request) {
      const { maintenance, note } = request.tenant;
      const facts = await maintenance.snapshot(orderOf(request, isLocal));
      note("snapshot");
      return facts;
    },
    async [`POST ${ADMIN.restore}`](request) {
      const { maintenance, note } = request.tenant;
      const facts = await maintenance.restore(orderOf(request, isLocal));
      note("restored", { virtual_time: new Date(facts.virtualTime).toISOString() });
      return facts;
    },
    async [`POST ${ADMIN.reset}`](request) {
      const { maintenance, note } = request.tenant;
      const { keepProjects } = readObject(request);
      if (typeof keepProjects !== "boolean")
        throw wrongRequest('The field "keepProjects" must be true or false.');
      await maintenance.reset(keepProjects);
      note("reset");
      return DONE;
    },
  };
}

/** Only the default tenant's snapshots may lie anywhere: whoever administers a tenant has no say over the host's files. */
function orderOf(request: AdminRequest, isLocal: boolean): SnapshotOrder {
  const body = readObject(request);
  if (typeof body["name"] === "string") return { name: body["name"] };
  if (!isLocal) throw wrongRequest("A snapshot on another machine has a name, and no path.");
  if (request.tenant.name !== DEFAULT_TENANT)
    throw wrongRequest("A snapshot of a tenant has a name, and no path.");
  if (typeof body["path"] === "string") return { path: body["path"] };
  throw wrongRequest('A snapshot needs a "name" or a "path".');
}
