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

  useLayer(
    running
      ? null
      : {
          scope: "demo.choice",
          level: 1,
          handlers: {
            "demo.choose": demo.choose,
            "demo.down": () => demo.select(1),
            "demo.up": () => demo.select(-1),
            "demo.top": () => demo.select("first"),
            "demo.bottom": () => demo.select("last"),
            "demo.leave": demo.end,
          },
        },
  );
  useLayer(
    running
      ? {
          scope: "demo",
          level: 1,
          handlers: {
            "demo.forward": demo.forward,
            "demo.back": demo.back,
            "demo.first": demo.first,
            "demo.notes": demo.toggleNotes,
            ...(frame?.kind !== "check"
              ? {}
              : { "demo.flips": () => demo.ask("flips"), "demo.amounts": () => demo.ask("amounts") }),
            "demo.restart": demo.askToRestart,
            "demo.end": demo.askToEnd,
          },
        }
      : null,
  );
  // Takes precedence over the keys of the deck: while it advances by itself, space pauses.
  useLayer(
    !running || state.autoS === null || state.at === 0 || !isDayOver
      ? null
      : state.paused
        ? { scope: "demo.paused", level: 2, handlers: { "demo.resume": demo.togglePause } }
        : { scope: "demo.auto", level: 2, handlers: { "demo.pause": demo.togglePause } },
  );
  useLayer(
    day === null
      ? null
      : {
          scope: "demo.day",
          level: 2,
          handlers: {
            ...(hasCase ? { "demo.case": demo.nextCase } : {}),
            "demo.faster": () => demo.faster(2),
            "demo.slower": () => demo.faster(1 / 2),
            "demo.again": demo.againDay,
          },
        },
  );
  useLayer(
    isDayOver
      ? null
      : day.runs
        ? { scope: "demo.running", level: 2, handlers: { "demo.stop": demo.toggleDay } }
        : { scope: "demo.stopped", level: 2, handlers: { "demo.go-on": demo.toggleDay } },
  );
  useLayer(
    state.asked === null
      ? null
      : { scope: "demo.asked", level: 2, handlers: { "demo.answered": () => demo.ask(null) } },
  );

  return (
    <Box flexDirection="column" width={columns} height={rows} overflow="hidden">
      <Rows rows={demoView(state, { columns, rows }, theme)} />
    </Box>
  );
}
