// The palette: finds a key binding or a verb by a part of its name, and runs command lines.

import { useState, type ReactNode } from "react";
import { MASK } from "#src/display/mask.ts";
import { safe } from "#src/display/safe.ts";
import { keyLabel, type Binding } from "#src/keys/binding.ts";
import type { ActiveBinding } from "#src/keys/layers.ts";
import { useLayer } from "#src/keys/use-layer.ts";
import { useConsole } from "#src/state/use-console.ts";
import { useStore } from "#src/state/use-store.ts";
import { Drawer } from "#src/ui/drawer.tsx";
import { fit } from "#src/ui/fit.ts";
import { AXIS, fillRows, fitRow, textRows, type Row, type Size } from "#src/ui/rows.ts";
import { useTheme, type Theme } from "#src/ui/theme.ts";
import { useAudience } from "#src/ui/use-audience.ts";
import { PALETTE } from "./keys.ts";
import { paletteEntries, paletteHint, type PaletteEntry } from "./view-model.ts";

export interface PaletteProps extends Size {
  /** The bindings that could be used when the palette was opened. */
  readonly active: readonly ActiveBinding[];
  /** Presses the key of a binding, and closes the palette. */
  readonly onRun: (binding: Binding) => void;
  /** The screen below. */
  readonly children: ReactNode;
}

export function Palette({ active, onRun, columns, rows, children }: PaletteProps): ReactNode {
  const [typed, setTyped] = useState("");
  const { session, commandLine, verbs } = useConsole();
  const prepared = useStore(session.store, (state) => state.prepared);
  /** Null until something is chosen: what is first among all may send, delete or leave. */
  const unchosen = prepared.length > 0 ? 0 : null;
  const [selected, setSelected] = useState<number | null>(unchosen);
  const theme = useTheme();
  const { isThere, shown } = useAudience();
  const names = useStore(commandLine.store, (state) => state.names);
  // Drawn again when what verbs name is read.
  useStore(verbs.store, (known) => known);
  const found = {
    verbs: verbs.list(),
    read: commandLine.read,
    named: names.of === typed ? names.forms : [],
    prepared,
  };
  const isHidden = (entry: PaletteEntry): boolean =>
    isThere && entry.kind === "line" && !commandLine.read(entry.text).isPublic;
  const seen = (entry: PaletteEntry): string => (isHidden(entry) ? MASK : shown(entryTexts(entry)[0]));
  /** An audience sees no line that is refused, but for the one that is typed, behind a mask. */
  const entriesOf = (text: string): readonly PaletteEntry[] =>
    paletteEntries(shown(active), text, found).filter(
      (entry) => !isHidden(entry) || entryTexts(entry)[0] === text.trim(),
    );
  const entries = entriesOf(typed);
  const hint = paletteHint(typed, commandLine.read(typed));
  const at = selected === null ? null : Math.min(selected, Math.max(0, entries.length - 1));
  const chosen = at === null ? undefined : entries[at];
  const type = (text: string): void => {
    setTyped(text);
    setSelected(text.trim() === "" ? unchosen : 0);
    void commandLine.complete(text);
  };
  const turn = (by: number): void => {
    if (entries.length > 0) setSelected(((at ?? (by > 0 ? -1 : 0)) + by + entries.length) % entries.length);
  };
  const run = (): void => {
    if (chosen === undefined) return;
    if (chosen.kind === "key") return chosen.disabled === null ? onRun(chosen.binding) : undefined;
    // The rest of a line that is only begun is typed next.
    const isBegun = chosen.kind === "line" && /[ =/]$/.test(chosen.text) && chosen.text !== typed.trim();
    if (isBegun) return type(chosen.text);
    session.showPalette(false);
    if (chosen.kind === "verb") chosen.verb.run();
    else void commandLine.run(chosen.text);
  };
  const unmarked =
    chosen === undefined
      ? `Nothing is marked: type letters of a name, or press ${theme.keyName("palette.down")}.`
      : null;
  const close = (): void => session.showPalette(false);
  useLayer({ ...PALETTE.layer({ turn, run, close, unmarked }), modal: true });
  const said =
    entries.length === 0 && hint === null
      ? "No command matches; Ctrl-U clears the text."
      : safe(shown(hint ?? ""), { max: 400 });
  const foot = textRows(said, columns - 1, theme, { limit: HINT_ROWS, role: "quiet" });
  return (
    <Drawer
      title="Palette"
      typed={typed}
      onType={type}
      // A name that is hidden in every entry that it finds is not shown where it is typed.
      isPublic={entries.some((entry) => seen(entry) === entryTexts(entry)[0])}
      head={entries.length === 0 ? foot : []}
      entries={entries}
      of={entriesOf("").length}
      at={at}
      draw={(entry) => entryRow(seen(entry), shown(entryTexts(entry)[2]), entry, columns - 1, theme)}
      foot={entries.length === 0 ? [] : fillRows(foot, columns, HINT_ROWS)}
      columns={columns}
      rows={rows}
    >
      {children}
    </Drawer>
  );
}

const HINT_ROWS = 2;
/** Columns of what it does, of its key, and of the rest beside them. */
const WORDS = { least: 26, most: 48 };
const KEY = 6;
const REST = 45;

/** What it does, the key to be learnt in passing, and where it belongs. */
function entryRow(words: string, place: string, entry: PaletteEntry, width: number, theme: Theme): Row {
  const [, key] = entryTexts(entry);
  const room = Math.max(WORDS.least, Math.min(WORDS.most, width - REST));
  const shown = fit(safe(words), room, { ellipsis: theme.sign("ellipsis") });
  return fitRow(
    [
      { text: `${fit("", AXIS)}${shown}  ` },
      { text: fit(key, KEY), role: "heading" },
      { text: `  ${safe(place, { max: 200 })}`, role: "quiet" },
    ],
    width,
    theme,
  );
}

function entryTexts(entry: PaletteEntry): readonly [words: string, key: string, place: string] {
  if (entry.kind === "line") return [entry.text, "", entry.about];
  if (entry.kind === "verb") return [entry.verb.label, "", entry.verb.group];
  const { binding, disabled } = entry;
  return [binding.label, keyLabel(binding.keys[0]!), disabled ?? binding.group];
}
