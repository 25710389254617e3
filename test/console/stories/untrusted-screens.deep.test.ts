// What a service says is text and never a command to the terminal; and secrets are on the screen for ten seconds at most.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HIDDEN } from "../../cli/naughty-strings.ts";
import { testHome, type TestHome } from "../../cli/verdict-process.ts";
import { isOurs, withoutOurs } from "../allowed-controls.ts";
import { COLOR, FAKE_SECRET, fakeService, KEY, readyConsole, type FakeService } from "./stage.ts";

/** Colour, conceal, title, clipboard, link, clear, cursor, line ends, C1, and characters that nobody sees. */
const HOSTILE =
  "ok\x1b[38;5;199mcolour\x1b[8m\x1b]0;title\x07\x1b]52;c;ZXZpbA==\x07\x1b]8;;http://evil.example\x1b\\link" +
  "\x1b[2J\x1b[1;1H\r\nPASS\x9b31m\u202epass\u200b\0\x1b[?1049l\x1b[?2004l";

describe("the console and what it must not trust", () => {
  let home: TestHome;
  let service: FakeService;
  beforeAll(async () => {
    home = testHome();
    service = await fakeService(home);
  });
  afterAll(async () => {
    await service.close();
    await home.remove();
  });

  it.each([
    [
      "a verdict",
      200,
      { status: "success", code: "block", message: HOSTILE },
      "✖ BLOCK  Block further",
      COLOR.red,
    ],
    [
      "a code",
      200,
      { status: "success", code: HOSTILE, message: "x" },
      "! NOT PASS  The answer is not",
      COLOR.magenta,
    ],
    [
      "a status",
      200,
      { status: HOSTILE, code: "pass", message: HOSTILE },
      "! NOT PASS  The answer is not",
      COLOR.magenta,
    ],
    [
      "an error",
      422,
      { status: "error", error: HOSTILE, message: HOSTILE, request_id: HOSTILE },
      "⊘ REFUSED  ",
      COLOR.magenta,
    ],
  ])("shows escape sequences in %s as text, on every screen", async (_what, status, body, word, color) => {
    service.answer(status, body);
    const terminal = await readyConsole(home, { watchesControls: true });
    await terminal.type(KEY.enter).until(word);
    expect(terminal.look(word).color).toBe(color);
    await terminal.type("4").until(/Time +Verdict/);
    await terminal.type(KEY.enter).until("[Why]");
    for (const tab of ["[Request]", "[Answer]", "[Signed]", "[Timing]"]) {
      await terminal.type(KEY.tab).until(tab);
    }
    expect(terminal.modes()).toEqual({
      markedPastes: true,
      cursorVisible: false,
      alternateScreen: true,
      mouse: false,
    });
    terminal.type("q");
    await terminal.exit;
    expect([...terminal.controls()].filter((control) => !isOurs(control))).toEqual([]);
    expect(HIDDEN.exec(withoutOurs(terminal.written()))).toBeNull();
  });

  it("shows a secret for ten seconds with a countdown, hides it, and never shows it again", async () => {
    service.answer(200, { status: "success", code: "pass", message: "Continue" });
    const terminal = await readyConsole(home);
    await terminal.type("3").until("Secret      ********");
    expect(terminal.written()).not.toContain(FAKE_SECRET);
    await terminal.type("v").until("hidden again in 10 s");
    const at = performance.now();
    expect(terminal.screen()).toContain(FAKE_SECRET);
    await terminal.until("hidden again in 9 s");
    await terminal.until("hidden again in 1 s");
    await terminal.until((screen) => !screen.includes("hidden again"));
    expect(performance.now() - at).toBeGreaterThan(9_000);
    expect(terminal.screen()).not.toContain(FAKE_SECRET.slice(0, 8));
    const after = terminal.written().length;

    await terminal.type("1").until("Compose");
    await terminal.type("3").until("Secret      ********");
    terminal.resize(120, 40);
    await terminal.until("6 Demo");
    terminal.type("q");
    await terminal.exit;
    expect(terminal.written().slice(after)).not.toContain(FAKE_SECRET.slice(0, 8));
    expect(terminal.screen()).not.toContain(FAKE_SECRET.slice(0, 8));
  });

  it("hides a secret at once when its screen is left", async () => {
    const terminal = await readyConsole(home);
    await terminal.type("3").until("Secret      ********");
    await terminal.type("v").until(FAKE_SECRET);
    await terminal.type("1").until("Compose");
    expect(await terminal.type("3").until("Secret      ********")).not.toContain(FAKE_SECRET);
  });

  it("removes a key only after an answer that is not the marked one", async () => {
    const terminal = await readyConsole(home);
    await terminal.type("3").until("Secret      ********");
    await terminal.type("d").until("Enter no");
    await terminal.type(KEY.enter).until("Secret      ********");
    await terminal.type("d").until("Enter no");
    await terminal.type(KEY.esc).until("Secret      ********");
    expect((await home.json("vault list --json")).length).toBe(1);
    await terminal.type("d").until("Enter no");
    await terminal.type(KEY.tab).until("Enter remove");
    await terminal.type(KEY.enter).until("The vault is empty");
    expect(await home.json("vault list --json")).toEqual([]);
  });
});
