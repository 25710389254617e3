// verdict profile: the environments, in the configuration folder.

import { escapeText } from "#src/contract/escape-text.ts";
import { Fault } from "#src/contract/fault.ts";
import { DEFAULT_CREDENTIAL_WAIT_S, type Profile } from "#src/contract/profile.ts";
import { recipeById } from "#src/signing/presets.ts";
import { safe } from "#src/display/safe.ts";
import type { CommandRun } from "./command.ts";
import { EXIT } from "./exit-code.ts";
import { confirm } from "./ask.ts";
import { profileJson } from "./json-shapes.ts";
import { layOut } from "./table.ts";

export const list: CommandRun = async ({ context, options, output }) => {
  const profiles = await (await context()).profiles();
  const inUse = await profiles.current();
  const all = await profiles.list();
  if (options.flag("json")) {
    for (const profile of all) output.json(profileJson(profile, profile.name === inUse.name));
    return EXIT.done;
  }
  const rows = all.map((profile) => [
    profile.name === inUse.name ? "*" : "",
    safe(profile.name),
    profile.environment,
    profile.recipe,
    profile.baseUrl === "" ? "embedded" : safe(profile.baseUrl),
  ]);
  for (const line of layOut(["", "NAME", "ENVIRONMENT", "RECIPE", "ADDRESS"], rows)) output.line(line);
  return EXIT.done;
};

export const add: CommandRun = async ({ args, context, options, output }) => {
  const baseUrl = options.text("baseUrl")!;
  const profile: Profile = {
    name: args[0]!,
    environment: options.text("environment") === "LIVE" ? "LIVE" : "TEST",
    baseUrl,
    projectsUrl: options.text("projectsUrl") ?? baseUrl,
    recipe: options.text("recipe") ?? "http-signatures",
    amountUnit: options.text("amountUnit") === "major" ? "major" : "minor",
    credentialWaitS:
      options.integer("credentialWait", "--credential-wait", { min: 0, max: 86_400 }) ??
      DEFAULT_CREDENTIAL_WAIT_S,
  };
  // An unknown recipe is refused here, not at the first payment.
  recipeById(profile.recipe);
  await (await (await context()).profiles()).put(profile);
  output.line(
    `Profile ${safe(profile.name)} saved; use it with --profile ${safe(profile.name)}, or "verdict profile use".`,
  );
  return EXIT.done;
};

export const use: CommandRun = async ({ args, context, output }) => {
  const profiles = await (await context()).profiles();
  await profiles.use(args[0]!);
  output.line(`Profile ${safe(args[0]!)} is in use.`);
  return EXIT.done;
};

export const show: CommandRun = async ({ args, context, options, output }) => {
  const profiles = await (await context()).profiles();
  const profile = await profiles.get(args[0]!);
  if (profile === null) throw unknown(args[0]!);
  if (options.flag("json")) {
    output.json(profileJson(profile, (await profiles.current()).name === profile.name));
    return EXIT.done;
  }
  for (const line of layOut(
    ["profile", safe(profile.name)],
    [
      ["environment", profile.environment],
      ["check", profile.baseUrl === "" ? "the embedded sandbox of this home" : safe(profile.baseUrl)],
      [
        "registration",
        profile.projectsUrl === "" ? "the embedded sandbox of this home" : safe(profile.projectsUrl),
      ],
      ["recipe", profile.recipe],
      ["amount unit", profile.amountUnit],
      ["credential wait", `${profile.credentialWaitS} s`],
    ],
  )) {
    output.line(line);
  }
  return EXIT.done;
};

export const remove: CommandRun = async (invocation) => {
  const name = invocation.args[0]!;
  const profiles = await (await invocation.context()).profiles();
  if ((await profiles.get(name)) === null) throw unknown(name);
  if (!(await confirm(invocation, `Remove profile ${safe(name)}? Its history and vault entries stay.`))) {
    invocation.output.line("Nothing was removed.");
    return EXIT.done;
  }
  await profiles.remove(name);
  invocation.output.line(`Profile ${safe(name)} removed.`);
  return EXIT.done;
};

function unknown(name: string): Fault {
  return new Fault(
    "usage",
    `There is no profile "${escapeText(name, 60)}"; "verdict profile list" shows those there are.`,
  );
}
