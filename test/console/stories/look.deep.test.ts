// How the console shows things to people who see, hear or present otherwise: ASCII, screen reader, themes, own keys, an audience.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { CellLook } from "../pty.ts";
import { KEY, openConsole, READY, readyConsole, servedHome } from "./stage.ts";

const BLOCK = { status: "success", code: "block", message: "Too many payments of olena@shop.example" };

describe("the look of the console", () => {
  const served = servedHome();
  beforeAll(async () => {
    served.service.answer(200, BLOCK);
  });

  const config = (name: string, text: string): void => {
    mkdirSync(join(served.home.folder, "verdict", "config"), { recursive: true });
    writeFileSync(join(served.home.folder, "verdict", "config", name), text);
  };

  it("is ASCII alone with --ascii, whatever the locale says", async () => {
    const terminal = await readyConsole(served.home, { args: ["--ascii"] });
    await terminal.type(KEY.enter).until("x BLOCK");
    for (const key of ["2", "3", "4", "5", "?"]) {
      const before = terminal.screen();
      await terminal.type(key).until((screen) => screen !== before);
    }
    await terminal.type(KEY.interrupt).exit;
    // oxlint-disable-next-line no-control-regex
    expect(terminal.written().match(/[^\x00-\x7f]+/g) ?? []).toEqual([]);
  });

  it.each([
    { args: ["--screen-reader"], env: {} },
    { args: [], env: { INK_SCREEN_READER: "true" } },
  ])("is linear text for a screen reader: %j", async ({ args, env }) => {
    const terminal = openConsole(served.home, { args, env, columns: 100, rows: 60 });
    expect(await terminal.until("sends this payment for")).toContain("Selected: button Send check");
    expect(terminal.modes().alternateScreen).toBe(false);
    expect(terminal.modes().cursorVisible).toBe(true);
    await terminal.type(KEY.tab).until("Selected: Operation, payment");
    await terminal.type(KEY.tab).until("Selected: Order id, o-");
    await terminal.type(KEY.esc).until("Enter sends this payment");
    terminal.type(KEY.enter);
    await terminal.until(
      "Verdict: block. Block further processing of the transaction. Reason: Too many payments of olena@shop",
    );
    await terminal.type("4").until("4 History");
    expect(await terminal.type("q").exit).toMatchObject({ code: 0 });
    // No frames, no signs, no moves of the cursor: only marked pastes are switched on and off.
    expect(terminal.written()).not.toMatch(/[\u2190-\u21ff\u2500-\u259f\u25a0-\u27bf]/);
    // oxlint-disable-next-line no-control-regex
    expect(terminal.written().replaceAll(/\u001b\[\?2004[hl]/g, "")).not.toContain("\u001b");
  });

  it("says a refused key, and an interruption ends it with 130 as ever", async () => {
    const terminal = openConsole(served.home, { args: ["--screen-reader"], columns: 100, rows: 60 });
    await terminal.until("sends this payment for");
    await terminal.type(KEY.esc).until("Enter sends this payment");
    await terminal.type("p").until("PRESENTER");
    await terminal.type("e").until("Presenter mode hides what this would show; leave it with p first.");
    expect(await terminal.type(KEY.interrupt).exit).toMatchObject({ code: 130 });
  });

  it("reveals no secret into a terminal that keeps it", async () => {
    const terminal = openConsole(served.home, { args: ["--screen-reader"], columns: 100, rows: 60 });
    await terminal.until("sends this payment for");
    await terminal.type("3").until("fingerprint");
    terminal.type("v");
    await terminal.until(
      "This terminal would keep the secret in its scrollback; y copies it without showing it.",
    );
    expect(terminal.written()).not.toContain("hidden again");
    await terminal.type(KEY.interrupt).exit;
  });

  it.each([
    { args: ["--presenter"], settings: "" },
    { args: [], settings: "presenter: true\n" },
  ])("shows an audience nothing from the first frame: %j", async ({ args, settings }) => {
    config("settings.yaml", settings);
    const terminal = openConsole(served.home, { args, columns: 120, rows: 40 });
    await terminal.until("PRESENTER");
    await terminal.until("Send check");
    await terminal.type(KEY.interrupt).exit;
    expect(terminal.written()).not.toMatch(/olena|kovalenko/i);
    config("settings.yaml", "");
  });

  it("has the user's own keys in header, sentences, footer and help, and they work", async () => {
    const keys = ["check.fresh: [f7]", 'shell.help: [f2, "?"]', "history.resend: f6", "shell.history: f4"];
    config("keys.yaml", [...keys, "history.filter: f8", "check.undoLoad: f9", ""].join("\n"));
    const terminal = await readyConsole(served.home, { columns: 200, rows: 40 });
    await terminal.until("F7 fresh order id");
    await terminal.until("F2 help");
    await terminal.until("F4 History");
    const orderId = (screen: string): string | undefined => /Order id\s+(o-\w+)/.exec(screen)?.[1];
    const first = await terminal.type("\u001b[18~").until((screen) => orderId(screen) !== undefined);
    await terminal.type("\u001b[18~").until((screen) => orderId(screen) !== orderId(first));
    terminal.type('\u001b[200~{"amount":1200,"currency":978}\u001b[201~');
    await terminal.until("ready to send; F9 restores the previous payment");
    await terminal.type("\u001bOQ").until(/F7 +fresh order id/);
    await terminal.type(`${KEY.esc}\u001bOS`).until("F8 filter");
    await terminal.type("\u001b[19~").until(" Filter ");
    await terminal.type(`order:none${KEY.enter}`).until("press Esc to see all, or F8 to");
    await terminal.type(KEY.interrupt).exit;
  });

  it("starts with the default keys where the user's are wrong, and says where", async () => {
    config("keys.yaml", "check.fresh: f7\ncheck.sned: f8\n");
    const terminal = openConsole(served.home, { columns: 120, rows: 40 });
    await terminal.until('The default keys are in use: keys.yaml:2:1: there is no binding "check.sned"');
    await terminal.until("? help");
    await terminal.type(KEY.interrupt).exit;
    const { code, stdout } = await served.home.run("doctor");
    expect(code).toBe(8);
    expect(stdout).toContain("keys.yaml:2:1");
    config("keys.yaml", "");
  });

  it("shows an audience nothing personal, and everything again afterwards", async () => {
    const terminal = await readyConsole(served.home, { columns: 120, rows: 40 });
    terminal.type(KEY.tab.repeat(5));
    terminal.type("Gift for Olena");
    await terminal.type(KEY.esc).until("Gift for Olena");
    await terminal.type(KEY.enter).until("Too many payments of olena@shop.example");
    const shown = await terminal.type("p").until("PRESENTER");
    expect(shown).not.toMatch(/olena/i);
    expect(shown).toContain("Too many payments of (e-mail");
    expect(await terminal.type("4").until("Required")).not.toMatch(/olena/i);
    expect(await terminal.type("3").until(/Key id +\*{8}/)).not.toContain("key-1");
    await terminal.type("1").until("Send check");
    await terminal.type("p").until("Too many payments of olena@shop.example");
    await terminal.type(KEY.interrupt).exit;
  });

  it("sets verdicts on a ground of their own in high contrast, by option and by settings", async () => {
    for (const way of ["option", "settings"] as const) {
      // Colours of one's own are those of the default theme.
      if (way === "settings")
        config("settings.yaml", "theme: high-contrast\ncolors:\n  block: yellow\n  challenge: red\n");
      const terminal = await readyConsole(served.home, {
        args: way === "option" ? ["--theme", "high-contrast"] : [],
      });
      await terminal.type(KEY.enter).until("✖ BLOCK  Block further processing");
      const { color, bold, background } = terminal.look("✖ BLOCK  Block");
      expect({ color, bold, background }).toEqual({ color: 15, bold: true, background: 1 });
      await terminal.type(KEY.interrupt).exit;
    }
    const plain = await readyConsole(served.home, { args: ["--theme", "none"] });
    expect(plain.coloredCells()).toBe(0);
    expect(plain.screen()).toContain("[1 Check]");
    await plain.type(KEY.interrupt).exit;
    config("settings.yaml", "");
  });

  it("takes another theme while it runs, and leaves nothing of the one before", async () => {
    const terminal = await readyConsole(served.home);
    await terminal.type(KEY.enter).until("✖ BLOCK  Block further processing");
    const choose = async (theme: string): Promise<unknown[]> => {
      await terminal.type(`:theme ${theme}`).until(new RegExp(`theme ${theme} +Everywhere`));
      await terminal.type(KEY.enter).until(`The theme is ${theme} until you leave`);
      // The message goes with the key, and every cell is compared.
      await terminal.type(KEY.esc).until((screen) => !screen.includes("until you leave"));
      return terminal.rows().flatMap((row, at) => Array.from(row, (_, column) => terminal.cell(at, column)));
    };
    const first = await choose("default");
    await choose("high-contrast");
    expect(terminal.look("✖ BLOCK  Block")).toMatchObject({ color: 15, background: 1 });
    expect(await choose("none")).toSatisfy((cells: CellLook[]) =>
      cells.every(({ bold, inverse, underline }) => !bold && !inverse && !underline),
    );
    expect(terminal.coloredCells()).toBe(0);
    expect(terminal.screen()).toContain("[1 Check]");
    expect(await choose("default")).toEqual(first);
    await terminal.type(KEY.interrupt).exit;
  });

  it("has the colours of the user's own", async () => {
    config("settings.yaml", "colors:\n  block: bright-cyan\n  bar: black on bright-yellow\n");
    const terminal = await readyConsole(served.home);
    await terminal.type(KEY.enter).until("✖ BLOCK  Block further processing");
    expect(terminal.look("✖ BLOCK  Block")).toMatchObject({ color: 14, bold: true });
    await terminal.type("4").until(/Time +Verdict/);
    expect(terminal.look("✖ BLOCK")).toMatchObject({ color: 0, background: 11 });
    await terminal.type(KEY.interrupt).exit;
    config("settings.yaml", "");
  });

  const answered = (number: string, rgb: string): string => `\u001b]${number};rgb:${rgb}\u0007`;

  /** Bright black and the ground as a terminal tells them, beside a cyan on which black can be read or not. */
  const told = (gray: string, ground: string, cyan = "00/cd/cd"): string =>
    answered("4;0", "24/29/2f") +
    answered("4;1", "cf/22/2e") +
    answered("4;6", cyan) +
    answered("4;7", "6e/77/81") +
    answered("4;8", gray) +
    answered("4;15", "8c/95/9f") +
    answered("11", ground);

  it.each([
    ["that can be read", told("7f/7f/7f", "00/00/00"), 8],
    ["that is nearly the ground", told("00/2b/36", "00/2b/36"), null],
  ])("draws labels by a bright black %s", async (_, answer, ink) => {
    const terminal = openConsole(served.home);
    // It lies there when the question comes, so that the answer is in time.
    await terminal.type(answer).until("? help");
    await expect.poll(() => terminal.look("Currency").color).toBe(ink);
    await terminal.type(KEY.interrupt).exit;
  });

  it.each([
    ["black on a light cyan", told("7f/7f/7f", "00/00/00"), { color: 0, background: 6, inverse: false }],
    [
      "inverse where nothing can be read on cyan",
      told("57/60/6a", "ff/ff/ff", "1b/7c/83"),
      { background: null, inverse: true },
    ],
  ])("draws the selected row %s", async (_, answer, look) => {
    const terminal = openConsole(served.home);
    await terminal.type(answer).until("? help");
    await expect.poll(() => terminal.look("Send check")).toMatchObject(look);
    await terminal.type(KEY.interrupt).exit;
  });

  it("keeps answers that come late out of the field that is edited", async () => {
    const terminal = await readyConsole(served.home);
    expect(terminal.look("Currency").color).toBe(8);
    await terminal.type(`${KEY.tab}${KEY.tab}${KEY.clear}late-`).until(/Order id +late-/);
    for (const piece of ["\u001b]4;8;rg", "b:00/2b/36\u0007\u001b]1", "1;rgb:00/2b/36\u001b", "\\id"])
      terminal.type(piece);
    expect(await terminal.until("late-id")).not.toMatch(/rgb|2b/);
    expect(terminal.look("Currency").color).toBe(8);
    await terminal.type(KEY.interrupt).exit;
  });

  it("asks nothing where it is told what to do, or where nothing would answer", async () => {
    const asked = async (options: Parameters<typeof openConsole>[1]): Promise<boolean> => {
      const terminal = openConsole(served.home, options);
      await terminal.until("sends this payment for");
      await terminal.type(KEY.interrupt).exit;
      return terminal.written().includes("\u001b]11;?");
    };
    expect(await asked({})).toBe(true);
    expect(await asked({ args: ["--screen-reader"] })).toBe(false);
    for (const env of [{ TERM: "vt100" }, { TERM: "linux" }, { NO_COLOR: "1" }])
      expect(await asked({ env })).toBe(false);
    config("settings.yaml", "quiet: full\ncolors:\n  bar: black on white\n");
    expect(await asked({})).toBe(false);
    config("settings.yaml", "");
  });

  it("prints the contrast in doctor", async () => {
    const terminal = openConsole(served.home, { args: ["doctor"], columns: 120, rows: 60 });
    terminal.type(told("7f/7f/7f", "00/00/00"));
    await terminal.until("Bright black has a contrast of 5.2, enough for labels.");
    await terminal.exit;
  });

  it("says what is wrong with the settings, and goes on without them", async () => {
    config("settings.yaml", "theme: pink\n");
    const terminal = openConsole(served.home, { columns: 120, rows: 40 });
    await terminal.until("The settings are left out: settings.yaml:1:8: theme must be");
    await terminal.type(KEY.esc).until(READY);
    await terminal.type(KEY.interrupt).exit;
    config("settings.yaml", "");
  });

  it("has its colours where CI or an unusual TERM would take them away, and none with FORCE_COLOR=0", async () => {
    for (const env of [{ CI: "1" }, { TERM: "foot" }]) {
      const terminal = await readyConsole(served.home, { env });
      expect(terminal.coloredCells()).toBeGreaterThan(10);
      await terminal.type(KEY.interrupt).exit;
    }
    const plain = await readyConsole(served.home, { env: { FORCE_COLOR: "0" } });
    expect(plain.coloredCells()).toBe(0);
    // Without colour the places are marked by brackets.
    expect(plain.screen()).toContain("[1 Check]");
    await plain.type(KEY.interrupt).exit;
  });
});
