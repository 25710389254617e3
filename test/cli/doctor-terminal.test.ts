// What the doctor says of a terminal.

import { expect, it } from "vitest";
import { terminalFindings, type TerminalFacts } from "#src/cli/doctor-terminal.ts";

const GOOD: TerminalFacts = {
  stdin: { isTTY: true },
  stdout: { isTTY: true },
  env: { TERM: "xterm-256color", LANG: "C.UTF-8" },
  columns: 80,
  rows: 24,
  colorDepth: 8,
};

const said = (change: Partial<TerminalFacts>): string =>
  terminalFindings({ ...GOOD, ...change })
    .map(({ state, what, next }) => `${state}: ${what} ${next ?? ""}`)
    .join("\n");

it("finds nothing wrong with a good one", () => {
  expect(terminalFindings(GOOD).every(({ state }) => state === "ok")).toBe(true);
});

it.each<[string, Partial<TerminalFacts>, RegExp]>([
  ["too small", { columns: 59 }, /problem: The terminal has 59 columns.*larger/],
  ["without a size", { columns: undefined, rows: undefined }, /problem: .*does not report its size/],
  ["dumb", { env: { TERM: "dumb" } }, /problem: .*TERM=dumb/],
  ["without a name", { env: {} }, /problem: TERM is not set/],
  ["without colours", { colorDepth: 1 }, /note: .*no colours/],
  ["with NO_COLOR", { env: { ...GOOD.env, NO_COLOR: "1" } }, /note: NO_COLOR/],
  ["of another locale", { env: { TERM: "xterm", LANG: "C" } }, /note: .*not UTF-8/],
  ["inside tmux", { env: { ...GOOD.env, TMUX: "/tmp/x" } }, /note: tmux.*allow-passthrough/],
  ["over SSH", { env: { ...GOOD.env, SSH_TTY: "/dev/pts/1" } }, /ok: This is an SSH session/],
  ["that is none", { stdout: {} }, /ok: This is no terminal/],
])("says so of one %s", (_, change, sentence) => {
  expect(said(change)).toMatch(sentence);
});

it("gives out no control sequence that a name may hold", () => {
  expect(said({ env: { ...GOOD.env, TERM: "xterm\x1b]0;x\x07" } })).not.toContain("\x1b");
});
