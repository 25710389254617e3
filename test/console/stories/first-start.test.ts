// From an empty home to verdicts and back into the history, in the built console on its own sandbox.

import { describe, expect, it } from "vitest";
import { testHomeOfTests } from "../../cli/verdict-process.ts";
import { asPaste, payment } from "./payments.ts";
import { COLOR, KEY, openConsole, READY, readyConsole, rowsOf } from "./stage.ts";

// One home for all of them, in this order: its first start takes the seconds that a first credential takes.
describe("the console on its own sandbox", () => {
  const home = testHomeOfTests();

  it("makes a project ready on an empty home, with the focus on Send and a hint where the verdict will stand", async () => {
    const terminal = openConsole(home);
    const first = await terminal.until("Preparing the project demo-shop/medium");
    const rows = first.split("\n");
    expect(rows[1]).toContain("Compose ━");
    const verdict = rows.findIndex((text) => text.startsWith("  Verdict ─"));
    expect(rows.slice(verdict + 1, verdict + 4)).toEqual([
      expect.stringContaining("The project is not ready yet; once it is, Enter sends this payment."),
      expect.stringContaining("sandbox; no real payment"),
      expect.stringContaining("4 lists checks"),
    ]);
    // Pressed too early, Enter says so and sends nothing.
    terminal.type(KEY.enter);
    await terminal.until((screen) =>
      screen.split("\n").at(-2)!.includes("Not yet: the project is not ready."),
    );
    await terminal.until(/its credential comes in 00:0[1-4]/);
    const ready = await terminal.until(READY);
    expect(ready).toContain("SANDBOX  demo-shop/medium");
    expect(ready).toContain("› Send check");
    expect(ready).not.toContain("Preparing");

    const answered = await terminal.type(KEY.enter).until("✔ PASS  Continue processing the transaction.");
    expect(answered).not.toContain("no real payment");
    expect(terminal.look("✔ PASS  Continue")).toMatchObject({ color: COLOR.green, bold: true });
    expect(await terminal.type("q").exit).toMatchObject({ code: 0 });
    expect(terminal.screen()).toContain("1 check was sent in this session; the history is kept in ");
  });

  it("takes a pasted payload whole, and says what it is", async () => {
    const terminal = await readyConsole(home);
    // Cut where networks cut; in the mark only in the test of the parser, because a key that comes late is one of its own.
    const whole = asPaste({ ...payment("o-pasted"), amount: 98_000 });
    terminal.type(whole.slice(0, 60));
    await terminal.type(whole.slice(60)).until(/Amount +98000 +980\.00 UAH/);
    await terminal.until("The pasted payload is ready to send; u restores the previous payment.");
    terminal.type(KEY.enter);
    await terminal.until((screen) => /o-pasted/.test(screen) && /PASS +Continue/.test(screen));
    expect(await rowsOf(home, "o-pasted")).toHaveLength(1);
  });

  it("has what was typed at the next start, and starts afresh by a key", async () => {
    const terminal = await readyConsole(home);
    await terminal.type('\u001b[200~{"amount":77700,"currency":980}\u001b[201~').until(/Amount +77700/);
    expect(await terminal.type("q").exit).toMatchObject({ code: 0 });
    const again = openConsole(home);
    await again.until("The form has the payment of the last session; u starts a new payment.");
    await again.until((screen) => /Amount +77700/.test(screen) && screen.includes(READY));
    await again.type("u").until(/Amount +12000/);
    await again.type("q").exit;
  });
});
