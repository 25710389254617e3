// The first row: environment, profile, project, what is unusual now, and the screens as tabs.

import { useEffect, type ReactNode } from "react";
import { escapeNonAscii } from "#src/contract/text/escape-text.ts";
import { safe } from "#src/display/safe.ts";
import { ENVIRONMENT_ROLE } from "#src/display/verdict.ts";
import { tenantOf } from "#src/state/check/checks-state.ts";
import { conditionMarks } from "#src/state/sandbox/conditions.ts";
import { LOOKING } from "#src/state/register/prepare-project.ts";
import type { SessionState } from "#src/state/session.ts";
import { useConsole } from "#src/state/use-console.ts";
import { useStore } from "#src/state/use-store.ts";
import { Header } from "#src/ui/header.tsx";
import { useTheme } from "#src/ui/theme.ts";
import { SCREENS, screenBinding } from "./screen-list.ts";
import type { ShellEvents } from "./shell-keys.ts";

export function ShellHeader({
  state,
  columns,
  edge,
  onTitle,
}: Pick<ShellEvents, "onTitle"> & {
  readonly state: SessionState;
  readonly columns: number;
  /** It is the upper edge of the frame of a live service. */
  readonly edge: boolean;
}): ReactNode {
  const { context, checks, conditions, session, demo } = useConsole();
  const { keyName, ascii } = useTheme();
  const { profile } = context;
  const isDeck = state.screen === "demo";
  const environment = isDeck ? "SANDBOX" : profile.environment;
  const profileName =
    isDeck || profile.name === profile.environment.toLowerCase() ? null : safe(profile.name);
  const project = isDeck ? "demo" : state.project === null ? null : safe(state.project);
  // The environment second, so that it is read in a narrow tab, too.
  const title = ["verdict", environment, profileName, project].filter((part) => part !== null).join(" ");
  useEffect(() => onTitle?.(ascii ? escapeNonAscii(title) : title), [onTitle, ascii, title]);
  const conditionsNow = conditionMarks(useStore(conditions.store, ({ seen }) => seen));
  const tenant = useStore(checks.store, (seen) => tenantOf(seen, state.project));
  const names = {
    environment: { word: environment, role: ENVIRONMENT_ROLE[environment] },
    profile: profileName,
    project: state.busy === LOOKING ? (project ?? "") : project,
    width: columns,
    edge,
  };
  const { presenter } = state;
  // A deck hides what is personal in any case.
  const presenting = presenter !== null || isDeck ? ["PRESENTER"] : [];
  if (isDeck) return <Header {...names} marks={presenting} tabs={[]} />;
  return (
    <Header
      {...names}
      marks={[
        ...presenting,
        ...(profile.readOnly === true ? ["READ-ONLY"] : []),
        ...tenantMarks(tenant),
        ...conditionsNow,
      ]}
      tabs={SCREENS.map(({ name, label }) => ({
        key: keyName(screenBinding(name)),
        label,
        current: name === state.screen,
      }))}
      onTab={(clicked) => {
        const { name } = SCREENS.find(({ label }) => label === clicked)!;
        if (name === "demo") demo.open();
        else session.go(name);
      }}
    />
  );
}

/** Columns of a tenant's name beside everything else. */
const TENANT_COLUMNS = 16;

function tenantMarks(tenant: string | null): readonly string[] {
  return tenant === null ? [] : [`TENANT ${safe(tenant, { max: TENANT_COLUMNS })}`];
}
