// Counts flips (verdicts that changed against a baseline) and the money behind them as rows arrive.

import {
  FLIPS_KEPT,
  type Comparison,
  type Flip,
  type FlipCell,
  type ItemChange,
} from "#src/contract/records/flip.ts";
import { trustedVerdict, type RunRow } from "#src/contract/records/run.ts";
import type { Recommendation } from "#src/contract/wire/recommendation.ts";
import { MoneyTally } from "./money-tally.ts";
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
  /** The comparison so far; `missing` is counted once the run has ended. */
  comparison(ended: boolean): Comparison;
}

/** Rows and columns of the matrix, from go on to stop. */
const ORDER: readonly Recommendation[] = ["pass", "3ds_or_block", "block"];

/** The worst first: a good customer lost, fraud accepted, then changes to and from 3-D Secure. */
const WORST_FIRST: readonly string[] = [
  "pass>block",
  "block>pass",
  "pass>3ds_or_block",
  "3ds_or_block>block",
  "block>3ds_or_block",
  "3ds_or_block>pass",
];

/** Indexes the verdicts of a run by key; 32 MiB for 1,000,000 rows. */
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
 * Accepts rows in any order. Flips have their later side only, because the index holds no rows.
 * @param baseline null to compare each item with its own earlier verdict (`was`)
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
      // An item without an earlier verdict counts as new, like one that is missing in the baseline.
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
 * The change of an item that is in the later run.
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
  const money = new MoneyTally();
  let count = 0;
  return {
    take({ request }) {
      count += 1;
      money.take(request);
    },
    read: () => ({ was, now, count, money: money.sums() }),
  };
}

interface KeptFlips {
  take(flip: Flip, seq: number): void;
  read(): readonly Flip[];
}

/** Keeps the first flips by kind and position in the sources, independent of their arrival. */
function createKeptFlips(limit: number): KeptFlips {
  const kinds = WORST_FIRST.map(() => [] as { readonly flip: Flip; readonly seq: number }[]);
  let held = 0;
  let read: readonly Flip[] | null = null;
  return {
    take(flip, seq) {
      const kind = kinds[WORST_FIRST.indexOf(`${flip.was}>${flip.now}`)]!;
      // Rows arrive nearly in order, so the position is close to the end.
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
