// Writes to the terminal's clipboard, also over SSH: OSC 52, wrapped for tmux and screen.

/** A program between this one and the terminal. */
export type Multiplexer = "tmux" | "screen";

/** Longest text, in bytes of UTF-8: terminals accept sequences of up to 100,000 bytes, and base64 turns three bytes into four. */
export const CLIPBOARD_LIMIT_BYTES = 74_994;

/** GNU screen passes on pieces of at most 768 bytes, older versions less. */
const SCREEN_PIECE = 240;

export function multiplexerOf(env: Readonly<Record<string, string | undefined>>): Multiplexer | null {
  if (env["TMUX"]) return "tmux";
  return env["STY"] || env["TERM"]?.startsWith("screen") ? "screen" : null;
}

/**
 * The sequence that puts a text into the clipboard.
 * @throws RangeError for an empty text, which would clear it, and for one beyond the limit, which terminals drop
 */
export function copySequence(text: string, multiplexer: Multiplexer | null): string {
  const bytes = Buffer.from(text, "utf8");
  if (bytes.length === 0 || bytes.length > CLIPBOARD_LIMIT_BYTES) {
    throw new RangeError(`a copy has 1 to ${CLIPBOARD_LIMIT_BYTES} bytes`);
  }
  return wrap(`\x1b]52;c;${bytes.toString("base64")}\x07`, multiplexer);
}

/** The sequence that empties the clipboard, after overwriting it by a blank for terminals that ignore an empty text. */
export function clearSequence(multiplexer: Multiplexer | null): string {
  return `${copySequence(" ", multiplexer)}${wrap("\x1b]52;c;\x07", multiplexer)}`;
}

/** What a user should know about a multiplexer, as a sentence; null for nothing. */
export function multiplexerNote(multiplexer: Multiplexer | null): string | null {
  if (multiplexer === null) return null;
  return multiplexer === "tmux"
    ? 'Inside tmux, copying needs "set -g allow-passthrough on", and tmux may keep a copy.'
    : "Inside GNU screen, copying works only if the outer terminal supports OSC 52.";
}

/** The clipboard of the terminal at `stdout`. A terminal that is gone is no error. */
export function terminalClipboard(
  stdout: { write(text: string): unknown },
  env: Readonly<Record<string, string | undefined>>,
): { copy(text: string): boolean; clear(): void; readonly note: string | null } {
  const multiplexer = multiplexerOf(env);
  return {
    copy(text) {
      const bytes = Buffer.byteLength(text);
      if (bytes === 0 || bytes > CLIPBOARD_LIMIT_BYTES) return false;
      stdout.write(copySequence(text, multiplexer));
      return true;
    },
    clear: () => void stdout.write(clearSequence(multiplexer)),
    note: multiplexerNote(multiplexer),
  };
}

/** Wraps a sequence in device control strings: for tmux with every ESC doubled, for screen in pieces. */
export function wrap(sequence: string, multiplexer: Multiplexer | null): string {
  if (multiplexer === null) return sequence;
  if (multiplexer === "tmux") return `\x1bPtmux;${sequence.replaceAll("\x1b", "\x1b\x1b")}\x1b\\`;
  const pieces: string[] = [];
  for (let at = 0; at < sequence.length; at += SCREEN_PIECE) {
    pieces.push(`\x1bP${sequence.slice(at, at + SCREEN_PIECE)}\x1b\\`);
  }
  return pieces.join("");
}
