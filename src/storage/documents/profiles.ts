// The profiles of a home, in one document. The built-in sandbox profile always exists and is never in the file.

import { Fault, noSuch, usage, whole } from "#src/contract/fault.ts";
import {
  ANSWER_FORMS,
  CURRENCY_NUMBERINGS,
  ENVIRONMENTS,
  ROLLED_BACK,
  SANDBOX_PROFILE,
} from "#src/contract/records/profile.ts";
import type { Profile } from "#src/contract/records/profile.ts";
import { validateProfile } from "#src/contract/records/validate-profile.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import type { FileSystem } from "#src/storage/file-system.ts";
import {
  asBoolean,
  asList,
  asNullable,
  asNumber,
  asObject,
  asOneOf,
  asText,
} from "#src/storage/record-shape.ts";
import type { OnProblem } from "#src/storage/store-problem.ts";
import { openDocument } from "./document.ts";

interface ProfilesData {
  current: string | null;
  profiles: Profile[];
  /** The profiles were restored from their previous generation, and the user has not accepted that yet. */
  rolledBack?: true;
}

export interface Profiles {
  /** The sandbox first, then the others by name; without marks. */
  list(): Promise<Profile[]>;
  /** A profile by name, marked `rolledBack` until the user has accepted restored profiles. */
  get(name: string): Promise<Profile | null>;
  /**
   * Adds a profile, or replaces the one of that name.
   * @param before the profile as it was shown, null for none: a change in another session is not overwritten
   * @throws Fault("usage") for the built-in one and for an invalid profile; Fault("storage") when it was changed in another
   * session or could not be saved
   */
  put(profile: Profile, before?: Profile | null): Promise<void>;
  /** @throws Fault("usage") for the built-in one and the one in use, before anybody is asked whether to remove it */
  requireRemovable(name: string): Promise<void>;
  /** False when there is none. @throws Fault("usage") as above */
  remove(name: string): Promise<boolean>;
  /** The profile in use, marked as by `get`; the sandbox by default. */
  current(): Promise<Profile>;
  /**
   * Sets the profile in use, and accepts profiles that were restored before this process opened them.
   * @throws Fault("usage") for an unknown name, Fault("corrupt") when this process restored them
   */
  use(name: string): Promise<void>;
  /** Calls back within a second of a change by any process. @returns ends the watch */
  watch(onChange: () => void): () => void;
}

/** Opens the profiles; touches no file before the first call. */
export function openProfiles(options: {
  readonly path: string;
  readonly onProblem: OnProblem;
  readonly fs?: FileSystem;
}): Profiles {
  let foundHere = false;
  const document = openDocument<ProfilesData>({
    ...options,
    onProblem: (problem) => {
      foundHere = true;
      options.onProblem(problem);
    },
    format: "verdict/profiles",
    schema: 1,
    initial: () => ({ current: null, profiles: [] }),
    parse: parseProfiles,
    rolledBack: (data) => ({ ...data, rolledBack: true }),
  });

  return {
    list: async () => {
      const { profiles } = await document.read();
      return [SANDBOX_PROFILE, ...profiles.toSorted((a, b) => (a.name < b.name ? -1 : 1))];
    },
    get: async (name) => {
      const data = await document.read();
      const profile = [SANDBOX_PROFILE, ...data.profiles].find((each) => each.name === name);
      return profile === undefined ? null : marked(profile, data);
    },
    put: async (given, shown) => {
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
    watch: (onChange) => document.watch(onChange),
    requireRemovable: async (name) => refuseKept(name, await document.read()),
    remove: async (name) => {
      refuseBuiltIn(name, "removed");
      return await document.update((data) => {
        refuseKept(name, data);
        const before = data.profiles.length;
        data.profiles = data.profiles.filter((profile) => profile.name !== name);
        return data.profiles.length < before;
      });
    },
    current: async () => {
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
    use: async (name) => {
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

function marked(profile: Profile, { rolledBack }: ProfilesData): Profile {
  return rolledBack === true ? { ...profile, rolledBack } : profile;
}

function unmarked({ rolledBack: _mark, ...profile }: Profile): Profile {
  return profile;
}

function refuseBuiltIn(name: string, what: string): void {
  if (name !== SANDBOX_PROFILE.name) return;
  throw usage`The profile "sandbox" is built in and cannot be ${whole(what)}; add one of another name.`;
}

function refuseKept(name: string, { current }: ProfilesData): void {
  refuseBuiltIn(name, "removed");
  if (current !== name) return;
  throw usage`The profile "${name}" is in use and was not removed; run "verdict profile use" with another one first.`;
}

function checkProfile(profile: Profile): void {
  const [wrong] = validateProfile(profile);
  if (wrong !== undefined) throw usage`The profile was not saved: ${whole(wrong.message)}`;
}

function parseProfiles(value: unknown): ProfilesData {
  const { current, profiles, rolledBack } = asObject(value);
  return {
    current: asNullable(current, asText),
    profiles: asList(profiles).map(parseProfile),
    ...(rolledBack === undefined ? {} : { rolledBack: true }),
  };
}

function parseProfile(value: unknown): Profile {
  const fields = asObject(value);
  const ca = asNullable(fields["ca"] ?? null, asText);
  const confirmedRecipe = asNullable(fields["confirmedRecipe"] ?? null, asText);
  const numbering = asOneOf(fields["currencyNumbering"] ?? "iso-4217", CURRENCY_NUMBERINGS);
  const registration = asNullable(fields["registrationCurrencyNumbering"] ?? null, (each) =>
    asOneOf(each, CURRENCY_NUMBERINGS),
  );
  const answers = asList(fields["answers"] ?? []).map((each) => asOneOf(each, ANSWER_FORMS));
  const companyId = asNullable(fields["companyId"] ?? null, asText);
  const deadlineS = asNullable(fields["deadlineS"] ?? null, asNumber);
  const proxy = asNullable(fields["proxy"] ?? null, asText);
  const readOnly = asNullable(fields["readOnly"] ?? null, asBoolean);
  return {
    name: asText(fields["name"]),
    environment: asOneOf(fields["environment"], ENVIRONMENTS),
    baseUrl: asText(fields["baseUrl"]),
    projectsUrl: asText(fields["projectsUrl"]),
    recipe: asText(fields["recipe"]),
    amountUnit: asOneOf(fields["amountUnit"], ["minor", "major"]),
    credentialWaitS: asNumber(fields["credentialWaitS"]),
    ...(ca === null ? {} : { ca }),
    ...(confirmedRecipe === null ? {} : { confirmedRecipe }),
    ...(numbering === "iso-4217" ? {} : { currencyNumbering: numbering }),
    ...(registration === null ? {} : { registrationCurrencyNumbering: registration }),
    ...(answers.length === 0 ? {} : { answers }),
    ...(companyId === null ? {} : { companyId }),
    ...(deadlineS === null ? {} : { deadlineS }),
    ...(proxy === null ? {} : { proxy }),
    ...(readOnly === null ? {} : { readOnly }),
  };
}
