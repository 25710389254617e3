// Labels of the payments of a back-test: who is trusted most, as of when, and how many came from where.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Label } from "#src/contract/records/label.ts";
import { usedLabels, type LabelChoice } from "#src/actions/rules/payment-labels.ts";
import type { BacktestInput } from "#src/actions/rules/backtest.ts";
import { loadStarter, NOON, payment } from "../rules/sample.ts";
import { temporaryFolder } from "../storage/temporary-folder.ts";
import { bench, type Ran } from "./backtest-bench.ts";

const starter = await loadStarter();
const NONE: LabelChoice = { file: null, tags: new Map(), asOf: null, restGood: false };

const envelope = (n: number, more: object = {}) => ({
  at: new Date(NOON - (10 - n) * 60_000).toISOString(),
  ...more,
  request: payment({ request: { order_id: `order-${n}` } }),
});
function labelFile(text: string): string {
  const path = join(temporaryFolder(), "labels.csv");
  writeFileSync(path, `order_id,outcome,at\n${text}`);
  return path;
}
const labelsOf = ({ rows }: Ran): (Label | undefined)[] => rows.map(({ label }) => label);

/** Five payments: with an outcome and a tag, with an outcome, with two tags, and two with nothing. */
async function ran(choice: Partial<LabelChoice>, more: Partial<BacktestInput> = {}) {
  const { run, file, context } = bench(starter);
  const { labels } = await context.history();
  await labels.set([
    { orderId: "order-1", label: "refund", at: NOON },
    { orderId: "order-4", label: "chargeback", at: NOON },
    { orderId: "order-4", label: "good", at: NOON + 5 },
  ]);
  const source = file([
    envelope(0, { outcome: "good", tags: ["stolen"] }),
    envelope(1, { outcome: "good" }),
    envelope(2, { tags: ["odd", "stolen"] }),
    envelope(3),
    envelope(4),
  ]);
  return await run({ sources: [source], labels: { ...NONE, ...choice }, ...more });
}

describe("labels of payments", () => {
  it("are trusted in an order: the file, their own outcome, their tags, the history", async () => {
    const file = labelFile("order-0,fraud,\norder-9,fraud,\n");
    const tags = new Map<string, Label>([["stolen", "chargeback"]]);
    const done = await ran({ file, tags });
    expect(labelsOf(done)).toEqual(["fraud", "good", "chargeback", undefined, "good"]);
    const [from, other] = [
      { file: 1, own: 1, tag: 1, history: 1 },
      {
        assumed: 0,
        none: 1,
        unused: 1,
        late: 0,
        madeAfter: 0,
        turnedBad: 0,
        missed: 0,
        rejected: 0,
        idleTags: [],
      },
    ];
    expect(done.labels).toEqual({ ...from, ...other });
    expect(done.outcomes?.unused).toBe(1);
    expect(usedLabels({ ...NONE, file }, done.labels).origins).toEqual([
      `1 from ${file}`,
      "1 from their own label",
      "1 from their tags",
      "1 from the history",
    ]);
    expect(labelsOf(await ran({ tags }))).toEqual(["good", "good", "chargeback", undefined, "good"]);
    expect(labelsOf(await ran({}))).toEqual(["good", "good", undefined, undefined, "good"]);
  });

  it("count as of a time, of the file and of the history; the latest of an order", async () => {
    const iso = (at: number): string => new Date(at).toISOString();
    const file = labelFile(
      `order-3,good,${iso(NOON)}\norder-3,fraud,${iso(NOON + 3)}\norder-3,refund,${iso(NOON + 1)}\n`,
    );
    const at = async (asOf: number | null) => labelsOf(await ran({ file, asOf })).slice(3);
    expect(await at(null)).toEqual(["fraud", "good"]);
    expect(await at(NOON + 3)).toEqual(["fraud", "chargeback"]);
    // It is called fraud later.
    expect(await at(NOON + 2)).toEqual([undefined, "chargeback"]);
    expect(await at(NOON - 1)).toEqual([undefined, undefined]);
    expect((await ran({ file, asOf: NOON })).labels.late).toBe(2);
  });

  it("do not come from a payment itself where all that the file says of it is too late", async () => {
    const file = labelFile(`order-0,fraud,${new Date(NOON + 9).toISOString()}\norder-1,fraud,2100-01-01\n`);
    const tags = new Map<string, Label>([["stolen", "chargeback"]]);
    const done = await ran({ file, tags, asOf: NOON });
    // What the history knew by then counts.
    expect(labelsOf(done)).toEqual([undefined, undefined, "chargeback", undefined, "chargeback"]);
    expect(done.labels).toMatchObject({ file: 0, own: 0, late: 2, turnedBad: 2, none: 3 });
    const good = labelFile(`order-1,good,2100-01-01\n`);
    expect(labelsOf(await ran({ file: good, tags, asOf: NOON }))[1]).toBe("refund");
    expect(labelsOf(await ran({ file, tags, asOf: NOON + 9 }))[0]).toBe("fraud");
  });

  it("tell the tags that no payment has", async () => {
    const tags = new Map<string, Label>([
      ["stolen", "fraud"],
      ["stollen", "fraud"],
    ]);
    expect((await ran({ tags })).labels.idleTags).toEqual(["stollen"]);
  });

  it("are good for the rest when that is asked for", async () => {
    const done = await ran({ restGood: true });
    expect(labelsOf(done)).toEqual(["good", "good", "good", "good", "good"]);
    expect(done.labels).toMatchObject({ assumed: 2, none: 0 });
    expect(done.outcomes?.current.unlabelled.pass.count).toBe(0);
  });

  it("are not good for the rest where the payment was made later, or is called fraud later", async () => {
    const file = labelFile(`order-3,fraud,${new Date(NOON + 9).toISOString()}\n`);
    // The payments were made 10 to 6 minutes before noon.
    const asOf = NOON - 7 * 60_000;
    const done = await ran({ file, restGood: true, asOf });
    expect(labelsOf(done)).toEqual(["good", "good", "good", undefined, undefined]);
    expect(done.labels).toMatchObject({ own: 2, assumed: 1, none: 2, madeAfter: 1, turnedBad: 1, late: 1 });
    // A label of the file belongs to such a payment all the same.
    const undated = labelFile("order-4,fraud,\norder-9,fraud,\n");
    expect((await ran({ file: undated, asOf })).labels).toMatchObject({ madeAfter: 1, unused: 1 });
    // So is what the history learns later; order-4 was a chargeback at noon.
    const { run, file: source, context } = bench(starter);
    await (await context.history()).labels.set([{ orderId: "order-0", label: "fraud", at: NOON }]);
    const labels = { ...NONE, asOf: NOON - 1, restGood: true };
    const other = await run({ sources: [source([envelope(0), envelope(1)])], labels });
    expect(labelsOf(other)).toEqual([undefined, "good"]);
  });

  it("count by the time of a payment where the payment has one", async () => {
    const { run, file } = bench(starter);
    const { at: _, ...untimed } = envelope(0, { outcome: "fraud" });
    const labels = { ...NONE, asOf: NOON - 1_000 * 60_000 };
    const done = await run({ sources: [file([untimed])], labels, startAt: NOON });
    expect(labelsOf(done)).toEqual(["fraud"]);
  });

  it("of the first tag that was asked for count where a payment has several", async () => {
    const tags = new Map<string, Label>([
      ["stolen", "fraud"],
      ["odd", "refund"],
    ]);
    expect(labelsOf(await ran({ tags }))[2]).toBe("fraud");
  });

  it("leave bad lines of the file out, by name, or stop at the first one", async () => {
    const file = labelFile("order-0,maybe,\norder-1,fraud,\n");
    const done = await ran({ file });
    expect(done).toMatchObject({ rejected: 0, labels: { rejected: 1, file: 1 } });
    await expect(ran({ file }, { strict: true })).rejects.toMatchObject({
      code: "bad_input",
      message: expect.stringContaining("labels.csv:2: ") as string,
    });
    // A label that is left out would make its payment a good one.
    await expect(ran({ file, restGood: true })).rejects.toMatchObject({ code: "bad_input" });
    await expect(ran({ file: "/nowhere/labels.csv" })).rejects.toMatchObject({ code: "usage" });
  });

  it("that nobody has make no outcomes", async () => {
    const { run, file } = bench(starter);
    const done = await run({ sources: [file([envelope(7)])] });
    expect([done.outcomes, done.labels.none]).toEqual([null, 1]);
  });

  it("are also those of an identical repeat, which was written later", async () => {
    const { run, file } = bench(starter);
    const said = (n: number, more: object) => ({ ...envelope(n, more), at: new Date(NOON).toISOString() });
    const first = file([
      said(0, {}),
      said(1, { outcome: "good" }),
      said(2, { outcome: "refund" }),
      said(3, {}),
    ]);
    const again = [said(0, { outcome: "fraud" }), said(1, { outcome: "chargeback" }), said(2, {})];
    const second = file([...again, said(3, { tags: ["stolen"] })]);
    const labels = { ...NONE, tags: new Map([["stolen", "fraud" as const]]) };
    const done = await run({ sources: [first, second], labels });
    expect(labelsOf(done)).toEqual(["fraud", "chargeback", "refund", "fraud"]);
    expect(done).toMatchObject({ repeats: 4, labels: { own: 3, tag: 1, none: 0, missed: 0 } });
  });

  it("of a repeat behind too many others are counted, not used", async () => {
    const { run, file } = bench(starter);
    const { at } = envelope(0);
    const others = Array.from({ length: 10_000 }, (_, n) => ({
      at,
      request: { operation: "payment", order_id: `o-${n}`, amount: 1, currency: 980 },
    }));
    const again = [envelope(0, { outcome: "fraud" }), envelope(1, { outcome: "good" })];
    const source = file([envelope(0), { ...envelope(1, { outcome: "good" }), at }, ...others, ...again]);
    const done = await run({ sources: [source] });
    expect(done).toMatchObject({ repeats: 1, labels: { own: 2, none: 10_001, missed: 1 } });
  });
});
