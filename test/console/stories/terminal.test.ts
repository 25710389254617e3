// The terminal itself: its size, its colours, and every way of leaving it as it was found.

import { describe, expect, it } from "vitest";
import { SHELL_TITLE } from "../pty.ts";
import {
  GIVEN_BACK,
  KEY,
  TAKEN,
  challengedHome,
  openConsole,
  readyConsole,
  sendChallenged,
} from "./stage.ts";

describe("the console in its terminal", () => {
  const stage = challengedHome();

  it("fills exactly the window through every resize, and says what it needs when that is too small", async () => {
    const terminal = await readyConsole(stage.home, { columns: 80, rows: 24 });
    await terminal.until((screen) => isFrame(screen, 80, 24));
    for (const [columns, rows] of [
      [60, 20],
      [140, 40],
    ] as const) {
      terminal.resize(columns, rows);
      await terminal.until((screen) => isFrame(screen, columns, rows));
    }
    terminal.resize(50, 10);
    expect(await terminal.until("verdict needs 60x16, and this is 50x10")).not.toContain("Compose");
    terminal.resize(80, 24);
    await terminal.until((screen) => isFrame(screen, 80, 24) && screen.includes("› Send check"));
  });

  it("draws its first frame over what was typed before, takes that for keys, and draws it again by a key", async () => {
    const terminal = openConsole(stage.home);
    terminal.type("44");
    const isWhole = (screen: string): boolean => /^ {2}(?:SANDBOX|TEST) .* 4 History /.test(screen);
    await terminal.until(isWhole);
    const before = terminal.written().length;
    await terminal.type("\u000c").until(() => terminal.written().slice(before).includes("\u001b[2J"));
    await terminal.until(isWhole);
  });

  it("keeps its keyboard, and sends nothing, whatever another program has left behind", async () => {
    const terminal = await readyConsole(stage.home);
    await terminal.type("\t\t\t").until("› Amount");
    // Alt+Enter, Shift+Enter of kitty and of xterm, the keypad's 7, a report, and the beginning of one.
    terminal.type("\x1b\r\x1b[13;2u\x1b[27;2;13~\x1bOw\x1b]10;rgb:8f8f/f5f5/8686\x07\x1b_G");
    await terminal.until(/› Amount +\d*7 /);
    expect(await terminal.type("\x1b[27u").until("› Send check")).toMatch(/No checks yet|Nothing sent yet/);
    await terminal.type("\x1b[200~hello").until("Pasted text:");
    expect(await terminal.type("\x1b[99;5u").exit).toMatchObject({ code: 130 });
  });

  it("leaves with q from a window that is too small", async () => {
    const terminal = openConsole(stage.home, { columns: 50, rows: 10 });
    await terminal.until("verdict needs 60x16");
    expect(await terminal.type("q").exit).toMatchObject({ code: 0 });
  });

  it("leaves with q: exit 0, one line of summary, the terminal as it was", async () => {
    const terminal = await readyConsole(stage.home);
    await terminal.until(() => terminal.title().endsWith(" shop/low"));
    expect(terminal.title()).toMatch(/^verdict (?:SANDBOX|TEST) /);
    expect(terminal.modes()).toEqual(TAKEN);
    expect(await terminal.type("q").exit).toMatchObject({ code: 0 });
    expect(terminal.modes()).toEqual(GIVEN_BACK);
    expect(terminal.title()).toBe(SHELL_TITLE);
    const left = terminal.screen().replaceAll("\n", "").trim();
    expect(left).toMatch(/^No check was sent in this session; the history is kept in \S+\.$/);
  });

  it("leaves with Ctrl-C: exit 130, the terminal as it was", async () => {
    const terminal = await readyConsole(stage.home);
    expect(await terminal.type(KEY.interrupt).exit).toMatchObject({ code: 130 });
    expect(terminal.modes()).toEqual(GIVEN_BACK);
  });

  it.each([
    ["SIGTERM", 143],
    ["SIGHUP", 129],
    ["SIGINT", 130],
  ] as const)("is gone at once after %s, the terminal as it was, exit %i", async (name, code) => {
    const terminal = await readyConsole(stage.home);
    terminal.kill(name);
    expect(await terminal.exit).toMatchObject({ code });
    expect(terminal.modes()).toEqual(GIVEN_BACK);
    expect(terminal.title()).toBe(SHELL_TITLE);
  });

  it("colours verdicts", async () => {
    const colored = await readyConsole(stage.home);
    await sendChallenged(colored);
    expect(colored.coloredCells()).toBeGreaterThan(20);
  });

  it.each([[{ NO_COLOR: "1" }], [{ TERM: "vt100" }], [{ TERM: "xterm-mono" }]])(
    "has no colour in any cell with %j, but bold, underline and inverse",
    async (env) => {
      const plain = await readyConsole(stage.home, { env });
      expect(plain.look("[ Send check ]")).toMatchObject({ inverse: true });
      expect(plain.look("Compose")).toMatchObject({ bold: true });
      await sendChallenged(plain);
      expect(plain.look("◆ 3DS")).toMatchObject({ bold: true });
      for (const screen of ["4", "3", "2"]) {
        await plain.type(screen === "4" ? `${KEY.esc}4` : screen).until(`[${screen} `);
        expect(plain.coloredCells()).toBe(0);
      }
      // oxlint-disable-next-line no-control-regex
      expect(plain.written()).not.toMatch(/\x1b\[[\d;]*(3[0-7]|4[0-7]|9[0-7]|[34]8)[;m]/);
    },
  );

  it.each([{}, { NO_COLOR: "1" }])(
    "has its cursor where text is edited, and nowhere else %j",
    async (env) => {
      const terminal = await readyConsole(stage.home, { env });
      const behind = (text: RegExp): Promise<string> =>
        terminal.until((screen) => {
          const lines = screen.split("\n");
          const row = lines.findIndex((line) => text.test(line));
          const found = text.exec(lines[row] ?? "");
          const place = found === null ? null : { row, column: found.index + found[0].length };
          return place !== null && JSON.stringify(terminal.cursor()) === JSON.stringify(place);
        });
      expect(terminal.cursor()).toBeNull();
      await terminal.type(KEY.tab.repeat(3)).until(/› *Amount/);
      terminal.type(`${KEY.clear}4711`);
      await behind(/› *Amount +4711/);
      terminal.type("\x1b[D\x1b[D");
      await behind(/› *Amount +47/);
      terminal.type(KEY.tab);
      await terminal.type(KEY.esc).until(() => terminal.cursor() === null);
      terminal.type("/");
      await behind(/ Filter /);
      terminal.type("order:4711\x1b[D");
      await behind(/ Filter order:471/);
      await terminal.type(KEY.esc).until(() => terminal.cursor() === null);
      terminal.type(":");
      await behind(/ Find /);
      terminal.type("quit");
      await behind(/ Find quit/);
      terminal.type("\x1b[H");
      await behind(/ Find /);
    },
  );

  it("refuses a dumb terminal, and no terminal, with a sentence and exit 2", async () => {
    const dumb = openConsole(stage.home, { env: { TERM: "dumb" } });
    expect(await dumb.exit).toMatchObject({ code: 2 });
    expect(dumb.screen().replaceAll("\n", "")).toContain(
      "TERM=dumb; use the commands instead, see verdict --help.",
    );
    expect(dumb.written()).not.toContain("\x1b");

    const piped = await stage.home.run([]);
    expect(piped).toMatchObject({ code: 2, stdout: "" });
    expect(piped.stderr.split("\n")[0]).toBe(
      "The console needs a terminal and its input is not one; use the commands instead, see verdict --help.",
    );
  });

  it("draws where CI is in the environment", async () => {
    const terminal = await readyConsole(stage.home, {
      env: { CI: "1", CONTINUOUS_INTEGRATION: "1", GITHUB_ACTIONS: "true" },
    });
    await sendChallenged(terminal);
  });
});

/** The header in the first row, the keys in the last, rules as wide as the window, and no row wider. */
function isFrame(screen: string, columns: number, rows: number): boolean {
  const lines = screen.split("\n");
  const rules = lines.filter((line) => /^ {2}\S.* [─━]{2}/.test(line));
  return (
    lines.length === rows &&
    / 1(?: Check)? {1,2}2.* 9(?: Labels)?$/.test(lines[0]!.trimEnd()) &&
    lines[0]!.trimEnd().length === columns - 1 &&
    lines.slice(1).every((line) => !/ 1(?: Check)? {1,2}2 .* 9/.test(line)) &&
    lines.at(-1)!.endsWith("q quit") &&
    lines.at(-1)!.length >= columns - 1 &&
    rules.length >= 2 &&
    rules.every((line) => line.length <= columns - 1)
  );
}
