// Two runs of a million items compared, beside the same joins as bare SQL on the same database, and how much memory that takes.

import { FLIPS_KEPT } from "#src/contract/records/flip.ts";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createContext } from "#src/app/context.ts";
import { findHome } from "#src/app/home.ts";
import type { RunRow } from "#src/contract/records/run.ts";
import { comparisonOf } from "#src/replay/flips.ts";
import { RUNS } from "#src/storage/database/run-form.ts";
import { RATES, runResult, runRow } from "../replay/rows.ts";
import { header, SUMMARY } from "../storage/run-samples.ts";
import { noDamage } from "../storage/no-damage.ts";
import { peakOf, sideBySide, type Row } from "./measure.ts";

const ITEMS = Number(process.env["BENCH_LINES"] ?? 1_000_000);
const ROUNDS = 3;
/** Memory where there is some: what is measured is the program. */
const FOLDER = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

export async function* benchRunComparison(root: string): AsyncGenerator<Row> {
  const folder = mkdtempSync(join(FOLDER, "verdict-bench-"));
  const program = join(root, "dist/verdict.mjs");
  const env = {
    PATH: process.env["PATH"],
    HOME: folder,
    VERDICT_HOME: join(folder, "verdict"),
    LANG: "C.UTF-8",
  };
  const home = findHome(env, undefined);
  const context = await createContext({
    onProblem: noDamage,
    home,
    env,
    profile: undefined,
    executable: [process.execPath, program],
  });
  try {
    const runs = await context.runs();
    const summary = { ...SUMMARY, counts: { ...SUMMARY.counts, unknown: 0 } };
    const end = () => ({ state: "complete", summary }) as const;
    for (const id of ["earlier", "later"]) await runs.add(header(id), rows(id === "later"), end);
    const path = join(home.data, "runs.db");
    const bytes = Math.round(statSync(path).size / (2 * ITEMS));
    yield { what: "an item of a run on the disk", unit: "bytes", measured: bytes, budget: 1_100, rounds: 1 };
    const bare = new DatabaseSync(path, { readOnly: true });
    bare.exec(`PRAGMA cache_size=-${RUNS.cacheKiB}`);
    yield await sideBySide(
      {
        what: `two runs of ${ITEMS} compared, flips by money`,
        yardstick: "the same joins, bare SQL",
        budget: 1.3,
      },
      ROUNDS,
      async () => {
        const { groups, others, flips } = await runs.compare("later", "earlier", RATES, FLIPS_KEPT);
        comparisonOf({ baseline: "earlier", run: "later" }, groups, others, flips, RATES);
      },
      () => joinBare(bare),
    );
    bare.close();
  } finally {
    await context.close();
  }
  try {
    if (process.platform === "linux") yield await memory(program, env);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const VERDICTS = ["pass", "block", "3ds_or_block"] as const;
const RULES = [[], ["BIN_BURST", "AMOUNT_CAP"], ["CARD_PER_HOUR"], ["TERMINAL_SPIKE"]];
const CURRENCIES = [980, 980, 980, 978, 392];

/** Every thirteenth verdict of the later run is another one, and one item in a thousand is of one run only. */
async function* rows(isLater: boolean): AsyncGenerator<RunRow> {
  await Promise.resolve();
  for (let seq = 1; seq <= ITEMS; seq += 1) {
    const moved = Number(isLater && seq % 13 === 0);
    const verdict = VERDICTS[(seq + moved) % VERDICTS.length]!;
    const key = `tx-${(seq * 7_919) % ITEMS}${isLater && seq % 1_000 === 0 ? "-new" : ""}`;
    const request = {
      operation: "payment" as const,
      order_id: key,
      amount: (seq * 104_729) % 5_000_000,
      currency: CURRENCIES[seq % CURRENCIES.length]!,
      description: "Two books and a pen",
      payer: { payer_ip: "198.51.100.7", email: `payer-${seq}@shop-customer.example`, payer_id: `c-${seq}` },
      card: {
        holder: "OLENA K",
        bin_card: 444_433,
        cin_card: seq % 10_000,
        expiration_month: 9,
        expiration_year: 40,
      },
    };
    const result = runResult(verdict, { basis: { score: 35, rules: RULES[(seq + moved) % RULES.length]! } });
    yield { ...runRow(seq, verdict), key, request, result };
  }
}

/** The join by key, grouped by change and currency, and the worst thousand changes. */
function joinBare(database: DatabaseSync): void {
  const places = "place > ?1 * 4294967296 AND place < (?1 + 1) * 4294967296";
  database.exec("DROP TABLE IF EXISTS temp.bare");
  database.exec("CREATE TEMP TABLE bare(key TEXT PRIMARY KEY, verdict TEXT, rules TEXT) WITHOUT ROWID");
  database
    .prepare(`INSERT INTO bare SELECT key, verdict, rules FROM item_fact WHERE ${places} ORDER BY key`)
    .run(1);
  const from = `FROM item_fact AS later LEFT JOIN bare ON bare.key = later.key WHERE ${places}`;
  const sums = "count(*), sum(later.amount / 1000000), sum(later.amount % 1000000)";
  database
    .prepare(
      `SELECT bare.verdict, later.verdict, currency, bare.rules, later.rules, ${sums} ${from} GROUP BY 1, 2, 3, 4, 5`,
    )
    .all(2);
  database
    .prepare(
      `SELECT later.key ${from} AND bare.verdict <> later.verdict ORDER BY bare.verdict, amount DESC LIMIT 1000`,
    )
    .all(2);
}

async function memory(program: string, env: NodeJS.ProcessEnv): Promise<Row> {
  const child = spawn(process.execPath, [program, "compare", "earlier", "later"], {
    env,
    stdio: ["ignore", "ignore", "ignore"],
  });
  let peakKiB = 0;
  const watch = setInterval(() => {
    peakKiB = Math.max(peakKiB, peakOf(child.pid!));
  }, 20);
  const [code] = (await once(child, "close")) as [number | null];
  clearInterval(watch);
  if (code !== 0) throw new Error(`the comparison ended with ${code}`);
  const measured = (peakKiB * 1024) / 1e6;
  return { what: `two runs of ${ITEMS} compared, peak memory`, unit: "MB", measured, budget: 250, rounds: 1 };
}
