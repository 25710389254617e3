// The list of projects over the upper rows of a screen: finds one by its letters, and uses it.

import { useState, type ReactNode } from "react";
import { safe } from "#src/display/safe.ts";
import { useLayer } from "#src/keys/use-layer.ts";
import { projectChoices } from "#src/state/register/project-switch.ts";
import { useConsole } from "#src/state/use-console.ts";
import { useStore } from "#src/state/use-store.ts";
import { selectedAt } from "#src/state/list-selection.ts";
import { Drawer } from "#src/ui/drawer.tsx";
import { fitRow, type Size } from "#src/ui/rows.ts";
import { useTheme } from "#src/ui/theme.ts";
import { useAudience } from "#src/ui/use-audience.ts";
import { PROJECTS } from "./keys.ts";
import { foundProjects, projectChoiceRow, projectHeadRow } from "./project-rows.ts";

/** @param children the screen below, in an area of the same size */
export function ProjectDrawer({
  columns,
  rows,
  children,
}: Size & { readonly children: ReactNode }): ReactNode {
  const { session, checks, registrations, projects, now } = useConsole();
  const theme = useTheme();
  const state = useStore(projects.store, (whole) => whole);
  const used = useStore(session.store, ({ project }) => project);
  const known = useStore(registrations.store, (whole) => whole.projects);
  const entries = useStore(checks.store, (whole) => whole.entries);
  const [typed, setTyped] = useState("");
  const [chosen, setChosen] = useState(state.marked);
  const { shown } = useAudience();
  const choices = projectChoices(state, entries, known, used);
  const found = foundProjects(choices, typed, shown);
  const at = selectedAt(found, ({ choice }) => choice.key === chosen);
  const turn = (by: number): void =>
    setChosen(found.at((at + by + found.length) % Math.max(1, found.length))?.choice.key ?? null);
  const use = (): void => {
    const marked = found[at];
    if (marked !== undefined) projects.use(marked.choice);
  };
  useLayer({ ...PROJECTS.layer({ turn, use, close: projects.close }), modal: true });

  const text =
    choices.length === 0
      ? `No project is registered yet; ${theme.keyName("shell.register")} registers one.`
      : found.length === 0
        ? "No project matches."
        : `In use: ${used === null ? "none" : safe(shown(used))}. Switching sends nothing.`;
  // The last column stays blank.
  const options = { width: columns - 1, theme, now: now() };
  const blank = fitRow([], columns, theme);
  return (
    <Drawer
      title="Switch project"
      typed={typed}
      onType={(changed) => {
        setTyped(changed);
        setChosen(null);
      }}
      head={[projectHeadRow(options)]}
      entries={found}
      of={choices.length}
      at={at}
      draw={(each) => projectChoiceRow(each, options)}
      foot={[blank, fitRow([{ text: "  " }, { text, role: "quiet" }], columns, theme), blank]}
      columns={columns}
      rows={rows}
    >
      {children}
    </Drawer>
  );
}
