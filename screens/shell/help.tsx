// The help: the keys of the table in columns, those that could be used when it was opened first, and a search in all of them.

import { useState, type ReactNode } from "react";
import type { ActiveBinding } from "#src/keys/layers.ts";
import { useDispatcher } from "#src/keys/use-layer.ts";
import { useConsole } from "#src/state/use-console.ts";
import { useStore } from "#src/state/use-store.ts";
import { wrapWords } from "#src/ui/fit.ts";
import { panelRoom } from "#src/ui/panel.tsx";
import { InputLine } from "#src/ui/prompt.tsx";
import type { Row, Size } from "#src/ui/rows.ts";
import { columnWidth, ScrolledPanel } from "#src/ui/scrolled-panel.tsx";
import { useTheme } from "#src/ui/theme.ts";
import { useShown } from "#src/ui/use-audience.ts";
import { HELP, HELP_FIND } from "./keys.ts";
import { SCREENS, screenBinding } from "./screen-list.ts";
import { foundKeys, helpNotes, helpRows } from "./view-model.ts";

const LEVEL = 4;
/** Narrower ones would cut what a key does. */
const WITH_TWO = 99;
const WITH_THREE = 159;

export function Help({
  active,
  columns,
  rows,
}: Size & { readonly active: readonly ActiveBinding[] }): ReactNode {
  const { session } = useConsole();
  const bindings = useShown(useDispatcher().bindings);
  const usable = useShown(active);
  const theme = useTheme();
  const { keyName } = theme;
  const about = useStore(session.store, ({ prompt }) => prompt?.help);
  // No key of a deck leads to the rest of the console.
  const isDeck = useStore(session.store, ({ screen }) => screen === "demo");
  /** What is looked for; null where nothing is. */
  const [typed, setTyped] = useState<string | null>(null);
  const panel = { columns, height: rows };
  if (typed !== null) {
    const found = foundKeys(bindings, typed, panelRoom(columns));
    return (
      <ScrolledPanel
        {...panel}
        // The place in all keys is none in those that were found.
        key="found"
        title={`Keys: ${found.length} of ${bindings.length}`}
        rows={found}
        layer={(moving) => ({ ...HELP_FIND.layer({ ...moving, close: () => setTyped(null) }), modal: true })}
        first={
          <InputLine
            label="Find"
            value={typed}
            isPublic={found.length > 0}
            onChange={setTyped}
            level={LEVEL}
            width={panelRoom(columns)}
          />
        }
      />
    );
  }
  const find = (): void => setTyped("");
  const close = (): void => session.showHelp(false);
  const across = about !== undefined || columns < WITH_TWO ? 1 : columns < WITH_THREE ? 2 : 3;
  const width = columnWidth(columns, across);
  const screens = SCREENS.map(({ name, label }) => `${keyName(screenBinding(name))}\u00A0${label}`);
  const ids = SCREENS.map(({ name }) => screenBinding(name));
  const others = isDeck
    ? usable.map(({ binding }) => binding)
    : bindings.filter(({ id }) => !ids.includes(id));
  const line = (text: string): Row => [{ text: text.replaceAll("\u00A0", " ") }];
  const said = [
    ...(about === undefined ? [] : [...about.split("\n").map(line), []]),
    ...(isDeck ? [] : [...wrapWords(screens.join("  "), width).map(line), []]),
  ];
  return (
    <ScrolledPanel
      {...panel}
      title="Keys"
      rows={[...said, ...helpRows(others, active, width, helpNotes(width, theme))]}
      across={across}
      layer={(moving) => ({ ...HELP.layer({ ...moving, find, close }), modal: true })}
    />
  );
}
