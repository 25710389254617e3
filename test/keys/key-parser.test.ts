// Chunks of terminal input in, keys, text and pastes out.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  createKeyParser,
  ESCAPE_WAIT_MS,
  type Chunk,
  type InputEvent,
  type Schedule,
} from "#src/keys/key-parser.ts";

/** A parser with a timer that rings when the test says so. */
function listen() {
  const events: InputEvent[] = [];
  const timers = new Set<() => void>();
  const waits: number[] = [];
  const schedule: Schedule = (run, ms) => {
    waits.push(ms);
    timers.add(run);
    return () => timers.delete(run);
  };
  const parser = createKeyParser((event) => events.push(event), schedule);
  return {
    parser,
    events,
    waits,
    pendingTimers: () => timers.size,
    ring() {
      const due = [...timers];
      timers.clear();
      for (const run of due) run();
    },
  };
}

function parse(...chunks: string[]): InputEvent[] {
  const { parser, events, ring } = listen();
  for (const chunk of chunks) parser.feed(chunk);
  ring();
  return events;
}

/** Events as one short text each: `a b` text, `<enter>` key, `[paste]`. */
const words = (events: readonly InputEvent[]): string[] =>
  events.map((event) =>
    event.type === "key"
      ? `<${event.name}>`
      : event.type === "paste"
        ? `[${event.text}]`
        : event.type === "text"
          ? event.text
          : `(${event.x},${event.y},${event.wheel})`,
  );

const said = (...chunks: string[]): string[] => words(parse(...chunks));

/** Adjacent text joined, as text may come in any pieces. */
function joined(events: readonly InputEvent[]): InputEvent[] {
  const result: InputEvent[] = [];
  for (const event of events) {
    const last = result.at(-1);
    if (event.type === "text" && last?.type === "text")
      result[result.length - 1] = { type: "text", text: last.text + event.text };
    else result.push(event);
  }
  return result;
}

describe("one chunk with several keys", () => {
  it.each([
    ["\x7f\x7f\x7f", ["<backspace>", "<backspace>", "<backspace>"]],
    ["ab\x7fcd", ["ab", "<backspace>", "cd"]],
    ["abc\r", ["abc", "<enter>"]],
    ["abc\n", ["abc", "<enter>"]],
    ["\x01\x03\x12\x1a", ["<ctrl+a>", "<ctrl+c>", "<ctrl+r>", "<ctrl+z>"]],
    ["\x1b[A\x1b[B\x1bOC\x1bOD", ["<up>", "<down>", "<right>", "<left>"]],
    ["a\tb\x1b[Zc", ["a", "<tab>", "b", "<shift+tab>", "c"]],
    ["👨‍👩‍👧‍👦é\x7f", ["👨‍👩‍👧‍👦é", "<backspace>"]],
  ])("%j", (chunk, expected) => {
    expect(said(chunk)).toEqual(expected);
  });
});

describe("keys of xterm, rxvt, screen and the Linux console", () => {
  it.each([
    ["home", ["\x1b[H", "\x1bOH", "\x1b[1~", "\x1b[7~"]],
    ["end", ["\x1b[F", "\x1bOF", "\x1b[4~", "\x1b[8~"]],
    ["insert", ["\x1b[2~"]],
    ["delete", ["\x1b[3~"]],
    ["pageup", ["\x1b[5~"]],
    ["pagedown", ["\x1b[6~"]],
    ["f1", ["\x1bOP", "\x1b[11~", "\x1b[[A", "\x1b[P"]],
    ["f5", ["\x1b[15~", "\x1b[[E"]],
    ["f12", ["\x1b[24~"]],
    ["ctrl+left", ["\x1b[1;5D", "\x1bOd"]],
    ["alt+right", ["\x1b[1;3C"]],
    ["ctrl+shift+up", ["\x1b[1;6A"]],
    ["shift+down", ["\x1b[1;2B", "\x1b[b"]],
    ["ctrl+delete", ["\x1b[3;5~", "\x1b[3^"]],
    ["shift+home", ["\x1b[7$"]],
    ["alt+b", ["\x1bb"]],
    ["alt+backspace", ["\x1b\x7f", "\x1b\b"]],
    ["backspace", ["\x7f", "\b"]],
    ["ctrl+_", ["\x1f"]],
    ["ctrl+space", ["\0"]],
  ])("%s", (name, sequences) => {
    for (const sequence of sequences) expect(said(`x${sequence}y`)).toEqual(["x", `<${name}>`, "y"]);
  });

  it("leaves out what a terminal reports without being asked", () => {
    expect(said("a\x1b[Ib\x1b[Oc\x1b[?62;22cd\x1b[<0;3;4Me")).toEqual(["abcde"]);
  });
});

describe("Esc", () => {
  it("is a key when nothing follows in time", () => {
    const { parser, events, waits, ring } = listen();
    parser.feed("\x1b");
    expect(events).toEqual([]);
    expect(waits).toEqual([ESCAPE_WAIT_MS]);
    ring();
    expect(words(events)).toEqual(["<esc>"]);
  });

  it("arrives with text, and nothing is lost, when the rest of a sequence comes too late", () => {
    for (const [early, late] of [
      ["\x1b", "[A"],
      ["\x1b[", "A"],
      ["\x1bO", "A"],
      ["\x1b[1;", "5D"],
      ["\x1b[[", "A"],
    ] as const) {
      const { parser, events, ring } = listen();
      parser.feed(early);
      ring();
      parser.feed(late);
      ring();
      expect(words(joined(events))).toEqual(["<esc>", `${early}${late}`.slice(1)]);
    }
  });

  it("waits for a sequence that comes in pieces in time", () => {
    const { parser, events, pendingTimers } = listen();
    for (const character of "\x1b[1;5D") parser.feed(character);
    expect(words(events)).toEqual(["<ctrl+left>"]);
    expect(pendingTimers()).toBe(0);
  });

  it.each([
    ["\x1b\x1b[A", ["<esc>", "<up>"]],
    ["\x1b\x1b", ["<esc>", "<esc>"]],
    ["\x1bj", ["<esc>", "j"]],
    ["\x1bé", ["<esc>", "é"]],
    ["\x1b\r", ["<esc>", "<enter>"]],
    ["\x1b[1\r", ["<esc>", "[1", "<enter>"]],
    ["\x1b[é", ["<esc>", "[é"]],
    ["\x1bOx", ["<esc>", "Ox"]],
    ["\x1b[[x", ["<esc>", "[[x"]],
  ])("%j keeps every character", (chunk, expected) => {
    expect(said(chunk)).toEqual(expected);
  });

  it("is forgotten after dispose", () => {
    const { parser, events, ring, pendingTimers } = listen();
    parser.feed("\x1b");
    parser.dispose();
    expect(pendingTimers()).toBe(0);
    ring();
    expect(events).toEqual([]);
  });
});

describe("paste", () => {
  const PASTED = 'one\rtwo\r\nthree\n\x1b[31m {"a": "\x1b"}\t\x03';
  const INPUT = `a\x1b[200~${PASTED}\x1b[201~b`;
  const EXPECTED = ["a", '[one\ntwo\nthree\n\x1b[31m {"a": "\x1b"}\t\x03]', "b"];

  it("is one event, with escapes and line breaks in it", () => {
    expect(said(INPUT)).toEqual(EXPECTED);
  });

  it("is one event wherever it is split", () => {
    for (let at = 1; at < INPUT.length; at += 1)
      expect(said(INPUT.slice(0, at), INPUT.slice(at))).toEqual(EXPECTED);
    expect(said(...INPUT.split(""))).toEqual(EXPECTED);
  });

  it("has no timer while it lasts", () => {
    const { parser, events, pendingTimers } = listen();
    parser.feed("\x1b[200~a\x1b[201");
    expect(pendingTimers()).toBe(0);
    parser.feed("~");
    expect(words(events)).toEqual(["[a]"]);
  });

  it("may be empty, and the next follows at once; a stray end mark is nothing", () => {
    expect(said("\x1b[200~\x1b[201~\x1b[200~x\x1b[201~\x1b[201~y")).toEqual(["[]", "[x]", "y"]);
  });
});

describe("laws", () => {
  const piece = fc.oneof(
    fc.constantFrom(
      ...Array.from("abjG?:/ \r\n\t\b\x7f\x00\x01\x1b[O~;$^159ABMPZdu"),
      "\x1b[A",
      "\x1b[1;5C",
      "\x1bOP",
      "\x1b[[A",
      "\x1b[200~",
      "\x1b[201~",
      "\x1b\x1b",
      "é",
      "😀",
      "\ud83d",
      "\u0085",
    ),
    fc.string({ unit: "binary", maxLength: 4 }),
  );
  const input = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(""));
  const cuts = fc.array(fc.nat({ max: 120 }), { maxLength: 12 });

  function cut(text: string, places: readonly number[]): string[] {
    const sorted = [
      0,
      ...places.map((place) => Math.min(place, text.length)).sort((a, b) => a - b),
      text.length,
    ];
    return sorted.slice(1).map((end, index) => text.slice(sorted[index], end));
  }

  it("the events do not depend on how the input was cut", () => {
    fc.assert(
      fc.property(input, cuts, (text, places) => {
        expect(joined(parse(...cut(text, places)))).toEqual(joined(parse(text)));
      }),
      { numRuns: 2000 },
    );
  });

  it("each event comes with all events of its chunk, which alone depends on the cutting", () => {
    const seen: [InputEvent, Chunk][] = [];
    const parser = createKeyParser((event, chunk) => seen.push([event, chunk]));
    parser.feed("ab\rc");
    parser.feed("d");
    const first = [
      { type: "text", text: "ab" },
      { type: "key", name: "enter" },
      { type: "text", text: "c" },
    ];
    expect(seen.map(([, chunk]) => chunk)).toEqual([first, first, first, [{ type: "text", text: "d" }]]);
    expect(seen.every(([event, chunk]) => chunk.includes(event))).toBe(true);
  });

  it("text and pastes are well formed, and text is printable", () => {
    fc.assert(
      fc.property(input, cuts, (text, places) => {
        for (const event of parse(...cut(text, places))) {
          if (event.type === "key") expect(event.name).toMatch(/^(?:[a-z]+\+)*[a-z0-9_\\\]^]+$/);
          else if (event.type !== "mouse") expect(event.text.isWellFormed()).toBe(true);
          if (event.type === "text") expect(event.text).not.toMatch(/\p{Cc}/u);
        }
      }),
    );
  });

  it("what is printable is never lost outside of complete sequences", () => {
    const typed = fc.array(fc.constantFrom("a", "Z", "é", "😀", "7", "\x7f", "\r", "\x1b\x1b"), {
      maxLength: 30,
    });
    fc.assert(
      fc.property(typed, (pieces) => {
        const text = joined(parse(...pieces))
          .map((event) => (event.type === "text" ? event.text : ""))
          .join("");
        expect(text).toBe(pieces.filter((one) => !/\p{Cc}/u.test(one)).join(""));
      }),
    );
  });
});
