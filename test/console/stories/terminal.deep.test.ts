// The terminal after the console and under it: the shell's line editing, a line that drops, a locale without UTF-8.

import { describe, expect, it } from "vitest";
import { PROGRAM } from "../../cli/verdict-process.ts";
import { challengedHome, KEY, openConsole, READY, readyConsole, rowsOf, sendChallenged } from "./stage.ts";

describe("the console in its terminal, at its edges", () => {
  const stage = challengedHome();

  it("gives the shell its line editing back", async () => {
    const node = [process.execPath, PROGRAM].map((part) => `'${part}'`).join(" ");
    const terminal = openConsole(stage.home, { command: ["/bin/sh", "-c", `${node}; stty -a; cat`] });
    await terminal.until("sends this payment for");
    await terminal.type(KEY.esc).until(READY);
    const shown = await terminal.type("q").until("-echoprt");
    // Not `-icanon`, `-echo` or `-isig`: the keyboard is no longer raw.
    for (const mode of ["icanon", "echo", "isig", "icrnl", "opost"]) {
      expect(shown).toMatch(new RegExp(`(^|[\\s;])${mode}\\b`, "m"));
    }
  });

  it.each([{ LANG: "C" }, { LANG: "en_US.ISO-8859-1" }])(
    "writes ASCII alone in a locale without UTF-8: %o",
    async (env) => {
      const terminal = await readyConsole(stage.home, { env });
      await sendChallenged(terminal);
      await terminal.until("* 3DS");
      await terminal.type("\x1b").until("d decides");
      for (const key of ["2", "3", "4", "?"]) {
        const before = terminal.screen();
        await terminal.type(key).until((screen) => screen !== before);
      }
      await terminal.type(KEY.esc).until("4 History");
      await terminal.type("q").exit;
      // oxlint-disable-next-line no-control-regex
      expect(terminal.written().match(/[^\x00-\x7f]+/g) ?? []).toEqual([]);
    },
  );

  // The last of them: a console that starts after it goes on with its check.
  it("is gone at once when its line drops, with a check under way that stays in the history", async () => {
    stage.service.fallSilent();
    const terminal = await readyConsole(stage.home);
    const before = stage.service.received.length;
    await terminal.type(KEY.enter).until("no answer yet");
    await terminal.until(() => stage.service.received.length > before);
    const at = performance.now();
    terminal.hangUp();
    await terminal.exit;
    // Long before the check would be given up.
    expect(performance.now() - at).toBeLessThan(15_000);
    const { order_id } = stage.service.received.at(-1) as { order_id: string };
    expect(await rowsOf(stage.home, order_id)).toMatchObject([{ outcome: "unknown", recommendation: null }]);
  });
});
