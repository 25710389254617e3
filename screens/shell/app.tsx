// The console on the screen: header, the screen that is open, what lies over it, and the footer. Exactly the window.

import { Box, useApp, useWindowSize } from "ink";
import { useCallback, useEffect, useRef, useState, type ReactNode } from "react";
import { CheckScreen } from "#screens/check/check-screen.tsx";
import { DemoScreen } from "#screens/demo/demo-screen.tsx";
import { HistoryScreen } from "#screens/history/history-screen.tsx";
import { ProfilesScreen } from "#screens/profiles/profiles-screen.tsx";
import { RegisterScreen } from "#screens/register/register-screen.tsx";
import { ReplayScreen } from "#screens/replay/replay-screen.tsx";
import { RescueScreen } from "#screens/rescue/rescue-screen.tsx";
import { RulesScreen } from "#screens/rules/rules-screen.tsx";
import { VaultScreen } from "#screens/vault/vault-screen.tsx";
import { whyNotSend, type Profile } from "#src/contract/records/profile.ts";
import { keyName } from "#src/display/key-name.ts";
import { safe } from "#src/display/safe.ts";
import { formatClock } from "#src/display/time.ts";
import { ENVIRONMENT_ROLE } from "#src/display/verdict.ts";
import type { Binding } from "#src/keys/binding.ts";
import type { ActiveBinding } from "#src/keys/dispatcher.ts";
import type { InputEvent } from "#src/keys/key-parser.ts";
import { useActiveBindings, useDispatcher, useLayer } from "#src/keys/use-layer.ts";
import { conditionMarks } from "#src/state/sandbox/conditions.ts";
import type { Dialog, ScreenName, SessionState, TextEditing } from "#src/state/session.ts";
import { useConsole } from "#src/state/use-console.ts";
import { isTypedInPrivate, useIsPresented, usePresentedText } from "#src/state/use-presented.ts";
import { useStore } from "#src/state/use-store.ts";
import { hasPassphrase } from "#src/state/vault/vault-lock.ts";
import { LEAST } from "#src/terminal/gate.ts";
import { Confirm } from "#src/ui/confirm.tsx";
import { fit, wrapWords } from "#src/ui/fit.ts";
import { Footer } from "#src/ui/footer.tsx";
import { Header } from "#src/ui/header.tsx";
import { Line } from "#src/ui/line.tsx";
import { LiveFrame, liveFrameSize, type FrameSize } from "#src/ui/live-frame.tsx";
import { PromptLine } from "#src/ui/prompt.tsx";
import type { Size } from "#src/ui/rows.ts";
import { ToastLine, toastRows } from "#src/ui/toast-line.tsx";
import { TypedConfirm } from "#src/ui/typed-confirm.tsx";
import { PROFILES_SCREEN, RULES_SCREEN, SCREENS, screenBinding } from "./bindings.ts";
import { Help } from "./help.tsx";
import { Palette } from "./palette.tsx";
import { footerKeys } from "./view-model.ts";

/** From this width on the tabs have room for one that only the sandbox has. */
const WITH_RULES = 100;
const WITH_PROFILES = 120;

/** Header and last row. */
const SHELL_ROWS = 2;
/** More of a question nobody reads before answering. */
const LONGEST_QUESTION = 600;

const AREA: Readonly<Record<ScreenName, (size: Size) => ReactNode>> = {
  check: CheckScreen,
  register: RegisterScreen,
  vault: VaultScreen,
  history: HistoryScreen,
  replay: ReplayScreen,
  rules: RulesScreen,
  profiles: ProfilesScreen,
  demo: DemoScreen,
};

/** On the sandbox alone, where a payment is ready to be sent; nobody is invited to press Enter on a live service. */
const HINT_ROWS = 3;
const hintRows = (): readonly string[] => [
  "All of this runs on a sandbox; no real payment is touched.",
  `${keyName("check.send", "Enter")} sends the check, ${keyName("check.next", "Tab")} edits it, ${keyName("check.field.leave", "Esc")} returns to Send.`,
  `${keyName("shell.history", "4")} finds it again; ${keyName("shell.register", "2")} registers a project; ${keyName("shell.help", "?")} lists the keys.`,
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
  const { session, checks, history, replays, demo, conditions, vaultLock, rescue, present, context } =
    useConsole();
  const { profile } = context;
  const state = useStore(session.store, (whole) => whole);
  const isLocked = useStore(vaultLock.store, ({ locked, unlocking }) => locked && !unlocking);
  const canLock = useStore(vaultLock.store, (lock) => hasPassphrase(lock) && !lock.locked);
  const toRescue = useStore(rescue.store, ({ waiting }) => waiting.length > 0);
  const whole = useWindowSize();
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
            [screenBinding(PROFILES_SCREEN.name)]: () => session.go(PROFILES_SCREEN.name),
            "shell.demo": () => demo.open(),
            "shell.presenter": present,
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
        const cancelled = checks.cancel()
          ? "check"
          : replays.cancel()
            ? "replay"
            : history.cancelExport()
              ? "export"
              : null;
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
  const isPresented = useIsPresented();
  const masked = usePresentedText();
  useEffect(() => {
    dispatcher.setNoExposing(isPresented ? noExposing() : null);
  }, [dispatcher, isPresented]);
  useEffect(() => {
    dispatcher.setNoSending(whyNotSend(profile));
  }, [dispatcher, profile]);
  // What the palette found is pressed when the palette is gone, and with it its keys.
  useEffect(() => {
    const binding = chosen.current;
    if (state.palette || binding === null) return;
    chosen.current = null;
    dispatcher.dispatch(pressOf(binding));
  });

  if (whole.columns < LEAST.columns || whole.rows < LEAST.rows) return <TooSmall {...whole} />;

  // A deck runs on a sandbox of its own, also on a live profile.
  const isLive = profile.environment === "LIVE" && !presenting;
  const frame = isLive ? liveFrameSize(whole.rows, LEAST.rows) : NO_FRAME;
  const columns = whole.columns - frame.columns;
  const rows = whole.rows - frame.rows;

  const said = presenting ? undefined : state.toasts.at(-1);
  const saidText = masked(said?.text ?? "");
  const overlay = {
    columns,
    rows: rows - SHELL_ROWS - (said === undefined ? 0 : toastRows(saidText, columns)),
  };
  const margin = isPresented ? presenterMargin(overlay) : NO_MARGIN;
  const drawn = (
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
        <Box flexDirection="column" paddingX={margin.columns} paddingY={margin.rows}>
          <Area
            state={state}
            columns={overlay.columns - 2 * margin.columns}
            rows={overlay.rows - 2 * margin.rows}
          />
        </Box>
      )}
      {said === undefined ? null : <ToastLine text={saidText} kind={said.kind} width={columns} />}
      <LastRow state={state} columns={columns} />
    </Box>
  );
  if (!isLive) return drawn;
  return (
    <LiveFrame text={frameText(profile)} {...whole} frame={frame}>
      {drawn}
    </LiveFrame>
  );
}

const NO_FRAME: FrameSize = { columns: 0, rows: 0 };

/** What stands in the frame of a live profile beside the word. */
function frameText({ name, readOnly }: Profile): string {
  return readOnly === true ? `${safe(name)}, read-only` : `${safe(name)}, real payments`;
}

/** Why a secret is neither shown nor copied while an audience watches. */
const noExposing = (): string =>
  `Presenter mode hides what this would show; leave it with ${keyName("shell.presenter", "p")} first.`;

const NO_MARGIN: Size = { columns: 0, rows: 0 };

/** A screen that an audience looks at gets air around it, where there is room to spare. */
function presenterMargin({ columns, rows }: Size): Size {
  return { columns: columns >= 112 ? 4 : 0, rows: rows >= 30 ? 1 : 0 };
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
  const conditionsNow = conditionMarks(useStore(conditions.store, ({ seen }) => seen));
  const { presenter } = state;
  // The clock of an audience stands still: what it sees depends on nothing but what is done.
  const unusual = profile.readOnly === true ? ["READ-ONLY", ...conditionsNow] : conditionsNow;
  const marks = presenter === null ? unusual : [presenterMark(presenter), ...unusual];
  const isSandbox = profile.environment === "SANDBOX";
  const hasRules = state.screen === "rules" || (isSandbox && columns >= WITH_RULES);
  const others = [
    ...(hasRules ? [RULES_SCREEN] : []),
    ...(state.screen === "profiles" || columns >= WITH_PROFILES ? [PROFILES_SCREEN] : []),
  ];
  const tabs = others.length === 0 ? SCREENS : [...SCREENS, ...others];
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
      tabs={tabs.map(({ name, key, label }) => ({
        key: keyName(screenBinding(name), key),
        label,
        current: name === state.screen,
      }))}
      width={columns}
    />
  );
}

/** `PRESENTER 12:04` */
function presenterMark(since: number): string {
  return `PRESENTER ${formatClock(since).slice(0, 5)}`;
}

/** The screen itself, with the first-run hint over it and what goes on in the background below it. */
function Area({ state, columns, rows }: Size & { readonly state: SessionState }): ReactNode {
  const Screen = AREA[state.screen];
  const { environment } = useConsole().context.profile;
  const shown = state.hint && environment === "SANDBOX" && state.screen === "check";
  const rest = rows - HINT_ROWS;
  const hint = shown && rest >= LEAST.rows - SHELL_ROWS ? hintRows() : [];
  const masked = usePresentedText();
  const busy = state.busy === null || state.screen === "demo" ? [] : [masked(state.busy)];
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
  const masked = usePresentedText();
  const props = {
    title: safe(masked(dialog.title)),
    text: safe(masked(dialog.text), { max: LONGEST_QUESTION, block: true }),
    yes: dialog.yes,
    onYes: () => {
      session.closeDialog();
      dialog.onYes();
    },
    onNo: () => {
      session.closeDialog();
      dialog.onNo?.();
    },
    width: columns,
    height: rows,
  };
  return dialog.typed === undefined ? (
    <Confirm {...props} />
  ) : (
    <TypedConfirm {...props} word={safe(dialog.typed)} />
  );
}

/** The input line where one is asked for, else the keys. */
function LastRow({ state, columns }: { readonly state: SessionState; readonly columns: number }): ReactNode {
  const { session } = useConsole();
  const isPresented = useIsPresented();
  const masked = usePresentedText();
  const { prompt } = state;
  const footer = footerKeys(useActiveBindings());
  if (prompt !== null) {
    return (
      <PromptLine
        // Another question is another line, with nothing left of the first.
        key={`${prompt.label}\n${prompt.initial ?? ""}`}
        label={safe(masked(prompt.label))}
        initial={prompt.initial}
        placeholder={prompt.placeholder}
        masked={prompt.masked === true || (isPresented && isTypedInPrivate)}
        recall={prompt.recall}
        onChange={prompt.onChange}
        onSubmit={(text) => {
          session.closePrompt();
          prompt.onSubmit(text);
        }}
        onCancel={() => {
          session.closePrompt();
          prompt.onCancel?.();
        }}
        keys={footer.keys}
        width={columns}
      />
    );
  }
  return <Footer {...footer} width={columns} />;
}

function TooSmall({ columns, rows }: Size): ReactNode {
  const text = `verdict needs ${LEAST.columns}x${LEAST.rows}, and this is ${columns}x${rows}; make the window larger, or press ${keyName("shell.quit", "q")}.`;
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
