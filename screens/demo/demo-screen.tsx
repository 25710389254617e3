// The demo screen: one key steps through a deck; everything personal is masked.

import { Box } from "ink";
import type { ReactNode } from "react";
import { useLayer } from "#src/keys/use-layer.ts";
import { daySums } from "#src/state/sandbox/day-sums.ts";
import { useConsole } from "#src/state/use-console.ts";
import { useStore } from "#src/state/use-store.ts";
import { Rows } from "#src/ui/line.tsx";
import type { Size } from "#src/ui/rows.ts";
import { useTheme } from "#src/ui/theme.ts";
import {
  DEMO,
  DEMO_ASKED,
  DEMO_AUTO,
  DEMO_CHOICE,
  DEMO_DAY,
  DEMO_PAUSED,
  DEMO_RUNNING,
  DEMO_STOPPED,
} from "./keys.ts";
import { demoView } from "./view-model.ts";

/** Draws exactly `columns` x `rows`. */
export function DemoScreen({ columns, rows }: Size): ReactNode {
  const { demo } = useConsole();
  const theme = useTheme();
  const state = useStore(demo.store, (whole) => whole);
  const running = state.deck !== null;
  const { day } = state;
  const frame = state.frames[state.at - 1];
  const hasCase = frame?.kind === "stream" && daySums(frame.day.payments).nextChange(0) !== null;
  const isDayOver = frame?.kind !== "stream" || day === null || day.shown >= frame.day.payments.length;

  const isCheck = frame?.kind === "check";
  const isEnd = state.at > state.checks;
  const scene = { demo, isCheck, isEnd, hasSides: isCheck && frame.sides.length > 0, hasCase };
  useLayer(running ? DEMO.layer(scene) : DEMO_CHOICE.layer(demo));
  // Takes precedence over the keys of the deck: while it advances by itself, space pauses.
  const advances = running && state.autoS !== null && state.at > 0 && isDayOver;
  useLayer(advances ? (state.paused ? DEMO_PAUSED : DEMO_AUTO).layer(demo) : null);
  useLayer(day === null ? null : DEMO_DAY.layer(scene));
  useLayer(isDayOver ? null : (day.runs ? DEMO_RUNNING : DEMO_STOPPED).layer(demo));
  useLayer(state.asked === null ? null : DEMO_ASKED.layer(scene));

  return (
    <Box flexDirection="column" width={columns} height={rows} overflow="hidden">
      <Rows rows={demoView(state, { columns, rows }, theme)} />
    </Box>
  );
}
