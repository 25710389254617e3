// The Register screen as rows, from the state and the size of the area. Pure.

import { safe } from "#src/display/safe.ts";
import { shownForm } from "#src/state/entry-form.ts";
import {
  openForm,
  selectedProject,
  type RegistrationsState,
} from "#src/state/register/registrations-state.ts";
import { window } from "#src/ui/fit.ts";
import { formHeight, formRows } from "#src/ui/form-view.ts";
import type { PaneView } from "#src/ui/pane.tsx";
import { fillRows, textRows, type Row, type Size } from "#src/ui/rows.ts";
import { headRow, projectRow, standingOf, stepRows, type ProjectRenderOptions } from "./project-rows.ts";

/** One pane: its title, and exactly `height` rows. */
interface RegisterPane extends PaneView {
  readonly height: number;
}

export interface RegisterView {
  /** True where the panes stand side by side, else one above the other. */
  readonly beside: boolean;
  readonly form: RegisterPane;
  readonly list: RegisterPane;
}

/** Two panes side by side from this width on. */
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
  const beside = columns >= BESIDE;
  if (beside) {
    const { least, most, share } = FORM_COLUMNS;
    const width = Math.min(most, Math.max(least, Math.floor(columns * share)));
    const height = Math.max(0, rows - 1);
    return {
      beside,
      form: formPane(state, { columns: width, rows: height }, options),
      list: listPane(state, { columns: columns - width - 1, rows: height }, options),
    };
  }
  const bodies = Math.max(0, rows - 2);
  const upper = Math.min(formHeight(form), Math.max(3, bodies - LIST_ROWS));
  return {
    beside,
    form: formPane(state, { columns, rows: Math.min(upper, bodies) }, options),
    list: listPane(state, { columns, rows: Math.max(0, bodies - upper) }, options),
  };
}

function formPane(
  state: RegistrationsState,
  { columns, rows }: Size,
  { theme }: ProjectRenderOptions,
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
    rows: formRows(shownForm(openForm(state)), { action, width: columns, height: rows, theme }),
  };
}

/** Height from which the list has column headings. */
const HEADED_FROM = 8;

function listPane(
  state: RegistrationsState,
  { columns, rows }: Size,
  options: ProjectRenderOptions,
): RegisterPane {
  const { projects, selectedKey } = state;
  const { theme, waitMs } = options;
  const selected = selectedProject(state);
  const at = Math.max(
    0,
    projects.findIndex(({ key }) => key === selectedKey),
  );
  const steps = selected === null ? [] : stepRows(standingOf(selected, state, waitMs), columns, options);
  const headed = rows >= HEADED_FROM && projects.length > 0;
  const below = Math.min(steps.length, Math.max(0, rows - 1 - (headed ? 1 : 0)));
  const visible = window(projects.length, Math.max(0, rows - below - (headed ? 1 : 0)), at);
  const drawn: Row[] = headed ? [headRow(columns, theme)] : [];
  for (const project of projects.slice(visible.from, visible.to)) {
    drawn.push(projectRow(standingOf(project, state, waitMs), project.key === selectedKey, columns, theme));
  }
  const spare = rows - drawn.length - below;
  if (projects.length === 0) {
    const text = `No project is registered yet. Fill in the form: ${theme.keyName("register.next")} goes to its fields, ${theme.keyName("register.submit")} registers.`;
    drawn.push(...textRows(text, columns, theme));
  } else if (spare > 0) {
    drawn.push([{ text: " ".repeat(columns) }]);
  }
  return {
    title: "Projects",
    note: projects.length === 0 ? undefined : `${at + 1} of ${projects.length}`,
    width: columns,
    height: rows,
    focused: true,
    rows: fillRows([...drawn, ...steps.slice(0, below)], columns, rows),
  };
}
