// A recording of what is drawn on a terminal, as an asciicast v3 (docs.asciinema.org/manual/asciicast/v3): one line an event.

import { StringDecoder } from "node:string_decoder";

export interface CastOptions {
  /** Takes whole lines, at once: what ends early is played up to there. */
  readonly write: (lines: string) => void;
  /** Milliseconds of a clock that is not set back. */
  readonly now: () => number;
  /** Its size may change. */
  readonly terminal: { readonly columns: number; readonly rows: number };
  /** Safe to show. */
  readonly title: string;
  /** Milliseconds of the longest pause from now on; longer ones are cut. */
  readonly longestPause: () => number;
}

export interface Cast {
  /** What is drawn, in pieces that may end within a character. */
  output(piece: string | Uint8Array): void;
  /** A place that players jump to. */
  marker(label: string): void;
  /** @param status exit status of the program @returns length of the recording in milliseconds */
  end(status: number): number;
}

/** A player begins with a cursor, and the console is drawn without one. */
const HIDE_CURSOR = "\x1b[?25l";
/** A terminal in the mode of the console goes to the first column by itself. */
const LINE_END = /\r?\n/g;
/** The first half of a character of two. */
const HALF = /[\uD800-\uDBFF]$/;
/** What a reader cannot see; JSON leaves some of it as it is. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]/gu;

/** Begins one with the time that it is now. Nothing of the machine and its surroundings is in it, and not the date. */
export function startCast({ write, now, terminal, title, longestPause }: CastOptions): Cast {
  const decoder = new StringDecoder("utf8");
  let half = "";
  let size = sizeOf(terminal);
  /** Milliseconds in the recording, and those that the written intervals add up to. */
  let at = 0;
  let told = 0;
  let seen = now();
  let limit = longestPause();

  function event(code: "o" | "m" | "r" | "x", data: string): void {
    const clock = now();
    at += Math.max(0, Math.min(clock - seen, limit));
    seen = clock;
    limit = longestPause();
    const whole = Math.round(at);
    write(`[${(whole - told) / 1_000}, "${code}", ${quoted(data)}]\n`);
    told = whole;
  }

  function resize(): void {
    if (sizeOf(terminal) === size) return;
    size = sizeOf(terminal);
    event("r", size);
  }

  const [cols, rows] = size.split("x").map(Number);
  write(`{"version": 3, "term": {"cols": ${cols}, "rows": ${rows}}, "title": ${quoted(title)}}\n`);
  event("o", HIDE_CURSOR);
  return {
    output(piece) {
      const text = half + (typeof piece === "string" ? piece : decoder.write(Buffer.from(piece)));
      half = HALF.exec(text)?.[0] ?? "";
      if (text === half) return;
      resize();
      event("o", text.slice(0, text.length - half.length).replaceAll(LINE_END, "\r\n"));
    },
    marker: (label) => event("m", label),
    end(status) {
      event("x", String(status));
      return told;
    },
  };
}

function sizeOf({ columns, rows }: CastOptions["terminal"]): string {
  return `${columns}x${rows}`;
}

/** As JSON in which everything unseen is escaped. */
function quoted(text: string): string {
  const escaped = (unseen: string): string =>
    Array.from({ length: unseen.length }, (_, index) => {
      const code = unseen.charCodeAt(index).toString(16);
      return `\\u${code.padStart(4, "0")}`;
    }).join("");
  return JSON.stringify(text.toWellFormed()).replaceAll(UNSEEN, escaped);
}
