// Bounds the part of the heap for new objects: V8 lets it grow to 64 MB, of which a console needs a fourth.

import { PerformanceObserver } from "node:perf_hooks";
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";
import { GROWTH_FLAG, USUAL_GROWTH } from "./compiled-code.ts";

/** Bytes of both halves: with less the processor time of a key rises. */
const ENOUGH = 12 * 2 ** 20;

/**
 * Keeps the young generation from growing beyond what is enough. A shared host has many consoles, and nearly all of their
 * memory would be garbage. V8 reads its factor at each growth; a factor of one stops it.
 */
export function boundYoungGeneration(): void {
  new PerformanceObserver(() => {
    const young = getHeapSpaceStatistics().find((space) => space.space_name === "new_space");
    // It may grow again where it has shrunk. Set at each collection, because loading code sets the usual factor.
    const factor = (young?.physical_space_size ?? 0) < ENOUGH ? USUAL_GROWTH : 1;
    setFlagsFromString(GROWTH_FLAG + factor);
  }).observe({ entryTypes: ["gc"] });
}
