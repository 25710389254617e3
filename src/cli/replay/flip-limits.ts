// The limits --max-flips and --max-new-blocks on changed verdicts of a replay or comparison.

import type { Options } from "#src/cli/command.ts";
import { Fault } from "#src/contract/fault.ts";
import type { Comparison } from "#src/contract/records/flip.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import { counted } from "#src/display/count.ts";

/** A number of items, or a share of those that were compared. */
export type NewBlocksLimit =
  | { readonly kind: "count"; readonly count: number }
  /** Exact: `parts` of `whole`, so that 0.1% of 1,000 is 1 and not a little less. */
  | { readonly kind: "share"; readonly text: string; readonly parts: bigint; readonly whole: bigint };

/** Null: no limit. */
export interface FlipLimits {
  readonly maxFlips: number | null;
  readonly maxNewBlocks: NewBlocksLimit | null;
}

/** @throws Fault("usage") for an invalid number */
export function readFlipLimits(options: Options): FlipLimits {
  const newBlocks = options.text("maxNewBlocks");
  return {
    maxFlips: options.integer("maxFlips", "--max-flips", { min: 0, max: Number.MAX_SAFE_INTEGER }) ?? null,
    maxNewBlocks: newBlocks === undefined ? null : parseNewBlocks(newBlocks),
  };
}

/**
 * Reads `3` or `0.5%`.
 * @throws Fault("usage") for anything else, and for a share above 100%
 */
export function parseNewBlocks(text: string): NewBlocksLimit {
  if (/^\d{1,15}$/.test(text)) return { kind: "count", count: Number(text) };
  const share = /^(\d{1,3})(?:\.(\d{1,6}))?%$/.exec(text);
  if (share !== null) {
    const [, units = "", decimals = ""] = share;
    const limit = {
      kind: "share" as const,
      text,
      parts: BigInt(units + decimals),
      whole: 100n * 10n ** BigInt(decimals.length),
    };
    if (limit.parts <= limit.whole) return limit;
  }
  throw new Fault(
    "usage",
    `--max-new-blocks takes a whole number such as 3, or a share such as 0.5%, not "${escapeText(text, 40)}".`,
  );
}

/**
 * Why a limit is exceeded, as one sentence; null when none is. Limits are exceeded when no item could be compared, because
 * that proves nothing.
 */
export function exceeded(comparison: Comparison, { maxFlips, maxNewBlocks }: FlipLimits): string | null {
  const { changes, compared, newBlocks } = comparison;
  if (maxFlips === null && maxNewBlocks === null) return null;
  if (compared === 0) {
    return "No item has a trustworthy verdict on both sides, so that the limits on changed verdicts prove nothing; compare with a run of the same payloads.";
  }
  if (maxFlips !== null && changes.flipped > maxFlips) {
    return `${counted(changes.flipped, "verdict")} changed, and --max-flips allows ${maxFlips}.`;
  }
  if (maxNewBlocks === null || !tooManyBlocks(newBlocks, compared, maxNewBlocks)) return null;
  const allowed = maxNewBlocks.kind === "count" ? String(maxNewBlocks.count) : maxNewBlocks.text;
  const share = maxNewBlocks.kind === "share" ? ` of ${compared} compared` : "";
  return `${counted(newBlocks, "verdict")}${share} became block, and --max-new-blocks allows ${allowed}.`;
}

function tooManyBlocks(newBlocks: number, compared: number, limit: NewBlocksLimit): boolean {
  return limit.kind === "count"
    ? newBlocks > limit.count
    : BigInt(newBlocks) * limit.whole > BigInt(compared) * limit.parts;
}
