// Which terminals the console opens on.

import { describe, expect, it } from "vitest";
import { abilitiesOf, consoleGate, takesOsc } from "#src/terminal/gate.ts";

const TTY = { isTTY: true };
const open = (env: Record<string, string>) => consoleGate({ stdin: TTY, stdout: TTY, env });

describe("the gate", () => {
  it.each([
    [{ stdin: {}, stdout: TTY, env: {} }, /its input is not one.*verdict --help\.$/],
    [{ stdin: TTY, stdout: {}, env: {} }, /its output is not one.*verdict --help\.$/],
    [{ stdin: TTY, stdout: TTY, env: { TERM: "dumb" } }, /TERM=dumb.*verdict --help\.$/],
  ])("refuses %j in one sentence", (input, sentence) => {
    const gate = consoleGate(input);
    expect(gate.ok ? "" : gate.sentence).toMatch(sentence);
  });

  it("CI alone is no obstacle", () => {
    expect(open({ CI: "true", TERM: "xterm", LANG: "en_US.UTF-8" })).toEqual({
      ok: true,
      color: true,
      ascii: false,
      screenReader: false,
    });
  });

  it.each([
    [{ NO_COLOR: "1" }, { color: false, ascii: false }],
    [{ NO_COLOR: "" }, { color: true, ascii: false }],
    [
      { LC_ALL: "C", LANG: "uk_UA.UTF-8" },
      { color: true, ascii: true },
    ],
    [
      { LC_CTYPE: "uk_UA.utf8", LANG: "C" },
      { color: true, ascii: false },
    ],
    [
      { TERM: "linux", LANG: "C.UTF-8" },
      { color: true, ascii: true },
    ],
    [{ FORCE_COLOR: "0" }, { color: false, ascii: false }],
    [
      { FORCE_COLOR: "3", TERM: "vt100" },
      { color: true, ascii: false },
    ],
    [
      { FORCE_COLOR: "1", NO_COLOR: "1" },
      { color: false, ascii: false },
    ],
    [{ TERM: "vt220" }, { color: false, ascii: false }],
    [{ TERM: "xterm-mono" }, { color: false, ascii: false }],
    [{ TERM: "foot" }, { color: true, ascii: false }],
    [{ INK_SCREEN_READER: "true" }, { color: false, ascii: false, screenReader: true }],
    [{ INK_SCREEN_READER: "false" }, { color: true, ascii: false }],
  ])("%j", (env, expected) => {
    expect(open(env)).toEqual({ ok: true, screenReader: false, ...expected });
  });

  it.each([
    [{ ascii: true }, {}, { color: true, ascii: true, screenReader: false }],
    [{ ascii: false }, { LANG: "C" }, { color: true, ascii: false, screenReader: false }],
    [{ color: false }, { FORCE_COLOR: "1" }, { color: false, ascii: false, screenReader: false }],
    [{ screenReader: true }, {}, { color: false, ascii: false, screenReader: true }],
    [
      { screenReader: false },
      { INK_SCREEN_READER: "true" },
      { color: true, ascii: false, screenReader: false },
    ],
  ])("what is asked for, %j, comes before what %j says", (wishes, env, expected) => {
    expect(consoleGate({ stdin: TTY, stdout: TTY, env, wishes })).toEqual({ ok: true, ...expected });
  });

  it("leaves the title alone where a terminal may not know it", () => {
    for (const TERM of ["xterm-256color", "tmux-256color", "foot"]) expect(takesOsc({ TERM })).toBe(true);
    for (const TERM of ["", "dumb", "vt100", "vt220", "linux"]) expect(takesOsc({ TERM })).toBe(false);
    expect(takesOsc({})).toBe(false);
  });

  it("colours a pipe only where that is forced", () => {
    expect(abilitiesOf({ TERM: "xterm" }, false).color).toBe(false);
    expect(abilitiesOf({ TERM: "xterm", FORCE_COLOR: "1" }, false).color).toBe(true);
  });
});
