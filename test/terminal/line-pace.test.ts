// A slow line: the terminal is asked rarely, a terminal that is silent changes nothing, and frames are skipped only behind.

import { describe, expect, it, vi } from "vitest";
import { createLinePace, type LinePace } from "#src/terminal/line-pace.ts";
import { handClock, type HandClock } from "../keys/hand-clock.ts";

const QUESTION = "\u001b[5n";
const ANSWER = "\u001b[0n";

interface Line {
  readonly pace: LinePace;
  readonly clock: HandClock;
  readonly asked: () => number;
  readonly screen: { readonly forget: ReturnType<typeof vi.fn>; readonly redraw: ReturnType<typeof vi.fn> };
  /** Writes a frame of a size. */
  frame(characters: number): Promise<void>;
}

function openLine(): Line {
  const clock = handClock();
  const write = vi.fn();
  const screen = { forget: vi.fn(), redraw: vi.fn() };
  const pace = createLinePace({ write }, screen, clock.after);
  return {
    pace,
    clock,
    screen,
    asked: () => write.mock.calls.filter(([text]) => text === QUESTION).length,
    async frame(characters) {
      pace.written(characters);
      await Promise.resolve();
    },
  };
}

/** A line on which the terminal has answered once. */
async function answeringLine(): Promise<Line> {
  const line = openLine();
  await line.frame(600);
  line.pace.heard(ANSWER);
  return line;
}

describe("the question", () => {
  it("comes behind the frame that makes 512 characters full, and once", async () => {
    const line = openLine();
    await line.frame(511);
    expect(line.asked()).toBe(0);
    line.pace.written(1);
    expect(line.asked()).toBe(0);
    await Promise.resolve();
    await line.frame(5_000);
    expect(line.asked()).toBe(1);
  });

  it("is asked again about what came after it", async () => {
    const line = openLine();
    await line.frame(600);
    await line.frame(600);
    line.pace.heard(ANSWER);
    expect(line.asked()).toBe(2);
    line.pace.heard(ANSWER);
    expect(line.asked()).toBe(2);
  });

  it("has its answer in any pieces, between keys", async () => {
    const line = openLine();
    await line.frame(600);
    for (const piece of ["j\u001b", "[0", "nk"]) line.pace.heard(piece);
    await line.frame(600);
    expect(line.asked()).toBe(2);
  });
});

describe("frames", () => {
  it("are never skipped for a terminal that has not answered", async () => {
    const line = openLine();
    await line.frame(100_000);
    expect(line.pace.skips()).toBe(false);
    line.clock.wait(10_000);
    await line.frame(100_000);
    expect(line.pace.skips()).toBe(false);
    expect(line.screen.redraw).not.toHaveBeenCalled();
  });

  it("are skipped from 1,536 characters on, and the newest is drawn after the answer", async () => {
    const line = await answeringLine();
    await line.frame(1_536);
    expect(line.pace.skips()).toBe(false);
    await line.frame(1);
    line.screen.forget.mockImplementation(() => expect(line.pace.skips()).toBe(true));
    line.screen.redraw.mockImplementation(() => expect(line.pace.skips()).toBe(false));
    expect(line.pace.skips()).toBe(true);
    line.pace.heard(ANSWER);
    expect(line.screen.forget).toHaveBeenCalledTimes(1);
    expect(line.screen.redraw).toHaveBeenCalledTimes(1);
  });

  it("that were all written need no other", async () => {
    const line = await answeringLine();
    await line.frame(3_000);
    line.pace.heard(ANSWER);
    expect(line.screen.redraw).not.toHaveBeenCalled();
  });

  it("go on after three seconds where the terminal answers no more", async () => {
    const line = await answeringLine();
    await line.frame(3_000);
    expect(line.pace.skips()).toBe(true);
    line.clock.wait(3_000);
    expect(line.pace.skips()).toBe(false);
    expect(line.screen.redraw).toHaveBeenCalledTimes(1);
  });
});

describe("another program", () => {
  it("gets the terminal once the answer has come, and nothing is asked or skipped meanwhile", async () => {
    const line = await answeringLine();
    await line.frame(3_000);
    const during = vi.fn(async () => {
      await line.frame(10_000);
      expect(line.pace.skips()).toBe(false);
      return "done";
    });
    const paused = line.pace.pause(during);
    await Promise.resolve();
    expect(during).not.toHaveBeenCalled();
    line.pace.heard(ANSWER);
    expect(await paused).toBe("done");
    expect(line.asked()).toBe(2);
  });

  it("gets it at once where no answer is due", async () => {
    const line = openLine();
    expect(await line.pace.pause(() => Promise.resolve(1))).toBe(1);
  });

  it("waits 200 ms for the first answer of all", async () => {
    const line = openLine();
    await line.frame(600);
    const during = vi.fn(() => Promise.resolve(1));
    const paused = line.pace.pause(during);
    line.clock.wait(199);
    await Promise.resolve();
    expect(during).not.toHaveBeenCalled();
    line.clock.wait(1);
    expect(await paused).toBe(1);
  });

  it("waits no longer than a second", async () => {
    const line = await answeringLine();
    await line.frame(3_000);
    const paused = line.pace.pause(() => Promise.resolve(1));
    line.clock.wait(1_000);
    expect(await paused).toBe(1);
  });
});
