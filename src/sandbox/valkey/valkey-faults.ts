// Fault orders that all workers share: how often each was made, and how many draws there were, is the server's.

import {
  NO_FAULTS,
  openFaults,
  type FaultOrders,
  type FaultsMoment,
  type FaultsPlace,
} from "#src/sandbox/state/fault-orders.ts";
import type { Issuer } from "#src/sandbox/state/issuer.ts";
import { script } from "./scripts.ts";
import { openValue, sealValue } from "./sealed-values.ts";
import { changeScript, type Along, type OnServer } from "./world.ts";

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

/** Only where the world says that there are orders is the server asked for them. */
export function createValkeyFaults({ valkey, known, sealingKey }: OnServer, issuer: Issuer): FaultOrders {
  const key = `${known.prefix}faults`;
  /** As this worker knows them. */
  let text = "";

  const place: FaultsPlace = {
    get isEmpty() {
      return known.world.faults === 0;
    },
    async write(next, before, isChange) {
      const isSame = JSON.stringify(next) === JSON.stringify(before);
      const written = isSame ? text : sealValue(sealingKey, next, key);
      const along: Along = { script: CHANGE_ORDERS, rest: () => [[key], [text, written]] };
      const present = isChange
        ? await known.change(
            (world) => ({ ...world, faults: next.faults.length === 0 ? 0 : world.faults + 1 }),
            along,
          )
        : await valkey.run(COUNT_MADE, [key], [text, written]);
      text = present === null ? written : String(present);
      if (present === null) return null;
      return text === "" ? NO_FAULTS : (openValue(sealingKey, text, key) as FaultsMoment);
    },
  };
  return openFaults(issuer, place, NO_FAULTS);
}
