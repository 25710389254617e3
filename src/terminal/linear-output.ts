// The output for screen readers: takes whole frames from Ink and writes only their new lines.

import { EventEmitter } from "node:events";

export interface LinearOutput {
  /** The stream for Ink: a window of a fixed size. */
  readonly stream: NodeJS.WriteStream;
  /** Writes a line at once, before other changes. */
  say(line: string): void;
  /** Writes pending changes. */
  flush(): void;
}

export interface LinearOptions {
  readonly write: (text: string) => void;
  /** What is to be said of the next frame, line by line. */
  readonly heard: (frame: string) => string[];
}

/** One pane at a time is easier to follow, and a taller one takes too long to listen to. */
export const LINEAR_WINDOW = { columns: 99, rows: 30 } as const;

/** Ink breaks lines there: never. */
const ENDLESS = 100_000;

/** Frames within this time are one change. */
const SETTLED_MS = 60;

export function linearOutput({ write, heard }: LinearOptions): LinearOutput {
  let frame: string | null = null;
  let said = "";
  let timer: NodeJS.Timeout | null = null;

  function flush(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (frame === null) return;
    // A sentence that was just spoken is not repeated as lines of the frame.
    const fresh = heard(frame).filter((line) => !isIn(line, said));
    frame = null;
    said = "";
    if (fresh.length > 0) write(`${fresh.join("\n")}\n`);
  }

  const stream = Object.assign(new EventEmitter(), {
    columns: ENDLESS,
    rows: LINEAR_WINDOW.rows,
    isTTY: true,
    write(chunk: string, done?: () => void): boolean {
      // Cursor moves mean nothing to a screen reader.
      if (chunk.trim() !== "" && !chunk.includes("\u001B")) {
        frame = chunk;
        timer ??= setTimeout(flush, SETTLED_MS);
      }
      done?.();
      return true;
    },
  });
  return {
    stream: stream as unknown as NodeJS.WriteStream,
    say(line) {
      said = line;
      write(`${line}\n`);
    },
    flush,
  };
}

function isIn(line: string, sentence: string): boolean {
  const words = line.replace(/^[A-Z0-9 ]+, /, "").replace(/[.…]+$/, "");
  return sentence.includes(words);
}
