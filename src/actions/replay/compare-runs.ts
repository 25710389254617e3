// What a run is compared with: an earlier run, a file of verdicts, or the verdicts that its payloads carried.

import { noSuch, usage } from "#src/contract/fault.ts";
import {
  CARRIED,
  carriedBy,
  FLIPS_KEPT,
  type Comparison,
  type Earlier,
  type EurPerUnit,
} from "#src/contract/records/flip.ts";
import type { AmountUnit } from "#src/contract/records/profile.ts";
import type { KeptRows, RunInfo, RunItem, RunRow } from "#src/contract/records/run.ts";
import { comparisonOf } from "#src/replay/flips.ts";
import { compareGolden, earlierIn, type GoldenFacts } from "#src/replay/golden.ts";
import { eurPerUnit } from "#src/rules/rule-file/eur-rates.ts";
import { starterRates } from "#src/rules/rule-file/rule-file.ts";
import type { Runs } from "#src/storage/database/runs.ts";
import type { GoldenFile } from "./golden-file.ts";

/** What a run is compared with. */
export interface Side {
  /** The earlier run; null for a file, and for what payloads carried. */
  readonly run: RunInfo | null;
  /** Id of that run, path of that file, or `CARRIED`. */
  readonly name: string;
  /** What it says of items; null for one that it does not have. */
  earlierOf(items: readonly RunItem[]): Promise<readonly (Earlier | null)[]>;
  /** Compares a run in the database with it. @param most flips of two runs, `FLIPS_KEPT` by default */
  compare(later: RunInfo, most?: number): Promise<Compared>;
}

export interface Compared {
  /** Flips with both sides, the earlier one null where only its verdict is known. */
  readonly comparison: Comparison;
  /** Null for a side that is no file. */
  readonly golden: (GoldenFacts & { readonly file: GoldenFile }) | null;
}

/**
 * @param what id of a run, the beginning of it, or `last`; a file of verdicts; null for what payloads carried
 * @throws Fault("usage") for an unknown run
 */
export async function openSide(runs: Runs, what: string | GoldenFile | null): Promise<Side> {
  if (what !== null && typeof what === "object") return goldenSide(runs, what);
  const run = what === null ? null : await findRun(runs, what);
  const [id, name] = [run?.id ?? null, run?.id ?? CARRIED];
  return {
    run,
    name,
    earlierOf: async (items) =>
      id === null
        ? items.map(carriedBy)
        : runs.earlier(
            id,
            items.map(({ key }) => key),
          ),
    async compare(later, most = FLIPS_KEPT) {
      const rates = await usualRates(later.amountUnit);
      const { groups, others, flips } = await runs.compare(later.id, id, rates, most);
      const labels = { baseline: name, run: later.id };
      return { comparison: comparisonOf(labels, groups, others, flips, rates), golden: null };
    },
  };
}

function goldenSide(runs: Runs, file: GoldenFile): Side {
  const { path, golden } = file;
  return {
    run: null,
    name: path,
    earlierOf: async (items) => items.map(({ key }) => earlierIn(golden, key)),
    async compare({ id, amountUnit, shard }) {
      const labels = { baseline: path, run: id };
      const rates = await usualRates(amountUnit);
      const compared = await compareGolden(runs.rows(id), golden, labels, rates, shard);
      return { ...compared, golden: { ...compared.golden, file } };
    },
  };
}

/**
 * The first rows of each kind, with the verdict that an earlier run has for each.
 * @param baseline its id; null for what the items carried
 */
export async function keptAgainst(
  runs: Runs,
  id: string,
  baseline: string | null,
  most: number,
): Promise<KeptRows> {
  const kept = await runs.kept(id, { unexpected: most, noVerdict: most, items: most });
  if (baseline === null) return kept;
  const compared = async (rows: readonly RunRow[]): Promise<RunRow[]> => {
    const keys = rows.map(({ key }) => key);
    const earlier = await runs.earlier(baseline, keys);
    return rows.map((row, place) => ({ ...row, was: earlier[place]?.verdict ?? null }));
  };
  return {
    unexpected: await compared(kept.unexpected),
    noVerdict: await compared(kept.noVerdict),
    items: await compared(kept.items),
  };
}

/** The rates of the built-in rules: a service does not say its own, and the two runs may have had others. */
export async function usualRates(unit: AmountUnit): Promise<EurPerUnit> {
  return eurPerUnit(await starterRates(), unit);
}

/** @throws Fault("usage") for an unknown run, or when several ids start so */
export async function findRun(runs: Runs, id: string): Promise<RunInfo> {
  const found = await runs.find(id);
  if (found !== null) return found;
  throw id === "last"
    ? usage`There is no run yet; "verdict replay" creates a run.`
    : noSuch("run", id, "verdict run list");
}
