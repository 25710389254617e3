// The console drawn with Ink. This module and all below it are loaded only when a terminal is known to be there.

import { PassThrough } from "node:stream";
import { render } from "ink";
import type { ReactNode } from "react";
import type { ThemeName } from "#src/display/style.ts";
import type { Binding } from "#src/keys/binding.ts";
import { createDispatcher } from "#src/keys/dispatcher.ts";
import type { Chunk, InputEvent } from "#src/keys/key-parser.ts";
import { DispatcherProvider } from "#src/keys/use-layer.ts";
import type { ConsoleModel } from "#src/state/console-model.ts";
import { ConsoleModelProvider } from "#src/state/use-console.ts";
import { ErrorBoundary } from "#src/ui/error-boundary.tsx";
import { createTheme, ThemeProvider } from "#src/ui/theme.ts";
import { App, type AppProps } from "./app.tsx";
import { speak } from "./speak.ts";

export interface DrawOptions extends AppProps {
  readonly model: ConsoleModel;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly color: boolean;
  readonly theme: ThemeName;
  /** The key table, the user's own keys in it. */
  readonly bindings: readonly Binding[];
  /** Linear text for somebody who listens: nothing is drawn, and the terminal scrolls. */
  readonly screenReader: boolean;
  /** A component failed: nothing is drawn any more. */
  readonly onError: (error: unknown) => void;
}

export interface Drawn {
  /** Draws another console in the place of the one before, with nothing of it left. */
  show(model: ConsoleModel): void;
  /** Takes what was typed; what was said before goes. */
  give(event: InputEvent, chunk: Chunk): void;
  /** Gives the screen back as it was before; resolves when all is written. */
  end(): Promise<void>;
}

/** Half a frame of a fast typist: more would be seen as lag, and less draws what nobody sees. */
const FRAMES_PER_SECOND = 60;

/** Clears the screen, and goes to its first row. */
const CLEAR_SCREEN = "\u001B[2J\u001B[H";

/** Takes the alternate screen, unless it is listened to, and draws the first frame. */
export function drawConsole(options: DrawOptions): Drawn {
  let { model } = options;
  const { stderr, bindings, screenReader, onError, onSuspend, onEdit, onInterrupt } = options;
  const dispatcher = createDispatcher(bindings, (why) => model.session.say(why, "note"));
  const spoken = screenReader ? speak(model, options.stdout) : null;
  const stdout = spoken?.stream ?? options.stdout;
  const theme = createTheme({ color: options.color, ascii: model.ascii, name: options.theme });
  let shown = 0;
  const tree = (): ReactNode => (
    <ErrorBoundary onError={onError}>
      <DispatcherProvider dispatcher={dispatcher}>
        <ThemeProvider value={theme}>
          <ConsoleModelProvider key={shown} value={model}>
            <App onSuspend={onSuspend} onEdit={onEdit} onInterrupt={onInterrupt} />
          </ConsoleModelProvider>
        </ThemeProvider>
      </DispatcherProvider>
    </ErrorBoundary>
  );
  const instance = render(tree(), {
    stdout,
    stderr,
    // Ink never gets to read: keys come through our own parser and dispatcher.
    stdin: new PassThrough() as unknown as NodeJS.ReadStream,
    alternateScreen: !screenReader,
    incrementalRendering: !screenReader,
    isScreenReaderEnabled: screenReader,
    // Whole frames one after the other, without moves of the cursor.
    debug: screenReader,
    interactive: true,
    exitOnCtrlC: false,
    patchConsole: false,
    maxFps: FRAMES_PER_SECOND,
  });
  // Rows that read the same in both sizes would not be drawn again, and a terminal that grows shows what it held there.
  const drawAnew = (): void => {
    instance.clear();
    stdout.write(CLEAR_SCREEN);
  };
  stdout.prependListener("resize", drawAnew);
  return {
    show(next) {
      // Whoever watches still watches.
      next.session.setPresenter(model.session.store.getState().presenter);
      model = next;
      spoken?.follow(next);
      shown += 1;
      instance.rerender(tree());
    },
    give(event, chunk) {
      model.session.dismissToasts();
      dispatcher.dispatch(event, chunk);
    },
    async end() {
      stdout.off("resize", drawAnew);
      spoken?.end();
      const gone = instance.waitUntilExit().catch(() => undefined);
      instance.unmount();
      await gone;
    },
  };
}
