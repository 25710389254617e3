// The built program in a real pseudo-terminal, read through a terminal emulator: what a user would see.

import { fileURLToPath } from "node:url";
import { spawn, type IPty } from "@lydell/node-pty";
import headless from "@xterm/headless";
import type { IBufferCell } from "@xterm/headless";
import { watchControlFunctions } from "./control-functions.ts";

const PROGRAM = fileURLToPath(new URL("../../dist/verdict.mjs", import.meta.url));

/** The title of the window that the program is started in. */
export const SHELL_TITLE = "shell";

export interface TerminalOptions {
  readonly args?: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly columns?: number;
  readonly rows?: number;
  /** Instead of the built program. */
  readonly command?: readonly string[];
  /** A slow line: what is written reaches the terminal no faster. */
  readonly bytesPerSecond?: number;
  /** Puts handlers on every control function there is. */
  readonly watchesControls?: boolean;
}

export interface Ended {
  readonly code: number;
  readonly signal: number | undefined;
}

export interface CellLook {
  readonly text: string;
  /** Number of the named colour, 0 to 15; null for the terminal's own. */
  readonly color: number | null;
  /** The same of its ground. */
  readonly background: number | null;
  readonly bold: boolean;
  readonly inverse: boolean;
  readonly underline: boolean;
  /** Columns that it takes: 2 for a wide character, 0 for the cell behind one. */
  readonly width: number;
}

export interface TerminalModes {
  /** Pastes come between marks. */
  readonly markedPastes: boolean;
  readonly cursorVisible: boolean;
  /** The program shows its own screen and not the shell's. */
  readonly alternateScreen: boolean;
  readonly mouse: boolean;
}

export interface PseudoTerminal {
  readonly pid: number;
  /** The visible rows, without trailing blanks. */
  screen(): string;
  /** Visible rows as they are. */
  rows(): string[];
  /** How the cell looks; rows and columns from 0. */
  cell(row: number, column: number): CellLook;
  /** The cell where the cursor stands; null while it is hidden. */
  cursor(): { readonly row: number; readonly column: number } | null;
  /** How the first cell of a text that is on the screen looks. @throws when it is not there */
  look(text: string): CellLook;
  /** Visible cells in a colour other than the terminal's own, in front or behind. */
  coloredCells(): number;
  /** What the program has switched on at the terminal, and not off again. */
  modes(): TerminalModes;
  /** The title of the window; `SHELL_TITLE` before the program sets one. */
  title(): string;
  /** Characters that a slow line still carries. */
  underWay(): number;
  /** Bytes written so far, and what they were. */
  written(): string;
  /** What the terminal was told to do, each control function once; empty unless they are watched. */
  controls(): ReadonlySet<string>;
  type(keys: string): PseudoTerminal;
  resize(columns: number, rows: number): void;
  /** Waits until the screen satisfies the condition. @throws with the screen after 20 s, or when the program ends before */
  until(condition: string | RegExp | ((screen: string) => boolean)): Promise<string>;
  kill(signal: NodeJS.Signals): void;
  /** Closes the other end of the line, as a connection that drops. */
  hangUp(): void;
  /** How the program ended. */
  readonly exit: Promise<Ended>;
  /** Ends the program if it still runs. */
  close(): Promise<void>;
}

const LIMIT_MS = 60_000;
/** Pieces in which a slow line carries. */
const STEPS_PER_SECOND = 32;

/** Starts the program in a terminal of 80x24 unless told. */
export function openPseudoTerminal(options: TerminalOptions): PseudoTerminal {
  const { args = [], columns = 80, rows = 24, command = [process.execPath, PROGRAM] } = options;
  const emulator = new headless.Terminal({
    cols: columns,
    rows,
    allowProposedApi: true,
    scrollback: 1_000,
    windowOptions: { pushTitle: true, popTitle: true },
  });
  let title = "";
  emulator.onTitleChange((changed) => (title = changed));
  emulator.write(`\x1b]2;${SHELL_TITLE}\x07`);
  const controls = options.watchesControls === true ? watchControlFunctions(emulator) : new Set<string>();
  const [file, ...first] = command;
  const child = spawn(file!, [...first, ...args], {
    name: options.env["TERM"] ?? "xterm-256color",
    cols: columns,
    rows,
    cwd: options.cwd ?? process.cwd(),
    env: options.env,
  });
  const waiting = new Set<() => void>();
  let written = "";
  let ended: Ended | null = null;
  const changed = (): void => {
    for (const look of waiting) look();
  };
  const { bytesPerSecond } = options;
  let underWay = "";
  const carry = (): void => {
    const part = underWay.slice(0, bytesPerSecond! / STEPS_PER_SECOND);
    underWay = underWay.slice(part.length);
    if (part !== "") emulator.write(part, changed);
  };
  const line = bytesPerSecond === undefined ? null : setInterval(carry, 1_000 / STEPS_PER_SECOND);
  child.onData((data) => {
    written += data;
    if (line === null) emulator.write(data, changed);
    else underWay += data;
  });
  // What the emulator answers, e.g. where the cursor is, goes to the program as from a real terminal.
  emulator.onData((answer) => child.write(answer));
  const exit = new Promise<Ended>((resolve) => {
    child.onExit(({ exitCode, signal }) => {
      const end: Ended = { code: exitCode, signal };
      // What was written last is read before anybody hears of the end.
      emulator.write("", () => {
        ended = end;
        resolve(end);
        changed();
      });
    });
  });

  const rowAt = (row: number, trim: boolean): string => {
    const buffer = emulator.buffer.active;
    return buffer.getLine(buffer.viewportY + row)?.translateToString(trim, 0, emulator.cols) ?? "";
  };
  const visible = (trim: boolean): string[] =>
    Array.from({ length: emulator.rows }, (_, row) => rowAt(row, trim));
  const screen = (): string => visible(true).join("\n");
  const cellAt = (row: number, column: number): IBufferCell => {
    const buffer = emulator.buffer.active;
    const found = buffer.getLine(buffer.viewportY + row)?.getCell(column);
    if (found === undefined) throw new Error(`There is no cell ${row},${column}.`);
    return found;
  };
  // The emulator keeps this to itself; the last word said about it stands in what was written.
  const isCursorVisible = (): boolean => written.lastIndexOf("\x1b[?25h") >= written.lastIndexOf("\x1b[?25l");
  const lookOf = (found: IBufferCell): CellLook => ({
    text: found.getChars(),
    color: found.isFgPalette() ? found.getFgColor() : null,
    background: found.isBgPalette() ? found.getBgColor() : null,
    bold: found.isBold() !== 0,
    inverse: found.isInverse() !== 0,
    underline: found.isUnderline() !== 0,
    width: found.getWidth(),
  });

  const terminal: PseudoTerminal = {
    pid: child.pid,
    screen,
    rows: () => visible(false),
    cell: (row, column) => lookOf(cellAt(row, column)),
    cursor() {
      const { cursorY, cursorX } = emulator.buffer.active;
      return isCursorVisible() ? { row: cursorY, column: cursorX } : null;
    },
    look(text) {
      const lines = visible(true);
      const row = lines.findIndex((each) => each.includes(text));
      if (row < 0) throw new Error(`"${text}" is not on the screen:\n${lines.join("\n")}`);
      // The symbols of the program are one column wide each, so that places in the text are columns.
      return lookOf(cellAt(row, lines[row]!.indexOf(text)));
    },
    coloredCells() {
      let count = 0;
      for (let row = 0; row < emulator.rows; row += 1) {
        for (let column = 0; column < emulator.cols; column += 1) {
          const cell = cellAt(row, column);
          if (!cell.isFgDefault() || !cell.isBgDefault()) count += 1;
        }
      }
      return count;
    },
    modes: () => ({
      markedPastes: emulator.modes.bracketedPasteMode,
      cursorVisible: isCursorVisible(),
      alternateScreen: emulator.buffer.active.type === "alternate",
      mouse: emulator.modes.mouseTrackingMode !== "none",
    }),
    title: () => title,
    underWay: () => underWay.length,
    written: () => written,
    controls: () => controls,
    type(keys) {
      child.write(keys);
      return terminal;
    },
    resize(newColumns, newRows) {
      emulator.resize(newColumns, newRows);
      child.resize(newColumns, newRows);
    },
    until(condition) {
      const holds = (): boolean => {
        const text = screen();
        if (typeof condition === "string") return text.includes(condition);
        return condition instanceof RegExp ? condition.test(text) : condition(text);
      };
      return new Promise((resolve, reject) => {
        const stop = (finish: () => void): void => {
          clearTimeout(timer);
          waiting.delete(look);
          finish();
        };
        const fail = (why: string): void =>
          stop(() => reject(new Error(`${why} (${String(condition)}):\n${screen()}`)));
        const look = (): void => {
          // Between these marks a frame is half drawn, and nobody sees it.
          if (emulator.modes.synchronizedOutputMode && ended === null) return;
          if (holds()) stop(() => resolve(screen()));
          else if (ended !== null)
            fail(`The program ended with ${ended.code} before the screen was as expected`);
        };
        const timer = setTimeout(() => fail("The screen never came to be as expected"), LIMIT_MS);
        waiting.add(look);
        look();
      });
    },
    kill: (signal) => child.kill(signal),
    hangUp: () => (child as IPty & { destroy(): void }).destroy(),
    exit,
    async close() {
      if (ended === null) child.kill("SIGKILL");
      if (line !== null) clearInterval(line);
      await exit;
      emulator.dispose();
    },
  };
  return terminal;
}
