// What is signed, over Check: the string to sign byte by byte, the key's way, the headers and how long they hold.

import type { ReactNode } from "react";
import { useConsole } from "#src/state/use-console.ts";
import { useStore } from "#src/state/use-store.ts";
import { panelRoom } from "#src/ui/panel.tsx";
import type { Size } from "./layout.ts";
import { ScrolledPanel } from "./scrolled-panel.tsx";
import { signingRows } from "#src/ui/signing-rows.ts";

/** Draws exactly its area. */
export function SigningPanel({ columns, rows }: Size): ReactNode {
  const { signing } = useConsole();
  const lines = useStore(signing.store, (state) => state.lines);
  return (
    <ScrolledPanel
      title="What is signed"
      scope="signing"
      rows={signingRows(lines ?? [], panelRoom(columns))}
      handlers={{
        "signing.close": signing.close,
        "signing.copy": () => void signing.copy(),
        "signing.anew": () => void signing.show(),
      }}
      columns={columns}
      height={rows}
    />
  );
}
