// The console on the screen: header, the screen that is open, what lies over it, and the footer. Exactly the window.

import { Box, useApp, useWindowSize } from "ink";
import { useCallback, useEffect, useRef, useState, type ReactNode } from "react";
import { CheckScreen } from "#screens/check/check-screen.tsx";
import { DemoScreen } from "#screens/demo/demo-screen.tsx";
import { HistoryScreen } from "#screens/history/history-screen.tsx";
import { ReplayScreen } from "#screens/replay/replay-screen.tsx";
import { RulesScreen } from "#screens/rules/rules-screen.tsx";
import { RegisterScreen } from "#screens/register/register-screen.tsx";
import { RescueScreen } from "#screens/rescue/rescue-screen.tsx";
import { VaultScreen } from "#screens/vault/vault-screen.tsx";
import type { Binding } from "#src/keys/binding.ts";
import type { ActiveBinding } from "#src/keys/dispatcher.ts";
import type { InputEvent } from "#src/keys/key-parser.ts";
import { useActiveBindings, useDispatcher, useLayer } from "#src/keys/use-layer.ts";
import { safe } from "#src/display/safe.ts";
import { ENVIRONMENT_ROLE } from "#src/display/verdict.ts";
import type { Dialog, ScreenName, SessionState, TextEditing } from "#src/state/session.ts";
import { useConsole } from "#src/state/use-console.ts";
import { useStore } from "#src/state/use-store.ts";
import { conditionMarks } from "#src/state/conditions.ts";
import { hasPassphrase } from "#src/state/vault-lock.ts";
import { LEAST } from "#src/terminal/gate.ts";
import { Confirm } from "#src/ui/confirm.tsx";
import { fit, wrapWords } from "#src/ui/fit.ts";
import { Footer } from "#src/ui/footer.tsx";
import { Header } from "#src/ui/header.tsx";
import { Line } from "#src/ui/line.tsx";
import { PromptLine } from "#src/ui/prompt.tsx";
import { ToastLine, toastRows } from "#src/ui/toast-line.tsx";
import { RULES_SCREEN, SCREENS, screenBinding } from "./bindings.ts";
import { Help } from "./help.tsx";
import { Palette } from "./palette.tsx";
import { footerKeys } from "./view-model.ts";

interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** From this width on the tabs have room for one that only the sandbox has. */
const WITH_RULES = 100;

/** More of a question nobody reads before answering. */
const LONGEST_QUESTION = 600;

const AREA: Readonly<Record<ScreenName, (size: Size) => ReactNode>> = {
  check: CheckScreen,
  register: RegisterScreen,
  vault: VaultScreen,
  history: HistoryScreen,
  replay: ReplayScreen,
  rules: RulesScreen,
  demo: DemoScreen,
};

/** On the sandbox alone, where a payment is ready to be sent; nobody is invited to press Enter on a live service. */
const HINT: readonly string[] = [
  "All of this runs on a sandbox; no real payment is touched.",
  "Enter sends the check, Tab edits it, Esc returns to Send.",
  "4 finds it again; 2 registers a project; ? lists the keys.",
];

/** Clears the screen for another program, and draws it again when that is done. */
export type Hold = (during: () => Promise<void>) => Promise<void>;

export interface AppProps {
  /** Gives the terminal to the shell until it is given back. */
  readonly onSuspend: (hold: Hold) => void;
  /** Gives the terminal to the user's editor until that ends. */
  readonly onEdit: (editing: TextEditing, hold: Hold) => void;
  /** Ctrl-C. */
  readonly onInterrupt: () => void;
}

export function App({ onSuspend, onEdit, onInterrupt }: AppProps): ReactNode {
  const { session, checks, replays, demo, conditions, vaultLock, rescue } = useConsole();
  const state = useStore(session.store, (whole) => whole);
  const isLocked = useStore(vaultLock.store, ({ locked, unlocking }) => locked && !unlocking);
  const canLock = useStore(vaultLock.store, (lock) => hasPassphrase(lock) && !lock.locked);
  const toRescue = useStore(rescue.store, ({ waiting }) => waiting.length > 0);
  const { columns, rows } = useWindowSize();
  const { suspendTerminal } = useApp();
  const dispatcher = useDispatcher();
  /** What could be done when palette or help was opened over it. */
  const [under, setUnder] = useState<readonly ActiveBinding[]>([]);
  const chosen = useRef<Binding | null>(null);

  const hold = useCallback<Hold>(
    (during) => suspendTerminal(during).then(() => undefined),
    [suspendTerminal],
  );
  const { editing } = state;
  useEffect(() => {
    if (editing === null) return;
    session.closeEditor();
    onEdit(editing, hold);
  }, [editing, session, onEdit, hold]);

  // An audience watches: nothing of the session is shown, and no key leads to it.
  const presenting = state.screen === "demo";
  const over = (open: (isOpen: boolean) => void): void => {
    setUnder(dispatcher.active());
    open(true);
  };
  useLayer({
    scope: "shell",
    level: 0,
    handlers: {
      ...(presenting
        ? {}
        : {
            ...Object.fromEntries(SCREENS.map(({ name }) => [screenBinding(name), () => session.go(name)])),
            [screenBinding(RULES_SCREEN.name)]: () => session.go(RULES_SCREEN.name),
            "shell.demo": () => demo.open(),
            "shell.palette": () => {
              void conditions.learnWords();
              over(session.showPalette);
            },
          }),
      "shell.help": () => over(session.showHelp),
      "shell.quit": session.quit,
      "shell.suspend": () => onSuspend(hold),
      "shell.interrupt": () => {
        // The first one asks, the second one is the answer.
        if (toRescue && state.dialog === null) return rescue.leave(onInterrupt);
        const cancelled = checks.cancel() ? "check" : replays.cancel() ? "replay" : null;
        if (cancelled === null) return onInterrupt();
        session.say(`The ${cancelled} is cancelled; Ctrl-C once more leaves.`, "note");
      },
    },
  });
  const lockable = !presenting && (isLocked || canLock);
  useLayer(
    lockable
      ? {
          scope: "lock",
          level: 0,
          handlers: isLocked
            ? { "lock.unlock": () => void vaultLock.open() }
            : { "lock.lock": () => vaultLock.lock() },
        }
      : null,
  );
  // What the palette found is pressed when the palette is gone, and with it its keys.
  useEffect(() => {
    const binding = chosen.current;
    if (state.palette || binding === null) return;
    chosen.current = null;
    dispatcher.dispatch(pressOf(binding));
  });

  if (columns < LEAST.columns || rows < LEAST.rows) return <TooSmall columns={columns} rows={rows} />;

  const said = presenting ? undefined : state.toasts.at(-1);
  const overlay = { columns, rows: rows - 2 - (said === undefined ? 0 : toastRows(said.text, columns)) };
  return (
    <Box width={columns} height={rows} flexDirection="column" overflow="hidden">
      <ShellHeader state={state} columns={columns} />
      {state.dialog !== null ? (
        <Question dialog={state.dialog} {...overlay} />
      ) : toRescue ? (
        <RescueScreen {...overlay} />
      ) : state.help ? (
        <Help active={under} onClose={() => session.showHelp(false)} {...overlay} />
      ) : state.palette ? (
        <Palette
          active={under}
          onClose={() => session.showPalette(false)}
          onRun={(binding) => {
            chosen.current = binding;
            session.showPalette(false);
          }}
          onCommand={(command) => {
            session.showPalette(false);
            void conditions.run(command);
          }}
          {...overlay}
        />
      ) : (
        <Area state={state} {...overlay} />
      )}
      {said === undefined ? null : <ToastLine text={said.text} kind={said.kind} width={columns} />}
      <LastRow state={state} columns={columns} />
    </Box>
  );
}

/** The event that a key of the binding is. */
function pressOf({ keys }: Binding): InputEvent {
  const key = keys[0]!;
  return key.length > 1 ? { type: "key", name: key } : { type: "text", text: key };
}

function ShellHeader({
  state,
  columns,
}: {
  readonly state: SessionState;
  readonly columns: number;
}): ReactNode {
  const { context, conditions } = useConsole();
  const { profile } = context;
  const marks = conditionMarks(useStore(conditions.store, ({ seen }) => seen));
  const isSandbox = profile.environment === "SANDBOX";
  const hasRules = state.screen === "rules" || (isSandbox && columns >= WITH_RULES);
  const tabs = hasRules ? [...SCREENS, RULES_SCREEN] : SCREENS;
  if (state.screen === "demo") {
    const environment = { word: "SANDBOX", role: ENVIRONMENT_ROLE.SANDBOX };
    return <Header environment={environment} profile={null} project="demo" tabs={[]} width={columns} />;
  }
  return (
    <Header
      environment={{ word: profile.environment, role: ENVIRONMENT_ROLE[profile.environment] }}
      profile={profile.name === profile.environment.toLowerCase() ? null : safe(profile.name)}
      project={state.project === null ? null : safe(state.project)}
      marks={marks}
      tabs={tabs.map(({ name, key, label }) => ({ key, label, current: name === state.screen }))}
      width={columns}
    />
  );
}

/** The screen itself, with the first-run hint over it and what goes on in the background below it. */
function Area({ state, columns, rows }: Size & { readonly state: SessionState }): ReactNode {
  const Screen = AREA[state.screen];
  const { environment } = useConsole().context.profile;
  const shown = state.hint && environment === "SANDBOX" && state.screen === "check";
  const hint = shown && rows >= LEAST.rows + HINT.length ? HINT : [];
  const busy = state.busy === null || state.screen === "demo" ? [] : [state.busy];
  const busyRows = busy.reduce((sum, text) => sum + toastRows(text, columns), 0);
  return (
    <>
      {hint.map((text) => (
        <Line key={text} spans={[{ text: fit(` ${text}`, columns), role: "note" }]} />
      ))}
      <Box width={columns} height={rows - hint.length - busyRows} overflow="hidden" flexShrink={0}>
        <Screen columns={columns} rows={rows - hint.length - busyRows} />
      </Box>
      {busy.map((text) => (
        <ToastLine key="busy" kind="note" text={text} width={columns} />
      ))}
    </>
  );
}

function Question({ dialog, columns, rows }: Size & { readonly dialog: Dialog }): ReactNode {
  const { session } = useConsole();
  return (
    <Confirm
      title={safe(dialog.title)}
      text={safe(dialog.text, { max: LONGEST_QUESTION, block: true })}
      yes={dialog.yes}
      onYes={() => {
        session.closeDialog();
        dialog.onYes();
      }}
      onNo={session.closeDialog}
      width={columns}
      height={rows}
    />
  );
}

/** The input line where one is asked for, else the keys. */
function LastRow({ state, columns }: { readonly state: SessionState; readonly columns: number }): ReactNode {
  const { session } = useConsole();
  const { prompt } = state;
  if (prompt !== null) {
    return (
      <PromptLine
        // Another question is another line, with nothing left of the first.
        key={`${prompt.label}\n${prompt.initial ?? ""}`}
        label={safe(prompt.label)}
        initial={prompt.initial}
        placeholder={prompt.placeholder}
        masked={prompt.masked}
        onChange={prompt.onChange}
        onSubmit={(text) => {
          session.closePrompt();
          prompt.onSubmit(text);
        }}
        onCancel={() => {
          session.closePrompt();
          prompt.onCancel?.();
        }}
        width={columns}
      />
    );
  }
  return <ShellFooter columns={columns} />;
}

function ShellFooter({ columns }: { readonly columns: number }): ReactNode {
  return <Footer {...footerKeys(useActiveBindings())} width={columns} />;
}

function TooSmall({ columns, rows }: Size): ReactNode {
  const text = `verdict needs ${LEAST.columns}x${LEAST.rows}, and this is ${columns}x${rows}; make the window larger, or press q.`;
  return (
    <Box width={columns} height={rows} flexDirection="column" overflow="hidden">
      {wrapWords(text, columns)
        .slice(0, rows)
        .map((line) => (
          <Line key={line} spans={[{ text: line }]} />
        ))}
    </Box>
  );
}
