// The Register screen: the registration form, and the projects with what is left of their 24 hours.

import { Box } from "ink";
import { useEffect, type ReactNode } from "react";
import { reasons, useLayer } from "#src/keys/use-layer.ts";
import {
  openForm,
  whyNotByHand,
  whyNotFetch,
  type Registrations,
} from "#src/state/register/registrations.ts";
import { useConsole } from "#src/state/use-console.ts";
import { usePresented } from "#src/state/use-presented.ts";
import { useStore } from "#src/state/use-store.ts";
import { Rows } from "#src/ui/line.tsx";
import { PaneRule, PaneTitles } from "#src/ui/pane.tsx";
import { useTheme } from "#src/ui/theme.ts";
import { buttonLayer, formLayer } from "#src/ui/form-layer.ts";
import { registerView, type PaneView } from "./view-model.ts";

/** Draws exactly `columns` x `rows`. */
export function RegisterScreen({
  columns,
  rows,
}: {
  readonly columns: number;
  readonly rows: number;
}): ReactNode {
  const { registrations, context } = useConsole();
  const theme = useTheme();
  const state = useStore(registrations.store, (whole) => whole);
  const { credentialWaitS, environment } = context.profile;
  const waitMs = credentialWaitS * 1000;
  const view = registerView(usePresented(state), { columns, rows }, { theme, waitMs, environment });

  useEffect(() => registrations.watch(), [registrations]);
  useLayer(
    state.byHand !== null
      ? buttonLayer("register.byHand", registrations)
      : {
          scope: "register",
          level: 1,
          handlers: handlers(registrations),
          disabled: reasons({
            "register.fetch": whyNotFetch(state, waitMs),
            "register.byHand": whyNotByHand(state, waitMs),
          }),
        },
  );
  useLayer(formLayer("register", openForm(state), registrations));

  if (view.beside) {
    return (
      <Box flexDirection="column" width={columns} height={rows} overflow="hidden">
        <PaneTitles panes={[view.form, view.list]} />
        <Box height={view.form.height}>
          <Pane pane={view.form} />
          <PaneRule height={view.form.height} />
          <Pane pane={view.list} />
        </Box>
      </Box>
    );
  }
  return (
    <Box flexDirection="column" width={columns} height={rows} overflow="hidden">
      <PaneTitles panes={[view.form]} />
      <Pane pane={view.form} />
      <PaneTitles panes={[view.list]} />
      <Pane pane={view.list} />
    </Box>
  );
}

function Pane({ pane }: { readonly pane: PaneView }): ReactNode {
  return (
    <Box flexDirection="column" width={pane.width} height={pane.height} flexShrink={0}>
      <Rows rows={pane.rows} />
    </Box>
  );
}

const PAGE = 5;

function handlers(registrations: Registrations): Record<string, () => void> {
  return {
    "register.submit": () => void registrations.submit(),
    "register.next": () => registrations.move(1),
    "register.previous": () => registrations.move(-1),
    "register.fetch": () => registrations.fetchNow(),
    "register.byHand": () => registrations.enterByHand(),
    "register.down": () => registrations.select(1),
    "register.up": () => registrations.select(-1),
    "register.first": () => registrations.select("first"),
    "register.last": () => registrations.select("last"),
    "register.pageDown": () => registrations.select(PAGE),
    "register.pageUp": () => registrations.select(-PAGE),
  };
}
