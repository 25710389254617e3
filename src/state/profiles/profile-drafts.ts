// Unsaved edits of profiles: opened, saved, discarded, and compared with changes of other sessions.

import type { StoreApi } from "zustand/vanilla";
import type { Context } from "#src/app/context.ts";
import type { Profile } from "#src/contract/records/profile.ts";
import { focusOn } from "#src/state/entry-form.ts";
import { formVerbs } from "#src/state/form-verbs.ts";
import { reportFaults } from "#src/state/report-faults.ts";
import type { Session } from "#src/state/session.ts";
import { createProfileForm, formProfile } from "./profile-form.ts";
import { isChanged, NEW, type ProfileDraft, type ProfilesState } from "./profiles-state.ts";

/**
 * @param load reads the profiles again
 * @param onSaved called for a profile whose stored form has changed
 */
export function createProfileDrafts(
  context: Context,
  session: Session,
  { getState, setState }: StoreApi<ProfilesState>,
  load: () => Promise<void>,
  onSaved: (name: string) => Promise<void>,
) {
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

  const save = async ({ form, before }: ProfileDraft): Promise<void> => {
    const profile = formProfile(form, before);
    const key = before?.name ?? NEW;
    setState({ working: true });
    const saved = await reportFaults(session, async () => {
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
    await onSaved(profile.name);
  };

  const verbs = formVerbs({
    session,
    form: () => draft()?.form ?? null,
    change: (form) => change({ form }),
    close() {
      const { editing } = getState();
      const now = draft();
      if (editing === null || now === null) return false;
      setState({ editing: null });
      if (!isChanged(now)) forget(editing);
      else
        session.say(
          `What you typed is kept; ${session.keyName("profiles.edit")} opens it again, ${session.keyName("profiles.discard")} in the form throws it away.`,
          "note",
        );
      return true;
    },
    async send() {
      const now = draft();
      if (now === null) return;
      const { name } = formProfile(now.form, now.before);
      const { profiles } = getState();
      if (now.before === null && profiles.some((each) => each.name === name)) {
        session.say(`There is a profile ${name} already; give this one another name.`, "error");
        return change({ form: focusOn(now.form, "name") });
      }
      if (!now.stale) return await save(now);
      const stored = profiles.find((each) => each.name === name) ?? null;
      const agreed = await session.agree({
        text:
          stored === null
            ? `The profile ${name} was removed in another session. Save it again as you typed it?`
            : `The profile ${name} was changed in another session after you opened it. Save what you typed in its place?`,
        yes: "save mine",
      });
      if (agreed) await save({ ...now, before: stored });
    },
    complain: (sentence) => session.say(sentence, "note"),
  });

  return {
    ...verbs,
    submit: async () => (getState().working ? undefined : verbs.submit()),
    /** Opens the form of a profile, or of a new one, with what was typed into it before. */
    open,
    /** Forgets what was typed for a profile. */
    forget,
    /** Asks whether to discard what was typed into the form that is open. */
    async discard() {
      const { editing } = getState();
      const now = draft();
      if (editing === null || now === null) return;
      if (!isChanged(now)) return forget(editing);
      const agreed = await session.agree({
        text: `Discard what you typed for ${editing === NEW ? "the new profile" : `the profile ${editing}`}?`,
        yes: "discard",
      });
      if (agreed) forget(editing);
    },
    /** Names of the profiles with something typed that is not saved. */
    unsaved: (): readonly string[] =>
      Object.entries(getState().drafts)
        .filter(([, each]) => isChanged(each))
        .map(([name]) => (name === NEW ? "a new profile" : name)),
  };
}
