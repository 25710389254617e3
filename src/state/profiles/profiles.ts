// What the Profiles screen remembers: the profiles of this home, and what is typed into their forms until it is saved.

import { createStore } from "zustand/vanilla";
import type { Context } from "#src/app/context.ts";
import { recipeStatus, type Profile } from "#src/contract/records/profile.ts";
import { keyName } from "#src/display/key-name.ts";
import {
  enterText,
  firstWrong,
  focusOn,
  moveFocus,
  pressKey,
  SUBMIT,
  whatIsWrong,
} from "#src/state/entry-form.ts";
import { faultOf, guarded } from "#src/state/guarded.ts";
import type { Session } from "#src/state/session.ts";
import { createProfileForm, formProfile } from "./profile-form.ts";
import {
  isChanged,
  isStale,
  NEW,
  selectedProfile,
  whyNotChange,
  type ProfileBook,
  type ProfileDraft,
  type ProfilesState,
} from "./profiles-state.ts";

export interface ProfileBookOptions {
  /**
   * Builds the console anew on the profile of this name. Rejects with a Fault when it stays as it is.
   * @param keep whether commands use it from now on, too
   */
  readonly onUse?: (name: string, keep: boolean) => Promise<void>;
  /** What was typed before the console was built anew. */
  readonly drafts?: Readonly<Record<string, ProfileDraft>>;
}

export function createProfileBook(
  context: Context,
  session: Session,
  options: ProfileBookOptions = {},
): ProfileBook {
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
      const book = await context.profiles();
      const known = (await context.recipes()).list();
      const profiles = await book.list();
      const own = new Map(known.map(({ recipe }) => [recipe.recipe, recipe.status]));
      // One that is not there any more is said when it is used.
      const inUse = await book.current().catch(() => null);
      setState(({ drafts }) => ({
        profiles,
        loaded: true,
        fault: null,
        recipeIds: [...own.keys()],
        recipes: Object.fromEntries(
          profiles.map((each) => [each.name, recipeStatus(each, own.get(each.recipe) ?? "assumed")]),
        ),
        inUse: inUse?.name ?? null,
        drafts: Object.fromEntries(
          Object.entries(drafts).map(([name, draft]) => [
            name,
            { ...draft, stale: isStale(draft, profiles) },
          ]),
        ),
      }));
    } catch (error) {
      setState({ loaded: true, fault: faultOf(error).message });
    }
  };

  const open = (name: string, before: Profile | null): void =>
    setState(({ drafts, recipeIds }) => ({
      editing: name,
      drafts: {
        ...drafts,
        [name]: drafts[name] ?? { form: createProfileForm(before, recipeIds), before, stale: false },
      },
    }));

  const draft = (): ProfileDraft | null => {
    const { drafts, editing } = getState();
    return editing === null ? null : (drafts[editing] ?? null);
  };
  const change = (next: Partial<ProfileDraft>): void =>
    setState(({ drafts, editing }) =>
      editing === null || drafts[editing] === undefined
        ? {}
        : { drafts: { ...drafts, [editing]: { ...drafts[editing], ...next } } },
    );
  const forget = (name: string): void =>
    setState(({ drafts, editing }) => {
      const { [name]: _gone, ...others } = drafts;
      return { drafts: others, editing: editing === name ? null : editing };
    });

  /** Takes over a change of the profile that this console is on: nothing may go on under what it was before. */
  const takeOver = async (name: string): Promise<void> => {
    if (name === context.profile.name) await options.onUse?.(name, false);
  };

  const save = async ({ form, before }: ProfileDraft): Promise<void> => {
    const profile = formProfile(form, before);
    const key = before?.name ?? NEW;
    setState({ working: true });
    const saved = await guarded(session, async () => {
      if (profile.ca !== undefined && profile.ca !== before?.ca) {
        const { checkAuthorityFile } = await import("#src/app/network.ts");
        await checkAuthorityFile(profile.ca);
      }
      await (await context.profiles()).put(profile, before);
      return true;
    });
    setState({ working: false });
    await load();
    if (saved === null) return;
    forget(key);
    setState({ selected: profile.name });
    session.say(`The profile ${profile.name} is saved.`, "done");
    await guarded(session, () => takeOver(profile.name));
  };

  /** Changes the stored profile as it is shown. */
  const alter = async (alterOf: (profile: Profile) => Profile, said: string): Promise<void> => {
    const profile = selectedProfile(getState());
    const why = whyNotChange(getState());
    if (profile === null || why !== null) return session.say(why ?? "", "note");
    const done = await guarded(session, async () => {
      await (await context.profiles()).put(alterOf(profile), profile);
      return true;
    });
    await load();
    if (done === null) return;
    session.say(said, "done");
    await guarded(session, () => takeOver(profile.name));
  };

  const removeNow = async (name: string): Promise<void> => {
    const removed = await guarded(session, async () => (await context.profiles()).remove(name));
    await load();
    if (removed === null) return;
    forget(name);
    session.say(`The profile ${name} is removed; its history and vault entries stay.`, "done");
  };

  return {
    store,
    load,
    watch() {
      let stop: (() => void) | null = null;
      let ended = false;
      void load();
      void guarded(session, async () => {
        const following = (await context.profiles()).watch(() => void load());
        if (ended) following();
        else stop = following;
      });
      return () => {
        ended = true;
        stop?.();
      };
    },
    select(move) {
      const { profiles } = getState();
      const at = profiles.findIndex(({ name }) => name === selectedProfile(getState())?.name);
      const wanted = move === "first" ? 0 : move === "last" ? profiles.length - 1 : at + move;
      const profile = profiles[Math.min(Math.max(0, wanted), profiles.length - 1)];
      if (profile !== undefined) setState({ selected: profile.name });
    },
    add: () => open(NEW, null),
    edit() {
      const profile = selectedProfile(getState());
      const why = whyNotChange(getState());
      if (profile === null || why !== null) return session.say(why ?? "", "note");
      open(profile.name, profile);
    },
    move: (delta) => {
      const now = draft();
      if (now !== null) change({ form: moveFocus(now.form, delta) });
    },
    key(name) {
      const now = draft();
      const form = now === null ? null : pressKey(now.form, name);
      if (form !== null) change({ form });
      return form !== null;
    },
    enter(text) {
      const now = draft();
      if (now !== null) change({ form: enterText(now.form, text) });
    },
    leave() {
      const { editing } = getState();
      const now = draft();
      if (editing === null || now === null) return false;
      if (now.form.focus !== SUBMIT) {
        change({ form: focusOn(now.form, SUBMIT) });
        return true;
      }
      setState({ editing: null });
      if (!isChanged(now)) forget(editing);
      else
        session.say(
          `What you typed is kept; ${keyName("profiles.edit", "e")} opens it again, ${keyName("profiles.discard", "x")} in the form throws it away.`,
          "note",
        );
      return true;
    },
    async submit() {
      const now = draft();
      if (now === null || getState().working) return;
      if (now.form.focus !== SUBMIT) return change({ form: moveFocus(now.form, 1) });
      const wrong = firstWrong(now.form);
      if (wrong !== null) {
        session.say(whatIsWrong(now.form) ?? "", "note");
        return change({ form: wrong });
      }
      const taken = now.before === null ? formProfile(now.form, null).name : null;
      if (taken !== null && getState().profiles.some(({ name }) => name === taken)) {
        session.say(`There is a profile ${taken} already; give this one another name.`, "error");
        return change({ form: focusOn(now.form, "name") });
      }
      if (!now.stale) return await save(now);
      const name = now.before?.name ?? formProfile(now.form, null).name;
      const stored = getState().profiles.find((each) => each.name === name) ?? null;
      session.confirm({
        title: "Changed in another session",
        text:
          stored === null
            ? `The profile ${name} was removed in another session. Save it anew as you typed it?`
            : `The profile ${name} was changed in another session after you opened it. Save what you typed in its place?`,
        yes: "Save mine",
        onYes: () => void save({ ...now, before: stored }),
      });
    },
    discard() {
      const { editing } = getState();
      const now = draft();
      if (editing === null || now === null) return;
      if (!isChanged(now)) return forget(editing);
      session.confirm({
        title: "Throw away",
        text: `Throw away what you typed for ${editing === NEW ? "the new profile" : `the profile ${editing}`}?`,
        yes: "Throw away",
        onYes: () => forget(editing),
      });
    },
    async use() {
      const profile = selectedProfile(getState());
      if (profile === null || getState().working) return;
      setState({ working: true });
      const done = await guarded(session, async () => {
        await options.onUse?.(profile.name, true);
        return true;
      });
      setState({ working: false });
      if (done === null) await load();
    },
    remove() {
      const profile = selectedProfile(getState());
      const why = whyNotChange(getState());
      if (profile === null || why !== null) return session.say(why ?? "", "note");
      if (profile.name === context.profile.name) {
        return session.say(`The console is on the profile ${profile.name}; use another one first.`, "note");
      }
      session.confirm({
        title: "Remove the profile",
        text: `Remove the profile ${profile.name}? Its history and vault entries stay.`,
        yes: "Remove",
        onYes: () => void removeNow(profile.name),
      });
    },
    async turnRecipe() {
      const profile = selectedProfile(getState());
      const confirmed = profile?.confirmedRecipe === profile?.recipe;
      await alter(
        ({ confirmedRecipe: _was, ...rest }) =>
          confirmed ? rest : { ...rest, confirmedRecipe: rest.recipe },
        confirmed
          ? `The recipe ${profile?.recipe} is an assumption again.`
          : `The recipe ${profile?.recipe} is confirmed for ${profile?.name}.`,
      );
    },
    async turnReadOnly() {
      const profile = selectedProfile(getState());
      const off = profile?.readOnly === true;
      await alter(
        ({ readOnly: _was, ...rest }) => (off ? rest : { ...rest, readOnly: true }),
        off
          ? `The profile ${profile?.name} may send again.`
          : `The profile ${profile?.name} is read-only: nothing is sent through it.`,
      );
    },
    unsaved: () =>
      Object.entries(getState().drafts)
        .filter(([, each]) => isChanged(each))
        .map(([name]) => (name === NEW ? "a new profile" : name)),
  };
}
