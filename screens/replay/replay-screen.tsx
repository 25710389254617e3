// The Replay screen: earlier runs, the form of a new replay, the running one, and the result of a run.

import { Box } from "ink";
import { memo, useEffect, useState, type ReactNode } from "react";
import type { Layer } from "#src/keys/layers.ts";
import { scrolled, type ListMove } from "#src/keys/move-commands.ts";
import { useLayer } from "#src/keys/use-layer.ts";
import { againstOf } from "#src/state/replay/chosen-baseline.ts";
import { isIsolated } from "#src/state/replay/replay-setup.ts";
import { listedRuns, type ReplaysState } from "#src/state/replay/replays-state.ts";
import type { Replays } from "#src/state/replay/replays.ts";
import { useConsole } from "#src/state/use-console.ts";
import { useShown } from "#src/ui/use-audience.ts";
import { useStore } from "#src/state/use-store.ts";
import { Rows } from "#src/ui/line.tsx";
import { PaneScreen } from "#src/ui/pane.tsx";
import type { Size } from "#src/ui/rows.ts";
import { StillTable } from "#src/ui/still-table.tsx";
import { useTheme } from "#src/ui/theme.ts";
import { REPLAY, REPLAY_FIELDS, REPLAY_FINDING, REPLAY_LIVE, REPLAY_SETUP } from "./keys.ts";
import type { ReplayRenderOptions } from "./render-options.ts";
import { replayView, type ReplayPane, type ReplayView } from "./view-model.ts";

/** Memoised: drawing the table costs as much as ten rows. */
const Table = memo(StillTable, (before, after) => JSON.stringify(before) === JSON.stringify(after));

/** Draws exactly `columns` x `rows`. */
export function ReplayScreen(size: Size): ReactNode {
  const { replays, context, now } = useConsole();
  const theme = useTheme();
  const state = useStore(replays.store, (whole) => whole);
  const [top, setTop] = useState(0);
  const { home, profile } = context;
  const { data } = home;
  const against = state.setup === null ? null : againstOf(state.setup, state.runs, { data, profile });
  const options = { data, profile: profile.name, theme, unit: profile.amountUnit, now: now(), against };
  const view = replayView(useShown({ ...state, listed: listedRuns(state) }), size, options, top);
  // The next view starts from this position; changing it needs no redraw.
  if (view.top !== top) setTop(view.top);

  const mouse = {
    go: (by: number) => (state.result === null ? replays.select(by) : replays.selectFinding(by)),
    focus(name: string) {
      if (state.setup !== null) return replays.focus(name);
      for (const _ of state.result?.groups ?? []) {
        if (replays.store.getState().result?.groupId !== name) replays.cycleGroup(1);
      }
    },
    ...(state.result?.opened == null
      ? {}
      : { scroll: (by: number) => replays.scrollTo(scrolled(state.result?.scroll ?? 0, by, view.end)) }),
  };

  useEffect(() => {
    void replays.load();
  }, [replays]);
  useLayer(screenLayer(replays, state, view, options));
  useLayer(state.live === null && state.result?.opened != null ? REPLAY_FINDING.layer(replays) : null);
  useLayer(REPLAY_FIELDS.layer(state.live === null ? (state.setup?.form ?? null) : null, replays));

  return <PaneScreen {...size} bands={view.bands} mouse={mouse} draw={drawPane} />;
}

/** What is higher than its band is cut there: without room its rows would give way one here, one there. */
function drawPane({ rows: above, tables = [], below = [] }: ReplayPane): ReactNode {
  return (
    <Box flexDirection="column" flexShrink={0}>
      <Rows rows={above} />
      <Box flexDirection="column" gap={1}>
        {tables.map((table, index) => (
          // Tables have no identity but their index.
          // oxlint-disable-next-line react/no-array-index-key
          <Table key={index} {...table} />
        ))}
      </Box>
      <Rows rows={below} />
    </Box>
  );
}

function screenLayer(
  replays: Replays,
  state: ReplaysState,
  view: ReplayView,
  { profile, theme: { keyName } }: ReplayRenderOptions,
): Layer {
  if (state.live !== null) return REPLAY_LIVE.layer(replays);
  if (state.setup !== null) {
    const layer = REPLAY_SETUP.layer(replays);
    return isIsolated(state.setup.form) ? { ...layer, sendsNothing: true } : layer;
  }
  const { result } = state;
  const go = (to: ListMove): void => {
    if (result === null) replays.select(to);
    else if (result.opened === null) replays.selectFinding(to);
    else replays.scrollTo(scrolled(result.scroll, to, view.end));
  };
  return REPLAY.layer({ replays, state, profile, keyName, go, page: view.page });
}
