// The Rules screen: the rules of the sandbox, their hits, and the errors of the rule file.

import { useEffect, type ReactNode } from "react";
import { useLayer } from "#src/keys/use-layer.ts";
import { listedRules } from "#src/state/sandbox/rules.ts";
import { useConsole } from "#src/state/use-console.ts";
import { useShown } from "#src/ui/use-audience.ts";
import { useStore } from "#src/state/use-store.ts";
import { listGo, listMouse } from "#src/ui/mouse.ts";
import { PaneScreen } from "#src/ui/pane.tsx";
import type { Size } from "#src/ui/rows.ts";
import { useTheme } from "#src/ui/theme.ts";
import { RULES, RULES_DRAFT } from "./keys.ts";
import { levelOf, rulesView } from "./view-model.ts";

/** Draws exactly its area. */
export function RulesScreen(size: Size): ReactNode {
  const { rules, tuning, session, now } = useConsole();
  const theme = useTheme();
  const state = useStore(rules.store, (whole) => whole);
  const project = useStore(session.store, (whole) => whole.project);
  const options = { theme, now: now(), level: levelOf(project), isThere: rules.isThere };
  const shown = useShown({ ...state, listed: listedRules(state) });
  const { page, end, ...view } = rulesView(shown, size, options);
  const detail = { scroll: state.scroll, isOpen: state.opened, end };

  useEffect(() => rules.watch(), [rules]);
  useLayer(rules.isThere ? RULES.layer({ rules, tuning, state, go: listGo(rules, detail), page }) : null);
  useLayer(state.draft === null ? null : RULES_DRAFT.layer(rules));

  const mouse = listMouse(rules, detail);
  return <PaneScreen {...size} bands={view.bands} mouse={mouse} above={view.top} />;
}
