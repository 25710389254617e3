// The Register screen as rows, from the state and the size of the area. Pure.

import type { Project } from "#src/contract/records/project.ts";
import { placeText } from "#src/display/count.ts";
import { safe } from "#src/display/safe.ts";
import { shownForm } from "#src/state/entry-form.ts";
import {
  openForm,
  selectedProject,
  type RegistrationsState,
} from "#src/state/register/registrations-state.ts";
import { selectedAt } from "#src/state/list-selection.ts";
import { arranged } from "#src/ui/arranged.ts";
import { formHeight, formRows } from "#src/ui/form-view.ts";
import { listRows } from "#src/ui/list.ts";
import { filteredTitle } from "#src/ui/listing-view.ts";
import type { Band, PaneView } from "#src/ui/pane.tsx";
import { fillRows, hasTwoPanes, textRows, type Row, type Size } from "#src/ui/rows.ts";
import { countdownRows, PICTURE_ROWS } from "./countdown-rows.ts";
import { legendRow, projectColumns, standingOf, type ProjectRenderOptions } from "./project-rows.ts";

/** Columns of the form beside the list: as many as its notes need. */
const FORM_COLUMNS = { least: 52, most: 72, share: 0.44 };
/** Rows that the list keeps below the form. */
const LIST_ROWS = 4;

/**
 * The form, the selected project beside it where there is room, and the list below, or alone while it is zoomed.
 * @param state `now` in it is the service's time, and `projects` are those that are listed
 */
export function registerView(state: RegistrationsState, size: Size, options: ProjectRenderOptions): Band[] {
  const { columns, rows } = size;
  if (size.zoom === 1) {
    const height = Math.max(0, rows - 1);
    return [{ panes: [listPane(state, { columns, rows: height, zoom: 1 }, options, true)], height }];
  }
  const bodies = Math.max(0, rows - 2);
  const picture = hasTwoPanes(size) && runningIn(state, options).length > 0 ? PICTURE_ROWS : 0;
  const wanted = Math.max(formHeight(openForm(state)), picture);
  const upper = Math.min(bodies, wanted, Math.max(3, bodies - LIST_ROWS));
  const form = (width: number): PaneView => formPane(state, { columns: width, rows: upper }, options);
  const detail = (width: number): PaneView => detailPane(state, { columns: width, rows: upper }, options);
  const height = bodies - upper;
  return [
    ...arranged({ columns, rows: upper + 1 }, FORM_COLUMNS, [form, detail]),
    { panes: [listPane(state, { columns, rows: height }, options, !hasTwoPanes(size))], height },
  ];
}

function detailPane(
  state: RegistrationsState,
  { columns, rows }: Size,
  options: ProjectRenderOptions,
): PaneView {
  const selected = selectedProject(state);
  const steps =
    selected === null
      ? []
      : countdownRows(standingOf(selected, state, options.waitMs), columns, rows, options);
  return {
    title: selected === null ? "" : safe(selected.key),
    cut: "start",
    width: columns,
    focused: false,
    rows: fillRows(steps, columns, rows),
  };
}

function formPane(
  state: RegistrationsState,
  { columns, rows }: Size,
  { theme, usable: idle = false }: ProjectRenderOptions,
): PaneView {
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
    rows: formRows(shownForm(openForm(state)), { action, width: columns, height: rows, theme, idle }),
  };
}

/** The projects whose 24 hours run. */
function runningIn(state: RegistrationsState, { waitMs }: ProjectRenderOptions): Project[] {
  return state.projects.filter((project) => {
    const { window } = standingOf(project, state, waitMs);
    return window !== null && window.phase !== "closed";
  });
}

/** Rows of the steps that stay below a long list. */
const LEAST_STEPS = 4;

function listPane(
  state: RegistrationsState,
  { columns, rows, zoom }: Size,
  options: ProjectRenderOptions,
  withSteps: boolean,
): PaneView {
  const { projects, selectedKey } = state;
  const { theme, waitMs } = options;
  const focused = zoom === 1;
  const selected = selectedProject(state);
  const at = selectedAt(projects, ({ key }) => key === selectedKey);
  // Below the titles of the columns.
  const room = Math.max(0, rows - (projects.length > 0 ? 1 : 0));
  const spareRows = Math.max(LEAST_STEPS, room - 1 - projects.length);
  const steps =
    selected === null || !withSteps
      ? []
      : countdownRows(standingOf(selected, state, waitMs), columns, spareRows, options);
  // The whole list stays in sight as long as the two steps and the last word on the window have room below it.
  const below = Math.min(steps.length, spareRows, Math.max(0, room - 1));
  // The pointer is where Enter acts; where bold is not shown, it says which row it is, too, but not to a screen reader.
  const marked = focused || options.usable === true || theme.textStyle("heading").bold !== true;
  const standings = projects.map((project) => standingOf(project, state, waitMs));
  const running = runningIn(state, options).length;
  const list = {
    items: standings,
    selected: at,
    sort: state.sort,
    columns: projectColumns(columns, running > 0, options),
    focused,
    pointed: marked && theme.ascii !== "words",
  };
  const drawn = projects.length === 0 ? [] : [...listRows(list, { columns, rows: rows - below }, theme).rows];
  const blank: Row = [{ text: " ".repeat(columns) }];
  const spare = rows - drawn.length - below;
  if (projects.length === 0) {
    const text =
      state.filter !== ""
        ? `No project matches the filter; ${theme.keyName("register.all")} shows all.`
        : `No project is registered yet. Fill in the form: ${theme.keyName("register.next")} goes to its fields, ${theme.keyName("register.submit")} registers.`;
    drawn.push(...textRows(text, columns, theme));
  } else if (spare > 0) {
    drawn.push(blank);
  }
  const legend = running > 0 && spare > 2 ? [blank, legendRow(columns, theme, waitMs)] : [];
  const isLast = below === 0;
  return {
    title: filteredTitle("Projects", state.filter, theme),
    note:
      projects.length === 0
        ? undefined
        : `${placeText(at + 1, projects.length)}${running === 0 ? "" : `, ${running} running`}`,
    width: columns,
    focused,
    rows: fillRows([...drawn, ...steps.slice(0, below), ...legend.slice(isLast ? 1 : 0)], columns, rows),
  };
}
