// The History screen in terminals of several sizes: the list, the filter, the detail and its actions.

import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { KEY, WINDOWS } from "./driver.tsx";
import { ENTRIES, EXPLANATION, NOW, listed, openHistory, rowOf, show, submit } from "./history-stage.tsx";

import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { safe } from "#src/display/safe.ts";
import { widthOf, wrap } from "#src/ui/fit.ts";
import { answer, intent } from "../storage/entries.ts";

const { down: DOWN, esc: ESC, left: LEFT, right: RIGHT } = KEY;

describe("the list", () => {
  it("shows final action and project at 80 columns, newest first", async () => {
    const { screen } = await show(ENTRIES);
    const frame = await screen.until("1 of 4");
    expect(frame).toMatch(/Time +Verdict +Amount +Order +Final +Project/);
    expect(rowOf(frame, "o-4")).toMatch(/^› 12:29:20 +\? UNKNOWN +5\.00 UAH +o-4 +- +…\w*-7\/medium$/);
    expect(rowOf(frame, "o-3")).toMatch(/◆ 3DS +980\.00 EUR +o-3 +\? +open/);
    expect(rowOf(frame, "o-2")).toMatch(/✖ BLOCK +400\.00 EUR +o-2 +block/);
    expect(rowOf(frame, "o-1")).toMatch(/^ +11-19 12:30 +✔ PASS +120\.00 UAH +o-1 +continue/);
    const orders = [...frame.matchAll(/\bo-\d/g)].map(([order]) => order);
    expect(orders).toEqual(["o-4", "o-3", "o-2", "o-1"]);
  });

  it("marks entries of another profile, in every width, and their detail says which", async () => {
    const foreign = intent("e5", {
      at: NOW,
      profile: "shop-live",
      project: "m/low",
      request: { order_id: "o-5" },
      result: answer({ recommendation: "pass" }),
    });
    const { screen } = await show([...ENTRIES, foreign], { columns: 90 });
    const wide = await screen.until("1 of 5");
    expect(rowOf(wide, "o-5")).toMatch(/^›!12:30:00 +✔ PASS .* \S*live:m\/low$/);
    expect(rowOf(wide, "o-4")).toMatch(/^ {2}12:29:20/);
    screen.resize(60, 22);
    const narrow = await screen.until((frame) => /live:o-5/.test(frame));
    expect(rowOf(narrow, "o-5")).toMatch(/^›!/);
    await screen.press("\r").until(/Project +m\/low, profile shop-live \(not the project/);
  });

  it("colours the verdict, and says the same without colours and in ASCII", async () => {
    const { screen } = await listed(ENTRIES);
    const styled = screen.styledFrame().replaceAll(ESC, "^");
    expect(styled).toMatch(/\^\[31m(?:\^\[\d+m)*✖ BLOCK/);
    expect(styled).toMatch(/\^\[32m(?:\^\[\d+m)*✔ PASS/);
    const plain = await show(ENTRIES, { ascii: true });
    const frame = await plain.screen.until("1 of 4");
    expect(frame).toContain("x BLOCK");
    expect(frame).toMatch(/^[\x20-\x7e\n]*$/);
  });
  it.each([
    [60, 20],
    [80, 22],
    [99, 30],
    [100, 30],
    [140, 40],
    [200, 60],
  ])("fills exactly %i x %i, with the list and with the detail", async (columns, rows) => {
    const many = Array.from({ length: 300 }, (_, index) =>
      intent(`m${String(index).padStart(4, "0")}`, {
        request: {
          order_id: `注文-${"長".repeat(40)}-${index}`,
          amount: 9_007_199_254_740_991,
          currency: 980,
        },
        result: answer({ message: "x".repeat(3_000), explanation: "y".repeat(500) }),
        explanation: EXPLANATION,
      }),
    );
    const { screen } = await show(many, { columns, rows });
    const exact = (): void => {
      const lines = screen.lines();
      expect(lines).toHaveLength(rows);
      for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(columns);
    };
    await screen.until("1 of 300");
    exact();
    await screen.press("\r").until("Required");
    exact();
    for (const next of ['operation"|order_id', "HTTP status", "how it was signed", "Recorded at"]) {
      await screen.press(RIGHT).until(new RegExp(next));
      exact();
    }
  });

  it("moves by row, page and end, keeps the selected row visible, through all of them", async () => {
    const many = Array.from({ length: 450 }, (_, index) =>
      intent(`m${String(index).padStart(4, "0")}`, { at: NOW + index, result: answer() }),
    );
    const { screen } = await listed(many, { columns: 60, rows: 20 });
    screen.press("jj");
    screen.press(DOWN);
    expect(rowOf(await screen.until("4 of 450"), "›")).toContain("A-m0446");
    await screen.press("k").until("3 of 450");
    screen.press("\u001b[6~");
    expect(rowOf(await screen.until("18 of 450"), "›")).toContain("A-m0432");
    const moved = await screen.press("k").until("17 of 450");
    expect(moved.split("\n").at(-4)).toContain("A-m0432");
    await screen.press("j").until("18 of 450");
    await screen.press("\u0015").until("3 of 450");
    screen.press("G");
    expect(rowOf(await screen.until("450 of 450"), "›")).toContain("A-m0000");
    screen.press("\u001b[5~");
    expect(rowOf(await screen.until("435 of 450"), "›")).toContain("A-m0015");
    await screen.press("\u001b[F").until("450 of 450");
    screen.press("g");
    expect(rowOf(await screen.until("1 of 450"), "›")).toContain("A-m0449");
  });
});

describe("a long text", () => {
  it("is broken into lines that fit and leave nothing out", () => {
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: "grapheme", maxLength: 120 }),
      fc.stringMatching(/^[a-z ]{0,200}$/),
    );
    fc.assert(
      fc.property(text, fc.integer({ min: 8, max: 40 }), (whole, width) => {
        const lines = wrap(safe(whole, { max: 1_000 }), width);
        expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(width);
        const squeezed = (value: string): string => value.replaceAll(" ", "");
        expect(squeezed(lines.join(""))).toBe(squeezed(safe(whole, { max: 1_000 })));
      }),
    );
  });
});

describe("damage", () => {
  it("is told in a line below the list", async () => {
    const { screen, model } = await listed(ENTRIES, { columns: 60, rows: 20 });
    const other = new DatabaseSync(join(model.context.home.data, "history.db"));
    other.exec("UPDATE entry_text SET intent = replace(intent, 'amount', 'anount') WHERE place = 2");
    other.close();
    await model.history.load();
    expect(await screen.until((text) => / ! Entry 2 of the history is damaged/.test(text))).toContain("o-1");
    expect(screen.lines()).toHaveLength(20);
  });
});

describe("what is being sent", () => {
  it("is not shown as unknown", async () => {
    const { screen, model } = await listed(ENTRIES);
    model.checks.store.setState({ inFlight: { id: "e4", startedAt: NOW, request: {}, cancelled: false } });
    const frame = await screen.until("SENDING");
    expect(rowOf(frame, "o-4")).not.toContain("UNKNOWN");
    await screen.press("\r").until("The answer has not come yet.");
    model.checks.store.setState({ inFlight: null });
  });
});

describe("empty states", () => {
  it("say what to do first", async () => {
    const { screen } = await show([], { columns: 60, rows: 20 });
    const frame = await screen.until("No single check has been sent yet");
    expect(frame.replaceAll(/\s+/g, " ")).toContain("press 1, and Enter there sends the payment.");
  });

  it("say how to get out of a filter that nothing matches", async () => {
    const shown = await show(ENTRIES);
    const { screen } = shown;
    await screen.until("1 of 4");
    screen.press("/");
    await expect.poll(() => shown.model.session.store.getState().prompt?.label).toBe("Filter");
    submit(shown, "amount>100000000");
    await screen.until("No check matches the filter; press Esc to see all");
    await screen.press(ESC).until("of 4");
  });
});

describe("the detail", () => {
  it("shows hidden characters of the service as escapes, with a badge", async () => {
    const { screen } = await listed(ENTRIES, { rows: 40 });
    await screen.press("jj\r").until("Required");
    await screen.press(RIGHT).until("order_id");
    const frame = await screen.press("\t").until("HTTP status");
    expect(frame).toContain("pa\\u200bss\\x1b[32m granted");
    expect(frame).toContain("⚠ The text contains hidden characters; they are shown as escapes.");
    await screen.press("\u001b[Z").until("order_id");
  });

  it("shows a look-alike of a recommendation by its code points, with a badge", async () => {
    const forged = answer({ outcome: "indeterminate", reason: "bad_code", rawCode: '"p\u0430ss"' });
    const { screen } = await listed([intent("e9", { at: NOW, result: forged })], { rows: 40 });
    await screen.press("\r").until("Required");
    await screen.press(RIGHT).until("order_id");
    const frame = await screen.press("\t").until("Raw code");
    expect(frame).toMatch(/Raw code +"p\\u0430ss"\n +⚠ The text contains characters outside ASCII/);
  });

  it("shows the last four digits as they stand on the card", async () => {
    const { screen } = await listed(ENTRIES);
    await screen.press("G\r").until("Required");
    const frame = await screen.press(RIGHT).until("order_id");
    // What was sent, to the letter: it can be taken from the screen.
    const json = frame.slice(frame.indexOf("{"), frame.lastIndexOf("}") + 1);
    expect(JSON.parse(json)).toEqual(ENTRIES[0]!.request);
    expect(frame).toContain("The last four digits 0042 are sent as the number 42.");
  });

  it("shows when and how long, with the skew of the clock", async () => {
    const { screen } = await listed(ENTRIES);
    await screen.press("jj\r").until("Required");
    const frame = await screen.press(LEFT).until("Recorded at");
    expect(frame).toContain("2026-11-21 12:29:00");
    expect(frame).toMatch(/Latency +84 ms/);
    expect(frame).toMatch(/Clock skew +this machine is 1 min 30 s ahead of the service/);
  });

  it("scrolls where it is longer than the screen, and not beyond its end", async () => {
    const { screen } = await listed(ENTRIES, { columns: 60, rows: 12 });
    await screen.press("jj\r").until(/^ +↓ \d+ more/m);
    await screen.press("j").until(/^ +↑ 1 ↓ \d+ more/m);
    expect(await screen.press("Gj").until("without a hit.")).toMatch(/^ +↑ \d+ *$/m);
    await screen.press("k").until((text) => !text.includes("without a hit."));
    await screen.press("g").until(/^ +↓ \d+ more/m);
  });

  it("says that a lost outcome is unknown, and that an open one is open", async () => {
    const { screen } = await listed(ENTRIES);
    const lost = await screen.press("\r").until("Required");
    expect(lost).toContain("? UNKNOWN");
    expect(lost).toContain("the request may have arrived");
    await screen.press(ESC).until("1 of 4");
    const open = await screen.press("j\r").until("Required");
    expect(open).toContain("Open: it is not known yet whether 3-D Secure can be forced.");
  });

  it("stands beside the list from 100 columns on, and follows the selection", async () => {
    const { screen } = await show(ENTRIES, { columns: 100, rows: 30 });
    expect(await screen.until("Required")).toMatch(/History .* 1 of 4, following │ .*o-4 /);
    await screen.press("jj").until((text) => text.includes("card_velocity") && text.includes("3 of 4"));
    await screen.press(RIGHT).until(/"order_id": "o-2"/);
    screen.resize(80, 24);
    expect(rowOf(await screen.until((text) => !text.includes("order_id")), "›")).toContain("o-2");
  });
});

describe("what can be done with an entry", () => {
  it("resend loads it into the composer and goes to Check", async () => {
    const { screen, model } = await listed(ENTRIES);
    await model.checks.load();
    screen.press("r");
    await expect.poll(() => model.session.store.getState().screen).toBe("check");
    expect(model.composer.toRequest()).toEqual(ENTRIES[3]!.request);
    expect(model.composer.draft().repeats).toMatchObject({ entryId: "e4", answered: false });
  });
  it("offers in the footer only what works now", async () => {
    const { screen } = await show([]);
    await screen.until("No single check has been sent yet");
    const labels = (): string[] => screen.dispatcher.active().map(({ binding }) => binding.label);
    expect(labels()).toEqual(["filter"]);
  });
});

describe("in the console", () => {
  it.each(WINDOWS)(
    "a filter is offered word by word and lists while it is typed at %i x %i",
    async (columns, rows) => {
      const screen = await openHistory(columns, rows);
      const before = await screen.press("4").until("1 of 4");
      const asked = await screen.press("/").until(/^ {2}verdict: {3}final: .*Enter accept/m);
      expect(asked.split("\n").slice(1, -2)).toEqual(before.split("\n").slice(1, -2));
      expect(await screen.press("ver").until(/Filter ver$/m)).toContain("1 of 4");
      await screen.press("\t").until(/Filter verdict:$/m);
      await screen.until(/^ {2}pass {3}block .*Enter accept/m);
      expect(await screen.press("\t").until("1 of 1")).toMatch(/History · verdict:pass/);
      expect(screen.lines().at(-2)).toContain(" Filter verdict:pass");
      screen.press("\t");
      await screen.until((frame) => frame.includes("History · verdict:block") && frame.includes("o-2"));
      await screen.press("k").until(/^ {2}block {3}"blockk" is not a valid verdict; use pass/m);
      expect(screen.frame()).toContain("History · verdict:block");
      await screen.press("\u001bOP").until(/Filter: terms separated by blanks/);
      await screen.press(ESC).until(/^ {2}block {3}"blockk" is not a valid verdict/m);
      expect(screen.lines()).toHaveLength(rows);
      expect(await screen.press(ESC).until("1 of 4")).not.toContain("verdict:");
    },
  );

  it.each(WINDOWS.slice(0, 3))(
    "a word that nothing has is put right by Tab, and the detail names the filter at %i x %i",
    async (columns, rows) => {
      const screen = await openHistory(columns, rows);
      await screen.press("4").until("1 of 4");
      await screen.press("/").until(/Filter/);
      const none = await screen.press("blokc").until("Did you mean");
      expect(none.replaceAll(/ *│.*$/gm, "").replaceAll(/\s+/g, " ")).toContain(
        "No check matches blokc. Did you mean verdict:block? Press Tab to use it.",
      );
      screen.press("\t");
      await screen.until((frame) => frame.includes("History · verdict:block") && frame.includes("o-2"));
      await screen.press("\r").until("Enter open");
      const detail = await screen.press("\r").until("Timing");
      if (columns < 100) expect(detail).toMatch(/^ {2}o-2 ━+ filter on, 1 match( ·|$)/m);
      await screen.press(ESC).until("1 of 1");
      await screen.press("/").until(/Filter/);
      await screen.press("\u0015blokc\r").until(/it\.\s+Did\s+you\s+mean\s+verdict:block\?/);
      expect(await screen.press(ESC).until("of 4")).not.toContain("filter on");
    },
  );
});
