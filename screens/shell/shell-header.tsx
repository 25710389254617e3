// The first row: environment, profile, project, what is unusual now, and the screens as tabs.

import type { ReactNode } from "react";
import { safe } from "#src/display/safe.ts";
import { formatClock } from "#src/display/time.ts";
import { ENVIRONMENT_ROLE } from "#src/display/verdict.ts";
import { conditionMarks } from "#src/state/sandbox/conditions.ts";
import type { SessionState } from "#src/state/session.ts";
import { useConsole } from "#src/state/use-console.ts";
import { useStore } from "#src/state/use-store.ts";
import { Header } from "#src/ui/header.tsx";
import { useTheme } from "#src/ui/theme.ts";
import { SCREENS, screenBinding } from "./bindings.ts";

export function ShellHeader({
  state,
  columns,
}: {
  readonly state: SessionState;
  readonly columns: number;
}): ReactNode {
  const { context, conditions } = useConsole();
  const { keyName } = useTheme();
  const { profile } = context;
  const conditionsNow = conditionMarks(useStore(conditions.store, ({ seen }) => seen));
  if (state.screen === "demo") {
    const environment = { word: "SANDBOX", role: ENVIRONMENT_ROLE.SANDBOX };
    return <Header environment={environment} profile={null} project="demo" tabs={[]} width={columns} />;
  }
  const { presenter } = state;
  return (
    <Header
      environment={{ word: profile.environment, role: ENVIRONMENT_ROLE[profile.environment] }}
      profile={profile.name === profile.environment.toLowerCase() ? null : safe(profile.name)}
      project={state.project === null ? null : safe(state.project)}
      marks={[
        // The time at which it began: an audience sees nothing that depends on the clock.
        ...(presenter === null ? [] : [`PRESENTER ${formatClock(presenter).slice(0, 5)}`]),
        ...(profile.readOnly === true ? ["READ-ONLY"] : []),
        ...conditionsNow,
      ]}
      tabs={SCREENS.map(({ name, label }) => ({
        key: keyName(screenBinding(name)),
        label,
        current: name === state.screen,
      }))}
      width={columns}
    />
  );
}
