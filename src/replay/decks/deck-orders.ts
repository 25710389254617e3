// Assigns order ids to the checks of a deck: unique ones, except in steps with `same_order`.

import type { CheckRequest } from "#src/contract/wire/wire.ts";
import type { DeckBody } from "./deck-payload.ts";
import type { DeckCheck, DeckStep } from "./deck.ts";

/** A step with `{n}` in the order ids of its checks still unreplaced. */
export interface UnnamedStep extends Omit<DeckStep, "checks"> {
  /** That of its last check, or of the step before where it has none; null where there is none. */
  readonly body: DeckBody | null;
  /** Its checks reuse the order id of the check before. */
  readonly sameOrder: boolean;
  readonly checks: readonly (Omit<DeckCheck, "request"> & { readonly body: DeckBody })[];
}

const NUMBER = "{n}";

/**
 * Gives each check its request. `{n}` in an order id is the number of the check in the deck, with leading zeros so that
 * all are equally long; an order id that was used before gets `-2`, `-3` and so on.
 */
export function nameOrders(steps: readonly UnnamedStep[]): DeckStep[] {
  const total = steps.reduce((sum, { checks }) => sum + checks.length, 0);
  const digits = String(total).length;
  const used = new Set<string>();
  let count = 0;
  let last: string | null = null;

  const fresh = (template: string): string => {
    const wanted = template.replaceAll(NUMBER, String(count).padStart(digits, "0"));
    let id = wanted;
    for (let copy = 2; used.has(id); copy += 1) id = `${wanted}-${copy}`;
    used.add(id);
    return id;
  };
  return steps.map((unnamed) => {
    const { body: _, sameOrder, checks, ...step } = unnamed;
    const named = checks.map(({ body, ...check }) => {
      count += 1;
      const order: string = sameOrder && last !== null ? last : fresh(body.request.order_id ?? "");
      last = order;
      const request: CheckRequest = { ...body.request, order_id: order };
      return { ...check, request };
    });
    return { ...step, checks: named };
  });
}
