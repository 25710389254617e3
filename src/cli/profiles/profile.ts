// verdict profile: lists, adds, shows, confirms, uses and removes profiles.

import { resolve } from "node:path";
import type { Context } from "#src/app/context.ts";
import { confirm } from "#src/cli/ask.ts";
import type { CommandRun } from "#src/cli/command.ts";
import { declined, sayDone } from "#src/cli/done.ts";
import { profileJson } from "#src/cli/json-shapes.ts";
import type { Output } from "#src/cli/output.ts";
import { enterKeysAgain } from "#src/cli/vault/enter-again.ts";
import { Fault, noSuch, usage } from "#src/contract/fault.ts";
import { showField } from "#src/contract/fields/validate.ts";
import { ADD_COMMAND } from "#src/contract/records/key.ts";
import {
  DEFAULT_DEADLINE_S,
  NEW_PROFILE,
  PROFILE_FIELDS,
  profileOfTexts,
  profileValues,
} from "#src/contract/records/profile-fields.ts";
import {
  acceptedForms,
  addressWarning,
  recipeStatus,
  registrationNumbering,
  type Profile,
} from "#src/contract/records/profile.ts";
import { ENDPOINTS } from "#src/contract/wire/wire.ts";
import { shownAddress } from "#src/display/address.ts";
import { safe } from "#src/display/safe.ts";
import { isPreset } from "#src/signing/recipes/presets.ts";
import type { Asking, Json } from "#src/cli/option-specs.ts";
import type { Values } from "#src/cli/option.ts";
import type { PROFILE_ADD } from "./profile-options.ts";

export const list: CommandRun<Json> = async ({ context, options, output }) => {
  const profiles = await (await context()).profiles();
  const inUse = await profiles.current();
  const all = await profiles.list();
  const opened = await context();
  const rated = await Promise.all(
    all.map(async (profile) => [profile, await statusOf(opened, profile)] as const),
  );
  if (options.json)
    return rated.forEach(([profile, status]) =>
      output.json(profileJson(profile, profile.name === inUse.name, status)),
    );
  const rows = rated.map(([profile, status]) => [
    profile.name !== inUse.name ? "" : output.style.spoken ? "in use" : "*",
    safe(profile.name),
    profile.readOnly === true ? `${profile.environment} read-only` : profile.environment,
    status === null ? profile.recipe : `${profile.recipe} (${status})`,
    profile.baseUrl === "" ? "embedded" : shownAddress(profile.baseUrl),
  ]);
  output.table(["", "NAME", "ENVIRONMENT", "RECIPE", "ADDRESS"], rows);
};

/** The option of each profile field. */
const OPTION_OF = {
  base_url: "baseUrl",
  projects_url: "projectsUrl",
  company_id: "companyId",
  recipe: "recipe",
  amount_unit: "amountUnit",
  currency_numbering: "currencyNumbering",
  registration_currency_numbering: "registrationCurrencyNumbering",
  answers: "answers",
  credential_wait_s: "credentialWait",
  deadline_s: "deadline",
  proxy: "proxy",
} as const;

export const add: CommandRun<typeof PROFILE_ADD> = async (invocation) => {
  const { options, output } = invocation;
  const opened = await invocation.context();
  const name = invocation.args[0]!;
  const profiles = await opened.profiles();
  const before = await profiles.get(name);
  const profile = await profileOf(opened, options, name, before);
  await profiles.put(profile, before);
  warnOfAddresses(profile, output);
  const addresses = [...new Set([profile.baseUrl, profile.projectsUrl])]
    .filter((url) => shownAddress(url) !== safe(url))
    .map((url) => `Its address is ${shownAddress(url)}.`);
  sayDone(
    invocation,
    { profile: name, saved: true, is_new: before === null },
    ...addresses,
    `Profile ${safe(name)} saved; use it with --profile ${safe(name)}, or "verdict profile use".`,
    before === null
      ? `Checks go to ${checkAddress(profile)}. Enter the key with "${ADD_COMMAND.project_credential} --profile ${safe(name)}".`
      : null,
  );
  await enterKeysAgain(invocation, opened, profile, before);
};

/** Where the checks of a profile arrive. */
export function checkAddress({ baseUrl }: Profile): string {
  return shownAddress(`${baseUrl.replace(/\/$/, "")}${ENDPOINTS.check.path}`);
}

/** The options that describe a profile. */
type Described = Omit<Values<typeof PROFILE_ADD>, "json" | "readOnly" | "credentialWait"> &
  Partial<Pick<Values<typeof PROFILE_ADD>, "readOnly" | "credentialWait">>;

/**
 * The profile that options describe.
 * @param before the one of that name, whose other settings stay; null for none
 * @throws Fault("usage") for an unknown recipe, or one without an address
 */
export async function profileOf(
  opened: Context,
  options: Described,
  name: string,
  before: Profile | null,
): Promise<Profile> {
  const texts = textsOf(before);
  texts["name"] = name;
  for (const [path, option] of Object.entries(OPTION_OF)) {
    texts[path] = options[option]?.toString() ?? texts[path];
  }
  texts["environment"] = options.environment?.toUpperCase() ?? texts["environment"];
  if (options.readOnly !== undefined) texts["read_only"] = options.readOnly ? "yes" : "no";
  const ca = options.ca;
  if (ca !== undefined) texts["ca"] = await authorityFile(ca);
  if (before === null && (texts["base_url"] ?? "") === "") {
    throw usage`A new profile needs the address of its service; add --base-url.`;
  }
  // A new check address applies to registration as well, if both addresses were the same.
  if (options.projectsUrl === undefined && before?.projectsUrl === before?.baseUrl)
    texts["projects_url"] = "";
  if (texts["environment"] === "SANDBOX") {
    throw usage`The sandbox is built in as the profile "sandbox"; the environment is test or live.`;
  }
  const profile = profileOfTexts(texts, before);
  // Fails now for an unknown recipe, not at the first payment.
  if (!isPreset(profile.recipe)) (await opened.recipes()).byId(profile.recipe);
  return profile;
}

/** The field values of a profile as texts; initial values for a new one. */
function textsOf(before: Profile | null): Record<string, string | undefined> {
  const values = profileValues(before ?? NEW_PROFILE);
  return Object.fromEntries(
    PROFILE_FIELDS.map((field) => [field.path, showField(field, values[field.path])]),
  );
}

/** The absolute path of an authority file. Fails now for an unusable file, not at the first payment. */
async function authorityFile(named: string): Promise<string> {
  if (named === "") throw usage`--ca is empty; name a PEM file, or leave it out.`;
  const { checkAuthorityFile } = await import("#src/app/network.ts");
  const path = resolve(named);
  await checkAuthorityFile(path);
  return path;
}

export const use: CommandRun<Json> = async ({ args, context, options, output }) => {
  const profiles = await (await context()).profiles();
  await profiles.use(args[0]!);
  sayDone({ options, output }, { profile: args[0], in_use: true }, `Profile ${safe(args[0]!)} is in use.`);
};

export const show: CommandRun<Json> = async ({ args, context, options, output }) => {
  const profiles = await (await context()).profiles();
  const profile = await profiles.get(args[0]!);
  if (profile === null) throw unknown(args[0]!);
  const status = await statusOf(await context(), profile);
  if (options.json)
    return output.json(profileJson(profile, (await profiles.current()).name === profile.name, status));
  output.table(
    ["profile", safe(profile.name)],
    [
      ["environment", profile.environment],
      ["check", profile.baseUrl === "" ? "the embedded sandbox of this home" : shownAddress(profile.baseUrl)],
      [
        "registration",
        profile.projectsUrl === "" ? "the embedded sandbox of this home" : shownAddress(profile.projectsUrl),
      ],
      ["recipe", status === null ? profile.recipe : `${profile.recipe} (${status})`],
      ["amount unit", profile.amountUnit],
      ["currency numbers", profile.currencyNumbering ?? "iso-4217"],
      ["at registration", registrationNumbering(profile)],
      ["answers", ["JSON", ...acceptedForms(profile)].join(", ")],
      ["credential wait", `${profile.credentialWaitS} s`],
      [
        "authorities",
        profile.ca === undefined ? "system certificates" : `system certificates and ${safe(profile.ca)}`,
      ],
      [
        "company",
        profile.companyId === undefined ? "the company of the newest key" : safe(profile.companyId),
      ],
      ["proxy", profile.proxy === undefined ? "from the environment" : safe(profile.proxy)],
      ["deadline", `${profile.deadlineS ?? DEFAULT_DEADLINE_S} s`],
      ["read-only", profile.readOnly === true ? "yes: nothing is sent" : "no"],
    ],
  );
  warnOfAddresses(profile, output);
};

export function warnOfAddresses(profile: Profile, output: Output): void {
  const warning = addressWarning(profile);
  if (warning !== null) output.note(warning);
}

export const confirmRecipe: CommandRun<Json> = async ({ args, context, options, output }) => {
  const opened = await context();
  const profiles = await opened.profiles();
  const [name] = args;
  const profile = name === undefined ? await profiles.current() : await profiles.get(name);
  if (profile === null) throw unknown(name!);
  if (profile.environment === "SANDBOX") {
    throw usage`The sandbox accepts every recipe that its profile names, so there is nothing to confirm.`;
  }
  await profiles.put({ ...profile, confirmedRecipe: profile.recipe });
  sayDone(
    { options, output },
    { profile: profile.name, recipe: profile.recipe, recipe_status: "confirmed" },
    `The recipe ${profile.recipe} is confirmed for profile ${safe(profile.name)}.`,
  );
};

/** Status of a profile's recipe; a missing recipe counts as assumed. */
async function statusOf(context: Context, profile: Profile): Promise<ReturnType<typeof recipeStatus>> {
  if (profile.environment === "SANDBOX" || isPreset(profile.recipe)) return recipeStatus(profile);
  const known = (await context.recipes()).list().find(({ recipe }) => recipe.recipe === profile.recipe);
  return recipeStatus(profile, known?.recipe.status);
}

export const remove: CommandRun<Asking> = async (invocation) => {
  const name = invocation.args[0]!;
  const profiles = await (await invocation.context()).profiles();
  if ((await profiles.get(name)) === null) throw unknown(name);
  await profiles.requireRemovable(name);
  if (!(await confirm(invocation, `Remove profile ${safe(name)}? Its history and vault entries stay.`))) {
    return declined(invocation, { profile: name, removed: false });
  }
  await profiles.remove(name);
  sayDone(invocation, { profile: name, removed: true }, `Profile ${safe(name)} removed.`);
};

function unknown(name: string): Fault {
  return noSuch("profile", name, "verdict profile list");
}
