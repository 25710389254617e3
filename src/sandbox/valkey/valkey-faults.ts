// Fault orders that all workers share: how often each was made, and how many draws there were, is the server's.

import {
  createFaultOrders,
  type FaultOrders,
  type FaultsMoment,
  type OrderedFaults,
} from "#src/sandbox/state/fault-orders.ts";
import type { Issuer } from "#src/sandbox/state/issuer.ts";
import type { SecretBox } from "#src/sandbox/state/secret-box.ts";
import { createTurns } from "#src/sandbox/state/turns.ts";
import type { Valkey } from "./connection.ts";
import type { Reply } from "./replies.ts";
import { script } from "./scripts.ts";
import { openValue, sealValue } from "./sealed-values.ts";
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

/** Only where the world says that there are orders is the server asked for them. */
export function createValkeyFaults(
  valkey: Pick<Valkey, "run">,
  issuer: Issuer,
  known: Pick<KnownWorld, "prefix" | "world" | "change">,
  box: SecretBox,
): FaultOrders {
  const key = `${known.prefix}faults`;
  let text = "";
  let moment = NONE;
  const { inTurn } = createTurns();

  /**
   * Updates of this worker wait for each other; again on the present orders where another worker was first.
   * @param write gives null, or the text that the server has
   */
  function update<R>(
    work: (orders: OrderedFaults) => R,
    write: (next: string, isEmpty: boolean) => Promise<Reply | string>,
  ): Promise<R> {
    return inTurn(async () => {
      for (;;) {
        const orders = createFaultOrders(issuer, moment.faults, moment);
        const result = work(orders);
        const isSame = JSON.stringify(orders.moment) === JSON.stringify(moment);
        const next = isSame ? text : sealValue(box, orders.moment, key);
        const present = await write(next, orders.isEmpty);
        if (present === null) [text, moment] = [next, orders.moment];
        else {
          const found = String(present);
          moment = found === "" ? NONE : (openValue(box, found, key) as FaultsMoment);
          text = found;
        }
        if (present === null) return result;
      }
    });
  }

  const countMade = (next: string): Promise<Reply> => valkey.run(COUNT_MADE, [key], [text, next]);

  return {
    get isEmpty() {
      return known.world.faults === 0;
    },
    list: () => update((orders) => orders.list, countMade),
    take: (call) => update((orders) => orders.take(call), countMade),
    change: (work) =>
      update(work, (next, isEmpty) =>
        known.change((world) => ({ ...world, faults: isEmpty ? 0 : world.faults + 1 }), {
          script: CHANGE_ORDERS,
          rest: () => [[key], [text, next]],
        }),
      ),
  };
}
