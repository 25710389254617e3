// The open screen or the page over it, with the first-run hint above it.

import { Box } from "ink";
import type { ReactNode } from "react";
import { CheckScreen } from "#screens/check/check-screen.tsx";
import { DemoScreen } from "#screens/demo/demo-screen.tsx";
import { HistoryScreen } from "#screens/history/history-screen.tsx";
import { LabelsScreen } from "#screens/labels/labels-screen.tsx";
import { ProfilesScreen } from "#screens/profiles/profiles-screen.tsx";
import { RegisterScreen } from "#screens/register/register-screen.tsx";
import { ReplayScreen } from "#screens/replay/replay-screen.tsx";
import { RulesScreen } from "#screens/rules/rules-screen.tsx";
import { VaultScreen } from "#screens/vault/vault-screen.tsx";
import type { ScreenName } from "#src/state/page.ts";
import { openPage, type SessionState } from "#src/state/session.ts";
import { useConsole } from "#src/state/use-console.ts";
import { LEAST } from "#src/terminal/gate.ts";
import { fit } from "#src/ui/fit.ts";
import { Line } from "#src/ui/line.tsx";
import type { Size } from "#src/ui/rows.ts";
import { useTheme, type Theme } from "#src/ui/theme.ts";
import { useAudience } from "#src/ui/use-audience.ts";
import { PageOver } from "./page-over.tsx";

/** Header, message row and last row. */
export const SHELL_ROWS = 3;

const SCREEN: Readonly<Record<ScreenName, (size: Size) => ReactNode>> = {
  check: CheckScreen,
  register: RegisterScreen,
  vault: VaultScreen,
  history: HistoryScreen,
  replay: ReplayScreen,
  rules: RulesScreen,
  profiles: ProfilesScreen,
  labels: LabelsScreen,
  demo: DemoScreen,
};

/** On the sandbox alone, where a payment is ready to be sent: the hint of a live service must not say to press Enter. */
const HINT_ROWS = 3;
const hintRows = ({ keyName }: Theme): readonly string[] => [
  "You work on a sandbox; no real payment is affected.",
  `${keyName("check.send")} sends the check, ${keyName("check.next")} edits it, ${keyName("check.field.leave")} returns to Send.`,
  `${keyName("shell.history")} lists checks; ${keyName("shell.register")} registers a project; ${keyName("shell.help")} lists keys.`,
];

export function Area({ state, ...size }: Size & { readonly state: SessionState }): ReactNode {
  const Screen = SCREEN[state.screen];
  const page = openPage(state);
  const theme = useTheme();
  const { environment } = useConsole().context.profile;
  const margin = useAudience().isThere ? presenterMargin(size) : NO_MARGIN;
  // The last column stays blank.
  const columns = size.columns - 2 * margin.columns - 1;
  const rows = size.rows - 2 * margin.rows;
  const isHinted = state.hint && environment === "SANDBOX" && state.screen === "check";
  const hint = isHinted && rows - HINT_ROWS >= LEAST.rows - SHELL_ROWS ? hintRows(theme) : [];
  const height = rows - hint.length;
  return (
    <Box flexDirection="column" paddingX={margin.columns} paddingY={margin.rows}>
      {hint.map((text) => (
        <Line key={text} spans={[{ text: fit(`  ${text}`, columns), role: "quiet" }]} />
      ))}
      <Box width={columns} height={height} overflow="hidden" flexShrink={0}>
        {page === undefined ? (
          <Screen columns={columns} rows={height} zoom={state.zoom} />
        ) : (
          <PageOver page={page} columns={columns} rows={height} />
        )}
      </Box>
    </Box>
  );
}

const NO_MARGIN: Size = { columns: 0, rows: 0 };

/** A screen that an audience looks at gets space around it where there is room to spare. */
function presenterMargin({ columns, rows }: Size): Size {
  return { columns: columns >= 112 ? 4 : 0, rows: rows >= 30 ? 1 : 0 };
}
