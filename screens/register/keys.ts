// The commands of the Register screen. Letters are commands while the focus is on the button.

import { commands, key, only } from "#src/keys/command.ts";
import { buttonCommands, fieldCommands, jumpCommand, type FormVerbs } from "#src/keys/form-commands.ts";
import { moves, sorts, throughRows, type Moving } from "#src/keys/move-commands.ts";
import {
  whyNotByHand,
  whyNotFetch,
  type RegistrationsState,
} from "#src/state/register/registrations-state.ts";
import type { Registrations } from "#src/state/register/registrations.ts";

interface Scene extends Moving {
  readonly registrations: Registrations;
  readonly state: RegistrationsState;
  readonly waitMs: number;
  /** The pane of the form has no room. */
  readonly isHidden: boolean;
  readonly keyName: (id: string) => string;
}

const GROUP = "Register";
const FORM_GROUP = "Register, in a form";

export const REGISTER = commands<Scene>("register", GROUP, 1, {
  submit: key("enter", "register", 1, (s) => s.registrations.submit(), {
    sends: true,
    not: ({ isHidden, keyName }) =>
      isHidden ? `The form is hidden; ${keyName("shell.zoom")} shows it.` : null,
  }),
  next: key("tab", "edit the form", 2, (s) => s.registrations.move(1)),
  previous: key("shift+tab", "edit from the end", null, (s) => s.registrations.move(-1)),
  jump: jumpCommand(4, ({ registrations }, path) => registrations.focus(path)),
  fetch: key("f", "fetch now", 3, (s) => s.registrations.fetchNow(), {
    sends: true,
    not: ({ state, waitMs, keyName }) => whyNotFetch(state, waitMs, keyName),
  }),
  byHand: key("m", "enter by hand", 0, (s) => s.registrations.enterByHand(), {
    not: ({ state, waitMs }) => whyNotByHand(state, waitMs),
  }),
  all: key("esc", "all projects", 0, (s) => s.registrations.setFilter(""), {
    when: ({ state }) => state.filter !== "",
  }),
  ...only<Scene>(({ state }) => state.projects.length > 0, {
    filter: key("/", "filter", 5, (s) => s.registrations.askFilter(), { opensText: true, exposes: true }),
    ...sorts(({ registrations }, how) => registrations.sort(how)),
  }),
  ...moves(throughRows("project", "five")),
});

/** @typeParam Scene what uses the project of the row */
export const REGISTER_ROW = commands<() => void>("register.row", GROUP, 1, {
  use: key("enter", "use the project", 1, (use) => use(), { id: "register.use" }),
});

export const REGISTER_BY_HAND = commands<FormVerbs>("register.byHand", FORM_GROUP, 1, buttonCommands());
export const REGISTER_FIELDS = fieldCommands("register", FORM_GROUP);
