// The palette: everything that can be done now, found by typing a part of its name.

import { useState, type ReactNode } from "react";
import { keyLabel, type Binding } from "#src/keys/binding.ts";
import type { ActiveBinding } from "#src/keys/dispatcher.ts";
import { useLayer } from "#src/keys/use-layer.ts";
import { fit, window } from "#src/ui/fit.ts";
import type { Span } from "#src/ui/line.tsx";
import { Panel, panelRoom } from "#src/ui/panel.tsx";
import { InputLine } from "#src/ui/prompt.tsx";
import { useTheme } from "#src/ui/theme.ts";
import { paletteEntries } from "./view-model.ts";

const LEVEL = 4;

export interface PaletteProps {
  /** What worked when the palette was opened. */
  readonly active: readonly ActiveBinding[];
  readonly onRun: (binding: Binding) => void;
  readonly onClose: () => void;
  readonly columns: number;
  readonly rows: number;
}

export function Palette({ active, onRun, onClose, columns, rows }: PaletteProps): ReactNode {
  const [typed, setTyped] = useState("");
  const [selected, setSelected] = useState(0);
  const { sign } = useTheme();
  const entries = paletteEntries(active, typed);
  const at = Math.min(selected, Math.max(0, entries.length - 1));
  const chosen = entries[at];
  const turn = (by: number): void => {
    if (entries.length > 0) setSelected((at + by + entries.length) % entries.length);
  };
  useLayer({
    scope: "palette",
    level: LEVEL,
    modal: true,
    handlers: {
      "palette.down": () => turn(1),
      "palette.up": () => turn(-1),
      "palette.run": () =>
        chosen === undefined || chosen.disabled !== null ? undefined : onRun(chosen.binding),
      "palette.close": onClose,
    },
  });
  const room = panelRoom(columns);
  const visible = window(entries.length, rows - 3, at);
  const list = entries.slice(visible.from, visible.to).map(({ binding, disabled }, index): Span[] => {
    const marked = visible.from + index === at;
    const key = fit(keyLabel(binding.keys[0]!), 10);
    const text = disabled === null ? binding.label : `${binding.label} (${disabled})`;
    return [
      { text: `${marked ? sign("pointer") : " "} ${key} `, role: "accent" },
      { text: fit(`${text}  ${binding.group}`, room - 13), role: marked ? "accent" : null },
    ];
  });
  return (
    <Panel
      title="Palette"
      width={columns}
      height={rows}
      rows={entries.length === 0 ? [[{ text: "Nothing has these letters." }]] : list}
      first={
        <InputLine
          label=":"
          value={typed}
          onChange={(text) => {
            setTyped(text);
            setSelected(0);
          }}
          level={LEVEL}
          width={room}
        />
      }
    />
  );
}
