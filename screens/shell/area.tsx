// The open screen or the page over it.

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
import type { Size } from "#src/ui/rows.ts";
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

export function Area({ state, ...size }: Size & { readonly state: SessionState }): ReactNode {
  const Screen = SCREEN[state.screen];
  const page = openPage(state);
  const margin = useAudience().isThere ? presenterMargin(size) : NO_MARGIN;
  // The last column stays blank.
  const columns = size.columns - 2 * margin.columns - 1;
  const rows = size.rows - 2 * margin.rows;
  return (
    <Box flexDirection="column" paddingX={margin.columns} paddingY={margin.rows}>
      <Box width={columns} height={rows} overflow="hidden" flexShrink={0}>
        {page === undefined ? (
          <Screen columns={columns} rows={rows} zoom={state.zoom} divider={state.dividers[state.screen]} />
        ) : (
          <PageOver page={page} columns={columns} rows={rows} />
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
