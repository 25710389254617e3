// Chunks of terminal input in, keys, text and pastes out.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  ALT_WAIT_MS,
  createKeyParser,
  ESCAPE_WAIT_MS,
  PASTE_IDLE_MS,
  PASTE_MOST,
  SEQUENCE_LIMIT_MS,
  type Chunk,
  type InputEvent,
} from "#src/keys/key-parser.ts";
import { handClock } from "./hand-clock.ts";

/** A parser with a clock of the test. */
function listen() {
  const events: InputEvent[] = [];
  const { after, wait, pending } = handClock();
  const parser = createKeyParser((event) => events.push(event), after);
  return { parser, events, pendingTimers: pending, wait, ring: () => wait(ESCAPE_WAIT_MS) };
}

/** What came of chunks with a pause between them. */
function paused(ms: number, ...chunks: string[]): string[] {
  const { parser, events, wait } = listen();
  for (const [index, chunk] of chunks.entries()) {
    if (index > 0) wait(ms);
    parser.feed(chunk);
  }
  wait(ESCAPE_WAIT_MS);
  return words(joined(events));
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
          : event.type === "overlong"
            ? `[${event.characters} characters]`
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

/** The names of a sequence's keys, and what it types. */
const meaning = (sequence: string): string[] => said(`${sequence}\0`).slice(0, -1);

describe("a key with Alt is that key or nothing", () => {
  it.each([
    ["\x1b\r", "alt+enter"],
    ["\x1b\n", "alt+enter"],
    ["\x1b\r\n", "alt+enter"],
    ["\x1b\t", "alt+tab"],
    ["\x1b\x12", "ctrl+alt+r"],
    ["\x1b\x03", "ctrl+alt+c"],
    ...Array.from("qsyn/:?1 jé", (character) => [`\x1b${character}`, `alt+${character}`]),
    ["\x1b😀", "alt+😀"],
    ["\x1b\x1b[A", "alt+up"],
    ["\x1b\x1bOD", "alt+left"],
    ["\x1b\x1b[1;5C", "ctrl+alt+right"],
  ])("%j", (chunk, name) => {
    expect(meaning(chunk)).toEqual([`<${name}>`]);
    expect(paused(ALT_WAIT_MS - 1, chunk.slice(0, 1), chunk.slice(1))).toEqual([`<${name}>`]);
  });

  it.each(["\x1b[", "\x1bO", "\x1b]", "\x1bP", "\x1bX", "\x1b^", "\x1b_"])("%j alone is nothing", (alone) => {
    expect(paused(ESCAPE_WAIT_MS, alone, "q", "\r")).toEqual(["q", "<enter>"]);
  });

  it("hands that press Esc and a key are slower", () => {
    expect(paused(ALT_WAIT_MS, "\x1b", "j")).toEqual(["<esc>", "j"]);
    // Alt+Enter of a slow line must not send, so an Enter is one with Alt for longer.
    expect(paused(ESCAPE_WAIT_MS - 1, "\x1b", "\r")).toEqual(["<alt+enter>"]);
    expect(paused(ESCAPE_WAIT_MS, "\x1b", "\r")).toEqual(["<esc>", "<enter>"]);
  });

  it.each(["\x1b[", "\x1b[1", "\x1b[<0;1", "\x1b[[", "\x1b[M", "\x1b[M a", "\x1bO", "\x1bO5"])(
    "an Enter that breaks off %j is none of its own",
    (begun) => {
      for (const enter of ["\r", "\n"]) {
        expect(said(`${begun}${enter}j`)).toEqual(["j"]);
        expect(paused(5, begun, enter, "j")).toEqual(["j"]);
      }
    },
  );
});

describe("the keypad in application mode", () => {
  it.each([
    ...Array.from("0123456789", (digit, index) => [`\x1bO${"pqrstuvwxy"[index]!}`, digit]),
    ...Array.from("*+,-./", (character, index) => [`\x1bO${"jklmno"[index]!}`, character]),
    ["\x1bOX", "="],
    ["\x1bO ", " "],
    ["\x1bOM", "<enter>"],
    ["\x1bOI", "<tab>"],
    ["\x1bO5P", "<ctrl+f1>"],
    ["\x1bO2M", "<shift+enter>"],
  ])("%j is %s", (sequence, expected) => {
    expect(meaning(sequence)).toEqual([expected]);
  });

  it.each(["\x1bOE", "\x1bOz", "\x1bO2q"])("%j is nothing", (sequence) => {
    expect(meaning(sequence)).toEqual([]);
  });
});

describe("keys named by their character, from kitty and from xterm's modifyOtherKeys", () => {
  it.each([
    ["<esc>", ["\x1b[27u", "\x1b[27;1u", "\x1b[27;129u", "\x1b[91;5u", "\x1b[27;1;27~"]],
    ["<enter>", ["\x1b[13u", "\x1b[13;1u", "\x1b[13;1:2u", "\x1b[57414u"]],
    ["<shift+enter>", ["\x1b[13;2u", "\x1b[27;2;13~", "\x1b[13;2:1u"]],
    ["<alt+enter>", ["\x1b[13;3u"]],
    ["<ctrl+enter>", ["\x1b[13;5u", "\x1b[57414;5u", "\x1b[27;5;13~"]],
    ["<tab>", ["\x1b[9u", "\x1b[105;5u"]],
    ["<shift+tab>", ["\x1b[9;2u", "\x1b[27;2;9~"]],
    ["<backspace>", ["\x1b[127u", "\x1b[127;2u", "\x1b[8u"]],
    ["<alt+backspace>", ["\x1b[127;3u"]],
    ["<ctrl+c>", ["\x1b[99;5u", "\x1b[27;5;99~", "\x1b[1089::99;5u"]],
    ["<ctrl+r>", ["\x1b[114;5u", "\x1b[27;5;114~"]],
    ["<ctrl+_>", ["\x1b[95;5u"]],
    ["<ctrl+space>", ["\x1b[32;5u"]],
    ["<ctrl+j>", ["\x1b[106;5u"]],
    ["<ctrl+m>", ["\x1b[109;5u", "\x1b[27;5;109~"]],
    ["<ctrl+shift+c>", ["\x1b[99;6u"]],
    ["<alt+q>", ["\x1b[113;3u", "\x1b[27;3;113~"]],
    ["<alt+b>", ["\x1b[98;3u"]],
    ["<up>", ["\x1b[1;1:1A", "\x1b[1;1:2A", "\x1b[57419u", "\x1b[1;129A"]],
    ["<delete>", ["\x1b[3;1:1~", "\x1b[57426u"]],
    ["q", ["\x1b[113u", "\x1b[113;1:1u", "\x1b[113;;113u", "\x1b[113;65u"]],
    ["Q", ["\x1b[113;2u", "\x1b[113:81;2u", "\x1b[27;2;81~"]],
    ["?", ["\x1b[47:63;2u", "\x1b[47;2;63u"]],
    ["і", ["\x1b[1110u"]],
    ["😀", ["\x1b[0;;128512u", "\x1b[128512u"]],
    ["7", ["\x1b[57406u"]],
    ["=", ["\x1b[57415u"]],
  ])("%s", (expected, sequences) => {
    for (const sequence of sequences) {
      const isTextAlone = sequence === "\x1b[0;;128512u";
      expect([sequence, ...meaning(sequence)]).toEqual(isTextAlone ? [sequence] : [sequence, expected]);
    }
  });

  it.each([
    "\x1b[13;1:3u",
    "\x1b[99;5:3u",
    "\x1b[1;1:3A",
    "\x1b[113;9u",
    "\x1b[49;2u",
    "\x1b[57441u",
    "\x1b[10u",
    "\x1b[13;9u",
    "\x1b[55296u",
    "\x1b[99999999u",
    "\x1b[113;1;13u",
    "\x1b[u",
    "\x1b[?1u",
    "\x1b[27;5~",
  ])("%j is nothing", (sequence) => {
    expect(meaning(sequence)).toEqual([]);
  });
});

describe("what a terminal reports without being asked, or late", () => {
  const REPORTS = [
    "\x1b]10;rgb:8f8f/f5f5/8686\x07",
    "\x1b]11;rgb:8f8f/f5f5/8686\x1b\\",
    "\x1b]52;c;cXVpdA==\x07",
    "\x1bP>|tmux 3.5\x1b\\",
    "\x1bP1$r0 q\x1b\\",
    "\x1b_Gi=31;OK\x1b\\",
    "\x1bP1+r544e=787465726d\x1b\\",
    "\x1bP!|7E565445\x1b\\",
    "\x1b]0;q\u009c",
    "\x1b[I",
    "\x1b[O",
    "\x1b[M q!",
    "\x1b[M#\x7f ",
    "\x1b[?62;22c",
    "\x1b[24;80R",
    "\x1b[1;1R",
    "\x1b[0n",
    "\x1b[0;3;4M",
    "\x1b[<0;3;4M",
    "\x1b[?2026;2$y",
    "\x1b[8;24;80t",
  ];

  it.each(REPORTS)("%j is dropped, wherever it is split", (report) => {
    expect(said(`a${report}b`).join("")).toBe("ab");
    for (let at = 1; at < report.length; at += 1) {
      for (const ms of [0, 5, 30, 50, 100])
        expect(paused(ms, `a${report.slice(0, at)}`, `${report.slice(at)}b`).join("")).toBe("ab");
    }
  });

  it.each(REPORTS.filter((report) => report.length > 4 && !report.startsWith("\x1b[M")))(
    "%j is dropped where its rest is later than a key",
    (report) => {
      for (let at = 3; at < report.length; at += 1) {
        // The Esc of an end that is cut is taken for the key that ends the report.
        if (report.endsWith("\x1b\\") && at === report.length - 1) continue;
        expect(paused(1_000, `a${report.slice(0, at)}`, `${report.slice(at)}b`).join("")).toBe("ab");
      }
    },
  );

  it.each(["\x1b]52;c;", "\x1bP>|q", "\x1b[1;", "\x1b[<0;3", "\x1b[M ", "\x1bO5"])(
    "%j without its end is dropped after a while, whatever is typed on",
    (begun) => {
      const { parser, events, wait } = listen();
      parser.feed(begun);
      for (let ms = 0; ms <= SEQUENCE_LIMIT_MS; ms += 50) {
        wait(50);
        parser.feed("1");
      }
      events.length = 0;
      parser.feed("j");
      wait(ESCAPE_WAIT_MS);
      expect(words(events)).toEqual(["j"]);
    },
  );

  it.each(["\x1b]52;c;", "\x1bP>|q", "\x1b_G", "\x1b[1;", "\x1b[M ", "\x1bO5"])(
    "%j ends with Ctrl-C",
    (begun) => {
      expect(paused(300, begun, "\x03")).toEqual(["<ctrl+c>"]);
    },
  );

  it.each(["]", "P", "X", "^", "_"])("Alt with %s takes none of the keys behind it, but an Enter", (key) => {
    // Some may begin a report, up to what belongs to none.
    for (const typed of ["jk", "11j", "10q", ">q", "1+q", "gG", "é1;", "\x7f", "\tq", "\x1bq", "\x1b[B"]) {
      const whole = `\x1b${key}${typed}`;
      const expected = words(joined(parse(typed)));
      for (let at = 2; at <= whole.length; at += 1) {
        // An Esc that nothing follows in time is the Esc key.
        for (const ms of whole[at - 1] === "\x1b" ? [0, 5] : [0, 5, 100, 300])
          expect([at, ms, ...paused(ms, whole.slice(0, at), whole.slice(at))]).toEqual([at, ms, ...expected]);
      }
    }
    for (const enter of ["\r", "\n"]) {
      expect(said(`\x1b${key}${enter}j`)).toEqual(["j"]);
      expect(paused(100, `\x1b${key}`, `${enter}j`)).toEqual(["j"]);
      expect(paused(ESCAPE_WAIT_MS, `\x1b${key}`, enter)).toEqual(["<enter>"]);
    }
  });

  it.each(["\x1b]52;c;", "\x1bP>|q", "\x1b_Gi"])("%j ends with a key that belongs to none", (begun) => {
    expect(paused(300, begun, "\r", "j")).toEqual(["j"]);
    expect(paused(300, begun, "\t", "j")).toEqual(["<tab>", "j"]);
    expect(paused(300, begun, "\x1b[B")).toEqual(["<down>"]);
  });

  it.each(["\x1b]52;c;", "\x1bP>|q"])("%j ends with Esc", (begun) => {
    expect(paused(300, begun, "\x1b", "j")).toEqual(["j"]);
  });
});

describe("Esc", () => {
  it("is a key when nothing follows in time", () => {
    const { parser, events, wait } = listen();
    parser.feed("\x1b");
    wait(ESCAPE_WAIT_MS - 1);
    expect(events).toEqual([]);
    wait(1);
    expect(words(events)).toEqual(["<esc>"]);
  });

  it.each(["\x1b[A", "\x1bOA", "\x1b[1;5D", "\x1b[[A", "\x1b[<0;3;4M", "\x1b[3~", "\x1b[99;5u"])(
    "leaves %j whole with the pauses of a line",
    (sequence) => {
      for (const ms of [5, 15, 30, 50, 75, 100])
        expect([ms, ...paused(ms, ...Array.from(sequence))]).toEqual([ms, ...said(sequence)]);
    },
  );

  it("keeps the rest of a late sequence away from the text", () => {
    for (const [early, rest] of [
      ["\x1b", "[A"],
      ["\x1b[", "A"],
      ["\x1bO", "A"],
      ["\x1b[1;", "1A"],
    ] as const) {
      expect(paused(300, early, rest)).toEqual(early === "\x1b" ? ["<esc>", "<up>"] : ["<up>"]);
    }
  });

  it("waits for a sequence that comes in pieces in time", () => {
    const { parser, events, pendingTimers } = listen();
    for (const character of "\x1b[1;5D") parser.feed(character);
    expect(words(events)).toEqual(["<ctrl+left>"]);
    expect(pendingTimers()).toBe(0);
  });

  it.each([
    ["\x1b\x1b", ["<esc>", "<esc>"]],
    ["\x1b\x1b\x1b[A", ["<esc>", "<alt+up>"]],
    ["\x1b\x1b[I", ["<esc>"]],
    ["\x1b\x1b[200~q\x1b[201~", ["<esc>", "[q]"]],
    ["\x1b[é", ["é"]],
    ["\x1b[[x", []],
    ["\x1b[[\x03", ["<ctrl+c>"]],
  ])("%j", (chunk, expected) => {
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

  it("whose end mark does not come ends when nothing more comes", () => {
    const { parser, events, wait } = listen();
    parser.feed("\x1b[200~one");
    wait(PASTE_IDLE_MS - 1);
    parser.feed(" two");
    wait(PASTE_IDLE_MS - 1);
    expect(events).toEqual([]);
    wait(1);
    parser.feed("j");
    expect(words(events)).toEqual(["[one two]", "j"]);
  });

  it.each([
    ["\x03", ["[one]", "<ctrl+c>", "j"]],
    ["\x03\x03", ["[one]", "<ctrl+c>", "j"]],
    ["\x1b", ["[one]", "j"]],
  ])("ends with %j alone", (key, expected) => {
    expect(paused(ESCAPE_WAIT_MS, "\x1b[200~one", key, "j")).toEqual(expected);
  });

  it("that was ended too early takes what comes up to its end mark", () => {
    expect(paused(PASTE_IDLE_MS, "\x1b[200~one", "}\r\x1b[201~", "j")).toEqual(["[one]", "[}\n]", "j"]);
    expect(paused(PASTE_IDLE_MS, "\x1b[200~one", "\x1b[201~j", "\x1b[200~q\x1b[201~")).toEqual([
      "[one]",
      "j",
      "[q]",
    ]);
    expect(paused(ESCAPE_WAIT_MS, "\x1b[200~one\x1b", "[201~j")).toEqual(["[one]", "j"]);
    expect(paused(ESCAPE_WAIT_MS, "\x1b[200~one", "\x1b", "[201~j")).toEqual(["[one]", "j"]);
  });

  it("is counted and not kept where it is longer than it may be", () => {
    const most = "x".repeat(PASTE_MOST);
    expect(said(`\x1b[200~${most}\x1b[201~j`)).toEqual([`[${most}]`, "j"]);
    const told = [`[${PASTE_MOST + 1} characters]`, "j"];
    expect(said(`\x1b[200~${most}y\x1b[201~j`)).toEqual(told);
    expect(said("\x1b[200~", most, "y\x1b[20", "1~j")).toEqual(told);
    expect(said("\x1b[200~", most, most, "y\x1b[201~j")).toEqual([`[${2 * PASTE_MOST + 1} characters]`, "j"]);
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
  // No paste is left open: that is ended by an Esc alone in its chunk, and by no other.
  const input = fc.array(piece, { maxLength: 30 }).map((pieces) => `${pieces.join("")}\x1b[201~`);
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
          if (event.type === "key") expect(event.name).toMatch(/^(?:[a-z]+\+)*(?:[a-z0-9]+|[^\p{Cc}]+)$/u);
          else if ("text" in event) expect(event.text.isWellFormed()).toBe(true);
          if (event.type === "text") expect(event.text).not.toMatch(/\p{Cc}/u);
        }
      }),
    );
  });

  it("what is printable is never lost outside of complete sequences", () => {
    const typed = fc.array(
      fc.constantFrom("a", "Z", "é", "😀", "7", "\x7f", "\r", "\x1b[A", "\x1b]11;q\x07"),
      {
        maxLength: 30,
      },
    );
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
