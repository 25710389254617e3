// A talk: a deck on the presenter's screen in a real terminal, and nothing left of it afterwards.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ENGLISH } from "#src/display/audience-words.ts";
import { testHome, type TestHome } from "../../cli/verdict-process.ts";
import type { PseudoTerminal } from "../pty.ts";
import { COLOR, KEY, openConsole } from "./stage.ts";

const LEFT = "\x1b[D";
const RIGHT = "\x1b[C";

describe("verdict demo in a terminal", () => {
  let home: TestHome;
  let temporary: string;
  beforeAll(() => {
    home = testHome();
    temporary = join(home.folder, "tmp");
    mkdirSync(temporary);
  });
  afterAll(() => home.remove());

  function present(args: readonly string[], env: NodeJS.ProcessEnv = {}): PseudoTerminal {
    return openConsole(home, { args: ["demo", ...args], env: { TMPDIR: temporary, ...env } });
  }

  /** Nothing of the user's was touched, and the sandbox is gone with its folder. */
  function expectNothingLeft(): void {
    expect(existsSync(join(home.folder, "verdict"))).toBe(false);
    expect(readdirSync(temporary)).toEqual([]);
  }

  function sandboxOfDemo(): { readonly pid: number } {
    const [folder] = readdirSync(temporary);
    const path = join(temporary, folder!, "state/sandbox/endpoint.json");
    return JSON.parse(readFileSync(path, "utf8")) as { pid: number };
  }

  it("goes forward and back by one key, fills counters, and ends where it began", async () => {
    const terminal = present(["one-card"]);
    await terminal.until("Ready. Space begins.");
    const endpoint = sandboxOfDemo();
    const first = await terminal.type(" ").until("step 1 of 6");
    expect(first).toContain("✔ PASS");
    expect(first).toMatch(/with this card 1 h +━+─+ 1\/3/);
    expect(terminal.look("████").color).toBe(COLOR.green);
    await terminal.type(" ").until("step 2 of 6");
    await terminal.type(KEY.enter).until("attempt 1 of 2");
    expect(await terminal.type(RIGHT).until("attempt 2 of 2")).toMatch(/with this card 1 h +━+ +3\/3/);
    expect(await terminal.type(" ").until("step 4 of 6")).toContain("◆ 3DS");
    expect(terminal.look("████").color).toBe(COLOR.yellow);
    // A row that reads the same in both sizes shows nothing of what the terminal held there.
    terminal.resize(60, 20);
    await terminal.until((screen) => screen.split("\n").length === 20 && screen.includes("step 4 of 6"));
    terminal.resize(80, 24);
    const grown = await terminal.until(
      (screen) => /step 4 of 6$/m.test(screen) && screen.includes("w what if"),
    );
    expect(grown.split("\n")[0]).toBe("  SANDBOX  demo  PRESENTER");
    await terminal.type(LEFT).until("step 3 of 6");
    await terminal.type("g").until("Ready. Space begins.");
    for (let step = 1; step <= 4; step += 1) {
      await terminal.type(" ").until(`step ${Math.min(step, 3)} of 6`);
    }
    await terminal.type(" ").until("step 4 of 6");
    await terminal.type(" ").until("step 5 of 6, attempt 1 of 2");
    const blocked = await terminal.type(" ").until("step 5 of 6, attempt 2 of 2");
    expect(blocked).toContain("✖ BLOCK");
    expect(blocked).toMatch(/Score +80/);
    await terminal.type(" ").until("step 6 of 6");
    await terminal.type(" ").until(ENGLISH("as_expected", { all: 8 }));
    expect(await terminal.type("q").exit).toMatchObject({ code: 0 });
    expect(terminal.screen()).toContain("The demo ran on a sandbox of its own, which is removed.");
    expect(terminal.modes()).toEqual({
      markedPastes: false,
      cursorVisible: true,
      alternateScreen: false,
      mouse: false,
    });
    expectNothingLeft();
    expect(() => process.kill(endpoint.pid, 0)).toThrow("ESRCH");
  });

  it("is started again on a fresh sandbox: the counters are empty", async () => {
    const terminal = present(["one-card"]);
    await terminal.until("Ready. Space begins.");
    await terminal.type(" ").until("step 1 of 6");
    await terminal.type("r").until("y start again");
    await terminal.type("y").until("Ready. Space begins.");
    expect(await terminal.type(" ").until("step 1 of 6")).toMatch(/with this card 1 h +━+─+ 1\/3/);
    await terminal.type(KEY.esc).until("y end it");
    expect(await terminal.type("y").exit).toMatchObject({ code: 0 });
    expectNothingLeft();
  });

  it("is followed move by move on a second terminal, which waits for the next deck when it is killed", async () => {
    const notes = openConsole(home, { args: ["demo", "--follow"], env: { TMPDIR: temporary } });
    await notes.until("Waiting for a deck");
    const terminal = present(["one-card"]);
    await notes.until("One card, many attempts: ready to begin");
    await terminal.until("Ready. Space begins.");
    terminal.type(" ");
    const first = await notes.until(/Step 1 of 6[^]*Next: /);
    expect(first).toContain("✔ PASS");
    expect(first).toContain("Note: ");
    expect(terminal.screen()).not.toContain("For the presenter");
    await notes.until(/\d\d:\d\d elapsed$/m);
    terminal.type(" ");
    await notes.until("Step 2 of 6");
    const { pid } = sandboxOfDemo();
    terminal.kill("SIGKILL");
    await notes.until(/Step 2 of 6[^]*Waiting for a deck/);
    process.kill(pid, "SIGKILL");
    await terminal.exit;
    for (const name of readdirSync(temporary)) {
      if (name.startsWith("verdict-ephemeral-")) rmSync(join(temporary, name), { recursive: true });
    }
    const again = present(["one-card", "--auto", "60"]);
    await notes.until(/ready to begin[^]*elapsed, forward in (?:01:00|00:5\d)/);
    expect(await again.type("q").exit).toMatchObject({ code: 0 });
    expect(await notes.type(KEY.interrupt).exit).toMatchObject({ code: 0 });
    expectNothingLeft();
  });

  it.each([
    ["SIGHUP", 129],
    ["SIGTERM", 143],
  ] as const)("leaves nothing behind after %s", async (signal, code) => {
    const terminal = present(["one-card"]);
    await terminal.until("Ready. Space begins.");
    terminal.kill(signal);
    expect(await terminal.exit).toMatchObject({ code });
    expectNothingLeft();
  });

  it.skipIf(process.platform === "win32")(
    "leaves nothing behind after SIGHUP, even with a sandbox that does not end in time",
    async () => {
      const terminal = present(["one-card"]);
      await terminal.until("Ready. Space begins.");
      await terminal.type(" ").until("step 1 of 6");
      const { pid } = sandboxOfDemo();
      process.kill(pid, "SIGSTOP");
      terminal.kill("SIGHUP");
      expect(await terminal.exit).toMatchObject({ code: 129 });
      expectNothingLeft();
      await expect.poll(() => hasEnded(pid)).toBe(true);
    },
  );

  it("leaves nothing behind after Ctrl-C in the middle of it", async () => {
    const terminal = present(["one-card"]);
    await terminal.until("Ready. Space begins.");
    await terminal.type(" ").until("step 1 of 6");
    expect(await terminal.type(KEY.interrupt).exit).toMatchObject({ code: 130 });
    expectNothingLeft();
  });

  it("ends with 8 where a verdict is not what a deck expects, and says which one", async () => {
    const path = join(home.folder, "wrong.yaml");
    writeFileSync(
      path,
      `title: Wrong
summary: It expects a block.
start: "2026-01-15T10:00:00Z"
seed: 1
project: { merchant: shop, currency: UAH, risk_level: low }
steps:
  - say: An ordinary payment
    payload: { operation: payment, order_id: o-1, amount: 12000, currency: 980 }
    expect: block
`,
    );
    const terminal = present([path]);
    await terminal.until("Ready. Space begins.");
    await terminal.type(" ").until("expected block, and the verdict is");
    await terminal.type("q").until("y end it");
    expect(await terminal.type("y").exit).toMatchObject({ code: 8 });
    expect(terminal.screen()).toContain("Step 1: expected block, and the verdict is pass.");
  });

  it("is plain text where it is asked for, and uses no colour with NO_COLOR", async () => {
    const plain = present(["three-levels", "--plain"]);
    expect(await plain.exit).toMatchObject({ code: 0 });
    expect(plain.written()).toContain("3. Some things pass nowhere.");
    const colourless = present(["one-card"], { NO_COLOR: "1" });
    await colourless.until("Ready. Space begins.");
    await colourless.type(" ").until("step 1 of 6");
    expect(colourless.coloredCells()).toBe(0);
  });
});

/** True also for a process that only waits to be collected by its parent. */
function hasEnded(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return true;
  }
  const stat = `/proc/${pid}/stat`;
  return existsSync(stat) && / Z /.test(readFileSync(stat, "utf8"));
}
