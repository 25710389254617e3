// State of the Profiles screen, and questions about it.

import { isDeepStrictEqual } from "node:util";
import { SANDBOX_PROFILE, type Profile, type recipeStatus } from "#src/contract/records/profile.ts";
import type { KeyName } from "#src/display/key-name.ts";
import type { EntryForm } from "#src/state/entry-form.ts";
import { createProfileForm, formTexts } from "./profile-form.ts";

/** What was typed for one profile, and what it is a change of. */
export interface ProfileDraft {
  readonly form: EntryForm;
  /** The profile as it was stored when the form was opened, or when its change elsewhere was shown; null for a new one. */
  readonly before: Profile | null;
  /** It was changed or removed in another session since; what was typed is still here. */
  readonly stale: boolean;
}

export interface ProfilesState {
  /** The sandbox first, then the others by name. */
  readonly profiles: readonly Profile[];
  /** False until they have been read for the first time. */
  readonly loaded: boolean;
  /** Why they could not be read. */
  readonly fault: string | null;
  /** Status of the recipe of each profile, by the profile's name. */
  readonly recipes: Readonly<Record<string, ReturnType<typeof recipeStatus>>>;
  /** Ids of the recipes there are. */
  readonly recipeIds: readonly string[];
  /** The one that commands use without `--profile`. */
  readonly inUse: string | null;
  readonly selected: string | null;
  /** What is typed and not saved, by the profile's name; `NEW` for one that has none yet. */
  readonly drafts: Readonly<Record<string, ProfileDraft>>;
  /** Whose form is open: a name, or `NEW`; null for the list. */
  readonly editing: string | null;
  readonly working: boolean;
}

/** No name of a profile: names begin with a letter or a digit. */
export const NEW = "+";

export function selectedProfile({ profiles, selected }: ProfilesState): Profile | null {
  return profiles.find(({ name }) => name === selected) ?? profiles[0] ?? null;
}

/** Why the selected profile cannot be changed; null when it can. */
export function whyNotChange(state: ProfilesState, keyName: KeyName): string | null {
  const profile = selectedProfile(state);
  if (profile === null) return "There is no profile to change.";
  return profile.name === SANDBOX_PROFILE.name
    ? `The sandbox is built in and stays as it is; ${keyName("profiles.add")} adds another profile.`
    : null;
}

/** True where the form does not say what is stored. */
export function isChanged({ form, before }: ProfileDraft): boolean {
  return !isDeepStrictEqual(formTexts(form), formTexts(createProfileForm(before, [])));
}

/** True where what the form is a change of is not what is stored any more. */
export function isStale({ before }: ProfileDraft, profiles: readonly Profile[]): boolean {
  if (before === null) return false;
  return !isDeepStrictEqual(profiles.find(({ name }) => name === before.name) ?? null, before);
}
