// The figures of a back-test and of a tuned number, counted again by a program in Python that knows nothing of verdict.

import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import starter from "#src/rules/rule-file/starter-rules.yaml";
import { inProcessHome } from "./in-process.ts";

const PYTHON = "/usr/bin/python3";
const hasPython = spawnSync(PYTHON, ["-c", "import csv"]).status === 0;
if (!hasPython) process.stderr.write('The recount in Python is skipped: install "python3".\n');

/** Reads the rows, the labels and the time until which labels are known; prints figures as JSON. */
const RECOUNT = `
import csv, json, math, sys
rows, labels, as_of, border = sys.argv[1:5]
PER_EUR = {"980": 49.0, "978": 1, "985": 4.24, "840": 1.17, "826": 0.856, "203": 24.7, "392": 169}
DIGITS = {"392": 0}
known = {}
for line in csv.DictReader(open(labels)):
    known.setdefault(line["order_id"], []).append((line["at"], line["outcome"]))
BAD = ("fraud", "chargeback")

def kind_of(row):
    "bad, good, after or turned"
    if as_of == "":
        return "bad" if row["label"] in BAD else "good"
    if row["at"] > as_of:
        return "after"
    said = sorted(known.get(row["order_id"], []))
    then = [label for at, label in said if at <= as_of]
    later = [label for at, label in said if at > as_of]
    if then and then[-1] in BAD:
        return "bad"
    return "turned" if later and later[-1] in BAD else "good"

cells = {}
for row in csv.DictReader(open(rows)):
    kind = kind_of(row)
    eur = int(row["amount"]) / 10 ** DIGITS.get(row["currency"], 2) / PER_EUR[row["currency"]]
    part = "held" if border and row["at"] >= border else "chosen"
    for side in ("current", "proposed"):
        cell = cells.setdefault((side, kind, row[side], part), [0, 0.0])
        cell[0] += 1
        cell[1] += eur

def total(side, kind, verdicts, what=0, parts=("chosen", "held")):
    return sum(cells.get((side, kind, verdict, part), [0, 0])[what] for verdict in verdicts for part in parts)

ALL = ("pass", "3ds_or_block", "block")
def kept(side, stops):
    return total(side, "bad", ["block"], 1) + stops * total(side, "bad", ["3ds_or_block"], 1) - total(side, "good", ["block"], 1)

def wilson(part, whole):
    z, p = 1.959963984540054, part / whole
    middle, half = p + z * z / (2 * whole), z * math.sqrt(p * (1 - p) / whole + z * z / (4 * whole * whole))
    return [(middle - half) / (1 + z * z / whole), (middle + half) / (1 + z * z / whole)]

blocked = [total("proposed", kind, ["block"]) for kind in ("bad", "good")]
both = [total("proposed", kind, ALL) for kind in ("bad", "good")]
print(json.dumps({
    "net": [kept("proposed", stops) - kept("current", stops) for stops in (0, 1, 0.7)],
    "verdicts": {kind: [total("proposed", kind, [verdict]) for verdict in ALL] for kind in ("bad", "good")},
    "after": total("proposed", "after", ALL), "turned": total("proposed", "turned", ALL),
    "precision": blocked[0] / sum(blocked), "base": both[0] / sum(both),
    "interval": wilson(blocked[0], both[0]) if both[0] else None,
    "parts": {part: [[total("proposed", kind, verdicts, 0, [part]) for kind in ("bad", "good")] for verdicts in (["block"], ALL)]
        for part in ("chosen", "held")},
}))
`;

interface Recount {
  readonly net: readonly number[];
  readonly verdicts: Readonly<Record<"bad" | "good", readonly number[]>>;
  readonly after: number;
  readonly turned: number;
  readonly precision: number;
  readonly base: number;
  readonly interval: readonly [number, number];
  readonly parts: Readonly<Record<"chosen" | "held", readonly (readonly [bad: number, good: number])[]>>;
}
interface ShareJson {
  readonly part: number;
  readonly whole: number;
  readonly share: number;
  readonly interval: { readonly from: number; readonly to: number };
}
type Shares = Readonly<Record<string, ShareJson>>;
interface Summary {
  readonly labels: { readonly made_after: number; readonly turned_bad: number };
  readonly outcomes: { readonly net_eur: readonly number[]; readonly proposed: { readonly shares: Shares } };
}

const home = inProcessHome();
afterAll(() => home.remove());
const path = (name: string): string => join(home.folder, name);

function recounted(rows: string, asOf = "", border = ""): Recount {
  const args = ["-c", RECOUNT, path(rows), path("labels.csv"), asOf, border];
  const { stdout, stderr } = spawnSync(PYTHON, args, { encoding: "utf8" });
  expect(stderr).toBe("");
  return JSON.parse(stdout) as Recount;
}

/** The figures of a back-test, beside those of the recount. */
async function compared(rows: string, words: readonly string[], asOf = ""): Promise<void> {
  const args = ["rules", "backtest", path("after.yaml"), "--against", "starter", "--json", ...words];
  const lines = await home.json([...args, "--rows", path(rows)]);
  const { labels, outcomes } = lines.at(-1) as unknown as Summary;
  const stopped = (await home.json([...args, "--3ds-stops", "70%"])).at(-1) as unknown as Summary;
  const told = recounted(rows, asOf);
  const { shares } = outcomes.proposed;
  for (const [i, eur] of [...outcomes.net_eur, ...stopped.outcomes.net_eur].entries())
    expect(eur).toBeCloseTo(told.net[i]!, 1);
  const parts = (...names: string[]): number[] => names.map((name) => shares[name]!.part);
  expect(parts("bad_passed", "bad_secured", "caught")).toEqual(told.verdicts.bad);
  expect(parts("good_passed", "good_secured", "good_blocked")).toEqual(told.verdicts.good);
  expect([labels.made_after, labels.turned_bad]).toEqual([told.after, told.turned]);
  expect([shares["precision"]!.share, shares["base_rate"]!.share]).toEqual([told.precision, told.base]);
  const { from, to } = shares["caught"]!.interval;
  expect(from).toBeCloseTo(told.interval[0], 9);
  expect(to).toBeCloseTo(told.interval[1], 9);
}

it.runIf(hasPython)("are those that Python counts", async () => {
  const files = ["--output", path("day.ndjson"), "--labels", path("labels.csv")];
  const made = spawnSync(process.execPath, [
    "examples/labelled-day.mjs",
    "--count",
    "6000",
    "--days",
    "8",
    ...files,
  ]);
  expect(made.status).toBe(0);
  const day = readFileSync(path("day.ndjson"), "utf8");
  writeFileSync(path("plain.ndjson"), day.replaceAll(/"outcome":"[a-z]*",/g, ""));
  // Fewer to 3-D Secure, more blocked.
  writeFileSync(
    path("after.yaml"),
    starter.replace("{ three_ds: 35, block: 75 }", "{ three_ds: 45, block: 50 }"),
  );
  const labels = ["--labels", path("labels.csv")];
  await compared("all.csv", ["--over", path("day.ndjson"), ...labels]);
  const asOf = "2026-03-06T00:00:00.000Z";
  const then = ["--as-of", asOf, "--unlabelled", "good"];
  await compared("then.csv", ["--over", path("plain.ndjson"), ...labels, ...then], asOf);
  expect(recounted("then.csv", asOf)).not.toMatchObject({ after: 0, turned: 0 });

  const tune = ["rules", "tune", path("after.yaml"), "--over", path("day.ndjson"), "--json"];
  const [told] = await home.json([
    ...tune,
    "--param",
    "thresholds.block",
    "50..110/20",
    "--risk-level",
    "medium",
  ]);
  const { held_out, values } = told as unknown as {
    held_out: { from: string };
    values: readonly { value: number; shares: Shares; held_out: { shares: Shares } }[];
  };
  const [first, last] = [Date.parse("2026-03-01T00:00:00Z"), Date.parse("2026-03-09T00:00:00Z")];
  expect((Date.parse(held_out.from) - first) / (last - first)).toBeCloseTo(2 / 3, 1);
  const { parts } = recounted("all.csv", "", held_out.from);
  const own = values.find(({ value }) => value === 50)!;
  for (const [shares, part] of [
    [own.shares, parts.chosen],
    [own.held_out.shares, parts.held],
  ] as const) {
    expect([shares["caught"]!.part, shares["good_blocked"]!.part]).toEqual(part[0]);
    expect([shares["caught"]!.whole, shares["good_blocked"]!.whole]).toEqual(part[1]);
  }
});
