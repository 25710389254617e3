// The list of the History screen sorted by its columns, over the whole history and with a filter.

import { SIZES } from "./driver.tsx";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { HISTORY_ORDERS } from "#src/contract/records/list-sort.ts";
import { answer, intent } from "../storage/entries.ts";
import { historyIn } from "../storage/open-history.ts";
import { temporaryFolder } from "../storage/temporary-folder.ts";
import { sortedRows } from "#src/state/list-selection.ts";
import { ENTRIES, NOW, openHistory, show, submit } from "./history-stage.tsx";

describe("the list of checks, sorted", () => {
  it.each(SIZES)("goes from column to column and back to the newest at $columns x $rows", async (size) => {
    const { screen } = await show(ENTRIES, size);
    const orders = (frame: string): string[] =>
      frame.split("\n").flatMap((line) => /^[› ] \d.{20,}? (o-\d)(?: |$)/.exec(line)?.[1] ?? []);
    expect(orders(await screen.until("1 of 4"))).toEqual(["o-4", "o-3", "o-2", "o-1"]);
    const amount = await screen.press("o").until("History by amount");
    expect(amount).toMatch(/1 of 4(?!\+)/);
    expect(amount).toContain("Amount ▾");
    // Euros before hryvnias, and in each the largest first.
    expect(orders(amount)).toEqual(["o-3", "o-2", "o-1", "o-4"]);
    screen.press("O");
    expect(orders(await screen.until("Amount ▴"))).toEqual(["o-2", "o-3", "o-4", "o-1"]);
    screen.press("o");
    expect(orders(await screen.until("Verdict ▴"))).toEqual(["o-3", "o-2", "o-1", "o-4"]);
    const latency = await screen.press("oo").until("History by latency");
    if (size.columns > 60) expect(latency).toContain("Latency ▾");
    // Without an answer there is no time.
    expect(orders(latency).at(-1)).toBe("o-4");
    expect(await screen.press("o").until(/History ━/)).toMatch(/Time +Verdict /);
    screen.press("O");
    expect(orders(await screen.until("Time ▴"))).toEqual(["o-1", "o-2", "o-3", "o-4"]);
  });

  it("is right over entries that are not in memory, with a filter, and when another check comes", async () => {
    const many = Array.from({ length: 700 }, (_, at) =>
      intent(`m${String(at).padStart(4, "0")}`, {
        at: NOW + at,
        request: { order_id: `n-${at}`, amount: (at * 7919) % 701, currency: 980 },
        result: answer({ recommendation: at % 2 === 0 ? "pass" : "block" }),
      }),
    );
    const shown = await show(many, { columns: 80, rows: 24 });
    const { screen, model } = shown;
    const amounts = (): (number | undefined)[] =>
      model.history.store.getState().entries.map(({ request }) => request.amount);
    await screen.until("1 of 700");
    await screen.press("o").until("History by amount");
    expect(amounts()).toEqual([...amounts()].toSorted((one, other) => other! - one!));
    expect(amounts()[0]).toBe(700);
    await screen.press("G").until("700 of 700");
    expect(amounts().at(-1)).toBe(0);
    screen.press("/");
    await expect.poll(() => model.session.store.getState().prompt).not.toBeNull();
    submit(shown, "verdict:pass");
    // The selected check passed.
    await screen.until("350 of 350");
    await screen.press("g").until("1 of 350");
    const expected = many
      .filter((_, at) => at % 2 === 0)
      .map(({ request }) => request.amount!)
      .toSorted((one, other) => other - one);
    expect(amounts()).toEqual(expected.slice(0, 200));
    const store = await model.context.history();
    model.session.go("history");
    await store.intend(
      intent("new", { at: NOW, request: { order_id: "n-new", amount: 9_999, currency: 980 } }),
    );
    await store.settle(intent("new", { result: answer({ recommendation: "pass" }) }));
    await model.checks.load();
    await screen.until("2 of 351");
    expect(amounts()[0]).toBe(9_999);
  });

  it("is no list that follows the newest check", async () => {
    const screen = await openHistory(80, 24);
    await screen.press("4").until("1 of 4, following");
    expect(await screen.press("o").until("History by amount")).not.toContain("following");
    expect(screen.dispatcher.active().map(({ binding }) => binding.id)).not.toContain("history.follow");
  });
});

describe("an order", () => {
  it("of the database has every entry once, in the order of its column", async () => {
    const history = historyIn(temporaryFolder());
    onTestFinished(() => history.close());
    const made = fc.sample(
      fc.record({
        amount: fc.option(fc.nat(50), { nil: undefined }),
        currency: fc.constantFrom(980, 978, undefined),
        latencyMs: fc.option(fc.nat(50)),
        project: fc.constantFrom("a/low", "b/high", "c/low"),
      }),
      { numRuns: 60, seed: 1 },
    );
    const entries = made.map(({ amount, currency, latencyMs, project }, at) =>
      intent(`e${at}`, {
        project,
        request: JSON.parse(JSON.stringify({ amount, currency })) as object,
        result: answer({ latencyMs }),
      }),
    );
    for (const entry of entries) {
      await history.intend(entry);
      await history.settle(entry);
    }
    for (const by of HISTORY_ORDERS) {
      for (const turned of [false, true]) {
        const order = await history.order({ by, turned });
        expect([...order].toSorted((one, other) => one - other)).toEqual(entries.map((_, at) => at));
        const newest = sortedRows([...order.keys()], { by: "time", turned: false }, (at) => at);
        const value = (at: number): number | string | null | undefined =>
          ({
            time: at,
            amount: entries[at]!.request.amount,
            verdict: entries[at]!.result!.recommendation,
            project: entries[at]!.project,
            latency: entries[at]!.result!.latencyMs,
          })[by];
        const sorted = sortedRows(newest, { by, turned }, value);
        const whole =
          by === "amount"
            ? sortedRows(sorted, { by: "currency", turned: false }, (at) => entries[at]!.request.currency)
            : sorted;
        expect([...order], `${by} ${turned}`).toEqual(whole);
      }
    }
  });
});
