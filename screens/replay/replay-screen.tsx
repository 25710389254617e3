// The Replay screen: earlier runs, the form of a new replay, the running one, and the result of a run.

import { Box } from "ink";
import { memo, useEffect, useState, type ReactNode } from "react";
import type { Layer } from "#src/keys/layers.ts";
import { moveHandlers, scrolled, sortHandlers, type MoveTo } from "#src/keys/move-bindings.ts";
import { reasons, useLayer } from "#src/keys/use-layer.ts";
import { isIsolated } from "#src/state/replay/replay-setup.ts";
import { chosenRun, whyNotAgain, whyNotGoOn, type ReplaysState } from "#src/state/replay/replays-state.ts";
import type { Replays } from "#src/state/replay/replays.ts";
import { useConsole } from "#src/state/use-console.ts";
import { usePresented } from "#src/state/use-presented.ts";
import { useStore } from "#src/state/use-store.ts";
import { buttonLayer, formLayer } from "#src/ui/form-layer.ts";
import { Rows } from "#src/ui/line.tsx";
import { BandOf } from "#src/ui/pane.tsx";
import type { Size } from "#src/ui/rows.ts";
import { StillTable } from "#src/ui/still-table.tsx";
import { useTheme } from "#src/ui/theme.ts";
import type { ReplayRenderOptions } from "./render-options.ts";
import { replayView, type ReplayPane, type ReplayView } from "./view-model.ts";

/** Memoised: drawing the table costs as much as ten rows. */
const Table = memo(StillTable, (before, after) => JSON.stringify(before) === JSON.stringify(after));

/** Draws exactly `columns` x `rows`. */
export function ReplayScreen({ columns, rows, zoom }: Size): ReactNode {
  const { replays, context, now } = useConsole();
  const theme = useTheme();
  const state = useStore(replays.store, (whole) => whole);
  const [top, setTop] = useState(0);
  const options = {
    theme,
    unit: context.profile.amountUnit,
    now: now(),
    data: context.home.data,
    profile: context.profile.name,
  };
  const view = replayView(usePresented(state), { columns, rows, zoom }, options, top);
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
  useLayer(state.live === null && state.result?.opened != null ? findingLayer(replays) : null);
  useLayer(formLayer("replay", state.live === null ? (state.setup?.form ?? null) : null, replays));

  return (
    <Box flexDirection="column" width={columns} height={rows} overflow="hidden">
      {view.bands.map((band, index) => (
        // Bands have no identity but their index.
        // oxlint-disable-next-line react/no-array-index-key
        <BandOf
          key={index}
          {...band}
          panes={band.panes.map((pane) => ({ ...pane, mouse: { rows: pane.above, ...mouse } }))}
          draw={drawPane}
        />
      ))}
    </Box>
  );
}

/** What is higher than its band is cut there: without room its rows would give way one here, one there. */
function drawPane({ above, tables, below }: ReplayPane): ReactNode {
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

type Handlers = Record<string, () => void | boolean>;

function screenLayer(
  replays: Replays,
  state: ReplaysState,
  view: ReplayView,
  options: ReplayRenderOptions,
): Layer {
  if (state.live !== null) {
    const handlers = {
      "replay.live.pause": () => replays.togglePause(),
      "replay.live.cancel": () => replays.askCancel(),
    };
    return { scope: "replay.live", level: 1, handlers };
  }
  if (state.setup !== null) {
    const layer = buttonLayer("replay.setup", replays);
    return isIsolated(state.setup.form) ? { ...layer, sendsNothing: true } : layer;
  }
  const handlers: Handlers = {
    "replay.new": () => void replays.setUp(),
    ...(chosenRun(state) === null ? {} : runHandlers(replays)),
    ...(state.result === null ? listHandlers(replays, state, view) : resultHandlers(replays, state, view)),
  };
  const disabled =
    chosenRun(state) === null
      ? { "replay.open": `There is no run to open yet; ${options.theme.keyName("replay.new")} sets one up.` }
      : reasons({
          "replay.goOn": whyNotGoOn(state, options.profile, options.theme.keyName),
          "replay.again": whyNotAgain(state),
        });
  return { scope: "replay", level: 1, handlers, disabled };
}

/** While a finding is open, one key opens the next one of its group. */
function findingLayer(replays: Replays): Layer {
  const handlers = {
    "replay.finding.next": () => replays.selectFinding(1),
    "replay.finding.previous": () => replays.selectFinding(-1),
  };
  return { scope: "replay.finding", level: 2, handlers };
}

function runHandlers(replays: Replays): Handlers {
  return {
    "replay.goOn": () => void replays.goOn(),
    "replay.again": () => void replays.again(),
    "replay.remove": () => replays.remove(),
    "replay.baseline": () => replays.toggleBaseline(),
    "replay.mark": () => replays.toggleMark(),
  };
}

function listHandlers(replays: Replays, state: ReplaysState, view: ReplayView): Handlers {
  if (state.runs.length === 0) return {};
  return {
    ...moveHandlers("replay", (to) => replays.select(to), view.page),
    "replay.open": () => replays.open(),
    ...(state.markedId === null ? {} : { "replay.back": () => replays.back() }),
  };
}

function resultHandlers(replays: Replays, { result }: ReplaysState, view: ReplayView): Handlers {
  const opened = result?.opened != null;
  const scrollTo = (to: MoveTo): void => replays.scrollTo(scrolled(result?.scroll ?? 0, to, view.end));
  return {
    "replay.back": () => replays.back(),
    "replay.export": () => replays.askReport(),
    ...(opened
      ? moveHandlers("replay", scrollTo, view.page)
      : {
          ...moveHandlers("replay", (to) => replays.selectFinding(to), view.page),
          ...sortHandlers("replay", replays.sortFindings),
          "replay.open": () => replays.openFinding(),
          ...((result?.groups.length ?? 0) < 2
            ? {}
            : {
                "replay.nextGroup": () => replays.cycleGroup(1),
                "replay.previousGroup": () => replays.cycleGroup(-1),
              }),
        }),
  };
}
