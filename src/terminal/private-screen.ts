// Shows a page on the alternate screen, which leaves nothing in the scrollback, until a key is pressed or time is up.

const ENTER = "\x1b[?1049h\x1b[2J\x1b[H";
/** Erases the alternate screen before leaving it, because the next program that uses it may show its content. */
const LEAVE = "\x1b[2J\x1b[H\x1b[?1049l";

export interface PrivateScreen {
  readonly stdin: NodeJS.ReadStream;
  /** Writes to the terminal. */
  readonly write: (text: string) => void;
  /** Leaves at once. */
  readonly signal: AbortSignal;
  readonly limitMs: number;
}

/** Shows lines of escaped text. Resolves when they are removed. */
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
