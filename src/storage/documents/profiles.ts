// The profiles of a home, in one document. The built-in sandbox profile always exists and is never in the file.

import { Fault, noSuch, usage, whole } from "#src/contract/fault.ts";
import { PROFILE, type StoredProfile } from "#src/contract/records/profile-fields.ts";
import { ROLLED_BACK, SANDBOX_PROFILE } from "#src/contract/records/profile.ts";
import type { Profile } from "#src/contract/records/profile.ts";
import { validateProfile } from "#src/contract/records/validate-profile.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import { anyText, flag, list, openMap, optional, orNothing, type Of } from "#src/contract/text/shape.ts";
import type { FileSystem } from "#src/storage/file-system.ts";
import type { OnProblem } from "#src/storage/store-problem.ts";
import { openDocument } from "./document.ts";

const PROFILES = openMap({
  current: orNothing(anyText()),
  profiles: list(PROFILE),
  rolledBack: optional(
    flag(
      "The profiles were restored from their previous generation, and the user has not accepted that yet.",
    ),
  ),
});

export type Profiles = ReturnType<typeof openProfiles>;

/** Opens the profiles; touches no file before the first call. */
export function openProfiles(options: {
  readonly path: string;
  readonly onProblem: OnProblem;
  readonly fs?: FileSystem;
}) {
  let foundHere = false;
  const document = openDocument({
    ...options,
    onProblem: (problem) => {
      foundHere = true;
      options.onProblem(problem);
    },
    format: "verdict/profiles",
    schema: 1,
    initial: () => ({ current: null, profiles: [] }),
    shape: PROFILES,
    rolledBack: (data) => ({ ...data, rolledBack: true }),
  });

  return {
    /** The sandbox first, then the others by name; without marks. */
    list: async (): Promise<Profile[]> => {
      const { profiles } = await document.read();
      return [SANDBOX_PROFILE, ...profiles.toSorted((a, b) => (a.name < b.name ? -1 : 1))];
    },
    /** A profile by name, marked `rolledBack` until the user has accepted restored profiles. */
    get: async (name: string): Promise<Profile | null> => {
      const data = await document.read();
      const profile = [SANDBOX_PROFILE, ...data.profiles].find((each) => each.name === name);
      return profile === undefined ? null : marked(profile, data);
    },
    /**
     * Adds a profile, or replaces the one of that name.
     * @param shown the profile as it was shown, null for none: a change in another session is not overwritten
     * @throws Fault("usage") for the built-in one and for an invalid profile; Fault("storage") when it was changed in another
     * session or could not be saved
     */
    put: async (given: Profile, shown?: Profile | null): Promise<void> => {
      const profile = unmarked(given);
      const before = shown === undefined || shown === null ? shown : unmarked(shown);
      refuseBuiltIn(profile.name, "changed");
      checkProfile(profile);
      await document.update(
        (data) => {
          data.profiles = [...data.profiles.filter(({ name }) => name !== profile.name), profile];
        },
        before === undefined
          ? undefined
          : {
              name: `The profile "${escapeText(profile.name, 64)}"`,
              of: (data) => data.profiles.find(({ name }) => name === profile.name) ?? null,
              was: before,
            },
      );
    },
    /** Calls back within a second of a change by any process. @returns ends the watch */
    watch: (onChange: () => void): (() => void) => document.watch(onChange),
    /** @throws Fault("usage") for the built-in one and the one in use, before anybody is asked whether to remove it */
    requireRemovable: async (name: string): Promise<void> => refuseKept(name, await document.read()),
    /** False when there is none. @throws Fault("usage") as above */
    remove: async (name: string): Promise<boolean> => {
      refuseBuiltIn(name, "removed");
      return await document.update((data) => {
        refuseKept(name, data);
        const before = data.profiles.length;
        data.profiles = data.profiles.filter((profile) => profile.name !== name);
        return data.profiles.length < before;
      });
    },
    /** The profile in use, marked as by `get`; the sandbox by default. */
    current: async (): Promise<Profile> => {
      const data = await document.read();
      const { current, profiles } = data;
      if (current === null) return marked(SANDBOX_PROFILE, data);
      const inUse = profiles.find(({ name }) => name === current);
      // No fallback to the sandbox, whose pass could be mistaken for the service's.
      if (inUse === undefined) {
        throw usage`The profile in use, "${current}", is not there any more; choose another with "verdict profile use".`;
      }
      return marked(inUse, data);
    },
    /**
     * Sets the profile in use, and accepts profiles that were restored before this process opened them.
     * @throws Fault("usage") for an unknown name, Fault("corrupt") when this process restored them
     */
    use: async (name: string): Promise<void> => {
      await document.update((data) => {
        // The user has not seen the restored profiles yet.
        if (foundHere && data.rolledBack === true) throw new Fault("corrupt", whole(ROLLED_BACK));
        if (name !== SANDBOX_PROFILE.name && !data.profiles.some((profile) => profile.name === name)) {
          throw noSuch("profile", name, "verdict profile list");
        }
        data.current = name === SANDBOX_PROFILE.name ? null : name;
        delete data.rolledBack;
      });
    },
  };
}

function marked(profile: Profile, { rolledBack }: Of<typeof PROFILES>): Profile {
  return rolledBack === true ? { ...profile, rolledBack } : profile;
}

function unmarked({ rolledBack: _mark, ...profile }: Profile): StoredProfile {
  return profile;
}

function refuseBuiltIn(name: string, what: string): void {
  if (name !== SANDBOX_PROFILE.name) return;
  throw usage`The profile "sandbox" is built in and cannot be ${whole(what)}; add a profile with another name.`;
}

function refuseKept(name: string, { current }: Of<typeof PROFILES>): void {
  refuseBuiltIn(name, "removed");
  if (current !== name) return;
  throw usage`The profile "${name}" is in use and was not removed; run "verdict profile use" with another one first.`;
}

function checkProfile(profile: Profile): void {
  const [wrong] = validateProfile(profile);
  if (wrong !== undefined) throw usage`The profile was not saved: ${whole(wrong.message)}`;
}
