// The console under a shell with job control, and inside tmux: stopped, continued, and left as it was found.

import { execFileSync, spawnSync } from "node:child_process";
import { describe, expect, it, onTestFinished } from "vitest";
import { PROGRAM } from "../../cli/verdict-process.ts";
import { SHELL_TITLE } from "../pty.ts";
import { KEY, openConsole, READY, servedHome } from "./stage.ts";

const RUN = `'${process.execPath}' '${PROGRAM}'`;
const hasTmux = spawnSync("tmux", ["-V"]).status === 0;

describe("the console in a shell", () => {
  const served = servedHome();

  it("is stopped by Ctrl-Z with the terminal as a shell expects it, and comes back as it was", async () => {
    const env = { PS1: "shell$ ", TERM: "xterm-256color" };
    const terminal = openConsole(served.home, { command: ["/bin/bash", "--norc", "--noprofile", "-i"], env });
    await terminal.until("shell$");
    await terminal.type(`${RUN}\r`).until("sends this payment for");
    await terminal.type(KEY.esc).until(READY);
    await terminal.type("\u001a").until("Stopped");
    expect(terminal.title()).toBe(SHELL_TITLE);
    // Marked pastes are the shell's own business by now.
    expect(terminal.modes()).toMatchObject({ cursorVisible: true, alternateScreen: false });
    await terminal.type("echo it $((6 * 7))\r").until("it 42");
    await terminal.type("fg\r").until(READY);
    expect(terminal.modes().alternateScreen).toBe(true);
    expect(terminal.title()).toMatch(/^verdict /);
    await terminal.type("2").until("Register a project");
    await terminal.type("q").until("No check was sent in this session");
    await terminal.type("exit\r").exit;
    expect(terminal.title()).toBe(SHELL_TITLE);
  });

  it.runIf(hasTmux)("works inside tmux: drawn, resized, interrupted", async () => {
    const socket = `verdict-${process.pid}`;
    const tmux = (...args: string[]): string =>
      execFileSync("tmux", ["-L", socket, "-f", "/dev/null", ...args], {
        encoding: "utf8",
        env: { ...served.home.env, TMUX_TMPDIR: served.home.folder, TERM: "xterm-256color" },
      });
    const until = async (text: string): Promise<string> => {
      const limit = performance.now() + 60_000;
      for (;;) {
        const screen = tmux("capture-pane", "-p", "-t", "story");
        if (screen.includes(text)) return screen;
        if (performance.now() > limit) throw new Error(`"${text}" never came:\n${screen}`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    };
    tmux("new-session", "-d", "-s", "story", "-x", "80", "-y", "24", `${RUN}; echo left $?; cat`);
    onTestFinished(
      () =>
        void spawnSync("tmux", ["-L", socket, "kill-server"], {
          env: { ...served.home.env, TMUX_TMPDIR: served.home.folder },
        }),
    );
    await until("sends this payment for");
    tmux("send-keys", "-t", "story", "C-r");
    await until("PASS");
    tmux("resize-window", "-t", "story", "-x", "120", "-y", "40");
    await until("8 Profiles");
    tmux("send-keys", "-t", "story", "C-c");
    await until("left 130");
    expect(tmux("capture-pane", "-p", "-t", "story")).toContain("1 check was sent");
  });
});
