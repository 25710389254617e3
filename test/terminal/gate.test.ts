// Which terminals the console opens on.

import { describe, expect, it } from "vitest";
import { consoleGate } from "#src/terminal/gate.ts";

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
  ])("%j", (env, expected) => {
    expect(open(env)).toEqual({ ok: true, ...expected });
  });
});
