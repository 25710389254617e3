// The terminal after the console and under it: the shell's line editing, a line that drops, a locale without UTF-8.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { PROGRAM, testHome, type TestHome } from "../../cli/verdict-process.ts";
import {
  CHALLENGE,
  fakeService,
  KEY,
  openConsole,
  READY,
  readyConsole,
  rowsOf,
  type FakeService,
  sendChallenged,
} from "./stage.ts";

describe("the console in its terminal, at its edges", () => {
  let home: TestHome;
  let service: FakeService;
  beforeAll(async () => {
    home = testHome();
    service = await fakeService(home);
  });
  beforeEach(() => service.answer(200, CHALLENGE));
  afterAll(async () => {
    await service.close();
    await home.remove();
  });

  it("gives the shell its line editing back", async () => {
    const node = [process.execPath, PROGRAM].map((part) => `'${part}'`).join(" ");
    const terminal = openConsole(home, { command: ["/bin/sh", "-c", `${node}; stty -a; cat`] });
    await terminal.until("Nothing sent yet.");
    terminal.type(KEY.esc);
    await terminal.until(READY);
    terminal.type("q");
    const shown = await terminal.until("-echoprt");
    // Not `-icanon`, `-echo` or `-isig`: the keyboard is no longer raw.
    for (const mode of ["icanon", "echo", "isig", "icrnl", "opost"]) {
      expect(shown).toMatch(new RegExp(`(^|[\\s;])${mode}\\b`, "m"));
    }
  });

  it("is gone within a second of a line that drops, with a check under way that stays in the history", async () => {
    service.fallSilent();
    const terminal = await readyConsole(home);
    const before = service.received.length;
    terminal.type(KEY.enter);
    await terminal.until(/sending \d/);
    await terminal.until(() => service.received.length > before);
    const at = performance.now();
    terminal.hangUp();
    await terminal.exit;
    expect(performance.now() - at).toBeLessThan(1_000);
    const { order_id } = service.received.at(-1) as { order_id: string };
    expect(await rowsOf(home, order_id)).toMatchObject([{ outcome: "unknown", recommendation: null }]);
  });

  it.each([{ LANG: "C" }, { LANG: "en_US.ISO-8859-1" }])(
    "writes ASCII alone in a locale without UTF-8: %o",
    async (env) => {
      const terminal = await readyConsole(home, { env });
      await sendChallenged(terminal);
      await terminal.until("> 3DS");
      terminal.type("\x1b");
      await terminal.until("d decides");
      for (const key of ["2", "3", "4", "?"]) {
        const before = terminal.screen();
        terminal.type(key);
        await terminal.until((screen) => screen !== before);
      }
      terminal.type(KEY.esc);
      await terminal.until("4 History");
      terminal.type("q");
      await terminal.exit;
      // oxlint-disable-next-line no-control-regex
      expect(terminal.written().match(/[^\x00-\x7f]+/g) ?? []).toEqual([]);
    },
  );
});
