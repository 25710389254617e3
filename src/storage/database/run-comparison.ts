// Compares the verdicts of two runs in SQL, by the facts of their items.

import { sharedFlips, type ComparedGroup, type EurPerUnit } from "#src/contract/records/flip.ts";
import { isRecommendation, type Recommendation } from "#src/contract/wire/recommendation.ts";
import type { Database, Row } from "./database.ts";

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

export const OF_RUN = "place > ? AND place < ? AND verdict IS NOT 'withdrawn'";

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

/** As `decisiveRule`; empty for none. */
const decisive = (verdict: string, rules: string): string =>
  `substr(${rules}, 1, iif(${verdict} = 'pass', 0, instr(${rules} || ' ', ' ') - 1))`;

// In two parts, because the sum of integers in SQL must not exceed 2^63.
export const SUMS = `count(*) AS count, count(amount) AS amounts,
  CAST(sum(amount / 1000000) AS TEXT) AS millions, CAST(sum(amount % 1000000) AS TEXT) AS rest`;

/**
 * Joins the two runs once and keeps what differs in a temporary table: what is unchanged is the later run without that.
 * @param side `run`: with the run of `indexEarlier`; `carried`: with the verdicts that the items carried
 * @param rates for the order of the flips
 * @param most flips that are found
 */
export function comparePlaces(
  database: Database,
  later: Places,
  side: keyof typeof SIDES,
  rates: EurPerUnit,
  most: number,
): PlacedComparison {
  const { from, verdict, rules, place, isAbsent } = SIDES[side];
  database.run("DROP TABLE IF EXISTS temp.changed");
  database.run(
    `CREATE TEMP TABLE changed AS
     SELECT later.place AS place, ${place} AS earlier, ${isAbsent} AS absent, ${verdict} AS was, later.verdict AS now,
       later.amount AS amount, later.currency AS currency,
       ${decisive(verdict, rules)} AS before, ${decisive("later.verdict", "later.rules")} AS after
     FROM ${from}
     WHERE later.place > ? AND later.place < ? AND later.verdict IS NOT 'withdrawn'
       AND (${isAbsent} OR ${verdict} IS NOT later.verdict)`,
    ...later,
  );
  const all = database.all(
    `SELECT verdict AS was, verdict AS now, currency, ${SUMS} FROM item_fact WHERE ${OF_RUN} GROUP BY verdict, currency`,
    ...later,
  );
  const changed = database.all(
    `SELECT absent, was, now, currency, before, after, ${SUMS} FROM temp.changed GROUP BY 1, 2, 3, 4, 5, 6`,
  );
  const same = new Map(all.map((row) => [nameOf(row), sumsOf(row)]));
  const groups: ComparedGroup[] = [];
  const others = { new: 0, missing: 0, failed: 0 };
  const add = ({ was, now, currency, before = null, after = null }: Row, sums: Sums): void => {
    const codes = { before, after, currency } as Pick<ComparedGroup, "before" | "after" | "currency">;
    if (!isRecommendation(was) || !isRecommendation(now)) others.failed += sums.count;
    else if (sums.count > 0) groups.push({ was, now, ...codes, project: null, ...sums });
  };
  for (const row of changed) {
    const sums = sumsOf(row);
    const left = same.get(nameOf(row))!;
    left.count -= sums.count;
    left.amounts -= sums.amounts;
    left.amount -= sums.amount;
    if (row.absent === 1) others.new += sums.count;
    else add(row, sums);
  }
  for (const row of all) add(row, same.get(nameOf(row))!);
  if (side === "run") {
    const found = all.reduce((sum, { count }) => sum + Number(count), 0) - others.new;
    others.missing = Number(database.get("SELECT count(*) AS count FROM temp.earlier")!.count) - found;
  }
  const worst = database.all(
    `WITH rate(currency, eur) AS MATERIALIZED (SELECT value ->> 0, value ->> 1 FROM json_each(?))
     SELECT place, earlier, was, now FROM (
       SELECT place, earlier, was, now, row_number() OVER (
         PARTITION BY was, now ORDER BY amount * eur DESC NULLS LAST, place
       ) AS nth
       FROM temp.changed LEFT JOIN rate USING (currency) WHERE was IN ${TRUSTED} AND now IN ${TRUSTED}
     ) WHERE nth <= ? ORDER BY nth`,
    JSON.stringify([...rates]),
    most,
  );
  database.run("DROP TABLE temp.changed");
  return { groups, others, flips: sharedFlips(worst as unknown as PlacedComparison["flips"], most) };
}

const TRUSTED = "('pass', '3ds_or_block', 'block')";

export interface Sums {
  count: number;
  amounts: number;
  amount: bigint;
}

export function sumsOf({ count, amounts, millions, rest }: Row): Sums {
  const amount = BigInt(String(millions ?? 0)) * 1_000_000n + BigInt(String(rest ?? 0));
  return { count: Number(count), amounts: Number(amounts), amount };
}

function nameOf({ now, currency }: Row): string {
  return JSON.stringify([now, currency]);
}
