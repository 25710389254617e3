// The Register screen: the registration form, and the projects with the time left of their 24 hours.

import { useEffect, type ReactNode } from "react";
import { isCredentialTest } from "#src/contract/records/history-entry.ts";
import { useLayer } from "#src/keys/use-layer.ts";
import { hasText, SUBMIT } from "#src/state/entry-form.ts";
import {
  listedProjects,
  openForm,
  selectedProject,
  type RegistrationsState,
} from "#src/state/register/registrations-state.ts";
import { useConsole } from "#src/state/use-console.ts";
import { useShown } from "#src/ui/use-audience.ts";
import { useStore } from "#src/state/use-store.ts";
import { PaneScreen } from "#src/ui/pane.tsx";
import type { Size } from "#src/ui/rows.ts";
import { useTheme } from "#src/ui/theme.ts";
import { REGISTER, REGISTER_BY_HAND, REGISTER_FIELDS, REGISTER_ROW } from "./keys.ts";
import { registerView } from "./view-model.ts";

/** Draws exactly `columns` x `rows`. */
export function RegisterScreen({ columns, rows, zoom }: Size): ReactNode {
  const { registrations, projects, checks, context, session } = useConsole();
  const theme = useTheme();
  const state = useStore(registrations.store, (whole) => whole);
  const { credentialWaitS, environment, readOnly = false } = context.profile;
  const waitMs = credentialWaitS * 1000;
  const usable = useUsableProject(state);
  const sent = useStore(checks.store, (known) => known.entries);
  const view = registerView(
    useShown({ ...state, projects: listedProjects(state) }),
    { columns, rows, zoom },
    {
      theme,
      waitMs,
      environment,
      checks: sent.filter((entry) => !isCredentialTest(entry)),
      byItself: !readOnly,
      usable: usable !== null,
    },
  );

  useEffect(() => registrations.watch(), [registrations]);
  // What is edited is in sight.
  const isHidden = zoom === 1 && openForm(state).focus !== SUBMIT;
  useEffect(() => {
    if (isHidden) session.zoom(0);
  }, [session, isHidden]);
  useLayer(
    state.byHand !== null
      ? REGISTER_BY_HAND.layer(registrations)
      : REGISTER.layer({
          registrations,
          state,
          waitMs,
          isHidden: zoom === 1,
          keyName: theme.keyName,
          go: registrations.select,
          page: PAGE,
        }),
  );
  useLayer(usable === null ? null : REGISTER_ROW.layer(() => projects.use(usable)));
  useLayer(REGISTER_FIELDS.layer(openForm(state), registrations));

  const mouse = { go: registrations.select, focus: registrations.focus };
  return <PaneScreen columns={columns} rows={rows} bands={view} mouse={mouse} />;
}

/**
 * The project that the user went to, while Enter is not needed for the form: it is ready, and another one is in use.
 * One that becomes ready by itself does not take Enter from the button.
 */
function useUsableProject(state: RegistrationsState): { readonly key: string; readonly ready: true } | null {
  const used = useStore(useConsole().session.store, ({ project }) => project);
  const selected = selectedProject(state);
  const isTyping = state.form.focus !== SUBMIT || hasText(state.form) || state.byHand !== null;
  if (isTyping || selected?.state !== "ready" || selected.key !== state.pointedKey || selected.key === used)
    return null;
  return { key: selected.key, ready: true };
}

const PAGE = 5;
