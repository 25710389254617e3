// The palette: finds a key binding by a part of its name, or runs a command with an argument.

import { useState, type ReactNode } from "react";
import { safe } from "#src/display/safe.ts";
import { keyLabel, type Binding } from "#src/keys/binding.ts";
import type { ActiveBinding } from "#src/keys/layers.ts";
import { useLayer } from "#src/keys/use-layer.ts";
import { useConsole } from "#src/state/use-console.ts";
import { useStore } from "#src/state/use-store.ts";
import { fit, widthOf, window, wrapWords } from "#src/ui/fit.ts";
import type { Span } from "#src/ui/line.tsx";
import { Panel, panelRoom } from "#src/ui/panel.tsx";
import { InputLine } from "#src/ui/prompt.tsx";
import type { Size } from "#src/ui/rows.ts";
import { useTheme } from "#src/ui/theme.ts";
import { paletteEntries, paletteHint, type PaletteEntry } from "./view-model.ts";

const LEVEL = 4;

export interface PaletteProps extends Size {
  /** The bindings that could be used when the palette was opened. */
  readonly active: readonly ActiveBinding[];
  /** Presses the key of a binding, and closes the palette. */
  readonly onRun: (binding: Binding) => void;
}

export function Palette({ active, onRun, columns, rows }: PaletteProps): ReactNode {
  const [typed, setTyped] = useState("");
  const [selected, setSelected] = useState(0);
  const { sign } = useTheme();
  const { session, conditions, verbs } = useConsole();
  // Drawn again when the words for the arguments of commands are loaded.
  useStore(conditions.store, (state) => state.words);
  const entries = paletteEntries(active, typed, conditions, verbs);
  const hint = paletteHint(typed, conditions);
  const isUnclear = conditions.read(typed)?.kind === "unclear";
  const at = Math.min(selected, Math.max(0, entries.length - 1));
  const chosen = entries[at];
  const type = (text: string): void => {
    setTyped(text);
    setSelected(0);
  };
  const turn = (by: number): void => {
    if (entries.length > 0) setSelected((at + by + entries.length) % entries.length);
  };
  const run = (): void => {
    if (chosen === undefined) return;
    if (chosen.kind === "key") return chosen.disabled === null ? onRun(chosen.binding) : undefined;
    if (chosen.kind === "verb") {
      session.showPalette(false);
      return chosen.verb.run();
    }
    // The rest of an incomplete command is typed next, and an unclear one is not run.
    const { command, text } = chosen;
    if (command === null || isUnclear) return type(text);
    session.showPalette(false);
    void conditions.run(command);
  };
  useLayer({
    scope: "palette",
    level: LEVEL,
    modal: true,
    handlers: {
      "palette.down": () => turn(1),
      "palette.up": () => turn(-1),
      "palette.run": run,
      "palette.close": () => session.showPalette(false),
    },
  });
  const room = panelRoom(columns);
  const said = hint === null ? [] : wrapWords(safe(hint, { max: 400 }), room).slice(0, HINT_ROWS);
  const visible = window(entries.length, rows - 3 - said.length, at);
  const list = entries.slice(visible.from, visible.to).map((entry, index): Span[] => {
    const marked = visible.from + index === at;
    const [head, text] = entryTexts(entry);
    return [
      { text: `${marked ? sign("pointer") : " "} ${head} `, role: "accent" },
      { text: fit(text, room - widthOf(head) - 3), role: marked ? "accent" : null },
    ];
  });
  return (
    <Panel
      title="Palette"
      width={columns}
      height={rows}
      rows={[
        ...said.map((text): Span[] => [{ text, role: "note" }]),
        ...(entries.length === 0 && hint === null ? [[{ text: "Nothing has these letters." }]] : list),
      ]}
      first={<InputLine label=":" value={typed} onChange={type} level={LEVEL} width={room} />}
    />
  );
}

const KEY_COLUMNS = 10;
/** Columns of a command, so that the labels are aligned. */
const COMMAND_COLUMNS = 21;
const HINT_ROWS = 2;

/** What is pressed or typed, and what it does. */
function entryTexts(entry: PaletteEntry): readonly [string, string] {
  if (entry.kind === "command") {
    const typed = safe(entry.text, { max: 80 }).padEnd(COMMAND_COLUMNS);
    return [`:${typed}`, `${safe(entry.label, { max: 200 })}  Sandbox`];
  }
  if (entry.kind === "verb") return [fit("", KEY_COLUMNS), `${entry.verb.label}  ${entry.verb.group}`];
  const { binding, disabled } = entry;
  const label = disabled === null ? binding.label : `${binding.label} (${disabled})`;
  return [fit(keyLabel(binding.keys[0]!), KEY_COLUMNS), `${label}  ${binding.group}`];
}
