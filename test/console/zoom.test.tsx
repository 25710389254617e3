// One pane over the whole body of a screen, and back.

import { SIZES } from "./driver.tsx";
import { describe, expect, it } from "vitest";
import { NOW, openDesk } from "../captures/desk.tsx";
import { openHistory } from "./history-stage.tsx";
import { runInfo, runRow } from "./replay-engine.ts";
import { PANE_LEAST } from "#src/ui/rows.ts";

const titles = (frame: string): string[] =>
  frame
    .split("\n")
    .flatMap((line) => (/^  \S.* [─━][─━ ]/.test(line) ? line.split("│").map((title) => title.trim()) : []));

describe("a zoomed pane", () => {
  it.each(SIZES)("of History is the list or the detail at $columns x $rows", async ({ columns, rows }) => {
    const screen = await openHistory(columns, rows);
    const before = await screen.press("4").until("1 of 4, following");
    expect(titles(before)).toHaveLength(columns < 100 ? 1 : 2);
    screen.press("+");
    const list = await screen.until((frame) => frame.includes("1 of 4") && !frame.includes("2x attempts"));
    expect(titles(list)).toEqual([expect.stringMatching(/^History ━+ 1 of 4, following$/)]);
    expect(list.split("\n")).toHaveLength(rows);
    const detail = await screen.press("\r").until("Timing");
    expect(titles(detail)).toEqual([expect.stringContaining("o-4 ━")]);
    await screen.press("\u001b").until((frame) => titles(frame)[0]?.startsWith("History") === true);
    screen.press("+");
    expect(titles(await screen.until((frame) => frame.includes("2x attempts") || rows < 22))).toHaveLength(
      columns < 100 ? 1 : 2,
    );
  });

  it("of Check keeps the large word of the verdict", async () => {
    const screen = await openHistory(120, 40);
    await screen.model.checks.load();
    await screen.until("1 of 4");
    await screen.press("jj").until("2 of 4");
    const verdict = await screen.press("+++").until((frame) => !/Compose|History [─━]/.test(frame));
    expect(verdict).toMatch(/[█▀▄]{2}/);
    expect(verdict).toContain("Why");
  });

  it.each(SIZES)(
    "of Check is the form, the history or the verdict at $columns x $rows",
    async ({ columns, rows }) => {
      const screen = await openHistory(columns, rows);
      await screen.model.checks.load();
      // Narrow, History has no rows beside the form.
      const whole = await screen.until(columns < 76 ? "Compose ━" : "1 of 4");
      screen.press("+");
      const form = await screen.until(
        (frame) => frame.includes("Compose") && !/(?:History|Verdict) [─━]/.test(frame),
      );
      expect(titles(form)).toEqual([expect.stringContaining("Compose ━")]);
      const list = await screen.press("+").until((frame) => !frame.includes("Compose"));
      expect(titles(list)).toEqual([expect.stringContaining("History ─")]);
      for (const order of ["o-1", "o-2", "o-3", "o-4"]) expect(list).toContain(order);
      const verdict = await screen.press("+").until((frame) => !frame.includes("History ─"));
      expect(titles(verdict)[0]).toMatch(/^Verdict ─/);
      screen.press("+");
      expect(titles(await screen.until("Compose ━"))).toEqual(titles(whole));
    },
  );

  it.each([
    ["2", ["Projects"]],
    ["3", ["Vault"]],
    ["8", ["Profiles", "sandbox"]],
  ])("of screen %s has all rows, one pane after the other", async (key, panes) => {
    const { screen } = await openDesk({ size: { columns: 60, rows: 20 } });
    screen.press(key);
    await screen.until(
      (frame) => titles(frame)[0]?.startsWith("Compose") === false && titles(frame).length === 2,
    );
    for (const pane of panes) {
      screen.press("+");
      await screen.until((frame) => titles(frame).length === 1 && titles(frame)[0]!.startsWith(pane));
    }
    await screen.press("+").until((frame) => titles(frame).length === 2);
  });

  it("of a replay is the findings, then the whole summary", async () => {
    const rows = [runRow(1), runRow(2)];
    const before = { info: runInfo("run-1", rows), rows };
    const after = { info: runInfo("run-2", rows, { baseline: "run-1", at: NOW + 1 }), rows };
    const { screen, press } = await openDesk({ runs: [after, before], size: { columns: 60, rows: 20 } });
    await press(["5", "of 2"], ["\r", "was / now"], ["+", "Items 2"]);
    expect(titles(screen.frame())).toEqual([expect.stringContaining("Findings ━")]);
    await press(["+", "no verdict changed"]);
    expect(titles(screen.frame())).toEqual([expect.stringContaining("Run of")]);
  });

  it("of Replay says so, and ends once something else is shown", async () => {
    const rows = [runRow(1), runRow(2)];
    const { screen, press, model } = await openDesk({
      runs: [{ info: runInfo("run-1", rows), rows }],
      size: { columns: 80, rows: 24 },
    });
    await press(["5", "1 of 1"], ["+", "zoomed, + goes on, 1 of 1"], ["+", "zoomed, + goes on"]);
    expect(titles(screen.frame())).toEqual([expect.stringMatching(/^Run ─+ zoomed, \+ goes on$/)]);
    await press(["\r", "Findings"]);
    expect(screen.frame()).not.toContain("zoomed");
    await press(["+", "zoomed"], ["n", "Before sending"]);
    expect(model.session.store.getState().zoom).toBe(0);
    // The form is never out of sight.
    expect(screen.dispatcher.active().map(({ binding }) => binding.id)).not.toContain("shell.zoom");
  });

  it("that hides the form of Register registers nothing, and a field that is edited comes in sight", async () => {
    const screen = await openHistory(80, 24);
    await screen.press("2+").until((frame) => frame.includes("Projects ━") && !frame.includes("Merchant id"));
    const enter = screen.dispatcher.active().find(({ binding }) => binding.id === "register.submit");
    expect(enter?.disabled).toContain("The form is hidden");
    await screen.press("\t").until("› Merchant id");
  });

  it("of another screen is not kept", async () => {
    const screen = await openHistory(120, 40);
    await screen.press("4").until("1 of 4");
    await screen.press("+").until((frame) => !frame.includes("│"));
    await screen.press("14").until((frame) => frame.includes("History ━") && frame.includes("│"));
  });

  it("that is not the form sends nothing, and a field that is edited comes in sight", async () => {
    const screen = await openHistory(80, 24);
    screen.model.session.setProject("merchant-7/medium");
    await screen.model.checks.load();
    await screen.until("1 of 4");
    await screen.press("++").until((frame) => !frame.includes("Compose"));
    screen.press("\r");
    const sending = screen.dispatcher.active().filter(({ binding }) => binding.sends === true);
    expect(new Set(sending.map(({ disabled }) => disabled))).toEqual(
      new Set(["The form is out of sight; + shows it."]),
    );
    screen.press("\u0012");
    expect(screen.model.checks.store.getState().inFlight).toBeNull();
    expect(screen.model.checks.store.getState().entries).toHaveLength(4);
    await screen.press("\t").until("Compose ━");
    expect(screen.model.session.store.getState().zoom).toBe(0);
  });
});

describe("a divider", () => {
  /** Where the divider stands in the row of the titles. */
  const place = (frame: string): number => titleRow(frame).indexOf("│");
  const titleRow = (frame: string): string => frame.split("\n").find((line) => /^  \S.* [─━]{2}/.test(line))!;

  it.each([
    ["1", "  Compose ━"],
    ["4", "1 of 4, following"],
    ["8", "  Profiles ━"],
  ])("moves on screen %s as far as both panes can be read, and back", async (key, shown) => {
    const screen = await openHistory(120, 40);
    screen.press(key);
    const own = place(await screen.until((frame) => frame.includes(shown) && titleRow(frame).includes("│")));
    await screen.press(">").until((frame) => place(frame) === own + 4);
    for (let step = 0; step < 30; step += 1) screen.press(">");
    const right = place(await screen.until((frame) => place(frame) > own + 8));
    expect(right).toBeLessThanOrEqual(120 - PANE_LEAST);
    for (let step = 0; step < 60; step += 1) screen.press("<");
    const left = place(await screen.until((frame) => place(frame) < own));
    expect(left).toBeGreaterThanOrEqual(PANE_LEAST);
  });

  it("stands where it was put when the console is started again", async () => {
    const first = await openHistory(120, 40);
    first.press("4");
    const own = place(await first.until("1 of 4, following"));
    await first.press("<<").until((frame) => place(frame) === own - 8);
    await first.model.dividers.end();
    const { session } = first.model;
    session.setDividers({});
    await first.until((frame) => place(frame) === own);
    await first.model.dividers.load();
    await first.until((frame) => place(frame) === own - 8);
  });

  it("is none where one pane is seen", async () => {
    const screen = await openHistory(80, 24);
    await screen.press("4").until("1 of 4, following");
    await screen.press("<j").until("2 of 4");
    expect(screen.model.session.store.getState().dividers).toEqual({});
  });
});
