// What keeps the items of a replay in order: the keys under which a service counts attempts.

import type { CheckRequest } from "#src/contract/wire/wire.ts";
import { COUNTER_KEYS, counterKeys, type CounterKey } from "#src/rules/counters/counter-keys.ts";

/** What any service may count by. Wider keys, such as a network, would leave little to send side by side. */
const USUAL_KEYS: readonly CounterKey[] = ["card", "email", "ip", "payer", "phone", "terminal", "order"];

/**
 * Two items that share a lane would be counted in another order each time they are sent side by side.
 * @param isSandbox true for every key by which the sandbox counts
 */
export function lanesOf(request: CheckRequest, isSandbox: boolean): string[] {
  const keys = counterKeys(request, "", "");
  return (isSandbox ? COUNTER_KEYS : USUAL_KEYS).flatMap((key) => keys[key] ?? []);
}
