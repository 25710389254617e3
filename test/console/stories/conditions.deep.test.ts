// The sandbox in the hands of its user: the clock moved, faults and snapshots by command lines, and what comes of them.

import { describe, expect, it } from "vitest";
import { testHomeOfTests } from "../../cli/verdict-process.ts";
import type { PseudoTerminal } from "../pty.ts";
import { KEY, openConsole, READY, sendNext } from "./stage.ts";

/** Sends what is composed, and waits for its row. */
async function send(terminal: PseudoTerminal, number: number): Promise<string> {
  const isSent = (screen: string): boolean =>
    screen.includes(`1 of ${number}, following`) && !screen.includes("SENDING");
  await sendNext(terminal, isSent);
  return terminal.until(isSent);
}

describe("conditions of the sandbox", () => {
  const home = testHomeOfTests();

  it("clock, order ids, faults, snapshot and reset are commands of the palette", async () => {
    const terminal = openConsole(home);
    await terminal.until(READY);
    await terminal.type(":snapshot before\r").until("Snapshot of 1 project and 0 decisions");
    let verdict = "";
    for (let number = 1; number <= 6; number += 1) {
      verdict = await send(terminal, number);
      if (!verdict.includes("✔ PASS  Continue")) terminal.type(KEY.esc);
    }
    expect(verdict).not.toContain("✔ PASS  Continue");

    await terminal.type(":clock +1h\r").until("CLOCK +1 h");
    expect(await send(terminal, 7)).toContain("✔ PASS  Continue");
    await terminal.type(":clock freeze\r").until("FROZEN");
    terminal.type(":clock reset\r");
    await terminal.until((screen) => !screen.includes("FROZEN") && !screen.includes("CLOCK"));

    await terminal.type(":order force-block\r").until(/Order id +force-block-o-/);
    expect(await send(terminal, 8)).toContain("✖ BLOCK");

    await terminal.type(":faults 503 x1\r").until("1 FAULT");
    expect(await send(terminal, 9)).toContain("REFUSED");
    await terminal.until((screen) => !screen.includes("1 FAULT"));

    // What is gone for good is asked about, and No is the answer that Enter takes.
    await terminal.type(":reset\r").until("y reset");
    await terminal.type(KEY.enter).until((screen) => !screen.includes("y reset"));
    await terminal.type(":restore before\r").until("y restore");
    await terminal.type("y").until("Restored 1 project and 0 decisions");
    terminal.type("f");
    expect(await send(terminal, 10)).toContain("✔ PASS  Continue");
    expect(await terminal.type("q").exit).toMatchObject({ code: 0 });
  });
});
