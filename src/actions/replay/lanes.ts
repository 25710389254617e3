// What keeps the items of a replay in order: the keys under which a service counts attempts.

import type { Chained } from "#src/contract/records/run.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import { COUNTER_KEYS, counterKeys, type CounterKey } from "#src/rules/counters/counter-keys.ts";

/** What any service may count by. Wider keys, such as a network, would leave little to send side by side. */
const USUAL_KEYS: readonly CounterKey[] = ["terminal", "card", "email", "ip", "payer", "phone", "order"];

/** Items that are looked at before it is said how few can be in flight. */
const LEAST_SEEN = 64;
/** It is worth saying where no more than this part of what is wanted can be in flight. */
const WORTH_SAYING = 4;

/**
 * Two items that share a lane would be counted in another order each time they are sent side by side.
 * @param isSandbox true for every key by which the sandbox counts
 */
export function lanesOf(request: CheckRequest, isSandbox: boolean): string[] {
  const keys = counterKeys(request, "", "");
  return (isSandbox ? COUNTER_KEYS : USUAL_KEYS).flatMap((key) => keys[key] ?? []);
}

/** Looks at the first items of a run, and says early where their lanes leave little to send side by side. */
export class LaneWatch {
  readonly #concurrency: number;
  readonly #onChained: (chained: Chained) => void;
  readonly #values: Map<CounterKey, Set<string>>;
  #terminal: string | null = null;
  #seen = 0;
  #told = false;

  /** @param onChained called once at most */
  constructor(isSandbox: boolean, concurrency: number, onChained: (chained: Chained) => void) {
    this.#concurrency = concurrency;
    this.#onChained = onChained;
    // Of keys with as few values the first is named.
    const keys = new Set([...USUAL_KEYS, ...(isSandbox ? COUNTER_KEYS : [])]);
    this.#values = new Map(Array.from(keys, (key) => [key, new Set()]));
  }

  look(request: CheckRequest): void {
    if (this.#told) return;
    const keys = counterKeys(request, "", "");
    this.#seen += 1;
    this.#terminal ??= request.terminal_id ?? null;
    for (const [key, values] of this.#values) {
      const value = keys[key];
      // Items without a key wait for nobody because of it.
      if (value === undefined) this.#values.delete(key);
      else values.add(value);
    }
    if (this.#seen >= Math.max(LEAST_SEEN, this.#concurrency)) this.#tell(false);
  }

  /** No item follows. */
  end(): void {
    this.#tell(true);
  }

  #tell(isAll: boolean): void {
    if (this.#told || this.#seen === 0) return;
    this.#told = true;
    const [fewest] = [...this.#values].sort(([, one], [, other]) => one.size - other.size);
    const concurrency = this.#concurrency;
    if (fewest === undefined || fewest[1].size * WORTH_SAYING > Math.min(concurrency, this.#seen)) return;
    const [key, { size: distinct }] = fewest;
    const terminal = key === "terminal" && distinct === 1 ? this.#terminal : null;
    this.#onChained({ items: this.#seen, isAll, key, distinct, terminal, concurrency });
  }
}
