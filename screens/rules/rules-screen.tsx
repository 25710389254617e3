// The Rules screen: the rules of the sandbox, their hits, and the errors of the rule file.

import { Box } from "ink";
import { useEffect, type ReactNode } from "react";
import { moveHandlers, scrolled, sortHandlers, type MoveTo } from "#src/keys/move-bindings.ts";
import { useLayer } from "#src/keys/use-layer.ts";
import type { RuleTuning } from "#src/state/sandbox/rule-tuning.ts";
import { selectedRule, type Rules, type RulesState } from "#src/state/sandbox/rules.ts";
import { useConsole } from "#src/state/use-console.ts";
import { usePresented } from "#src/state/use-presented.ts";
import { useStore } from "#src/state/use-store.ts";
import { Rows } from "#src/ui/line.tsx";
import { listMouse, mouseOn } from "#src/ui/mouse.ts";
import { Bands } from "#src/ui/pane.tsx";
import type { Size } from "#src/ui/rows.ts";
import { useTheme } from "#src/ui/theme.ts";
import { TunePanel } from "./tune-panel.tsx";
import { levelOf, rulesView, type RulesView } from "./view-model.ts";

/** Draws exactly its area: the rules, or over them the values of a number that are tried. */
export function RulesScreen(size: Size): ReactNode {
  const { tuning } = useConsole();
  return useStore(tuning.store, ({ open }) => open) ? <TunePanel {...size} /> : <RulesList {...size} />;
}

function RulesList({ columns, rows, zoom }: Size): ReactNode {
  const { rules, tuning, session, now } = useConsole();
  const theme = useTheme();
  const state = useStore(rules.store, (whole) => whole);
  const project = useStore(session.store, (whole) => whole.project);
  const options = { theme, now: now(), level: levelOf(project), isThere: rules.isThere };
  const view = rulesView(usePresented(state), { columns, rows, zoom }, options);

  const mouse = listMouse(rules, { scroll: state.scroll, isOpen: state.opened, end: view.detailEnd });

  useEffect(() => rules.watch(), [rules]);
  useLayer(
    rules.isThere ? { scope: "rules", level: 1, handlers: handlers(rules, tuning, state, view) } : null,
  );
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
      <Bands bands={[{ ...view, panes: mouseOn(view.panes, mouse) }]} />
    </Box>
  );
}

type Handlers = Record<string, () => void | boolean>;

/** The same keys move through the list, or scroll the open detail. */
function handlers(rules: Rules, tuning: RuleTuning, state: RulesState, view: RulesView): Handlers {
  const { seen, opened, filter, scroll } = state;
  const { listPage, detailPage, detailEnd } = view;
  if (seen === null) return { "rules.reload": () => void rules.reload() };
  const go = (to: MoveTo): void =>
    opened ? rules.scrollTo(scrolled(scroll, to, detailEnd)) : rules.select(to);
  const page = opened ? detailPage : listPage;
  return {
    "rules.filter": () => rules.askFilter(),
    "rules.edit": () => void rules.edit(),
    "rules.since": () => rules.askSince(),
    "rules.reload": () => void rules.reload(),
    "rules.tune": () => tuning.ask(selectedRule(state) ?? undefined),
    ...moveHandlers("rules", go, page),
    ...(opened ? {} : sortHandlers("rules", rules.sort)),
    ...(seen.reading.fromFile || seen.reading.error !== null
      ? { "rules.starter": () => rules.toStarter() }
      : {}),
    ...(opened ? { "rules.back": () => rules.close() } : { "rules.open": () => rules.open() }),
    ...(!opened && filter !== "" ? { "rules.back": () => rules.setFilter("") } : {}),
  };
}
