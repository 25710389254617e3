// The root component: header, the open screen or an overlay, and the footer. Fills the window exactly.

import { Box, useWindowSize } from "ink";
import { useMemo, type ReactNode } from "react";
import { UnsavedCredentialScreen } from "#screens/unsaved-credential/unsaved-credential-screen.tsx";
import type { Profile } from "#src/contract/records/profile.ts";
import type { HistoryEntry } from "#src/contract/records/history-entry.ts";
import { EDITING_KEYS } from "#src/keys/key-names.ts";
import { useDispatcher, useLayer } from "#src/keys/use-layer.ts";
import { copyQuestion } from "#src/state/history/history-copy.ts";
import type { SessionState, Toast } from "#src/state/session.ts";
import { useConsole } from "#src/state/use-console.ts";
import { useStore } from "#src/state/use-store.ts";
import { LEAST } from "#src/terminal/gate.ts";
import { LINEAR_WINDOW } from "#src/terminal/linear-output.ts";
import { wrapWords } from "#src/ui/fit.ts";
import { Line } from "#src/ui/line.tsx";
import { LiveFrame, liveFrameSize } from "#src/ui/live-frame.tsx";
import type { Size } from "#src/ui/rows.ts";
import { behindQuestion, ThemeProvider, useTheme } from "#src/ui/theme.ts";
import { ToastLine, toastRows } from "#src/ui/toast-line.tsx";
import { AudienceContext } from "#src/ui/use-audience.ts";
import { Area, SHELL_ROWS } from "./area.tsx";
import { COPY } from "./copy-keys.ts";
import { Help } from "./help.tsx";
import { dialogRows, LastRows } from "./last-rows.tsx";
import { Messages } from "./messages.tsx";
import { Palette } from "./palette.tsx";
import { ProjectDrawer } from "./project-drawer.tsx";
import { ShellHeader } from "./shell-header.tsx";
import { useShellKeys, type ShellEvents, type ShellKeys } from "./shell-keys.ts";

/** Above help and palette. */
const TOPMOST = 5;

const NO_FRAME: Size = { columns: 0, rows: 0 };

export function App(events: ShellEvents): ReactNode {
  const { session, context, history } = useConsole();
  const { profile } = context;
  const state = useStore(session.store, (whole) => whole);
  const keys = useShellKeys(state, events);
  const audience = session.audience();
  const { project } = audience.shown({ project: state.project });
  const theme = useTheme();
  const { keyName, ascii } = theme;
  const behind = useMemo(() => behindQuestion(theme), [theme]);
  const isTyping = useDispatcher().isTyping();
  const copying = useStore(history.store, (state) => state.copying);
  const seen = useWindowSize();
  const window = ascii === "words" ? LINEAR_WINDOW : seen;
  const isSmall = window.columns < LEAST.columns || window.rows < LEAST.rows;
  useLayer(isSmall || copying === null ? null : { ...COPY.layer({ history, entry: copying }), modal: true });
  if (isSmall && !isTyping) return <TooSmall {...window} isTyping={false} />;
  // What is typed into a field stays, and goes on, while it is not seen.
  const whole = isSmall ? LEAST : window;

  // A deck runs on a sandbox of its own, also on a live profile, and shows nothing of the session.
  const isDeck = state.screen === "demo";
  const isLive = profile.environment === "LIVE" && !isDeck;
  const frame = isLive ? liveFrameSize(whole.rows, LEAST.rows) : NO_FRAME;
  const columns = whole.columns - frame.columns;
  const rows = whole.rows - frame.rows;

  // The page of messages has it already; beside a deck nothing is said but what is wrong with a typed line.
  const isSilent = state.messagesOpen || (isDeck && state.prompt === null);
  const message = isSilent ? null : isDeck ? lastError(state) : shownMessage(state, copying);
  const text = audience.shown(message?.text ?? "", message?.about);
  const body = rows - SHELL_ROWS;
  // What asks takes the message row, a question more where it is long; a message lies above it.
  const { dialog } = state;
  const question = dialog === null ? [] : dialogRows(dialog, audience, columns, theme);
  const hasLine = dialog === null ? state.prompt !== null : dialog.typed !== undefined;
  const asking = question.length + (hasLine ? 1 : 0);
  const isSaid = asking === 0 || text !== "";
  const said = asking + (isSaid ? toastRows(text, columns) : 0);
  const header = (
    <ShellHeader
      state={{ ...state, project }}
      columns={whole.columns}
      edge={isLive}
      onTitle={events.onTitle}
    />
  );
  const drawn = (
    <AudienceContext value={audience}>
      <Box width={columns} height={rows - 1} flexDirection="column" overflow="hidden">
        <Box height={body + 1 - said} flexShrink={0} overflow="hidden">
          <Box height={body} flexDirection="column" flexShrink={0}>
            <ThemeProvider value={dialog === null ? theme : behind}>
              <Middle state={state} keys={keys} columns={columns} rows={body} />
            </ThemeProvider>
          </Box>
        </Box>
        {isSaid ? (
          <ToastLine
            text={text}
            kind={message?.kind ?? "note"}
            rest={`${keyName("shell.messages")} shows all`}
            width={columns}
          />
        ) : null}
        <LastRows key={state.prompt?.id} state={state} keys={keys} question={question} columns={columns} />
      </Box>
    </AudienceContext>
  );
  return (
    <Box flexDirection="column">
      {isSmall ? <TooSmall {...window} isTyping={isTyping} /> : null}
      <Box display={isSmall ? "none" : "flex"}>
        {isLive ? (
          <LiveFrame header={header} text={frameText(profile)} {...whole} frame={frame}>
            {drawn}
          </LiveFrame>
        ) : (
          <Box width={columns} height={rows} flexDirection="column" overflow="hidden">
            {header}
            {drawn}
          </Box>
        )}
      </Box>
    </Box>
  );
}

/** A question; else an error before what was said since, and that before what goes on in the background. */
function shownMessage(
  state: SessionState,
  copying: HistoryEntry | null,
): (Pick<Toast, "text" | "kind"> & Partial<Toast>) | null {
  if (copying !== null) return { text: copyQuestion(copying), kind: "note" };
  const { toasts, busy, dialog } = state;
  const error = lastError(state);
  if (dialog !== null) return error;
  const said = error ?? toasts.at(-1);
  return said ?? (busy === null ? null : { text: busy, kind: "note" });
}

function lastError({ toasts }: SessionState): Toast | null {
  return toasts.findLast(({ kind }) => kind === "error") ?? null;
}

/** The text in the frame of a live profile. */
function frameText({ readOnly }: Profile): string {
  return readOnly === true
    ? "Read-only: nothing is sent to the service"
    : "Real payments: the service counts each check";
}

/** An unsaved credential, help or palette; else the open screen, the list of projects over it. */
function Middle({
  state,
  keys,
  ...size
}: Size & { readonly state: SessionState; readonly keys: ShellKeys }): ReactNode {
  const { unsavedCredentials, projects } = useConsole();
  const isUnsaved = useStore(unsavedCredentials.store, ({ waiting }) => waiting.length > 0);
  const isSwitching = useStore(projects.store, ({ open }) => open);
  if (isUnsaved) return <UnsavedCredentialScreen {...size} />;
  const area = <Area state={state} {...size} />;
  // What lies over the screen has keys of its own, and waits for the answer.
  if (state.dialog !== null) return area;
  if (state.help) return <Help active={keys.under} {...size} columns={size.columns - 1} />;
  if (state.messagesOpen) return <Messages {...size} columns={size.columns - 1} />;
  if (state.palette)
    return (
      <Palette active={keys.under} onRun={keys.press} {...size}>
        {area}
      </Palette>
    );
  return isSwitching ? <ProjectDrawer {...size}>{area}</ProjectDrawer> : area;
}

function TooSmall({ columns, rows, isTyping }: Size & { readonly isTyping: boolean }): ReactNode {
  const { keyName } = useTheme();
  const { bindings } = useDispatcher();
  const passes = (name: string): boolean =>
    EDITING_KEYS.has(name) || bindings.some(({ global, keys }) => global === true && keys.includes(name));
  // A field that is not seen takes text; what sends, answers or leaves it waits.
  useLayer(isTyping ? { scope: "small", level: TOPMOST, handlers: {}, key: (name) => !passes(name) } : null);
  const text = `verdict needs ${LEAST.columns}x${LEAST.rows}, and this is ${columns}x${rows}; make the window larger, or press ${keyName(isTyping ? "shell.interrupt" : "shell.quit")}.`;
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
