// The terminal while the console has it: raw mode, bracketed paste, UTF-8 decoded across chunks, and the title.

import { StringDecoder } from "node:string_decoder";

const PASTE_MARKS_ON = "\x1b[?2004h";
const PASTE_MARKS_OFF = "\x1b[?2004l";
/** Presses and the wheel (1000), in the form that takes any column (1006). */
const MOUSE_ON = "\x1b[?1000h\x1b[?1006h";
const MOUSE_OFF = "\x1b[?1006l\x1b[?1000l";
/** The terminal keeps the title that its window has now, and gives that back. */
const KEEP_TITLE = "\x1b[22;2t";
const GIVE_TITLE_BACK = "\x1b[23;2t";

/** The part of process.stdin that is used. */
export interface TerminalInput {
  setRawMode?(raw: boolean): unknown;
  on(event: "data", listener: (chunk: Buffer | string) => void): unknown;
  on(event: "end" | "close" | "error", listener: () => void): unknown;
  off(event: "data", listener: (chunk: Buffer | string) => void): unknown;
  resume(): unknown;
  pause(): unknown;
}

/** The part of process.stdout that is used. */
export interface TerminalOutput {
  write(text: string): unknown;
}

export interface Terminal {
  /** Adds a listener for decoded input; a character is never split. The first one gets what came before it. */
  onInput(listener: (chunk: string) => void): void;
  /** Adds a listener that is called once when the terminal is gone (hang-up, end of input). */
  onGone(listener: () => void): void;
  /** Restores the terminal for another program, until `resume`. */
  suspend(): void;
  resume(): void;
  /** Gives the window a title until the terminal is given back. @param title safe */
  setTitle(title: string): void;
  /** Restores the terminal for good; may be called from an `exit` handler, and more than once. */
  restore(): void;
}

/** Switches to raw mode, bracketed paste, and the mouse where it is wanted, until `restore`. A terminal that is gone is no error. */
export function openTerminal(stdin: TerminalInput, stdout: TerminalOutput, mouse = false): Terminal {
  const decoder = new StringDecoder("utf8");
  const inputListeners = new Set<(chunk: string) => void>();
  const goneListeners = new Set<() => void>();
  /** Input that came before there was a listener. */
  let early = "";
  let taken = false;
  let restored = false;
  let title: string | null = null;

  const onData = (chunk: Buffer | string): void => {
    const text = typeof chunk === "string" ? chunk : decoder.write(chunk);
    if (text === "" || !taken) return;
    if (inputListeners.size === 0) early += text;
    for (const listener of inputListeners) listener(text);
  };
  const onGone = (): void => {
    for (const listener of goneListeners) listener();
    goneListeners.clear();
  };

  function take(): void {
    if (taken || restored) return;
    taken = true;
    attempt(() => stdin.setRawMode?.(true));
    attempt(() => stdout.write(mouse ? PASTE_MARKS_ON + MOUSE_ON : PASTE_MARKS_ON));
    if (title !== null) attempt(() => stdout.write(KEEP_TITLE + titled(title!)));
    stdin.resume();
  }

  function release(): void {
    if (!taken) return;
    taken = false;
    if (title !== null) attempt(() => stdout.write(GIVE_TITLE_BACK));
    attempt(() => stdout.write(mouse ? MOUSE_OFF + PASTE_MARKS_OFF : PASTE_MARKS_OFF));
    attempt(() => stdin.setRawMode?.(false));
    stdin.pause();
  }

  stdin.on("data", onData);
  stdin.on("end", onGone);
  stdin.on("close", onGone);
  stdin.on("error", onGone);
  take();

  return {
    onInput(listener) {
      inputListeners.add(listener);
      if (early !== "") listener(early);
      early = "";
    },
    onGone: (listener) => void goneListeners.add(listener),
    suspend: release,
    resume: take,
    setTitle(next) {
      if (next === title) return;
      const keep = title === null ? KEEP_TITLE : "";
      title = next;
      if (taken) attempt(() => stdout.write(keep + titled(next)));
    },
    restore() {
      release();
      restored = true;
      // The error listener remains, because a late error must not end the process.
      stdin.off("data", onData);
    },
  };
}

/** OSC 2. */
const titled = (title: string): string => `\x1b]2;${title}\x07`;

/** Ignores errors of a terminal that has hung up, which needs no restoring. */
function attempt(change: () => unknown): void {
  try {
    change();
  } catch {
    // `onGone` reports it.
  }
}
