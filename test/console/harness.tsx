// A component tree in a terminal of any size: real parser, real dispatcher, real Ink, no terminal.
// Import this file before any component: it decides about colours before Ink is loaded.

import "./colour.ts";
import { EventEmitter } from "node:events";
import { stripVTControlCharacters } from "node:util";
import { render } from "ink";
import type { ReactNode } from "react";
import { expect } from "vitest";
import type { After } from "#src/contract/timer.ts";
import type { Binding } from "#src/keys/binding.ts";
import { createDispatcher, type Dispatcher } from "#src/keys/dispatcher.ts";
import { createKeyParser } from "#src/keys/key-parser.ts";
import { DispatcherProvider } from "#src/keys/use-layer.ts";
import { widthOf } from "#src/ui/fit.ts";
import { hit, MouseContext } from "#src/ui/mouse.ts";
import { createTheme, ThemeProvider } from "#src/ui/theme.ts";
import { keyName } from "../keys/standard.ts";

export interface MountOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly ascii?: boolean;
  readonly color?: boolean;
  readonly bindings?: readonly Binding[];
  /** The timers of the key parser; without them real ones, and a pause after each press. */
  readonly after?: After;
}

export interface Mounted {
  readonly dispatcher: Dispatcher;
  /** The newest frame as text, without trailing blanks. */
  frame(): string;
  /** Its rows as they are, blanks included. */
  lines(): string[];
  /** The newest frame with its colours. */
  styledFrame(): string;
  /** The newest frame without line breaks of the layout. */
  flowing(): string;
  /** The first row of it that holds a text; empty where none does. */
  row(text: string | RegExp): string;
  /** Fails unless the frame is exactly the window. */
  expectWhole(): void;
  /** Why a key does not work now: null where it does, undefined where there is no such key. */
  whyNot(id: string): string | null | undefined;
  /** Bytes as a terminal would send them, and a pause in which an Esc at their end becomes the Esc key. */
  press(chunk: string): Mounted;
  resize(columns: number, rows: number): void;
  /** Waits until the frame satisfies the condition. @throws with the frame after 30 s */
  until(condition: string | RegExp | ((frame: string) => boolean)): Promise<string>;
  rerender(node: ReactNode): void;
  unmount(): void;
}

class FakeTerminal extends EventEmitter {
  readonly isTTY = true;
  columns: number;
  rows: number;
  last = "";

  constructor(columns: number, rows: number) {
    super();
    this.columns = columns;
    this.rows = rows;
  }

  write(chunk: string, done?: () => void): boolean {
    // In its debug mode Ink writes whole frames, and nothing but an empty barrier besides.
    if (chunk !== "" && chunk !== "\n") this.last = chunk;
    done?.();
    return true;
  }
}

const LIMIT_MS = 30_000;

/** Mounts a tree in a terminal of 80x24 unless told. Unmount it at the end of the test. */
export function mount(node: ReactNode, options: MountOptions = {}): Mounted {
  const { columns = 80, rows = 24, ascii = false, color = true, bindings = [], after } = options;
  const terminal = new FakeTerminal(columns, rows);
  const targets = new Map() as Parameters<typeof hit>[0];
  const dispatcher = createDispatcher(bindings, undefined, (event) => hit(targets, event));
  const parser = createKeyParser((event, chunk) => dispatcher.dispatch(event, chunk), after, true);
  const theme = createTheme({ keyName, color, ascii });
  const tree = (inner: ReactNode): ReactNode => (
    <DispatcherProvider dispatcher={dispatcher}>
      <MouseContext value={targets}>
        <ThemeProvider value={theme}>{inner}</ThemeProvider>
      </MouseContext>
    </DispatcherProvider>
  );
  const instance = render(tree(node), {
    stdout: terminal as unknown as NodeJS.WriteStream,
    stdin: new EventEmitter() as unknown as NodeJS.ReadStream,
    debug: true,
    interactive: true,
    exitOnCtrlC: false,
    patchConsole: false,
  });
  const lines = (): string[] => stripVTControlCharacters(terminal.last).split("\n");
  const frame = (): string =>
    lines()
      .map((line) => line.trimEnd())
      .join("\n");
  const mounted: Mounted = {
    dispatcher,
    frame,
    lines,
    styledFrame: () => terminal.last,
    flowing: () => frame().replaceAll(/\s+/g, " "),
    row: (text) =>
      lines().find((line) => (typeof text === "string" ? line.includes(text) : text.test(line))) ?? "",
    expectWhole() {
      expect(lines()).toHaveLength(terminal.rows);
      for (const line of lines()) expect(widthOf(line)).toBeLessThanOrEqual(terminal.columns);
    },
    whyNot: (id) => dispatcher.active().find(({ binding }) => binding.id === id)?.disabled,
    press(chunk) {
      parser.feed(chunk);
      if (after === undefined && chunk.endsWith("\x1b")) parser.flush();
      return mounted;
    },
    resize(newColumns, newRows) {
      terminal.columns = newColumns;
      terminal.rows = newRows;
      terminal.emit("resize");
    },
    async until(condition) {
      const holds = (text: string): boolean =>
        typeof condition === "string"
          ? text.includes(condition)
          : condition instanceof RegExp
            ? condition.test(text)
            : condition(text);
      const limit = performance.now() + LIMIT_MS;
      while (!holds(frame())) {
        if (performance.now() > limit) {
          throw new Error(`The frame never came to be as expected (${String(condition)}):\n${frame()}`);
        }
        // Effects and timers of the tree get their turn.
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
      return frame();
    },
    rerender: (next) => instance.rerender(tree(next)),
    unmount() {
      parser.dispose();
      instance.unmount();
    },
  };
  return mounted;
}
