// Fault orders that all workers share: how often each was made, and how many draws there were, is the server's.

import {
  createFaultOrders,
  type FaultOrders,
  type FaultsMoment,
  type OrderedFaults,
} from "#src/sandbox/admin/fault-orders.ts";
import type { Issuer } from "#src/sandbox/state/issuer.ts";
import { createTurns } from "#src/sandbox/state/turns.ts";
import type { Valkey } from "./connection.ts";
import { script } from "./scripts.ts";
import { changeScript, type KnownWorld } from "./world.ts";

/** Key: the orders. Arguments: as the worker knows them, and their next text. Answers null, or the present text. */
const COUNT_MADE = script(`
local now = redis.call('GET', KEYS[1]) or ''
if now ~= ARGV[1] then return now end
if ARGV[2] ~= now then redis.call('SET', KEYS[1], ARGV[2]) end
return false
`);

/** The same as one step with the world. */
const CHANGE_ORDERS = changeScript(`
local now = call('GET', KEYS[2]) or ''
if now ~= ARGV[5] then return {now} end
call('SET', KEYS[2], ARGV[6])
`);

const NONE: FaultsMoment = { faults: [], number: 0, draws: 0 };

/** @returns null, or the text that the server has in place of `before` */
type Write = (before: string, next: string, isEmpty: boolean) => Promise<string | null>;

/** Only where the world says that there are orders is the server asked for them. */
export function createValkeyFaults(
  valkey: Pick<Valkey, "run">,
  issuer: Issuer,
  known: Pick<KnownWorld, "prefix" | "world" | "change">,
): FaultOrders {
  const key = `${known.prefix}faults`;
  let text = "";
  const { inTurn } = createTurns();

  /** Updates of this worker wait for each other. */
  function update<R>(work: (orders: OrderedFaults) => R, write: Write): Promise<R> {
    return inTurn(() => tryUpdate(work, write));
  }

  /** Again on the present orders where another worker was first. */
  async function tryUpdate<R>(work: (orders: OrderedFaults) => R, write: Write): Promise<R> {
    for (;;) {
      const moment = text === "" ? NONE : (JSON.parse(text) as FaultsMoment);
      const orders = createFaultOrders(issuer, moment.faults, moment);
      const result = work(orders);
      const next = orders.isEmpty && text === "" ? "" : JSON.stringify(orders.moment);
      const present = await write(text, next, orders.isEmpty);
      text = present ?? next;
      if (present === null) return result;
    }
  }

  async function countMade(before: string, next: string): Promise<string | null> {
    const present = await valkey.run(COUNT_MADE, [key], [before, next]);
    return present === null ? null : String(present);
  }

  return {
    get isEmpty() {
      return known.world.faults === 0;
    },
    list: () => update((orders) => orders.list, countMade),
    take: (call) => update((orders) => orders.take(call), countMade),
    change: (work) =>
      update(work, (before, next, isEmpty) =>
        known.change((world) => ({ ...world, faults: isEmpty ? 0 : world.faults + 1 }), {
          script: CHANGE_ORDERS,
          keys: () => [key],
          args: () => [before, next],
        }),
      ),
  };
}
