// What is signed, over Check: the string to sign byte by byte, the key's way, the headers and how long they hold.

import { useState, type ReactNode } from "react";
import { useLayer } from "#src/keys/use-layer.ts";
import { useConsole } from "#src/state/use-console.ts";
import { useStore } from "#src/state/use-store.ts";
import { Panel, panelRoom } from "#src/ui/panel.tsx";
import type { Size } from "./layout.ts";
import { signingRows } from "./signing-rows.ts";

/** Draws exactly its area. */
export function SigningPanel({ columns, rows }: Size): ReactNode {
  const { signing } = useConsole();
  const lines = useStore(signing.store, (state) => state.lines);
  const [top, setTop] = useState(0);
  const all = signingRows(lines ?? [], panelRoom(columns));
  const height = Math.max(1, rows - 2);
  const last = Math.max(0, all.length - height);
  const at = Math.min(top, last);
  const move = (by: number): void => setTop(Math.min(Math.max(0, at + by), last));
  useLayer({
    scope: "signing",
    level: 1,
    handlers: {
      "signing.close": signing.close,
      "signing.copy": () => void signing.copy(),
      "signing.anew": () => void signing.show(),
      "signing.down": () => move(1),
      "signing.up": () => move(-1),
      "signing.pageDown": () => move(height - 1),
      "signing.pageUp": () => move(1 - height),
      "signing.first": () => setTop(0),
      "signing.last": () => setTop(last),
    },
  });
  const shown = all.slice(at, at + height);
  const place = last === 0 ? "" : ` (${at + 1}-${at + shown.length} of ${all.length})`;
  return <Panel title={`What is signed${place}`} rows={shown} width={columns} height={rows} />;
}
