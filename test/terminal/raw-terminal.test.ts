// The keyboard end of a terminal that is taken and given back.

import { EventEmitter } from "node:events";
import { describe, expect, it } from "vitest";
import { openTerminal } from "#src/terminal/raw-terminal.ts";

/** A terminal that writes down what is asked of it; a gone one refuses everything. */
function stage(mouse = false) {
  const log: string[] = [];
  const state = { gone: false };
  const say = (what: string): void => {
    if (state.gone) throw new Error("EIO");
    log.push(what);
  };
  const stdin = Object.assign(new EventEmitter(), {
    setRawMode: (raw: boolean) => say(raw ? "raw" : "cooked"),
    resume: () => void log.push("read"),
    pause: () => void log.push("pause"),
  });
  const stdout = {
    write: (text: string) => say(text.replace("\x1b[?2004", "marks ").replaceAll("\x1b", "^")),
  };
  return { log, state, stdin, terminal: openTerminal(stdin, stdout, mouse) };
}

const TAKE = ["raw", "marks h", "read"];
const GIVE = ["marks l", "cooked", "pause"];

describe("openTerminal", () => {
  it("takes the terminal, lends it out and gives it back once", () => {
    const { log, terminal } = stage();
    expect(log.splice(0)).toEqual(TAKE);
    terminal.suspend();
    terminal.suspend();
    expect(log.splice(0)).toEqual(GIVE);
    terminal.resume();
    expect(log.splice(0)).toEqual(TAKE);
    terminal.restore();
    terminal.restore();
    terminal.resume();
    expect(log).toEqual(GIVE);
  });

  it("keeps what is typed before anything listens", () => {
    const { stdin, terminal } = stage();
    stdin.emit("data", "4");
    stdin.emit("data", "/x");
    const heard: string[] = [];
    terminal.onInput((text) => heard.push(text));
    stdin.emit("data", "y");
    expect(heard).toEqual(["4/x", "y"]);
  });

  it("asks for the mouse only where it is wanted, and gives it back with everything else", () => {
    const { log, terminal } = stage(true);
    const on = ["raw", "marks h^[?1000h^[?1006h", "read"];
    const off = ["^[?1006l^[?1000lmarks l", "cooked", "pause"];
    terminal.suspend();
    terminal.resume();
    terminal.restore();
    expect(log).toEqual([...on, ...off, ...on, ...off]);
  });

  it("keeps the title of the window, and gives it back whenever it lends the terminal out", () => {
    const { log, terminal } = stage();
    terminal.setTitle("one");
    terminal.setTitle("one");
    terminal.setTitle("two");
    expect(log.splice(0)).toEqual([...TAKE, "^[22;2t^]2;one\x07", "^]2;two\x07"]);
    terminal.suspend();
    terminal.setTitle("three");
    expect(log.splice(0)).toEqual(["^[23;2t", ...GIVE]);
    terminal.resume();
    expect(log.splice(0)).toEqual(["raw", "marks h", "^[22;2t^]2;three\x07", "read"]);
    terminal.restore();
    terminal.setTitle("four");
    expect(log).toEqual(["^[23;2t", ...GIVE]);
  });

  it("decodes characters that chunks share", () => {
    const { stdin, terminal } = stage();
    const chunks: string[] = [];
    terminal.onInput((chunk) => chunks.push(chunk));
    const bytes = Buffer.from("a😀é");
    for (const byte of bytes) stdin.emit("data", Buffer.of(byte));
    stdin.emit("data", "text");
    expect(chunks).toEqual(["a", "😀", "é", "text"]);
  });

  it("hears nothing while it is lent out or after it is given back", () => {
    const { stdin, terminal } = stage();
    const chunks: string[] = [];
    terminal.onInput((chunk) => chunks.push(chunk));
    terminal.suspend();
    stdin.emit("data", "x");
    terminal.resume();
    stdin.emit("data", "y");
    terminal.restore();
    stdin.emit("data", "z");
    expect(chunks).toEqual(["y"]);
  });

  it("tells once that the terminal is gone, and restoring it is no error", () => {
    const { state, stdin, terminal } = stage();
    let gone = 0;
    terminal.onGone(() => (gone += 1));
    state.gone = true;
    stdin.emit("error", new Error("EIO"));
    stdin.emit("end");
    stdin.emit("close");
    terminal.restore();
    stdin.emit("error", new Error("late"));
    expect(gone).toBe(1);
  });
});
