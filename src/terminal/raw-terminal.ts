// The keyboard end of the terminal: raw mode, marked pastes, and bytes decoded across chunks.

import { StringDecoder } from "node:string_decoder";

const PASTE_MARKS_ON = "\x1b[?2004h";
const PASTE_MARKS_OFF = "\x1b[?2004l";

/** What of process.stdin is used. */
export interface TerminalInput {
  setRawMode?(raw: boolean): unknown;
  on(event: "data", listener: (chunk: Buffer | string) => void): unknown;
  on(event: "end" | "close" | "error", listener: () => void): unknown;
  off(event: "data", listener: (chunk: Buffer | string) => void): unknown;
  resume(): unknown;
  pause(): unknown;
}

/** What of process.stdout is used. */
export interface TerminalOutput {
  write(text: string): unknown;
}

export interface Terminal {
  /** Hears decoded input from now on; a character that two chunks share comes whole. */
  onInput(listener: (chunk: string) => void): void;
  /** Hears once when the terminal is gone (hang-up, end of input). */
  onGone(listener: () => void): void;
  /** Gives the terminal back to whoever runs next, until `resume`. */
  suspend(): void;
  resume(): void;
  /** Gives the terminal back for good; may be called from an `exit` handler, and more than once. */
  restore(): void;
}

/** Takes the keyboard: raw mode and marked pastes from here to `restore`. A terminal that is gone is no error here. */
export function openTerminal(stdin: TerminalInput, stdout: TerminalOutput): Terminal {
  const decoder = new StringDecoder("utf8");
  const inputListeners = new Set<(chunk: string) => void>();
  const goneListeners = new Set<() => void>();
  let taken = false;
  let restored = false;

  const onData = (chunk: Buffer | string): void => {
    const text = typeof chunk === "string" ? chunk : decoder.write(chunk);
    if (text === "" || !taken) return;
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
    attempt(() => stdout.write(PASTE_MARKS_ON));
    stdin.resume();
  }

  function release(): void {
    if (!taken) return;
    taken = false;
    attempt(() => stdout.write(PASTE_MARKS_OFF));
    attempt(() => stdin.setRawMode?.(false));
    stdin.pause();
  }

  stdin.on("data", onData);
  stdin.on("end", onGone);
  stdin.on("close", onGone);
  stdin.on("error", onGone);
  take();

  return {
    onInput: (listener) => void inputListeners.add(listener),
    onGone: (listener) => void goneListeners.add(listener),
    suspend: release,
    resume: take,
    restore() {
      release();
      restored = true;
      // The listener of errors stays: one that comes late must not end the process.
      stdin.off("data", onData);
    },
  };
}

/** A terminal that has hung up refuses modes and writes; there is nothing left to restore then. */
function attempt(change: () => unknown): void {
  try {
    change();
  } catch {
    // Gone; `onGone` tells.
  }
}
