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

    await terminal.type(":rules\r").until("Starter rules");
    const detail = await terminal.type("/card_velocity_1h\r").until(/CARD_VELOCITY_1H ─.*/);
    expect(detail).toMatch(/When +velocity\("card", "1h"\) > limit/);
    expect(detail).toMatch(/limit +5 +3 +2/);

    // The starter rules are copied, after a question.
    await terminal.type("e").until("y edit a copy");
    const wrong = await terminal.type("y").until("What you wrote cannot be used");
    expect(wrong).toMatch(/rules\.yaml:\d+:\d+: OUR_LIMIT: in when: /);
    expect(wrong).toMatch(/ when: amount >\n +\^/);
    expect(wrong).toContain("e opens it again, d discards it");
    expect(wrong).toContain("Starter rules");
    expect(existsSync(ruleFile)).toBe(false);
    await terminal.type("1").until("Compose");
    expect(await send(terminal, 2)).toContain("✔ PASS");

    await terminal.type("7").until("What you wrote cannot be used");
    const right = await terminal.type("e").until("Rules of your file");
    expect(right).toMatch(/\d+ rules of the rule file decide, from the next check on/);
    expect(right).not.toContain("cannot be used");
    expect(readFileSync(ruleFile, "utf8")).toContain("when: amount > 10000");
    await terminal.type("1").until("Compose");
    const decided = await send(terminal, 3);
    expect(decided).toContain("◆ 3DS");
    await terminal.type("n4").until("1 of 3");
    const why = await terminal.type(KEY.enter).until("Rules that hit");
    expect(why).toMatch(/3DS +OUR_LIMIT/);
    expect(why).toContain("12000 is more than we like");
    expect(why).toContain("amount = 12000");
    // Damage from outside is seen without being asked for, and the last right rules go on.
    writeFileSync(ruleFile, "rules: [");
    const damaged = await terminal.type(`${KEY.esc}7`).until("The rule file is wrong since");
    expect(damaged).toContain("the previous rules stay in effect");
    await terminal.type("d").until("y remove it");
    await terminal.type("y").until("Starter rules");
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
    terminal.type("q");
    expect(await terminal.exit).toMatchObject({ code: 0 });
  });
});
