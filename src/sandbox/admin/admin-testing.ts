// The part of the administrative plane that testers use: magic, faults, the journal, the rules, snapshots and reset.

import type { FastifyInstance } from "fastify";
import { escapeText } from "#src/contract/text/escape-text.ts";
import { checkFaultOrder } from "#src/contract/wire/sandbox-fault.ts";
import { ADMIN, type MagicListing, type SnapshotOrder } from "#src/contract/wire/sandbox-wire.ts";
import { ruleSetFacts } from "#src/rules/rule-facts.ts";
import { MAGIC_VALUES } from "#src/sandbox/decisions/magic.ts";
import type { WatchedRules } from "#src/sandbox/decisions/watched-rules.ts";
import { Refusal } from "#src/sandbox/http/refusal.ts";
import { JOURNAL_ENTRIES, type RequestJournal } from "#src/sandbox/http/request-journal.ts";
import type { SandboxLogEntry } from "#src/sandbox/http/sandbox-log.ts";
import type { SwappableState } from "#src/sandbox/state/swappable-state.ts";
import { readObject, sendJson, withWords, wrongRequest } from "./admin-body.ts";
import { MOST_FAULTS, type FaultOrders } from "./fault-orders.ts";
import type { Maintenance } from "./maintenance.ts";

export interface TestingOptions {
  readonly swappable: SwappableState;
  readonly magic: boolean;
  readonly faults: FaultOrders;
  readonly journal: RequestJournal;
  readonly rules: WatchedRules;
  readonly maintenance: Maintenance;
  readonly bodyBytes: number;
  /** Writes a line to the log. */
  readonly note: (event: SandboxLogEntry["event"], more?: Partial<SandboxLogEntry>) => void;
}

/** Paths whose POST has a body. */
export const TESTING_BODIES: readonly string[] = [
  ADMIN.faults,
  ADMIN.rulesText,
  ADMIN.snapshots,
  ADMIN.restore,
  ADMIN.reset,
];

export function addTestingRoutes(app: FastifyInstance, options: TestingOptions): void {
  const { swappable, faults, journal, rules, maintenance, bodyBytes, note } = options;

  app.get(ADMIN.magic, (_request, reply) => {
    const values = MAGIC_VALUES.map(({ prefix, what }) => ({ prefix, what }));
    return sendJson(reply, { enabled: options.magic, values } satisfies MagicListing);
  });

  /** Changes the faults and saves them, or changes nothing. */
  async function changeFaults<R>(change: () => R): Promise<R> {
    const result = change();
    await swappable.shared(() => swappable.state.saveFaults(faults.list));
    note("faults_changed");
    return result;
  }

  app.get(ADMIN.faults, (_request, reply) => sendJson(reply, { faults: faults.list }));
  app.post(ADMIN.faults, async (request, reply) => {
    const order = await withWords(() => checkFaultOrder(readObject(request, bodyBytes)));
    if (faults.list.length >= MOST_FAULTS) {
      throw wrongRequest(`There are ${MOST_FAULTS} faults already; clear some first.`);
    }
    return sendJson(reply, await changeFaults(() => faults.add(order)));
  });
  app.delete(ADMIN.faults, async (_request, reply) => {
    await changeFaults(() => faults.clear());
    return sendJson(reply, { faults: faults.list });
  });
  app.delete<{ Params: { id: string } }>(`${ADMIN.faults}/:id`, async (request, reply) => {
    if (!(await changeFaults(() => faults.remove(request.params.id)))) {
      throw new Refusal("not_found", "There is no fault with this id.");
    }
    return sendJson(reply, { faults: faults.list });
  });

  app.get<{ Querystring: Record<string, unknown> }>(ADMIN.journal, (request, reply) => {
    const number = (name: string, otherwise: number, max: number): number => {
      const given = request.query[name];
      if (given === undefined) return otherwise;
      if (typeof given === "string" && /^\d{1,15}$/.test(given) && Number(given) <= max) return Number(given);
      throw wrongRequest(`The parameter ${name} is a whole number up to ${max}.`);
    };
    const limit = number("limit", 100, JOURNAL_ENTRIES);
    return sendJson(reply, journal.page(limit, number("after", 0, Number.MAX_SAFE_INTEGER)));
  });

  app.get(ADMIN.rules, (_request, reply) => sendJson(reply, rules.reading()));
  app.get(ADMIN.ruleFacts, (_request, reply) => sendJson(reply, ruleSetFacts(rules.current)));
  app.post(ADMIN.reloadRules, async (_request, reply) => {
    await rules.reload();
    return sendJson(reply, rules.reading());
  });
  app.get(ADMIN.rulesText, async (_request, reply) => sendJson(reply, await withWords(() => rules.text())));
  app.post(ADMIN.rulesText, async (request, reply) => {
    const { text, name } = readObject(request, bodyBytes);
    if (typeof text !== "string") throw wrongRequest('The field "text" must be the text of a rule file.');
    await withWords(() => rules.save(text, typeof name === "string" ? escapeText(name, 100) : undefined));
    return sendJson(reply, rules.reading());
  });
  app.delete(ADMIN.rulesText, async (_request, reply) => {
    await withWords(() => rules.remove());
    return sendJson(reply, rules.reading());
  });

  app.get(ADMIN.snapshots, async (_request, reply) =>
    sendJson(reply, { snapshots: await maintenance.list() }),
  );
  app.post(ADMIN.snapshots, async (request, reply) => {
    const order = orderOf(readObject(request, bodyBytes));
    const facts = await withWords(() => maintenance.snapshot(order));
    note("snapshot");
    return sendJson(reply, facts);
  });
  app.post(ADMIN.restore, async (request, reply) => {
    const order = orderOf(readObject(request, bodyBytes));
    const facts = await withWords(() => maintenance.restore(order));
    note("restored", { virtual_time: new Date(facts.virtualTime).toISOString() });
    return sendJson(reply, facts);
  });
  app.post(ADMIN.reset, async (request, reply) => {
    const { keepProjects } = readObject(request, bodyBytes);
    if (typeof keepProjects !== "boolean")
      throw wrongRequest('The field "keepProjects" must be true or false.');
    await withWords(() => maintenance.reset(keepProjects));
    note("reset");
    return sendJson(reply, { status: "success" });
  });
}

function orderOf(body: Record<string, unknown>): SnapshotOrder {
  if (typeof body["name"] === "string") return { name: body["name"] };
  if (typeof body["path"] === "string") return { path: body["path"] };
  throw wrongRequest('A snapshot needs a "name" or a "path".');
}
