// The console drawn with Ink. This module and all below it are loaded only when a terminal is known to be there.

import { PassThrough } from "node:stream";
import { render } from "ink";
import { createDispatcher } from "#src/keys/dispatcher.ts";
import type { Chunk, InputEvent } from "#src/keys/key-parser.ts";
import { DispatcherProvider } from "#src/keys/use-layer.ts";
import { ConsoleModelProvider } from "#src/state/use-console.ts";
import type { ConsoleModel } from "#src/state/console-model.ts";
import { ErrorBoundary } from "#src/ui/error-boundary.tsx";
import { createTheme, ThemeProvider } from "#src/ui/theme.ts";
import { App, type AppProps } from "./app.tsx";
import { BINDINGS } from "./bindings.ts";

export interface DrawOptions extends AppProps {
  readonly model: ConsoleModel;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly color: boolean;
  /** A component failed: nothing is drawn any more. */
  readonly onError: (error: unknown) => void;
}

export interface Drawn {
  /** Takes what was typed; what was said before goes. */
  give(event: InputEvent, chunk: Chunk): void;
  /** Gives the screen back as it was before; resolves when all is written. */
  end(): Promise<void>;
}

/** Half a frame of a fast typist: more would be seen as lag, and less draws what nobody sees. */
const FRAMES_PER_SECOND = 60;

/** Clears the screen, and goes to its first row. */
const CLEAR_SCREEN = "\u001B[2J\u001B[H";

/** Takes the alternate screen and draws the first frame. */
export function drawConsole(options: DrawOptions): Drawn {
  const { model, stdout, stderr, color, onError, onSuspend, onEdit, onInterrupt } = options;
  const dispatcher = createDispatcher(BINDINGS, (why) => model.session.say(why, "note"));
  const instance = render(
    <ErrorBoundary onError={onError}>
      <DispatcherProvider dispatcher={dispatcher}>
        <ThemeProvider value={createTheme({ color, ascii: model.ascii })}>
          <ConsoleModelProvider value={model}>
            <App onSuspend={onSuspend} onEdit={onEdit} onInterrupt={onInterrupt} />
          </ConsoleModelProvider>
        </ThemeProvider>
      </DispatcherProvider>
    </ErrorBoundary>,
    {
      stdout,
      stderr,
      // Ink never gets to read: keys come through our own parser and dispatcher.
      stdin: new PassThrough() as unknown as NodeJS.ReadStream,
      alternateScreen: true,
      incrementalRendering: true,
      interactive: true,
      exitOnCtrlC: false,
      patchConsole: false,
      maxFps: FRAMES_PER_SECOND,
    },
  );
  // Rows that read the same in both sizes would not be drawn again, and a terminal that grows shows what it held there.
  const drawAnew = (): void => {
    instance.clear();
    stdout.write(CLEAR_SCREEN);
  };
  stdout.prependListener("resize", drawAnew);
  return {
    give(event, chunk) {
      model.session.dismissToasts();
      dispatcher.dispatch(event, chunk);
    },
    async end() {
      stdout.off("resize", drawAnew);
      const gone = instance.waitUntilExit().catch(() => undefined);
      instance.unmount();
      await gone;
    },
  };
}
