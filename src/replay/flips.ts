// Counts flips as rows arrive: which verdicts changed against a baseline, and how much money is behind each change.

import {
  FLIPS_KEPT,
  type Comparison,
  type Flip,
  type FlipCell,
  type ItemChange,
  type Money,
} from "#src/contract/records/flip.ts";
import type { RunResult, RunRow } from "#src/contract/records/run.ts";
import type { Recommendation } from "#src/contract/wire/recommendation.ts";
import { createKeyTable } from "#src/replay/sources/key-table.ts";

/** The verdicts of an earlier run by key. */
export interface BaselineIndex {
  /** undefined: not in the baseline; null: there without a trustworthy verdict */
  verdictOf(key: string): Recommendation | null | undefined;
  readonly size: number;
}

export interface FlipCounter {
  /** Counts one row; each key of a run is taken once. */
  take(row: RunRow): ItemChange;
  /** What is known so far; `missing` is counted once the run has ended. */
  comparison(ended: boolean): Comparison;
}

/** What the later side is called that is compared with its own payloads. */
export const CARRIED = "what the payloads carried";

/** Rows and columns of the matrix, from go on to stop. */
const ORDER: readonly Recommendation[] = ["pass", "3ds_or_block", "block"];

/** The worst first: a good customer lost, fraud let through, then a detour that is new, and so on to a detour that is gone. */
const WORST_FIRST: readonly string[] = [
  "pass>block",
  "block>pass",
  "pass>3ds_or_block",
  "3ds_or_block>block",
  "block>3ds_or_block",
  "3ds_or_block>pass",
];

/** Fail closed: only an answered call has a verdict that may be compared. */
export function trustedVerdict(result: RunResult | null): Recommendation | null {
  return result?.outcome === "answered" ? result.recommendation : null;
}

/** Reads a run once into a table of its verdicts: 32 MiB for 1,000,000 rows. */
export async function indexBaseline(rows: AsyncIterable<RunRow>): Promise<BaselineIndex> {
  const table = createKeyTable();
  for await (const row of rows) {
    const verdict = trustedVerdict(row.result);
    table.set(row.key, verdict === null ? ORDER.length : ORDER.indexOf(verdict));
  }
  return {
    get size() {
      return table.size;
    },
    verdictOf(key) {
      const held = table.get(key);
      return held === undefined ? undefined : (ORDER[held] ?? null);
    },
  };
}

/**
 * Counts flips as rows arrive, in any order. Flips carry their later side only: the index holds no rows.
 * @param baseline null to compare each item with the verdict that it carries itself (`was`)
 */
export function createFlips(
  labels: { readonly baseline: string; readonly run: string },
  baseline: BaselineIndex | null,
): FlipCounter {
  const cells = ORDER.map((was) => ORDER.map((now) => createCell(was, now)));
  const changes: Record<ItemChange, number> = { unchanged: 0, flipped: 0, new: 0, missing: 0, failed: 0 };
  const kept = createKeptFlips(FLIPS_KEPT);
  let found = 0;

  return {
    take(row) {
      // An item that carries no verdict has nothing to be compared with, as one that the baseline does not have.
      const was = baseline === null ? (row.was ?? undefined) : baseline.verdictOf(row.key);
      const now = trustedVerdict(row.result);
      const change = changeOf(was, now);
      changes[change] += 1;
      if (was !== undefined) found += 1;
      if (was === undefined || was === null || now === null) return change;
      cells[ORDER.indexOf(was)]![ORDER.indexOf(now)]!.take(row);
      if (change === "flipped") {
        kept.take({ key: row.key, change, was, now, before: null, after: row }, row.seq);
      }
      return change;
    },
    comparison(ended) {
      const matrix = cells.flat().map((cell) => cell.read());
      return {
        ...labels,
        matrix,
        changes: {
          ...changes,
          missing: ended && baseline !== null ? Math.max(0, baseline.size - found) : 0,
        },
        compared: changes.unchanged + changes.flipped,
        newBlocks: matrix
          .filter(({ was, now }) => now === "block" && was !== "block")
          .reduce((sum, { count }) => sum + count, 0),
        flips: kept.read(),
      };
    },
  };
}

/**
 * What became of an item that is in the later run.
 * @param was undefined: not in the earlier run; null: there without a trustworthy verdict
 */
export function changeOf(was: Recommendation | null | undefined, now: Recommendation | null): ItemChange {
  if (was === undefined) return "new";
  if (was === null || now === null) return "failed";
  return was === now ? "unchanged" : "flipped";
}

interface CellCounter {
  take(row: RunRow): void;
  read(): FlipCell;
}

function createCell(was: Recommendation, now: Recommendation): CellCounter {
  const sums = new Map<number | null, { count: number; amount: bigint }>();
  let count = 0;
  return {
    take({ request: { amount, currency = null } }) {
      count += 1;
      // Without an amount there is no money; a number that is not exact would make a sum look exact.
      if (amount === undefined || !Number.isSafeInteger(amount)) return;
      const sum = sums.get(currency);
      if (sum === undefined) sums.set(currency, { count: 1, amount: BigInt(amount) });
      else {
        sum.count += 1;
        sum.amount += BigInt(amount);
      }
    },
    read: () => ({ was, now, count, money: moneyOf(sums) }),
  };
}

/** The currency of most items first; among equals by number, so that the order never depends on arrival. */
function moneyOf(sums: ReadonlyMap<number | null, { count: number; amount: bigint }>): Money[] {
  return [...sums]
    .sort(([one, a], [other, b]) => b.count - a.count || (one ?? 0) - (other ?? 0))
    .map(([currency, { amount }]) => ({ currency, amount }));
}

interface KeptFlips {
  take(flip: Flip, seq: number): void;
  read(): readonly Flip[];
}

/** Keeps the first flips in the order of kind and place in the sources, whatever the order of their arrival. */
function createKeptFlips(limit: number): KeptFlips {
  const kinds = WORST_FIRST.map(() => [] as { readonly flip: Flip; readonly seq: number }[]);
  let held = 0;
  let read: readonly Flip[] | null = null;
  return {
    take(flip, seq) {
      const kind = kinds[WORST_FIRST.indexOf(`${flip.was}>${flip.now}`)]!;
      // Rows arrive nearly in order, so that the place is mostly the end.
      const before = kind.findLastIndex((each) => each.seq <= seq);
      kind.splice(before + 1, 0, { flip, seq });
      held += 1;
      if (held > limit) {
        kinds.findLast((each) => each.length > 0)!.pop();
        held -= 1;
      }
      read = null;
    },
    read: () => (read ??= kinds.flat().map(({ flip }) => flip)),
  };
}
