// Renders the console with Ink. Loaded, with all it imports, only when there is a terminal.

import { PassThrough } from "node:stream";
import { render } from "ink";
import { useMemo, type ReactNode } from "react";
import type { Binding } from "#src/keys/binding.ts";
import { counted } from "#src/display/count.ts";
import { createDispatcher } from "#src/keys/dispatcher.ts";
import { PASTE_MOST, type Chunk, type InputEvent } from "#src/keys/key-parser.ts";
import { DispatcherProvider } from "#src/keys/use-layer.ts";
import type { ConsoleModel } from "#src/state/console-model.ts";
import type { LookStore } from "#src/state/look.ts";
import { ConsoleModelProvider } from "#src/state/use-console.ts";
import { useStore } from "#src/state/use-store.ts";
import { ErrorBoundary } from "#src/ui/error-boundary.tsx";
import { IN_PLACE } from "#src/terminal/lean-output.ts";
import { keepWhole } from "#src/ui/fit.ts";
import { hit, MouseContext } from "#src/ui/mouse.ts";
import { createTheme, ThemeProvider } from "#src/ui/theme.ts";
import { App } from "./app.tsx";
import type { ShellEvents } from "./shell-keys.ts";
import { speak } from "./speak.ts";

export interface DrawOptions extends ShellEvents {
  readonly model: ConsoleModel;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly color: boolean;
  readonly look: LookStore;
  /** The key table with the user's own keys. */
  readonly bindings: readonly Binding[];
  /** Writes linear text for a screen reader: nothing is drawn, and the terminal scrolls. */
  readonly screenReader: boolean;
  /** Called when a component failed: nothing is drawn any more. */
  readonly onError: (error: unknown) => void;
}

export interface Drawn {
  /** Replaces the console by another one. */
  show(model: ConsoleModel): void;
  /** Takes input; dismisses the toasts. */
  give(event: InputEvent, chunk: Chunk): void;
  /** Takes nothing on the screen for drawn, after frames that were not written. */
  forget(): void;
  /** Draws the whole screen in place. */
  redraw(): void;
  /** Resolves when what has changed is drawn. */
  settled(): Promise<void>;
  /** Restores the screen; resolves when all output is written. */
  end(): Promise<void>;
}

/** Fewer would be seen as lag, more would not be seen. */
const FRAMES_PER_SECOND = 60;

const overlongPaste = (characters: number): string =>
  `A paste of ${counted(characters, "character")} was ignored; the limit is ${PASTE_MOST}, so paste less or use a file.`;

/** Clears the screen, and moves the cursor to the first row. */
const CLEAR_SCREEN = "\u001B[2J\u001B[H";

/** The theme that is in force now. */
function Themed({
  look,
  color,
  model,
  children,
}: Pick<DrawOptions, "look" | "color" | "model"> & { readonly children: ReactNode }): ReactNode {
  const { theme: name, colors } = useStore(look, (state) => state);
  const { ascii, session } = model;
  const theme = useMemo(
    () => createTheme({ color, ascii, name, colors, keyName: session.keyName }),
    [color, ascii, name, colors, session],
  );
  return <ThemeProvider value={theme}>{children}</ThemeProvider>;
}

/** Switches to the alternate screen, except for a screen reader, and draws the first frame. */
export function drawConsole(options: DrawOptions): Drawn {
  let { model } = options;
  const { stderr, bindings, screenReader, onError } = options;
  const targets = new Map() as Parameters<typeof hit>[0];
  const dispatcher = createDispatcher(
    bindings,
    (why) => model.session.say(why, "note"),
    (event) => hit(targets, event),
    (characters, isOverlong) =>
      isOverlong
        ? model.session.say(overlongPaste(characters), "error")
        : model.session.say(
            `${counted(characters, "character")} came at once; verdict treated them as pasted text and ignored them.`,
            "note",
          ),
  );
  keepWhole(screenReader);
  const spoken = screenReader ? speak(model, options.stdout) : null;
  const stdout = spoken?.stream ?? options.stdout;
  const onRedraw = (): void => void stdout.emit("resize");
  let shown = 0;
  const tree = (): ReactNode => (
    <ErrorBoundary onError={onError}>
      <DispatcherProvider dispatcher={dispatcher}>
        <MouseContext value={targets}>
          <Themed {...options}>
            <ConsoleModelProvider key={shown} value={model}>
              <App {...options} onRedraw={onRedraw} />
            </ConsoleModelProvider>
          </Themed>
        </MouseContext>
      </DispatcherProvider>
    </ErrorBoundary>
  );
  const instance = render(tree(), {
    stdout,
    stderr,
    // Ink reads no input: keys come through the parser and the dispatcher.
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
  // Ink skips rows that are equal in both sizes, while a terminal that grows may show older content there; and rows that
  // differ in a style alone which the theme before has left out.
  const drawAnew = (): void => {
    instance.clear();
    stdout.write(CLEAR_SCREEN);
  };
  stdout.prependListener("resize", drawAnew);
  const stopFollowing = options.look.subscribe(({ theme }, before) => {
    if (theme !== before.theme) drawAnew();
  });
  return {
    show(next) {
      // The audience is still there.
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
    forget: instance.clear,
    redraw() {
      stdout.write(IN_PLACE);
      instance.rerender(tree());
    },
    settled: () => instance.waitUntilRenderFlush(),
    async end() {
      stdout.off("resize", drawAnew);
      stopFollowing();
      spoken?.end();
      const gone = instance.waitUntilExit().catch(() => undefined);
      instance.unmount();
      keepWhole(false);
      await gone;
    },
  };
}
