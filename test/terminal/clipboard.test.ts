// OSC 52 as terminals, tmux and screen take it apart again.

import { expect, it } from "vitest";

import {
  CLIPBOARD_LIMIT_BYTES,
  clearSequence,
  copySequence,
  multiplexerNote,
  multiplexerOf,
} from "#src/terminal/clipboard.ts";

/** What a terminal behind tmux or screen gets to see. */
function unwrap(sequence: string): string {
  // oxlint-disable-next-line no-control-regex
  const tmux = /^\u001BPtmux;((?:[^\u001B]|\u001B\u001B)*)\u001B\\$/.exec(sequence);
  if (tmux !== null) return tmux[1]!.replaceAll("\x1b\x1b", "\x1b");
  // oxlint-disable-next-line no-control-regex
  return [...sequence.matchAll(/\u001BP((?:(?!\u001B\\)[^])*)\u001B\\/g)].map((piece) => piece[1]).join("");
}

/** Base64 inside an OSC 52 sequence for the clipboard. */
// oxlint-disable-next-line no-control-regex
const OSC_52 = /^\u001B\]52;c;([A-Za-z0-9+/=]*)\u0007$/;

const decoded = (sequence: string): string =>
  Buffer.from(OSC_52.exec(sequence)![1]!, "base64").toString("utf8");

it.each(["secret", "ünïcode ✔", "x".repeat(CLIPBOARD_LIMIT_BYTES)])("copies a text", (text) => {
  expect(decoded(copySequence(text, null))).toBe(text);
  expect(decoded(unwrap(copySequence(text, "tmux")))).toBe(text);
  expect(decoded(unwrap(copySequence(text, "screen")))).toBe(text);
});

it("hands screen no piece that is longer than it takes", () => {
  const pieces = copySequence("x".repeat(5_000), "screen").split("\x1b\\");
  expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThanOrEqual(256);
});

it("stays below 100,000 bytes, where terminals stop", () => {
  expect(copySequence("x".repeat(CLIPBOARD_LIMIT_BYTES), null).length).toBeLessThanOrEqual(100_000);
});

it.each(["", "x".repeat(CLIPBOARD_LIMIT_BYTES + 1)])("refuses what would clear or be dropped", (text) => {
  expect(() => copySequence(text, null)).toThrow(RangeError);
});

it("clears by a blank first, and then by nothing", () => {
  const sequences = clearSequence(null).match(/\u001B\][^\u0007]*\u0007/g)!; // oxlint-disable-line no-control-regex
  expect(sequences.map(decoded)).toEqual([" ", ""]);
});

it.each([
  [{ TMUX: "/tmp/tmux-0/default,1,0", TERM: "screen-256color" }, "tmux"],
  [{ STY: "1234.pts-0", TERM: "screen" }, "screen"],
  [{ TERM: "screen.xterm-256color" }, "screen"],
  [{ TERM: "xterm-256color" }, null],
  [{}, null],
])("knows what stands in between from %j", (env, expected) => {
  expect(multiplexerOf(env)).toBe(expected);
});

it("warns inside tmux that it may keep a copy", () => {
  expect(multiplexerNote("tmux")).toMatch(/may keep a copy/);
  expect(multiplexerNote(null)).toBeNull();
});
