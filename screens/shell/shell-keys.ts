// The keys that work on every screen, and the handover of the terminal to an editor, a shell or a program.

import { useApp, useWindowSize } from "ink";
import { useCallback, useEffect, useRef, useState } from "react";
import { whyNotSend } from "#src/contract/records/profile.ts";
import type { Binding } from "#src/keys/binding.ts";
import type { ActiveBinding, Layer } from "#src/keys/layers.ts";
import type { InputEvent } from "#src/keys/key-parser.ts";
import { useDispatcher, useLayer } from "#src/keys/use-layer.ts";
import { liftKeys } from "#src/state/check/checks-state.ts";
import type { ConsoleModel } from "#src/state/console-model.ts";
import type { ProgramRun, Session, SessionState, TextEditing } from "#src/state/session.ts";
import { isWhole } from "#src/state/replay/replays-state.ts";
import { shownEntry } from "#src/state/history/history-state.ts";
import { useConsole } from "#src/state/use-console.ts";
import { useStore } from "#src/state/use-store.ts";
import { hasPassphrase } from "#src/state/vault/vault-lock.ts";
import { PANE_LEAST } from "#src/ui/rows.ts";
import { useTheme } from "#src/ui/theme.ts";
import { LOCK, SHELL } from "./keys.ts";
import { SCREENS } from "./screen-list.ts";

/** Clears the screen for another program, and draws it again when that is done. */
export type Hold = (during: () => Promise<void>) => Promise<void>;

export interface ShellEvents {
  /** Gives the terminal to the shell until it is given back. */
  readonly onSuspend: (hold: Hold) => void;
  /** Gives the terminal to the user's editor until that ends. */
  readonly onEdit: (editing: TextEditing, hold: Hold) => void;
  /** Runs a program of the user's, with the terminal where it is to have that; without it there are no such programs. */
  readonly onRun?: ((run: ProgramRun, hold: Hold) => void) | undefined;
  /** Ctrl-C. */
  readonly onInterrupt: () => void;
  /** Writes the whole screen again, after something else has written there. */
  readonly onRedraw?: () => void;
  /** What the title of the window is to say, safe; none where it has no title. */
  readonly onTitle?: ((title: string) => void) | undefined;
}

export interface ShellKeys {
  /** The keys that worked when the palette or the help was opened. */
  readonly under: readonly ActiveBinding[];
  /** Opens the help with the keys that work now. */
  showHelp(): void;
  /** Presses the key of a binding once the palette is closed. */
  press(binding: Binding): void;
}

/** Opens the layers of the shell, and the editor where one is asked for. */
export function useShellKeys(
  { screen, palette, editing, program, zoom }: SessionState,
  { onSuspend, onEdit, onRun, onInterrupt, onRedraw }: ShellEvents,
): ShellKeys {
  const model = useConsole();
  const { session, context } = model;
  const dispatcher = useDispatcher();
  const [under, setUnder] = useState<readonly ActiveBinding[]>([]);
  const chosen = useRef<Binding | null>(null);
  const { suspendTerminal } = useApp();
  const hold = useCallback<Hold>(
    (during) => suspendTerminal(during).then(() => undefined),
    [suspendTerminal],
  );
  useEffect(() => {
    if (editing === null) return;
    session.closeEditor();
    onEdit(editing, hold);
  }, [editing, session, onEdit, hold]);
  useEffect(() => {
    if (program === null) return;
    session.programTaken();
    onRun?.(program, hold);
  }, [program, session, onRun, hold]);

  const over = (open: (isOpen: boolean) => void): void => {
    setUnder(dispatcher.active());
    open(true);
  };
  const isDeck = screen === "demo";
  const isReplayWhole = useStore(model.replays.store, isWhole);
  const { panes = 0, besideFrom = Infinity } = SCREENS.find(({ name }) => name === screen)!;
  const { columns } = useWindowSize();
  const { keyName, ascii } = useTheme();
  // Who listens has no panes.
  const isDivided = zoom === 0 && ascii !== "words" && columns > besideFrom;
  useLayer(
    SHELL.layer({
      model,
      isDeck,
      panes: screen === "replay" && isReplayWhole ? 0 : panes,
      dividerRoom: isDivided ? Math.floor(columns / 2) - PANE_LEAST : null,
      over,
      openProjects: () => model.projects.open(markedProject(model)),
      quit: () => quit(model),
      suspend: () => onSuspend(hold),
      redraw: onRedraw ?? null,
      interrupt: () => interrupt(model, onInterrupt),
    }),
  );
  useLayer(useLockLayer(isDeck));

  const noExposing = session.whyHidden();
  useEffect(() => dispatcher.setNoExposing(noExposing), [dispatcher, noExposing]);
  const noSending = whyNotSend(context.profile, liftKeys(keyName));
  useEffect(() => {
    // Zoomed, a pane of Check other than the form: what would be sent is not seen.
    const unseen =
      screen === "check" && zoom > 1 ? `The form is out of sight; ${keyName("shell.zoom")} shows it.` : null;
    dispatcher.setNoSending(noSending ?? unseen);
  }, [dispatcher, noSending, screen, zoom, keyName]);
  // Not before the keys of the palette are gone.
  useEffect(() => {
    const binding = chosen.current;
    if (palette || binding === null) return;
    chosen.current = null;
    dispatcher.dispatch(pressOf(binding));
  });
  return {
    under,
    showHelp: () => over(session.showHelp),
    press(binding) {
      chosen.current = binding;
      session.showPalette(false);
    },
  };
}

/** The project of the row that is selected on the screen; null where rows have none, or of another profile. */
function markedProject({ session, registrations, history, context }: ConsoleModel): string | null {
  const { screen } = session.store.getState();
  if (screen === "register") return registrations.store.getState().selectedKey;
  const entry = screen === "history" ? shownEntry(history.store.getState()) : null;
  return entry?.profile === context.profile.name ? entry.project : null;
}

/** Asks before it ends what is under way, but a check is cancelled first: its answer is a matter of seconds. */
function quit({ session, checks, unsavedCredentials }: ConsoleModel): void {
  if (isUnsaved(unsavedCredentials)) return void unsavedCredentials.leave(session.quit);
  if (checks.cancel()) return sayCancelled(session, "check", "shell.quit");
  session.quit();
}

/** Ctrl-C cancels first what is under way. An unsaved credential is asked about before; a second Ctrl-C is the answer. */
function interrupt(
  { session, checks, replays, history, commandLine, unsavedCredentials }: ConsoleModel,
  leave: () => void,
): void {
  if (isUnsaved(unsavedCredentials) && session.store.getState().dialog === null)
    return void unsavedCredentials.leave(leave);
  if (checks.cancel()) sayCancelled(session, "check", "shell.interrupt");
  else if (replays.cancel()) sayCancelled(session, "replay", "shell.interrupt");
  else if (history.cancelExport()) sayCancelled(session, "export", "shell.interrupt");
  else if (commandLine.cancel()) sayCancelled(session, "command", "shell.interrupt");
  else leave();
}

function isUnsaved({ store }: ConsoleModel["unsavedCredentials"]): boolean {
  return store.getState().waiting.length > 0;
}

function sayCancelled(session: Session, what: string, key: string): void {
  session.say(`The ${what} is cancelled; press ${session.keyName(key)} again to quit.`, "note");
}

/** Locks or unlocks a vault with a passphrase; null where there is neither to do. */
function useLockLayer(isDeck: boolean): Layer | null {
  const { vaultLock } = useConsole();
  const isLocked = useStore(vaultLock.store, ({ locked, unlocking }) => locked && !unlocking);
  const canLock = useStore(vaultLock.store, (lock) => hasPassphrase(lock) && !lock.locked);
  if (isDeck || !(isLocked || canLock)) return null;
  return LOCK.layer({ vaultLock, isLocked });
}

function pressOf({ keys }: Binding): InputEvent {
  const key = keys[0]!;
  return key.length > 1 ? { type: "key", name: key } : { type: "text", text: key };
}
