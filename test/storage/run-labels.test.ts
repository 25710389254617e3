// The items of a run by what became of their payments, beside the same counted in memory.

import { chmodSync } from "node:fs";

import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";

import { LABELS, laterLabel, type OrderLabel } from "#src/contract/records/label.ts";
import { trustedVerdict, type LabelledGroup, type RunRow } from "#src/contract/records/run.ts";
import type { Runs } from "#src/storage/database/runs.ts";
import { intent } from "./entries.ts";
import { historyIn } from "./open-history.ts";
import { runsIn } from "./open-runs.ts";
import { header, item, result } from "./run-samples.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const IDS = ["a", "A", "\u03A3", "a\0b", "\uD800", '"', undefined];
const payment = fc.record({
  orderId: fc.constantFrom(...IDS),
  label: fc.option(fc.constantFrom(...LABELS), { nil: undefined }),
  amount: fc.option(fc.oneof(fc.nat(99), fc.constantFrom(Number.MAX_SAFE_INTEGER, 1.5)), { nil: undefined }),
  currency: fc.constantFrom(980, 978, undefined),
  was: fc.constantFrom("pass" as const, "block" as const, null),
  now: fc.constantFrom("pass" as const, "block" as const, "unknown" as const, null),
});
const label: fc.Arbitrary<OrderLabel> = fc.record({
  orderId: fc.constantFrom("a", "A", "\u03A3", '"', "other"),
  label: fc.constantFrom(...LABELS),
  at: fc.option(fc.nat(3), { nil: null }),
});

function rowOf(
  { orderId, amount, currency, now, ...more }: typeof payment extends fc.Arbitrary<infer T> ? T : never,
  index: number,
): RunRow {
  const request = JSON.parse(JSON.stringify({ order_id: orderId, amount, currency })) as RunRow["request"];
  const { label: own, was } = more;
  const answered = now === "pass" || now === "block";
  return {
    ...item(index + 1, { request, was, ...(own === undefined ? {} : { label: own }) }),
    at: 0,
    result:
      now === null
        ? null
        : result(answered ? "answered" : "unknown", { recommendation: answered ? now : null }),
  };
}

async function write(runs: Runs, rows: readonly RunRow[]): Promise<void> {
  const journal = await runs.create(header("r1"));
  await Promise.all(rows.map((row) => journal.intend(row, row.at)));
  await Promise.all(
    rows.map(async (row) => row.result === null || (await journal.settle(row.seq, row.result))),
  );
  // Never sent, so that it counts nowhere.
  await journal.intend(item(rows.length + 1, { label: "fraud" }), 0);
  await journal.withdraw([rows.length + 1]);
  await journal.close();
}

/** In an order that does not matter, and as text, because sums are big integers. */
function told(groups: readonly LabelledGroup[]): string[] {
  return groups
    .map((each) =>
      JSON.stringify([
        each.label,
        each.verdict,
        each.was,
        each.currency,
        each.count,
        each.amounts,
        String(each.amount),
      ]),
    )
    .toSorted();
}

function counted(rows: readonly RunRow[], labels: readonly OrderLabel[]): LabelledGroup[] {
  const latest = new Map<string, OrderLabel>();
  for (const each of labels) {
    latest.set(each.orderId, laterLabel(latest.get(each.orderId) ?? null, each, null)!);
  }
  const groups = new Map<string, LabelledGroup>();
  for (const { request, result: found, was, label: own } of rows) {
    const { amount, currency = null, order_id: orderId = "" } = request;
    const known = own ?? latest.get(orderId)?.label ?? null;
    const verdict = trustedVerdict(found) ?? (found === null ? null : "unknown");
    const key = JSON.stringify([known, verdict, was, currency]);
    const before = groups.get(key) ?? { count: 0, amounts: 0, amount: 0n };
    const isWhole = Number.isSafeInteger(amount);
    groups.set(key, {
      label: known,
      verdict,
      was,
      currency,
      count: before.count + 1,
      amounts: before.amounts + (isWhole ? 1 : 0),
      amount: before.amount + BigInt(isWhole ? amount! : 0),
    });
  }
  return [...groups.values()];
}

it("are grouped by their own label, else by that of their order, as in memory", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(payment, { maxLength: 12 }),
      fc.array(label, { maxLength: 6 }),
      async (payments, labels) => {
        const dir = temporaryFolder();
        const [runs, history] = [runsIn(dir), historyIn(dir)];
        const rows = payments.map(rowOf);
        await write(runs, rows);
        expect(told(await runs.labelledCounts("r1"))).toEqual(told(counted(rows, [])));
        for (const each of labels) await history.labels.set([each]);
        expect(told(await runs.labelledCounts("r1"))).toEqual(told(counted(rows, labels)));
        await Promise.all([runs.close(), history.close()]);
      },
    ),
    { numRuns: 40 },
  );
});

it("are the same from a worker, beside a history in use, and in a folder that is only read", async () => {
  const dir = temporaryFolder();
  const history = historyIn(dir);
  const direct = runsIn(dir);
  const hosted = runsIn(dir, { inWorker: "everything" });
  onTestFinished(async () => void (await Promise.all([history.close(), direct.close(), hosted.close()])));
  await write(direct, [
    rowOf({ orderId: "a", label: undefined, amount: 5, currency: 980, was: null, now: "pass" }, 0),
  ]);
  await history.labels.set([{ orderId: "a", label: "fraud", at: null }]);
  const wanted = [
    { label: "fraud", verdict: "pass", was: null, currency: 980, count: 1, amounts: 1, amount: 5n },
  ];
  expect(await direct.labelledCounts("r1")).toEqual(wanted);
  expect(await hosted.labelledCounts("r1")).toEqual(wanted);
  await history.intend(intent("while it was read"));
  await history.labels.set([{ orderId: "a", label: "good", at: null }]);
  expect(await hosted.labelledCounts("r1")).toEqual([{ ...wanted[0], label: "good" }]);
  expect(await direct.labelledCounts("nothing")).toEqual([]);
  await Promise.all([history.close(), direct.close(), hosted.close()]);
  chmodSync(dir, 0o500);
  onTestFinished(() => chmodSync(dir, 0o700));
  const reading = runsIn(dir);
  expect(await reading.labelledCounts("r1")).toEqual([{ ...wanted[0], label: "good" }]);
  await reading.close();
});
