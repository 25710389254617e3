// The store of the Profiles screen: the profiles of this home, which one is in use, and unsaved edits.

import { createStore } from "zustand/vanilla";
import type { Context } from "#src/app/context.ts";
import { recipeStatus, type Profile } from "#src/contract/records/profile.ts";
import { movedRow, type ListMove } from "#src/state/list-selection.ts";
import { faultOf, reportFaults } from "#src/state/report-faults.ts";
import type { Session } from "#src/state/session.ts";
import { createProfileDrafts } from "./profile-drafts.ts";
import {
  isStale,
  NEW,
  selectedProfile,
  whyNotChange,
  type ProfileDraft,
  type ProfilesState,
} from "./profiles-state.ts";

export interface ProfileBookOptions {
  /**
   * Rebuilds the console on the profile of this name. Rejects with a Fault when it stays as it is.
   * @param keep true to make it the profile of later commands, too
   */
  readonly onUse?: (name: string, keep: boolean) => Promise<void>;
  /** What was typed before the console was rebuilt. */
  readonly drafts?: Readonly<Record<string, ProfileDraft>>;
}

export function createProfileBook(context: Context, session: Session, options: ProfileBookOptions = {}) {
  const store = createStore<ProfilesState>(() => ({
    profiles: [],
    loaded: false,
    fault: null,
    recipes: {},
    recipeIds: [],
    inUse: null,
    selected: context.profile.name,
    drafts: options.drafts ?? {},
    editing: null,
    working: false,
  }));
  const { getState, setState } = store;

  const load = async (): Promise<void> => {
    try {
      const read = await readProfiles(context);
      setState(({ drafts }) => ({
        ...read,
        loaded: true,
        fault: null,
        drafts: Object.fromEntries(
          Object.entries(drafts).map(([name, draft]) => [
            name,
            { ...draft, stale: isStale(draft, read.profiles) },
          ]),
        ),
      }));
    } catch (error) {
      setState({ loaded: true, fault: faultOf(error).message });
    }
  };

  /** Takes over a change of the profile that this console is on: nothing may go on under what it was before. */
  const takeOver = async (name: string): Promise<void> => {
    if (name === context.profile.name) await reportFaults(session, async () => options.onUse?.(name, false));
  };

  /** Changes the stored profile as it is shown. */
  const alter = async (alterOf: (profile: Profile) => Profile, said: string): Promise<void> => {
    const profile = selectedProfile(getState());
    const why = whyNotChange(getState(), session.keyName);
    if (profile === null || why !== null) return session.say(why ?? "", "note");
    const done = await reportFaults(session, async () => {
      await (await context.profiles()).put(alterOf(profile), profile);
      return true;
    });
    await load();
    if (done === null) return;
    session.say(said, "done");
    await takeOver(profile.name);
  };

  const { open, forget, ...form } = createProfileDrafts(context, session, store, load, takeOver);

  return {
    ...form,
    store,
    load,
    /** Follows the profiles while the screen is shown; returns how to stop. */
    watch() {
      let stop: (() => void) | null = null;
      let ended = false;
      void load();
      void reportFaults(session, async () => {
        const following = (await context.profiles()).watch(() => void load());
        if (ended) following();
        else stop = following;
      });
      return () => {
        ended = true;
        stop?.();
      };
    },
    select(move: ListMove) {
      const at = selectedProfile(getState());
      const profile = movedRow(getState().profiles, (each) => each === at, move);
      if (profile !== null) setState({ selected: profile.name });
    },
    /** Selects a profile by its name. */
    mark: (selected: string | null) => setState({ selected }),
    /** Opens the form of a new profile, with what was typed into it before. */
    add: () => open(NEW, null),
    /** Opens the form of the selected profile, with what was typed into it before. */
    edit() {
      const profile = selectedProfile(getState());
      const why = whyNotChange(getState(), session.keyName);
      if (profile === null || why !== null) return session.say(why ?? "", "note");
      open(profile.name, profile);
    },
    /** Makes a profile, by default the selected one, the one in use, in this console too. */
    async use(name: string | undefined = selectedProfile(getState())?.name) {
      if (name === undefined || getState().working) return;
      setState({ working: true });
      const done = await reportFaults(session, async () => {
        await options.onUse?.(name, true);
        return true;
      });
      setState({ working: false });
      if (done === null) await load();
    },
    /** Asks whether to remove the selected profile. */
    async remove() {
      const profile = selectedProfile(getState());
      const why = whyNotChange(getState(), session.keyName);
      if (profile === null || why !== null) return session.say(why ?? "", "note");
      if (profile.name === context.profile.name) {
        return session.say(`The console is on the profile ${profile.name}; use another one first.`, "note");
      }
      const agreed = await session.agree({
        text: `Its history and vault entries stay. Remove the profile ${profile.name}?`,
        yes: "remove",
      });
      if (!agreed) return;
      const { name } = profile;
      const removed = await reportFaults(session, async () => (await context.profiles()).remove(name));
      await load();
      if (removed === null) return;
      forget(name);
      session.say(`The profile ${name} is removed; its history and vault entries stay.`, "done");
    },
    /** Remembers that the service accepts what is signed with the recipe of the selected profile, or no longer. */
    async toggleRecipe() {
      const profile = selectedProfile(getState());
      const confirmed = profile?.confirmedRecipe === profile?.recipe;
      await alter(
        ({ confirmedRecipe: _was, ...rest }) =>
          confirmed ? rest : { ...rest, confirmedRecipe: rest.recipe },
        confirmed
          ? `The recipe ${profile?.recipe} is unconfirmed again.`
          : `The recipe ${profile?.recipe} is confirmed for ${profile?.name}.`,
      );
    },
    /** Lets the selected profile send nothing, or send again. */
    async toggleReadOnly() {
      const profile = selectedProfile(getState());
      const off = profile?.readOnly === true;
      const agreed =
        !off ||
        profile.environment !== "LIVE" ||
        (await session.agree({
          text: `The LIVE service counts each check for a real customer. Allow ${profile.name} to send again?`,
          yes: "allow it",
        }));
      if (!agreed) return;
      await alter(
        ({ readOnly: _was, ...rest }) => (off ? rest : { ...rest, readOnly: true }),
        off
          ? `The profile ${profile.name} may send again.`
          : `The profile ${profile?.name} is read-only: nothing is sent through it.`,
      );
    },
  };
}

/** The verbs never reject for a fault, which is shown as a toast. */
export type ProfileBook = ReturnType<typeof createProfileBook>;

async function readProfiles(
  context: Context,
): Promise<Pick<ProfilesState, "profiles" | "recipes" | "recipeIds" | "inUse">> {
  const book = await context.profiles();
  const recipes = (await context.recipes()).list();
  const statuses = new Map(recipes.map(({ recipe }) => [recipe.recipe, recipe.status]));
  const profiles = await book.list();
  // A profile in use that no longer exists is reported when it is used.
  const inUse = await book.current().catch(() => null);
  return {
    profiles,
    recipes: Object.fromEntries(
      profiles.map((each) => [each.name, recipeStatus(each, statuses.get(each.recipe) ?? "assumed")]),
    ),
    recipeIds: [...statuses.keys()],
    inUse: inUse?.name ?? null,
  };
}
