// Fault injection orders: which of them apply to a request, by call, rate and count.

import type { Milliseconds } from "#src/contract/wire/clock.ts";
import type { FaultEffect, FaultOrder, FaultReading, Latency } from "#src/contract/wire/sandbox-fault.ts";
import type { Call } from "#src/contract/wire/wire.ts";
import type { Issuer } from "./issuer.ts";
import type { Store } from "./store.ts";
import { createTurns } from "./turns.ts";

/** Faults to inject into one request. */
export interface TakenFault {
  /** Oldest order first. */
  readonly ids: readonly string[];
  readonly delayMs: Milliseconds;
  /** At most one in addition to latencies: the oldest order. */
  readonly effect: Exclude<FaultEffect, { do: "latency" }> | null;
}

/** The orders of a tenant, which outlive the process. */
export type FaultOrders = ReturnType<typeof openFaults>;

/** What the orders and their draws go on from. */
export interface FaultsMoment {
  readonly faults: readonly FaultReading[];
  /** Of the newest order ever. */
  readonly number: number;
  readonly draws: number;
}

/** Where the orders are kept, for one process or several. */
export interface FaultsPlace {
  /** Known without asking. */
  readonly isEmpty: boolean;
  /**
   * Writes the next ones, unless another process was first.
   * @param before as this process knows them
   * @param isChange false where only draws and counts differ, if anything does
   * @returns null when they are written, or those that there are
   */
  write(next: FaultsMoment, before: FaultsMoment, isChange: boolean): Promise<FaultsMoment | null>;
}

export const NO_FAULTS: FaultsMoment = { faults: [], number: 0, draws: 0 };

/** @param known what the place has, as far as this process knows */
export function openFaults(issuer: Issuer, place: FaultsPlace, known: FaultsMoment) {
  let moment = known;
  const { inTurn } = createTurns();

  /** Updates of this process wait for each other; again on the present orders where another process was first. */
  const update = <R>(work: (orders: OrderedFaults) => R, isChange = false): Promise<R> =>
    inTurn(async () => {
      for (;;) {
        const orders = createFaultOrders(issuer, moment);
        const result = work(orders);
        const other = await place.write(orders.moment, moment, isChange);
        moment = other ?? orders.moment;
        if (other === null) return result;
      }
    });

  return {
    get isEmpty() {
      return place.isEmpty;
    },
    list: async () => (place.isEmpty ? [] : await update((orders) => orders.list)),
    /** Draws the faults of one request, and counts them; null for none. */
    take: (call: Call) => update((orders) => orders.take(call)),
    /** Changes the orders and saves them. `work` may be called again on the orders as another process has changed them. */
    change: <R>(work: (orders: OrderedFaults) => R) => update(work, true),
  };
}

/** The value of a store. */
export const FAULTS = "faults";

/** The orders of one process, in its store, as an embedded sandbox stops between two commands. */
export function openSavedFaults(store: Store, issuer: Issuer): FaultOrders {
  const saved = (store.value(FAULTS) as FaultsMoment | undefined) ?? NO_FAULTS;
  let { length } = saved.faults;
  const place = {
    get isEmpty() {
      return length === 0;
    },
    async write(next: FaultsMoment, before: FaultsMoment, isChange: boolean): Promise<null> {
      if (isChange) await store.change({ [FAULTS]: next });
      else if (JSON.stringify(next) !== JSON.stringify(before)) await store.keep(FAULTS, next);
      ({ length } = next.faults);
      return null;
    },
  };
  return openFaults(issuer, place, saved);
}

/** Orders in memory. */
export type OrderedFaults = ReturnType<typeof createFaultOrders>;

/** Orders at once. */
export const MOST_FAULTS = 100;

type Held = { -readonly [K in keyof FaultReading]: FaultReading[K] };

/**
 * @param issuer with a seed, the same orders apply to the same requests with the same latencies
 * @param moment that they go on from
 */
export function createFaultOrders(issuer: Issuer, moment: FaultsMoment) {
  let held: Held[] = moment.faults.map((fault) => ({ ...fault }));
  let { number, draws } = moment;

  /** A share from 0 up to 1. */
  function draw(): number {
    draws += 1;
    return Number.parseInt(issuer.hex(`fault draw ${draws}`, 12), 16) / 2 ** 48;
  }

  function delayOf(latency: Latency): Milliseconds {
    switch (latency.shape) {
      case "fixed":
        return latency.ms;
      case "uniform":
        return latency.fromMs + draw() * (latency.toMs - latency.fromMs);
      case "normal": {
        // Box-Muller; a draw of zero has no logarithm.
        const deviate = Math.sqrt(-2 * Math.log(1 - draw())) * Math.cos(2 * Math.PI * draw());
        const bounded = Math.max(-4, Math.min(4, deviate));
        return Math.max(0, latency.meanMs + bounded * latency.deviationMs);
      }
    }
  }

  return {
    get list(): readonly FaultReading[] {
      return held.map((fault) => ({ ...fault }));
    },
    get moment(): FaultsMoment {
      return { faults: held, number, draws };
    },
    add(order: FaultOrder): FaultReading {
      number += 1;
      const fault: Held = { ...order, id: `f-${number}`, made: 0 };
      held.push(fault);
      return { ...fault };
    },
    /** @returns false when there is none of this id */
    remove(id: string): boolean {
      const before = held.length;
      held = held.filter((fault) => fault.id !== id);
      return held.length < before;
    },
    clear(): void {
      held = [];
    },
    /** Resets to the first start: with a seed, the same orders then apply to the same requests. */
    reset(): void {
      held = [];
      number = 0;
      draws = 0;
    },
    /** Draws the faults of one request, and counts them; null for none. */
    take(call: Call): TakenFault | null {
      const ids: string[] = [];
      let delayMs = 0;
      let effect: TakenFault["effect"] = null;
      for (const fault of held) {
        if (fault.on !== "all" && fault.on !== call) continue;
        if (fault.count !== null && fault.made >= fault.count) continue;
        if (fault.effect.do !== "latency" && effect !== null) continue;
        if (fault.rate < 1 && draw() >= fault.rate) continue;
        fault.made += 1;
        ids.push(fault.id);
        if (fault.effect.do === "latency") delayMs += delayOf(fault.effect.latency);
        else effect = fault.effect;
      }
      return ids.length === 0 ? null : { ids, delayMs: Math.round(delayMs), effect };
    },
  };
}
