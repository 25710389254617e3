// The list of projects over the upper rows of a screen: finds one by its letters, and uses it.

import { Box } from "ink";
import { useState, type ReactNode } from "react";
import { safe } from "#src/display/safe.ts";
import { useLayer } from "#src/keys/use-layer.ts";
import { projectChoices } from "#src/state/register/project-switch.ts";
import { useConsole } from "#src/state/use-console.ts";
import { usePresented } from "#src/state/use-presented.ts";
import { useStore } from "#src/state/use-store.ts";
import { window } from "#src/ui/fit.ts";
import { Line, Rows } from "#src/ui/line.tsx";
import { PaneTitles } from "#src/ui/pane.tsx";
import { InputLine } from "#src/ui/prompt.tsx";
import { fillRows, fitRow, type Size } from "#src/ui/rows.ts";
import { useTheme } from "#src/ui/theme.ts";
import { foundProjects, projectChoiceRow, projectHeadRow } from "./project-rows.ts";

const LEVEL = 4;
/** Title, input, headings, a blank, the sentence, a blank, the rule. */
const OTHER_ROWS = 7;
const LEAST_LISTED = 3;

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
  const choices = usePresented(projectChoices(state, entries, known, used));
  const found = foundProjects(choices, typed);
  const at = Math.max(
    0,
    found.findIndex(({ choice }) => choice.key === chosen),
  );
  const turn = (by: number): void =>
    setChosen(found.at((at + by + found.length) % Math.max(1, found.length))?.choice.key ?? null);
  useLayer({
    scope: "projects",
    level: LEVEL,
    modal: true,
    handlers: {
      "projects.down": () => turn(1),
      "projects.up": () => turn(-1),
      "projects.use": () => (found[at] === undefined ? undefined : projects.use(found[at].choice)),
      "projects.close": () => projects.close(),
    },
  });

  // Its height does not follow what is typed: nothing below moves.
  const listed = Math.min(
    Math.max(1, choices.length),
    Math.max(LEAST_LISTED, Math.floor(rows / 2) - OTHER_ROWS + 2),
  );
  const height = Math.min(rows, listed + OTHER_ROWS);
  const visible = window(found.length, listed, at);
  const options = { width: columns, theme, now: now() };
  const list = found
    .slice(visible.from, visible.to)
    .map((each, index) => projectChoiceRow(each, visible.from + index === at, options));
  const text =
    choices.length === 0
      ? `No project is registered yet; ${theme.keyName("shell.register")} registers one.`
      : found.length === 0
        ? "No project has these letters."
        : `The one in use now is ${used === null ? "none" : safe(used)}. Nothing is sent by switching.`;
  const note = `${found.length} of ${choices.length}`;
  return (
    <Box width={columns} height={rows} flexDirection="column" overflow="hidden">
      <PaneTitles panes={[{ title: "Switch project", note, width: columns, focused: true }]} />
      <Box paddingLeft={2} height={1} flexShrink={0}>
        <InputLine
          label="Find"
          value={typed}
          onChange={(changed) => {
            setTyped(changed);
            setChosen(null);
          }}
          level={LEVEL}
          width={columns - 2}
        />
      </Box>
      <Rows rows={fillRows([projectHeadRow(options), ...list], columns, listed + 2)} />
      <Line spans={fitRow([{ text: "  " }, { text, role: "quiet" }], columns, theme)} />
      <Rows rows={fillRows([], columns, 1)} />
      <Line spans={[{ text: theme.sign("horizontal").repeat(columns), role: "quiet" }]} />
      <Box height={rows - height} flexShrink={0} overflow="hidden">
        <Box marginTop={-height} height={rows} width={columns} flexShrink={0}>
          {children}
        </Box>
      </Box>
    </Box>
  );
}
