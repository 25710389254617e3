// The Rules screen: what decides in the sandbox, how often, and where its rule file is wrong.

import { Box } from "ink";
import { Fragment, useEffect, type ReactNode } from "react";
import { useLayer } from "#src/keys/use-layer.ts";
import type { Rules, RulesState } from "#src/state/sandbox/rules.ts";
import { useConsole } from "#src/state/use-console.ts";
import { usePresented } from "#src/state/use-presented.ts";
import { useStore } from "#src/state/use-store.ts";
import { PaneRule, PaneTitles } from "#src/ui/pane.tsx";
import { Rows } from "#src/ui/line.tsx";
import { useTheme } from "#src/ui/theme.ts";
import { levelOf, rulesView, type RulesView } from "./view-model.ts";

/** Draws exactly `columns` x `rows`. */
export function RulesScreen({
  columns,
  rows,
}: {
  readonly columns: number;
  readonly rows: number;
}): ReactNode {
  const { rules, session, now } = useConsole();
  const theme = useTheme();
  const state = useStore(rules.store, (whole) => whole);
  const project = useStore(session.store, (whole) => whole.project);
  const look = { theme, now: now(), level: levelOf(project), isThere: rules.isThere };
  const view = rulesView(usePresented(state), { columns, rows }, look);

  useEffect(() => rules.watch(), [rules]);
  useLayer(rules.isThere ? { scope: "rules", level: 1, handlers: handlers(rules, state, view) } : null);
  useLayer(
    state.draft === null
      ? null
      : {
          scope: "rules.draft",
          level: 2,
          handlers: {
            "rules.editAgain": () => void rules.edit(),
            "rules.discard": () => rules.discard(),
          },
        },
  );

  return (
    <Box flexDirection="column" width={columns} height={rows} overflow="hidden">
      <Rows rows={view.top} />
      <PaneTitles panes={view.panes} />
      <Box height={view.height}>
        {view.panes.map((pane, index) => (
          <Fragment key={index === 0 ? "first" : "second"}>
            {index === 0 ? null : <PaneRule height={view.height} />}
            <Box flexDirection="column" width={pane.width} flexShrink={0}>
              <Rows rows={pane.rows} />
            </Box>
          </Fragment>
        ))}
      </Box>
    </Box>
  );
}

type Handlers = Record<string, () => void | boolean>;

/** The same keys move through the list, or through the detail once that is open. */
function handlers(rules: Rules, state: RulesState, view: RulesView): Handlers {
  const { seen, opened, filter, scroll } = state;
  const { listPage, detailPage, detailEnd } = view;
  if (seen === null) return { "rules.reload": () => void rules.reload() };
  const move = (amount: number): void =>
    opened ? rules.scrollTo(Math.min(Math.min(scroll, detailEnd) + amount, detailEnd)) : rules.select(amount);
  const page = opened ? detailPage : listPage;
  const jump = (to: "first" | "last"): void =>
    opened ? rules.scrollTo(to === "first" ? 0 : detailEnd) : rules.select(to);
  return {
    "rules.filter": () => rules.askFilter(),
    "rules.edit": () => void rules.edit(),
    "rules.reload": () => void rules.reload(),
    "rules.down": () => move(1),
    "rules.up": () => move(-1),
    "rules.first": () => jump("first"),
    "rules.last": () => jump("last"),
    "rules.pageDown": () => move(page),
    "rules.pageUp": () => move(-page),
    ...(seen.reading.fromFile || seen.reading.error !== null
      ? { "rules.starter": () => rules.toStarter() }
      : {}),
    ...(opened ? { "rules.back": () => rules.close() } : { "rules.open": () => rules.open() }),
    ...(!opened && filter !== "" ? { "rules.back": () => rules.setFilter("") } : {}),
  };
}
