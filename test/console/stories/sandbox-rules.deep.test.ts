// The sandbox in the hands of its user: rules edited in the user's own editor, the clock moved, and what comes of both.

import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testHome, type TestHome } from "../../cli/verdict-process.ts";
import type { PseudoTerminal } from "../pty.ts";
import { KEY, openConsole, READY, sendNext } from "./stage.ts";

const RULE_FILE = "verdict/state/sandbox/rules.yaml";

/** Sends what is composed, and waits for its row. */
async function send(terminal: PseudoTerminal, number: number): Promise<string> {
  const isSent = (screen: string): boolean =>
    screen.includes(`1 of ${number}, following`) && !screen.includes("SENDING");
  await sendNext(terminal, isSent);
  return terminal.until(isSent);
}

describe.skipIf(process.platform === "win32")("rules of the sandbox", () => {
  let home: TestHome;
  let ruleFile: string;
  beforeAll(() => {
    home = testHome();
    ruleFile = join(home.folder, RULE_FILE);
  });
  afterAll(() => home.remove());

  it("are edited: wrong ones are explained and change nothing, right ones decide the next check", async () => {
    const editor = join(home.folder, "editor.sh");
    // The first time it adds a rule whose condition has no end; the second time it gives it one.
    writeFileSync(
      editor,
      `#!/bin/sh
if grep -q 'when: amount >$' "$1"; then sed -i 's/when: amount >$/when: amount > 10000/' "$1"; else
cat >> "$1" <<'END'
  - code: OUR_LIMIT
    text: "{amount} is more than we like"
    when: amount >
    effect: 3ds
END
fi
`,
    );
    chmodSync(editor, 0o700);
    const terminal = openConsole(home, {
      columns: 110,
      rows: 36,
      env: { EDITOR: editor, TMPDIR: home.folder },
    });
    await terminal.until(READY);
    expect(await send(terminal, 1)).toContain("✔ PASS");

    terminal.type(":rules\r");
    await terminal.until("Starter rules");
    terminal.type("/card_velocity_1h\r");
    const detail = await terminal.until(/CARD_VELOCITY_1H ─.*/);
    expect(detail).toMatch(/When +velocity\("card", "1h"\) > limit/);
    expect(detail).toMatch(/limit +5 +3 +2/);

    // The starter rules are copied, after a question.
    terminal.type("e");
    await terminal.until("y edit a copy");
    terminal.type("y");
    const wrong = await terminal.until("What you wrote cannot be used");
    expect(wrong).toMatch(/rules\.yaml:\d+:\d+: OUR_LIMIT: in when: /);
    expect(wrong).toMatch(/ when: amount >\n +\^/);
    expect(wrong).toContain("e opens it again, d discards it");
    expect(wrong).toContain("Starter rules");
    expect(existsSync(ruleFile)).toBe(false);
    terminal.type("1");
    await terminal.until("Compose");
    expect(await send(terminal, 2)).toContain("✔ PASS");

    terminal.type("7");
    await terminal.until("What you wrote cannot be used");
    terminal.type("e");
    const right = await terminal.until("Rules of your file");
    expect(right).toMatch(/\d+ rules of the rule file decide, from the next check on/);
    expect(right).not.toContain("cannot be used");
    expect(readFileSync(ruleFile, "utf8")).toContain("when: amount > 10000");
    terminal.type("1");
    await terminal.until("Compose");
    const decided = await send(terminal, 3);
    expect(decided).toContain("◆ 3DS");
    terminal.type("n4");
    await terminal.until("1 of 3");
    terminal.type(KEY.enter);
    const why = await terminal.until("Rules that hit");
    expect(why).toMatch(/3DS +OUR_LIMIT/);
    expect(why).toContain("12000 is more than we like");
    expect(why).toContain("amount = 12000");
    // Damage from outside is seen without being asked for, and the last right rules go on.
    writeFileSync(ruleFile, "rules: [");
    terminal.type(`${KEY.esc}7`);
    const damaged = await terminal.until("The rule file is wrong since");
    expect(damaged).toContain("the previous rules stay in effect");
    terminal.type("d");
    await terminal.until("y remove it");
    terminal.type("y");
    await terminal.until("Starter rules");
    expect(existsSync(ruleFile)).toBe(false);
    terminal.type("q");
    expect(await terminal.exit).toMatchObject({ code: 0 });
  });
});

describe("conditions of the sandbox", () => {
  let home: TestHome;
  beforeAll(() => void (home = testHome()));
  afterAll(() => home.remove());

  it("clock, order ids, faults, snapshot and reset are commands of the palette", async () => {
    const terminal = openConsole(home);
    await terminal.until(READY);
    terminal.type(":snapshot before\r");
    await terminal.until("Snapshot of 1 project and 0 decisions");
    let verdict = "";
    for (let number = 1; number <= 6; number += 1) {
      verdict = await send(terminal, number);
      if (!verdict.includes("✔ PASS  Continue")) terminal.type(KEY.esc);
    }
    expect(verdict).not.toContain("✔ PASS  Continue");

    terminal.type(":clock +1h\r");
    await terminal.until("CLOCK +1 h");
    expect(await send(terminal, 7)).toContain("✔ PASS  Continue");
    terminal.type(":clock freeze\r");
    await terminal.until("FROZEN");
    terminal.type(":clock reset\r");
    await terminal.until((screen) => !screen.includes("FROZEN") && !screen.includes("CLOCK"));

    terminal.type(":order force-block\r");
    await terminal.until(/Order id +force-block-o-/);
    expect(await send(terminal, 8)).toContain("✖ BLOCK");

    terminal.type(":faults 503 x1\r");
    await terminal.until("1 FAULT");
    expect(await send(terminal, 9)).toContain("REFUSED");
    await terminal.until((screen) => !screen.includes("1 FAULT"));

    // What is gone for good is asked about, and No is the answer that Enter takes.
    terminal.type(":reset\r");
    await terminal.until("y reset");
    terminal.type(KEY.enter);
    await terminal.until((screen) => !screen.includes("y reset"));
    terminal.type(":restore before\r");
    await terminal.until("y restore");
    terminal.type("y");
    await terminal.until("Restored 1 project and 0 decisions");
    terminal.type("f");
    expect(await send(terminal, 10)).toContain("✔ PASS  Continue");
    terminal.type("q");
    expect(await terminal.exit).toMatchObject({ code: 0 });
  });
});
