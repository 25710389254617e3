// Fewer bytes must leave the same screen.

import { EventEmitter } from "node:events";
import headless from "@xterm/headless";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { IN_PLACE, leanOutput } from "#src/terminal/lean-output.ts";

/** A stream that keeps what is written to it. */
class Recorder extends EventEmitter {
  readonly columns = 40;
  readonly rows = 10;
  text = "";

  write(chunk: string, done?: () => void): boolean {
    this.text += chunk;
    done?.();
    return true;
  }
}

function through(chunks: readonly string[]): string {
  const recorder = new Recorder();
  const stdout = leanOutput(recorder as unknown as NodeJS.WriteStream);
  for (const chunk of chunks) stdout.write(chunk);
  return recorder.text;
}

/** Rows, their looks and the cursor after the bytes. */
async function screenAfter(text: string): Promise<string> {
  const terminal = new headless.Terminal({ cols: 40, rows: 10, allowProposedApi: true });
  await new Promise<void>((resolve) => terminal.write(text, resolve));
  const { active } = terminal.buffer;
  const rows = Array.from({ length: 10 }, (_, row) =>
    active.getLine(active.viewportY + row)!.translateToString(),
  );
  const looks = Array.from({ length: 10 }, (_, row) => {
    const line = active.getLine(active.viewportY + row)!;
    return Array.from({ length: 40 }, (_, column) => {
      const cell = line.getCell(column)!;
      return [
        cell.getFgColor(),
        cell.getBgColor(),
        cell.isBold(),
        cell.isDim(),
        cell.isInverse(),
        cell.isUnderline(),
      ].join(" ");
    }).join(",");
  });
  const cursor = `${active.cursorX},${active.cursorY}`;
  terminal.dispose();
  return [...rows, ...looks, cursor].join("\n");
}

const LOOKS = [1, 2, 4, 7, 22, 24, 27, 31, 36, 39, 42, 49, 90, 0].map((code) => `\u001B[${code}m`);
const PIECES = [
  "\u001B[E",
  "\u001B[E\u001B[E\u001B[E",
  "\u001B[3A",
  "text",
  "\r\n",
  "\u001B[5G",
  "\u001B[E\u001B[1G",
  "\n\u001B[1G",
  "\u001B[K",
  "─",
  ...LOOKS,
  "\u001B[1;31m",
  "\u001B[m",
];

describe("lean output", () => {
  it("makes one move of several steps", () => {
    expect(through(["a\u001B[E\u001B[E\u001B[Eb\u001B[Ec"])).toBe("a\u001B[3Eb\u001B[Ec");
  });

  it("makes one look of several, without those that were over at once", () => {
    expect(through(["\u001B[1m\u001B[36m\u001B[39m\u001B[22ma\u001B[1m\u001B[32mb\u001B[39m"])).toBe(
      "\u001B[39;22ma\u001B[1;32mb\u001B[39m",
    );
    expect(through(["\u001B[39m\u001B[1m\u001B[36ma"])).toBe("\u001B[1;36ma");
  });

  it("ends nothing twice, until something may have begun again", () => {
    const [end, red, both] = ["\u001B[39m", "\u001B[31m", "\u001B[1;31m"];
    expect(through([`${end}a`, `${end}b${red}c${end}d${red}${end}e`, `${both}f${end}g`])).toBe(
      `${end}ab${red}c${end}de${both}f${end}g`,
    );
  });

  it("goes to the first column once", () => {
    expect(through(["\u001B[E\u001B[E\u001B[1Ga\n\u001B[1Gb"])).toBe("\u001B[2Ea\r\nb");
  });

  it("leaves the screen as it would have been", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }), async (pieces) => {
        expect(await screenAfter(through(pieces))).toBe(await screenAfter(pieces.join("")));
      }),
      { numRuns: 150 },
    );
  });

  it("leaves nothing of the frame that another one is drawn over", async () => {
    const rows = fc.array(fc.string({ unit: fc.constantFrom("a", "b", " "), maxLength: 30 }), {
      minLength: 10,
      maxLength: 10,
    });
    // As Ink writes them: without blanks at the end of a row.
    const frameOf = (lines: readonly string[]): string => lines.map((line) => line.trimEnd()).join("\n");
    await fc.assert(
      fc.asyncProperty(rows, rows, async (before, after) => {
        const over = through([frameOf(before), IN_PLACE, frameOf(after)]).replaceAll("\n", "\r\n");
        const alone = frameOf(after).replaceAll("\n", "\r\n");
        expect(await screenAfter(over)).toBe(await screenAfter(alone));
      }),
      { numRuns: 50 },
    );
  });

  it("writes nothing of what is to be skipped, but what waits for the end of all", () => {
    const recorder = new Recorder();
    let skips = true;
    const stdout = leanOutput(recorder as unknown as NodeJS.WriteStream, undefined, undefined, () => skips);
    let ended = 0;
    stdout.write("lost");
    stdout.write("", () => (ended += 1));
    skips = false;
    stdout.write("kept");
    expect([recorder.text, ended]).toEqual(["kept", 1]);
  });

  it("is the stream in everything else", () => {
    const recorder = new Recorder();
    const stdout = leanOutput(recorder as unknown as NodeJS.WriteStream);
    let resized = 0;
    let written = 0;
    stdout.on("resize", () => (resized += 1));
    recorder.emit("resize");
    stdout.write("a", () => (written += 1));
    expect([stdout.columns, stdout.rows, resized, written]).toEqual([40, 10, 1, 1]);
  });
});
