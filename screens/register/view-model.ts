// The Register screen as rows, from the state and the size of the area. Pure.

import { placeText } from "#src/display/count.ts";
import { safe } from "#src/display/safe.ts";
import { shownForm } from "#src/state/entry-form.ts";
import {
  openForm,
  selectedProject,
  type RegistrationsState,
} from "#src/state/register/registrations-state.ts";
import { formHeight, formRows } from "#src/ui/form-view.ts";
import { listRows } from "#src/ui/list.ts";
import { DIVIDER, type PaneView } from "#src/ui/pane.tsx";
import { fillRows, textRows, type Row, type Size } from "#src/ui/rows.ts";
import {
  legendRow,
  projectColumns,
  standingOf,
  stepRows,
  type ProjectRenderOptions,
} from "./project-rows.ts";

/** One pane: its title, and exactly `height` rows. */
interface RegisterPane extends PaneView {
  readonly height: number;
}

export interface RegisterView {
  /** Null while the list is zoomed. */
  readonly form: RegisterPane | null;
  /** The selected project beside the form; null where there is no room: then it stands below the list. */
  readonly detail: RegisterPane | null;
  readonly list: RegisterPane;
}

/** The selected project stands beside the form from this width on. */
const BESIDE = 100;
/** Columns of the form beside the list: as many as its notes need. */
const FORM_COLUMNS = { least: 52, most: 72, share: 0.5 };
/** Rows that the list keeps below the form. */
const LIST_ROWS = 4;

/** @param state `now` in it is the service's time */
export function registerView(
  state: RegistrationsState,
  size: Size,
  options: ProjectRenderOptions,
): RegisterView {
  const { columns, rows } = size;
  const form = openForm(state);
  if (size.zoom === 1) {
    const list = listPane(state, { columns, rows: Math.max(0, rows - 1), zoom: 1 }, options, true);
    return { form: null, detail: null, list };
  }
  const bodies = Math.max(0, rows - 2);
  const upper = Math.min(bodies, formHeight(form), Math.max(3, bodies - LIST_ROWS));
  const list = listPane(state, { columns, rows: bodies - upper }, options, columns < BESIDE);
  const { least, most, share } = FORM_COLUMNS;
  const width = columns < BESIDE ? columns : Math.min(most, Math.max(least, Math.floor(columns * share)));
  return {
    form: formPane(state, { columns: width, rows: upper }, options),
    detail:
      columns < BESIDE
        ? null
        : detailPane(state, { columns: columns - width - DIVIDER, rows: upper }, options),
    list,
  };
}

function detailPane(
  state: RegistrationsState,
  { columns, rows }: Size,
  options: ProjectRenderOptions,
): RegisterPane {
  const selected = selectedProject(state);
  const steps =
    selected === null ? [] : stepRows(standingOf(selected, state, options.waitMs), columns, options);
  return {
    title: selected === null ? "" : safe(selected.key),
    cut: "start",
    width: columns,
    height: rows,
    focused: false,
    rows: fillRows(steps, columns, rows),
  };
}

function formPane(
  state: RegistrationsState,
  { columns, rows }: Size,
  { theme, usable: idle = false }: ProjectRenderOptions,
): RegisterPane {
  const { byHand, working } = state;
  const action =
    byHand === null
      ? working === null
        ? "Register"
        : "Registering"
      : working === null
        ? "Save in the vault"
        : "Saving";
  return {
    title: byHand === null ? "Register a project" : `Credential of ${safe(byHand.project.key)}`,
    width: columns,
    height: rows,
    rows: formRows(shownForm(openForm(state)), { action, width: columns, height: rows, theme, idle }),
  };
}

/** Rows of the steps that stay below a long list. */
const LEAST_STEPS = 4;

function listPane(
  state: RegistrationsState,
  { columns, rows, zoom }: Size,
  options: ProjectRenderOptions,
  withSteps: boolean,
): RegisterPane {
  const { projects, selectedKey } = state;
  const { theme, waitMs } = options;
  const focused = zoom === 1;
  const selected = selectedProject(state);
  const at = Math.max(
    0,
    projects.findIndex(({ key }) => key === selectedKey),
  );
  // Below the titles of the columns.
  const room = Math.max(0, rows - (projects.length > 0 ? 1 : 0));
  const steps =
    selected === null || !withSteps ? [] : stepRows(standingOf(selected, state, waitMs), columns, options);
  // The whole list stays in sight as long as the two steps and the last word on the window have room below it.
  const below = Math.min(
    steps.length,
    Math.max(LEAST_STEPS, room - 1 - projects.length),
    Math.max(0, room - 1),
  );
  // The pointer is where Enter acts; where bold is not shown, it says which row it is, too, but not to a screen reader.
  const marked = focused || options.usable === true || !theme.color;
  const standings = projects.map((project) => standingOf(project, state, waitMs));
  const list = {
    items: standings,
    selected: at,
    columns: projectColumns(columns, options),
    focused,
    pointed: marked && theme.ascii !== "words",
  };
  const drawn = projects.length === 0 ? [] : [...listRows(list, { columns, rows: rows - below }, theme).rows];
  const blank: Row = [{ text: " ".repeat(columns) }];
  const spare = rows - drawn.length - below;
  if (projects.length === 0) {
    const text = `No project is registered yet. Fill in the form: ${theme.keyName("register.next")} goes to its fields, ${theme.keyName("register.submit")} registers.`;
    drawn.push(...textRows(text, columns, theme));
  } else if (spare > 0) {
    drawn.push(blank);
  }
  const running = standings.filter(({ window }) => window !== null && window.phase !== "closed").length;
  const legend = running > 0 && spare > 2 ? [blank, legendRow(columns, theme, waitMs)] : [];
  const isLast = below === 0;
  return {
    title: "Windows",
    note:
      projects.length === 0
        ? undefined
        : `${placeText(at + 1, projects.length)}${running === 0 ? "" : `, ${running} running`}`,
    width: columns,
    height: rows,
    focused,
    rows: fillRows([...drawn, ...steps.slice(0, below), ...legend.slice(isLast ? 1 : 0)], columns, rows),
  };
}
