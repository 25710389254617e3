// What a service says is text and never a command to the terminal; and secrets are on the screen for ten seconds at most.

import { describe, expect, it } from "vitest";
import { HIDDEN } from "../../cli/naughty-strings.ts";
import { isOurs, withoutOurs } from "../allowed-controls.ts";
import { COLOR, FAKE_SECRET, KEY, TAKEN, readyConsole, servedHome } from "./stage.ts";

/** Colour, conceal, title, clipboard, link, clear, cursor, line ends, C1, and characters that nobody sees. */
const HOSTILE =
  "ok\x1b[38;5;199mcolour\x1b[8m\x1b]0;title\x07\x1b]52;c;ZXZpbA==\x07\x1b]8;;http://evil.example\x1b\\link" +
  "\x1b[2J\x1b[1;1H\r\nPASS\x9b31m\u202epass\u200b\0\x1b[?1049l\x1b[?2004l";

describe("the console and what it must not trust", () => {
  const served = servedHome();

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
    served.service.answer(status, body);
    const terminal = await readyConsole(served.home, { watchesControls: true });
    await terminal.type(KEY.enter).until(word);
    expect(terminal.look(word).color).toBe(color);
    await terminal.type("4").until(/Time +Verdict/);
    await terminal.type(KEY.enter).until("[Why]");
    for (const tab of ["[Request]", "[Answer]", "[Signed]", "[Timing]"]) {
      await terminal.type(KEY.tab).until(tab);
    }
    expect(terminal.modes()).toEqual(TAKEN);
    await terminal.type("q").exit;
    expect([...terminal.controls()].filter((control) => !isOurs(control))).toEqual([]);
    expect(HIDDEN.exec(withoutOurs(terminal.written()))).toBeNull();
  });

  it("shows a secret for ten seconds with a countdown, hides it, and never shows it again", async () => {
    served.service.answer(200, { status: "success", code: "pass", message: "Continue" });
    const terminal = await readyConsole(served.home);
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
    await terminal.type("q").exit;
    expect(terminal.written().slice(after)).not.toContain(FAKE_SECRET.slice(0, 8));
    expect(terminal.screen()).not.toContain(FAKE_SECRET.slice(0, 8));
  });
});
