// The demo screen: one key steps through a deck; everything personal is masked.

import { Box } from "ink";
import type { ReactNode } from "react";
import { useLayer } from "#src/keys/use-layer.ts";
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
            "demo.restart": demo.restart,
            "demo.end": demo.end,
          },
        }
      : null,
  );
  // Takes precedence over the keys of the deck: while it advances by itself, space pauses.
  useLayer(
    !running || state.autoS === null
      ? null
      : state.paused
        ? { scope: "demo.paused", level: 2, handlers: { "demo.resume": demo.togglePause } }
        : { scope: "demo.auto", level: 2, handlers: { "demo.pause": demo.togglePause } },
  );

  return (
    <Box flexDirection="column" width={columns} height={rows} overflow="hidden">
      <Rows rows={demoView(state, { columns, rows }, theme)} />
    </Box>
  );
}
