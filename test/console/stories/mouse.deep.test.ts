// The mouse in the built console: asked for by a setting, given back on every way out.

import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { PROGRAM, testHome, type TestHome } from "../../cli/verdict-process.ts";
import type { PseudoTerminal } from "../pty.ts";
import { fakeService, KEY, openConsole, READY, readyConsole } from "./stage.ts";

function homeWithMouse(wanted: boolean): TestHome {
  const home = testHome();
  onTestFinished(() => home.remove());
  const folder = join(home.folder, "verdict/config");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, "settings.yaml"), `mouse: ${wanted}\n`, { mode: 0o600 });
  return home;
}

const click = (terminal: PseudoTerminal, x: number, y: number): PseudoTerminal =>
  terminal.type(`\x1b[<0;${x + 1};${y + 1}M\x1b[<0;${x + 1};${y + 1}m`);

describe("the mouse", () => {
  it("is left to the terminal without the setting", async () => {
    const terminal = await readyConsole(homeWithMouse(false));
    expect(terminal.modes().mouse).toBe(false);
    await terminal.type("q").exit;
    expect(terminal.written()).not.toContain("?1000");
  });

  it("selects what it hits, and is given back to the editor, the shell and whoever comes after", async () => {
    const home = homeWithMouse(true);
    const service = await fakeService(home);
    onTestFinished(() => service.close());
    const editor = join(home.folder, "editor.sh");
    const inEditor = join(home.folder, "in-editor");
    writeFileSync(editor, `#!/bin/sh\n: > '${inEditor}'\nread answer\n`);
    chmodSync(editor, 0o700);
    const terminal = openConsole(home, {
      columns: 80,
      rows: 24,
      command: ["/bin/bash", "--norc", "--noprofile", "-i"],
      env: { PS1: "shell$ ", TERM: "xterm-256color", EDITOR: editor, TMPDIR: home.folder },
    });
    await terminal.until("shell$");
    await terminal.type(`'${process.execPath}' '${PROGRAM}'\r`).until("sends this payment for");
    const ready = await terminal.type(KEY.esc).until(READY);
    expect(terminal.modes().mouse).toBe(true);
    click(terminal, ready.split("\n")[0]!.search(/\b4\b/), 0);
    await terminal.until("No single check has been sent yet");
    const check = await terminal.type("1").until(READY);
    click(
      terminal,
      4,
      check.split("\n").findIndex((line) => line.includes("Description")),
    );
    await terminal.type("books").until(/› *Description +.*books/);
    const button = await terminal.type(KEY.esc).until(/› *\[? ?Send check/);
    click(
      terminal,
      5,
      button.split("\n").findIndex((line) => line.includes("Send check")),
    );
    terminal.type("e");
    await expect.poll(() => existsSync(inEditor)).toBe(true);
    await expect.poll(() => terminal.modes().mouse).toBe(false);
    await terminal.type("\r").until(/› *\[? ?Send check/);
    await expect.poll(() => terminal.modes().mouse).toBe(true);
    await terminal.type("\x1a").until("Stopped");
    expect(terminal.modes().mouse).toBe(false);
    await terminal.type("fg\r").until(/› *\[? ?Send check/);
    await expect.poll(() => terminal.modes().mouse).toBe(true);
    await terminal.type("q").until("No check was sent in this session");
    expect(terminal.modes().mouse).toBe(false);
    expect(service.received).toEqual([]);
  });

  it.each(["SIGTERM", "SIGHUP", "SIGINT"] as const)("is given back after %s", async (signal) => {
    const terminal = await readyConsole(homeWithMouse(true));
    expect(terminal.modes().mouse).toBe(true);
    terminal.kill(signal);
    await terminal.exit;
    expect(terminal.modes().mouse).toBe(false);
  });
});
