// The screen end of a terminal for somebody who listens: whole frames come in, and what is new in them goes out as lines.

import { EventEmitter } from "node:events";

export interface LinearOutput {
  /** What Ink draws to: a window of a fixed size, whatever the terminal's is. */
  readonly stream: NodeJS.WriteStream;
  /** Says a line at once, before what else has changed. */
  say(line: string): void;
  /** Says what is still to be said. */
  flush(): void;
}

export interface LinearOptions {
  readonly write: (text: string) => void;
  /** The lines of a frame. */
  readonly toLines: (frame: string) => string[];
  /** Those that were not there before. */
  readonly newLines: (before: readonly string[], after: readonly string[]) => string[];
}

/** One pane at a time is easier to follow; a taller one would have to be listened to for too long. */
const WINDOW = { columns: 99, rows: 30 } as const;

/** What follows each other this fast is one change. */
const SETTLED_MS = 60;

/** Makes the output. Frames that follow each other quickly are said as one. */
export function linearOutput({ write, toLines, newLines }: LinearOptions): LinearOutput {
  let shown: readonly string[] = [];
  let frame: string | null = null;
  let said = "";
  let timer: NodeJS.Timeout | null = null;

  function flush(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (frame === null) return;
    const lines = toLines(frame);
    frame = null;
    // What was just said in a sentence is not said again as the lines of its picture.
    const fresh = newLines(shown, lines).filter((line) => !isIn(line, said));
    shown = lines;
    said = "";
    if (fresh.length > 0) write(`${fresh.join("\n")}\n`);
  }

  const stream = Object.assign(new EventEmitter(), {
    ...WINDOW,
    isTTY: true,
    write(chunk: string, done?: () => void): boolean {
      // Moves of the cursor are for those who look.
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
