// Compares the verdicts of two runs in SQL, by the facts of their items.

import { FLIPS_KEPT, sharedFlips, type ComparedGroup, type EurPerUnit } from "#src/contract/records/flip.ts";
import { isRecommendation, type Recommendation } from "#src/contract/wire/recommendation.ts";
import type { Database } from "./database.ts";

/** Places of the items of a run: above the first and below the second. */
export type Places = readonly [above: number, below: number];

/** The comparison of two runs but for the rows of its flips. */
export interface PlacedComparison {
  /** Items with a trustworthy verdict on both sides. */
  readonly groups: readonly ComparedGroup[];
  /** Items that are in one run only, and those without a trustworthy verdict on one side. */
  readonly others: { readonly new: number; readonly missing: number; readonly failed: number };
  /** The worst first, as `Comparison` says; `earlier` is null where only the verdict is known. */
  readonly flips: readonly {
    readonly was: Recommendation;
    readonly now: Recommendation;
    readonly place: number;
    readonly earlier: number | null;
  }[];
}

const OF_RUN = "place > ? AND place < ? AND verdict IS NOT 'withdrawn'";

/**
 * Makes the temporary table `earlier` of a run by key. An index of keys on disk would double the time of every write; this
 * takes half a second for 1,000,000 items. SQLite removes the name of a temporary file as soon as it is open.
 */
export function indexEarlier(database: Database, places: Places): void {
  database.run("DROP TABLE IF EXISTS temp.earlier");
  database.run(
    "CREATE TEMP TABLE earlier(key TEXT PRIMARY KEY, place INTEGER, verdict TEXT, rules TEXT) WITHOUT ROWID",
  );
  // A damaged key may be that of another item.
  database.run(
    `INSERT OR IGNORE INTO temp.earlier SELECT key, place, verdict, rules FROM item_fact WHERE ${OF_RUN} ORDER BY key`,
    ...places,
  );
}

/** Expressions of the earlier side. */
const SIDES = {
  run: {
    from: "item_fact AS later LEFT JOIN temp.earlier ON earlier.key = later.key",
    verdict: "earlier.verdict",
    rules: "earlier.rules",
    place: "earlier.place",
    isAbsent: "earlier.key IS NULL",
  },
  carried: {
    from: "item_fact AS later",
    verdict: "later.was",
    rules: "NULL",
    place: "NULL",
    isAbsent: "later.was IS NULL",
  },
} as const;

const TRUSTED = "('pass', '3ds_or_block', 'block')";
/** The first of the codes; empty for none. */
const decisive = (rules: string): string => `substr(${rules}, 1, instr(${rules} || ' ', ' ') - 1)`;

/**
 * @param side `run`: with the run of `indexEarlier`; `carried`: with the verdicts that the items carried
 * @param rates for the order of the flips
 */
export function comparePlaces(
  database: Database,
  later: Places,
  side: keyof typeof SIDES,
  rates: EurPerUnit,
): PlacedComparison {
  const { from, verdict, rules, place, isAbsent } = SIDES[side];
  const scope = "later.place > ? AND later.place < ? AND later.verdict IS NOT 'withdrawn'";
  const flipped = `${verdict} IN ${TRUSTED} AND later.verdict IN ${TRUSTED} AND ${verdict} <> later.verdict`;
  const rows = database.all(
    `SELECT ${isAbsent} AS absent, ${verdict} AS was, later.verdict AS now, later.currency AS currency,
       CASE WHEN ${verdict} <> later.verdict THEN ${decisive(rules)} END AS before,
       CASE WHEN ${verdict} <> later.verdict THEN ${decisive("later.rules")} END AS after,
       count(*) AS count, count(later.amount) AS amounts,
       CAST(sum(later.amount / 1000000) AS TEXT) AS millions, CAST(sum(later.amount % 1000000) AS TEXT) AS rest
     FROM ${from} WHERE ${scope} GROUP BY 1, 2, 3, 4, 5, 6`,
    ...later,
  );
  const groups: ComparedGroup[] = [];
  const others = { new: 0, missing: 0, failed: 0 };
  let found = 0;
  for (const row of rows) {
    const { was, now } = row;
    const count = Number(row.count);
    if (row.absent === 1) {
      others.new += count;
      continue;
    }
    found += count;
    if (!isRecommendation(was) || !isRecommendation(now)) {
      others.failed += count;
      continue;
    }
    groups.push({
      was,
      now,
      currency: row.currency as number | null,
      before: row.before as string | null,
      after: row.after as string | null,
      project: null,
      count,
      amounts: Number(row.amounts),
      // In two parts, because the sum of integers in SQL must not exceed 2^63.
      amount: BigInt(String(row.millions ?? 0)) * 1_000_000n + BigInt(String(row.rest ?? 0)),
    });
  }
  if (side === "run") {
    others.missing = Number(database.get("SELECT count(*) AS count FROM temp.earlier")!.count) - found;
  }
  const worst = database.all(
    `WITH rate(currency, eur) AS MATERIALIZED (SELECT value ->> 0, value ->> 1 FROM json_each(?))
     SELECT place, earlier, was, now FROM (
       SELECT later.place AS place, ${place} AS earlier, ${verdict} AS was, later.verdict AS now,
         row_number() OVER (
           PARTITION BY ${verdict}, later.verdict
           ORDER BY later.amount * rate.eur DESC NULLS LAST, later.place
         ) AS nth
       FROM ${from} LEFT JOIN rate ON rate.currency = later.currency WHERE ${scope} AND ${flipped}
     ) WHERE nth <= ${FLIPS_KEPT} ORDER BY nth`,
    JSON.stringify([...rates]),
    ...later,
  );
  return { groups, others, flips: sharedFlips(worst as unknown as PlacedComparison["flips"], FLIPS_KEPT) };
}
