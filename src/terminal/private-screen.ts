// A page that leaves nothing in the scrollback: shown on the alternate screen until a key is pressed or its time is over.

const ENTER = "\x1b[?1049h\x1b[2J\x1b[H";
/** Wiped before it is left: what was on the alternate screen may come back with the next program that uses it. */
const LEAVE = "\x1b[2J\x1b[H\x1b[?1049l";

export interface PrivateScreen {
  readonly stdin: NodeJS.ReadStream;
  /** Writes to the terminal. */
  readonly write: (text: string) => void;
  /** Leaves at once. */
  readonly signal: AbortSignal;
  readonly limitMs: number;
}

/** Shows lines of text, which must be safe to show. Resolves when they are gone. */
export function showPrivately(lines: readonly string[], screen: PrivateScreen): Promise<void> {
  const { stdin, write, signal, limitMs } = screen;
  return new Promise((resolve) => {
    const leave = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", leave);
      process.off("exit", restore);
      stdin.off("data", leave);
      stdin.off("end", leave);
      if (stdin.isTTY) stdin.setRawMode(false);
      stdin.pause();
      restore();
      resolve();
    };
    const restore = (): void => write(LEAVE);
    const timer = setTimeout(leave, limitMs);
    signal.addEventListener("abort", leave, { once: true });
    process.once("exit", restore);
    write(`${ENTER}${lines.join("\r\n")}\r\n`);
    if (stdin.isTTY) stdin.setRawMode(true);
    stdin.on("data", leave);
    stdin.on("end", leave);
    stdin.resume();
    if (signal.aborted) leave();
  });
}
