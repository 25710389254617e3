// The commands of the Profiles screen.

import { commands, key } from "#src/keys/command.ts";
import { buttonCommands, fieldCommands } from "#src/keys/form-commands.ts";
import { moves, throughRows, type Moving } from "#src/keys/move-commands.ts";
import { selectedProfile, whyNotChange, type ProfilesState } from "#src/state/profiles/profiles-state.ts";
import type { ProfileBook } from "#src/state/profiles/profiles.ts";

interface Scene extends Moving {
  readonly profiles: ProfileBook;
  readonly state: ProfilesState;
  /** Name of the profile in use. */
  readonly here: string;
  readonly keyName: (id: string) => string;
  find(): Promise<void>;
}

const FORM_GROUP = "Profiles, in a form";

const whyFixed = ({ state, keyName }: Scene): string | null => whyNotChange(state, keyName);

const whyInUse = ({ state, here }: Scene): string | null =>
  selectedProfile(state)?.name === here
    ? `The console is on the profile ${here}; use another one first.`
    : null;

export const PROFILES = commands<Scene>("profiles", "Profiles", 1, {
  use: key("enter", "use", 1, (s) => s.profiles.use()),
  add: key("a", "add", 2, (s) => s.profiles.add()),
  edit: key("e", "edit", 3, (s) => s.profiles.edit(), { not: whyFixed }),
  confirm: key("c", "confirm recipe", 4, (s) => s.profiles.toggleRecipe(), { not: whyFixed }),
  readOnly: key("r", "read-only", 5, (s) => s.profiles.toggleReadOnly(), { not: whyFixed }),
  remove: key("d delete", "remove", 6, (s) => s.profiles.remove(), {
    not: (scene) => whyFixed(scene) ?? whyInUse(scene),
  }),
  find: key("/", "find", 7, (s) => s.find(), { opensText: true }),
  ...moves(throughRows("profile", "five")),
});

export const PROFILES_FORM = commands<ProfileBook>("profiles.form", FORM_GROUP, 1, {
  ...buttonCommands(),
  discard: key("d delete", "discard", 4, (book) => book.discard(), { id: "profiles.discard" }),
});

export const PROFILES_FIELDS = fieldCommands("profiles", FORM_GROUP);
