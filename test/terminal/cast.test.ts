// A recording as its readers see it: valid whatever is drawn and however it is cut, at the right times, and playable at any moment.

import fc from "fast-check";
import { expect, it } from "vitest";
import { startCast, type Cast } from "#src/terminal/cast.ts";
import { playCast, readCast, type ReadCast } from "./cast-reader.ts";

interface Stage {
  readonly cast: Cast;
  readonly terminal: { columns: number; rows: number };
  pass(ms: number): void;
  limit(ms: number): void;
  read(): ReadCast;
}

function begin(title = "A title"): Stage {
  let now = 1_000_000;
  let limit = 5_000;
  let written = "";
  const terminal = { columns: 80, rows: 24 };
  const cast = startCast({
    write: (lines) => {
      expect(lines.endsWith("\n")).toBe(true);
      written += lines;
    },
    now: () => now,
    terminal,
    title,
    longestPause: () => limit,
  });
  return {
    cast,
    terminal,
    pass: (ms) => void (now += ms),
    limit: (ms) => void (limit = ms),
    read: () => readCast(Buffer.from(written)),
  };
}

const drawn = (read: ReadCast): string =>
  read.events
    .filter(({ code }) => code === "o")
    .map(({ data }) => data)
    .join("")
    .replace("\x1b[?25l", "");

it("is valid for any text, cut anywhere, and holds every whole character once", () => {
  const unit = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom("\x1b[31m", "é🙂", "\u2028", "\u0085", "👩‍👩‍👧", "\r\n", "\n"),
  );
  fc.assert(
    fc.property(
      fc.array(unit),
      fc.array(fc.nat()),
      fc.string({ unit: "binary" }),
      fc.boolean(),
      (texts, cuts, title, bytes) => {
        const text = texts.join("").toWellFormed();
        const whole = bytes ? Buffer.from(text) : text;
        const stage = begin(title);
        const places = [0, ...cuts.map((cut) => cut % (whole.length + 1)).sort((one, other) => one - other)];
        places.forEach((place, index) => stage.cast.output(whole.slice(place, places[index + 1])));
        stage.cast.marker(title);
        stage.cast.end(0);
        const read = stage.read();
        expect(read.header["title"]).toBe(title.toWellFormed());
        const asDrawn = (each: string): string => each.replaceAll(/\r*\n/g, "\n");
        expect(asDrawn(drawn(read))).toBe(asDrawn(text));
        expect(read.events.at(-1)).toMatchObject({ code: "x", data: "0" });
      },
    ),
  );
});

it("keeps the sum of what passed to the millisecond, without the pauses that are cut", () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 9_000, noNaN: true }), { minLength: 1 }), (waits) => {
      const stage = begin();
      for (const wait of waits) {
        stage.pass(wait);
        stage.cast.output("x");
      }
      const length = stage.cast.end(0);
      const kept = waits.reduce((sum, wait) => sum + Math.min(wait, 5_000), 0);
      expect(Math.abs(length - kept)).toBeLessThan(1);
      expect(stage.read().events.at(-1)!.at).toBe(length);
    }),
  );
});

it("cuts a pause by what was allowed when it began", () => {
  const stage = begin();
  stage.limit(Number.POSITIVE_INFINITY);
  stage.cast.output("by itself");
  stage.pass(20_000);
  stage.limit(5_000);
  stage.cast.output("paused");
  stage.pass(60_000);
  stage.limit(Number.POSITIVE_INFINITY);
  stage.cast.marker("on");
  // A clock that was set back is no pause.
  stage.pass(-500);
  expect(stage.cast.end(8)).toBe(25_000);
  expect(stage.read().events.map(({ at }) => at)).toEqual([0, 0, 20_000, 25_000, 25_000]);
});

it("tells a changed size before what is drawn in it, and starts lines where a terminal would", async () => {
  const stage = begin();
  stage.cast.output("one\ntwo");
  Object.assign(stage.terminal, { columns: 60, rows: 20 });
  stage.cast.output("\r\nthree");
  const read = stage.read();
  expect(read.events.map(({ code, data }) => [code, data])).toEqual([
    ["o", "\x1b[?25l"],
    ["o", "one\r\ntwo"],
    ["r", "60x20"],
    ["o", "\r\nthree"],
  ]);
  expect((await playCast(read)).at(-1)!.trim().split("\n")).toEqual(["one", "two", "three"]);
});
