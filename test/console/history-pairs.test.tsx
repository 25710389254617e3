// What the History screen tells besides rows: latencies and verdicts of a stretch, marks, two checks side by side, what was
// signed, and what is done with all that is listed.

import { KEY } from "./driver.tsx";
import { ENTRIES, EXPLANATION, NOW, listed, openHistory, rowOf, show } from "./history-stage.tsx";

import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { attemptsAmong, marksOf } from "#src/ui/marks.ts";
import { stripRows } from "#src/ui/strip-rows.ts";
import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import { widthOf } from "#src/ui/fit.ts";
import { createTheme, type Theme } from "#src/ui/theme.ts";
import { keyName } from "../keys/standard.ts";
import { answer, intent } from "../storage/entries.ts";

const { esc: ESC } = KEY;

const UP = "\u001b[A";
const DOWN = "\u001b[B";

/** Two attempts of one payment, the second decided and noted, with a rule that hit only there. */
const TWO: readonly HistoryEntry[] = [
  intent("f1", {
    at: NOW - 9_000,
    request: { order_id: "o-8", amount: 40_000, currency: 978, payer: { email: "a@shop.example" } },
    result: answer({
      recommendation: "block",
      message: "6 attempts with this card",
      attempts: 3,
      latencyMs: 12,
    }),
    finalAction: "block",
    explanation: EXPLANATION,
  }),
  intent("f2", {
    at: NOW - 4_000,
    request: { order_id: "o-9", amount: 12_000, currency: 978, description: "again" },
    result: answer({ recommendation: "3ds_or_block", message: "Use 3-D Secure", latencyMs: 96 }),
    finalAction: "3ds",
    explanation: {
      ...EXPLANATION,
      score: 45,
      recommendation: "3ds_or_block",
      decidedBy: "three_ds_score",
      rules: EXPLANATION.rules.map((rule) =>
        rule.code === "card_velocity" ? { ...rule, outcome: "no_hit" as const } : rule,
      ),
    },
    repeats: "f1",
  }),
];

const themeOf = (ascii: boolean, color = true): Theme => createTheme({ ascii, color, keyName });

describe("the stretch below the list", () => {
  it("is a line of latencies and a bar of the verdicts, in figures, symbols and colours", async () => {
    const { screen } = await show(TWO);
    const frame = await screen.until("1 of 2, following");
    expect(frame).toContain(" Latency   ▁█ 54 ms median, 96 ms most");
    expect(frame).toMatch(/ All 2 {5}✖ 1 ◆ 1/);
    expect(frame).toContain("2x attempts  & note  ? 3-D Secure open  = decided");
    const entries = Array.from({ length: 5 }, () => TWO).flat();
    const mix = stripRows({ entries, sendingId: null, scope: "All" }, 80, themeOf(false))[1]!;
    expect(mix.map(({ text }) => text).join("")).toMatch(/^ {2}All 10 {4}━{40} ✖ 5 ◆ 5/);
    expect(mix.slice(1, 3).map(({ role }) => role)).toEqual(["block", "challenge"]);
    const grey = stripRows({ entries, sendingId: null, scope: "All" }, 80, themeOf(false, false))[1]!;
    expect(grey.map(({ text }) => text).join("")).toMatch(/^ {2}All 10 {4}✖ 5 ◆ 5 +$/);
    const plain = await show(TWO, { ascii: true });
    const ascii = await plain.screen.until("1 of 2");
    expect(ascii).toContain(" Latency   _@ 54 ms median");
    expect(ascii).toMatch(/ All 2 {5}x 1 \* 1/);
    expect(ascii).toMatch(/^[\x20-\x7e\n]*$/);
  });

  it("follows time in any order, and counts no test of a credential", () => {
    const at = (index: number, order: string) => ({
      ...intent(`e${index}`, { at: NOW + index, request: { order_id: order } }),
      result: answer({ latencyMs: 10 * (index + 1) }),
    });
    const entries = [at(0, "o-0"), at(1, "o-1"), at(2, "credential-test-1"), at(3, "o-3")];
    for (const listed of [entries, entries.toReversed(), entries.toSorted(() => -1)]) {
      const [latency, mix] = stripRows(
        { entries: listed, sendingId: null, scope: "All" },
        80,
        themeOf(false),
      );
      expect(latency!.map(({ text }) => text).join("")).toContain("▂▄█ 20 ms median, 40 ms most");
      expect(mix!.map(({ text }) => text).join("")).toMatch(/^ {2}All 3 {5}✖ 3/);
    }
  });

  it("keeps the heights of the others where one check had no answer for half a minute", () => {
    const entries = Array.from({ length: 30 }, (_, index) => ({
      ...intent(`e${index}`, { at: NOW + index, request: { order_id: `o-${index}` } }),
      result: answer({ latencyMs: index === 9 ? 30_000 : 10 + (index % 2) * 70 }),
    }));
    const [latency] = stripRows({ entries, sendingId: null, scope: "All" }, 80, themeOf(false));
    expect(latency!.map(({ text }) => text).join("")).toContain("▁█▁█▁█▁█▁█▁█ ");
  });

  it("leaves a low list its rows, and says that it is a part of a long one", async () => {
    const { screen } = await show(TWO, { columns: 60, rows: 10 });
    expect(await screen.until("1 of 2")).not.toContain("Latency ");
    const many = Array.from({ length: 260 }, (_, index) =>
      intent(`m${String(index).padStart(4, "0")}`, { at: NOW + index, result: answer() }),
    );
    const long = await show(many, { columns: 60, rows: 20 });
    expect(await long.screen.until("1 of 260")).toContain(" These 200 ");
  });

  it("is never wider than its place, and never cuts a count", () => {
    const result = fc.constantFrom(
      null,
      answer(),
      answer({ recommendation: "block", latencyMs: 123_456 }),
      answer({ outcome: "refused", recommendation: null, latencyMs: null }),
      answer({ outcome: "not_sent", recommendation: null, latencyMs: null }),
      answer({ recommendation: "3ds_or_block", latencyMs: 0 }),
    );
    fc.assert(
      fc.property(
        fc.array(result, { minLength: 1, maxLength: 200 }),
        fc.integer({ min: 24, max: 120 }),
        fc.boolean(),
        (results, width, ascii) => {
          const entries = results.map((each, index) => ({
            id: `e${index}`,
            at: -index,
            request: {},
            result: each,
          }));
          const rows = stripRows({ entries, sendingId: null, scope: "All" }, width, themeOf(ascii));
          expect(rows).toHaveLength(2);
          for (const row of rows) {
            expect(widthOf(row.map(({ text }) => text).join(""))).toBeLessThanOrEqual(width);
          }
          const counts = [
            ...rows[1]!
              .map(({ text }) => text)
              .join("")
              .matchAll(/ (\S) (\d+)/g),
          ];
          const total = counts.reduce((sum, [, , count]) => sum + Number(count), 0);
          // The scope itself reads as a count.
          if (width >= 60) expect(total).toBe(results.length);
        },
      ),
    );
  });
});

describe("the marks of a row", () => {
  it("tell of further attempts, a note, and 3-D Secure open or decided", async () => {
    const { screen, model } = await listed([...ENTRIES, ...TWO]);
    await (await model.context.history()).annotate("e3", "ask");
    await model.history.load();
    const frame = await screen.until(/o-3 +&\?/);
    expect(rowOf(frame, "o-8")).toMatch(/o-8 +3x /);
    expect(rowOf(frame, "o-9")).toMatch(/o-9 +2x= /);
    expect(rowOf(frame, "o-1")).not.toMatch(/\d?x|n /);
  });

  it("count the attempts of a payment as far as they are known, and no circle for ever", () => {
    const chain = [
      intent("c", { repeats: "b" }),
      intent("b", { repeats: "a" }),
      intent("a"),
      intent("z", { repeats: "gone" }),
      intent("y", { result: answer({ attempts: 40 }) }),
    ];
    expect(chain.map(attemptsAmong(chain))).toEqual([3, 2, 1, 2, 40]);
    const circle = [intent("a", { repeats: "b" }), intent("b", { repeats: "a" })];
    expect(circle.map(attemptsAmong(circle))).toEqual([3, 3]);
    expect(marksOf(intent("a", { note: "x" }), 40, false)).toBe("9x&");
    expect(marksOf(intent("a"), 1, false)).toBe("");
  });
});

describe("two checks side by side", () => {
  it.each([
    [60, 20],
    [80, 22],
  ])(
    "stand below each other at %i x %i, with what differs marked by sign and word",
    async (columns, rows) => {
      const { screen } = await listed(TWO, { columns, rows });
      const frame = await screen.press("mjc").until("o-8 → o-9");
      expect(frame).toMatch(/\d+ changed · 1-\d+ of \d+/);
      expect(frame).toMatch(/! Verdict +✖ BLOCK\n +→ +◆ 3DS/);
      expect(screen.lines()).toHaveLength(rows);
      for (const line of screen.lines()) expect(widthOf(line)).toBeLessThanOrEqual(columns);
      // What differs is read before what is the same.
      expect(frame).toMatch(/! description +absent\n +→ +again/);
      await screen.press("jjj").until(/! payer\.email +a@shop\.example\n +→ +absent/);
      await screen.press(ESC).until("2 of 2");
    },
  );

  it("stand beside each other at 140 x 40, with score and rules of the sandbox", async () => {
    const { screen } = await listed(TWO, { columns: 140, rows: 40 });
    const frame = await screen.press(" jc").until("Earlier: o-8");
    expect(frame).toMatch(/Later: o-9 .* \d+ changed/);
    expect(frame).toMatch(/! Verdict +✖ BLOCK +│! Verdict +◆ 3DS/);
    expect(frame).toMatch(/! Score +85 +│! Score +45/);
    expect(frame).toMatch(/! card_velocity +hit, \+55: 6 attempts.*│! card_velocity +no hit/);
    expect(frame).toMatch(/! amount +40000 +400\.00 EUR +│! amount +12000 +120\.00 EUR/);
    for (const line of screen.lines()) expect(widthOf(line)).toBeLessThanOrEqual(140);
  });

  it("say where a decision was not explained, and hostile texts stay escapes", async () => {
    const { screen } = await listed(ENTRIES, { columns: 80, rows: 60 });
    const frame = await screen.press("jmjc").until("o-2 → o-3");
    expect(frame).toContain("The later decision was not explained; only the sandbox explains its decisions.");
    expect(frame).toContain("pa\\u200bss\\x1b[32m granted");
  });

  it("need a mark first, which is said, and which a second press or Esc takes away", async () => {
    const { screen } = await listed(TWO);
    const reason = (): string | null | undefined =>
      screen.dispatcher.active().find(({ binding }) => binding.id === "history.compare")?.disabled;
    expect(reason()).toBe("Press m on one check, then c on another.");
    await screen.press("m").until(/^›m/m);
    await screen.press("j").until("2 of 2");
    expect(reason()).toBeNull();
    await screen.press(ESC).until((frame) => !/^.m/m.test(frame));
  });
});

describe("in the console", () => {
  it("F1 tells the filter language while a filter is typed, and keeps what was typed", async () => {
    const screen = await openHistory(80, 24);
    await screen.press("4").until(/Time +Verdict/);
    await screen.press("/").until("F1 help");
    await screen.press("verdict:b").until("Filter verdict:b");
    await screen.press("\u001bOP").until("final:3ds            continue, block, 3ds, open, none");
    screen.press("\u001bOP");
    await screen.until((frame) => frame.includes("of 4") && frame.includes("Filter verdict:b"));
    await screen.press("lock").until("Filter verdict:block");
  });
  it("a wrong filter is shown with a mark below its token, and earlier ones come back with Up and Down", async () => {
    const screen = await openHistory(80, 24);
    await screen.press("4").until("1 of 4");
    for (const filter of ["verdict:pass", "verdict:block"]) {
      await screen.press(`/`).until(" Filter ");
      await screen.press(`\u0015${filter}\r`).until(`History · ${filter}`);
    }
    await screen.press("/").until("Filter verdict:block");
    const wrong = await screen.press("\u0015amount>1 colour:red\r").until("column 10");
    expect(wrong).toMatch(/^ {4}amount>1 colour:red\n {13}\^{6}$/m);
    await screen.press(UP).until(/Filter verdict:block/);
    await screen.press(UP).until(/Filter verdict:pass/);
    screen.press(UP);
    await screen.press(DOWN).until(/Filter verdict:block/);
    await screen.press(DOWN).until(/Filter amount>1 colour:red/);
    await screen.press(UP + UP + "\r").until("History · verdict:pass");
  });
});
