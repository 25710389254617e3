// verdict init: a working profile for the user's service, by a dialogue or by options, proved by a first check.

import { readTest, sendTest, testRequest } from "#src/actions/check/credential-test.ts";
import { makeProfile, type MadeProfile } from "#src/actions/profiles/make-profile.ts";
import type { Context } from "#src/app/context.ts";
import { readDocument } from "#src/app/read-input.ts";
import { removeRecipeDocument } from "#src/app/recipes.ts";
import { askLine, askText, confirmByName, readSecret } from "#src/cli/ask.ts";
import type { CommandRun } from "#src/cli/command.ts";
import { EXIT, exitOfCheck, type ExitCode } from "#src/cli/exit-code.ts";
import { namedKey } from "#src/cli/vault/key-options.ts";
import { formerText } from "#src/cli/vault/vault-entry.ts";
import { Fault } from "#src/contract/fault.ts";
import { PROFILE_FIELDS } from "#src/contract/records/profile-fields.ts";
import { recipeStatus, type Profile } from "#src/contract/records/profile.ts";
import { credentialValueProblem, type Secret } from "#src/contract/secret.ts";
import { escapeText } from "#src/contract/text/escape-text.ts";
import { readServiceUrl } from "#src/contract/wire/service-url.ts";
import type { CheckRequest } from "#src/contract/wire/wire.ts";
import { safe, safeJson } from "#src/display/safe.ts";
import { verdictKind, VERDICTS } from "#src/display/verdict.ts";
import { inferRecipe, type FoundRecipe } from "#src/signing/infer/infer.ts";
import { Dialogue, fieldProblem, STOPPED, type Question } from "./dialogue.ts";
import { checkAddress, profileOf, warnOfAddresses } from "./profile.ts";
import { printClosest, readRequest, refuseName, save } from "./recipe-infer.ts";

export const init: CommandRun = async (invocation) => {
  const { output } = invocation;
  const opened = await invocation.context();
  const dialogue = new Dialogue(invocation);
  if (dialogue.asks) output.complain("Sets up a profile for your service; Ctrl-C changes nothing.");
  await dialogue.answer(ADDRESS);
  const name = await dialogue.answer(await nameQuestion(opened));
  await dialogue.answer(ENVIRONMENT);
  await answerKey(dialogue);
  const key = namedKey(dialogue.options)!;
  // Before the secret is typed, which would be lost if the vault stayed locked.
  await (await opened.vault()).ensureOpen();
  const secret = await readSecret(dialogue.invocation);
  const found = await recipeFrom(dialogue, opened, secret);
  const inferred = found !== null && found.same === null ? found : null;
  if (inferred !== null) refuseName(name);
  else if (found !== null) dialogue.set("recipe", found.same!);
  else if (dialogue.asks) await dialogue.answer(await recipeQuestion(opened));
  const described = await profileOf(opened, dialogue.options, name, null);
  const profile: Profile = inferred === null ? described : { ...described, recipe: name };
  const made = key(secret);
  const request = made.kind === "credential" ? testRequest(opened.newId()) : null;
  const proves = request !== null && (await isWanted(dialogue, profile, request));

  const document = inferred === null ? null : await save(invocation, inferred, name);
  const undoDocument = async (): Promise<void> => {
    if (document !== null) await removeRecipeDocument(document);
  };
  const saved = await makeProfile(opened, profile, null, made, true).catch(async (error: unknown) => {
    await undoDocument();
    throw error;
  });
  const undo = (): Promise<void> => saved.undo().then(undoDocument);
  const proof = proves ? await prove(dialogue, name, saved, request, undo) : "kept";
  if (typeof proof === "number") return proof;

  const status = recipeStatus(profile, found?.recipe.status) ?? "assumed";
  if (saved.saved?.former != null) output.line(formerText(saved.saved.former));
  warnOfAddresses(profile, output);
  output.line(
    `Profile ${name} is in use: ${profile.environment}, checks go to ${checkAddress(profile)}, signed with the recipe ${profile.recipe} (${status}).`,
  );
  const next = request === null ? "verdict project register --help" : "verdict check --help";
  output.line(`Next: ${next}`);
  if (proof === "works") {
    output.complain(`"verdict profile confirm-recipe ${name}" records that this service accepts the recipe.`);
  }
  return EXIT.done;
};

const ADDRESS: Question = {
  option: "baseUrl",
  label: "Address",
  meaning: "The address of the service, such as https://check.example; /v1/check is added to it.",
  problem: (text) => fieldProblem("base_url")(readServiceUrl(text)),
};

const ENVIRONMENT: Question = {
  option: "environment",
  label: "Environment",
  meaning: "test, or live for a service that decides about real money: verdict asks more often then.",
  fallback: "test",
  problem: (text) => (/^(?:test|live)$/i.test(text) ? null : "must be test or live"),
};

async function nameQuestion(opened: Context): Promise<Question> {
  const taken = (await (await opened.profiles()).list()).map((profile) => profile.name);
  const free = ["service", "service-2", "service-3"].find((each) => !taken.includes(each));
  return {
    option: "name",
    label: "Name",
    meaning: "A name for the profile, for --profile and the top of the console.",
    ...(free === undefined ? {} : { fallback: free }),
    problem: (text) =>
      taken.includes(text)
        ? `is that of a profile; "verdict profile add ${text}" changes it`
        : fieldProblem("name")(text),
  };
}

async function recipeQuestion(opened: Context): Promise<Question> {
  const known = (await opened.recipes()).list().map(({ recipe }) => recipe.recipe);
  return {
    option: "recipe",
    label: "Recipe",
    meaning: `How requests are signed, an assumption until the service accepts one: ${known.join(", ")}.`,
    fallback: PROFILE_FIELDS.find(({ path }) => path === "recipe")!.example as string,
    problem: (text) => (known.includes(text) ? null : "must be one of these"),
  };
}

async function answerKey(dialogue: Dialogue): Promise<void> {
  const { options } = dialogue;
  const isCompany = options.text("companyId") !== undefined && options.text("projectId") === undefined;
  const isOpen = options.text("companyId") === undefined && options.text("projectId") === undefined;
  const owner =
    isOpen && dialogue.asks
      ? await dialogue.answer({
          option: "keyKind",
          label: "Key of",
          meaning:
            "project: you hold the credential that signs its checks; company: an integration key, which registers projects.",
          fallback: "project",
          problem: (text) => (/^(?:project|company)$/.test(text) ? null : "must be project or company"),
          remedy: "Answer project or company.",
        })
      : isCompany
        ? "company"
        : "project";
  for (const each of ["key", owner]) {
    await dialogue.answer({
      option: `${each}Id`,
      label: `Id of the ${each}`,
      meaning: `The id of the ${each} from the panel; it goes into the header x-${each}-id.`,
      problem: credentialValueProblem,
    });
  }
}

/** The recipe of a request that the service accepts; null where none is given. @throws Fault("bad_input" | "usage") */
async function recipeFrom(dialogue: Dialogue, opened: Context, secret: Secret): Promise<FoundRecipe | null> {
  const { asks, invocation } = dialogue;
  const { options, output, signal, stdin } = invocation;
  const known = (await opened.recipes()).list().map(({ recipe }) => recipe);
  for (let given = options.text("request"); ; given = undefined) {
    if (given === undefined && (!asks || options.text("recipe") !== undefined)) return null;
    if (given === undefined) output.complain(`\n${GOOD_REQUEST}`);
    const file = given ?? (await askLine(invocation, "Good request: ", STOPPED));
    if (file === "") return null;
    if (file === "-" && !asks)
      throw new Fault("usage", "--request names a file; standard input is not read for it.");
    let request: ReturnType<typeof readRequest>;
    try {
      const bytes =
        file === "-"
          ? Buffer.from(
              await askText(invocation, "Paste it, and end with a line that holds one dot.", STOPPED),
            )
          : await readDocument(file, () => stdin, signal, "a file with the request");
      request = readRequest(bytes);
    } catch (error) {
      // All earlier answers would be lost by a slip.
      if (!asks || !(error instanceof Fault) || error.code !== "bad_input") throw error;
      output.complain(error.message);
      continue;
    }
    const inference = inferRecipe(request, secret, known);
    const [found] = inference.found;
    if (found !== undefined) {
      const how = found.same ?? "a recipe of its own, which is saved under the name of the profile";
      output.complain(`The request is signed with ${safe(how)}.`);
      return found;
    }
    printClosest(invocation, inference);
    if (!asks) throw new Fault("bad_input", `No recipe reproduces ${escapeText(file)}; nothing was saved.`);
  }
}

const GOOD_REQUEST =
  "A request that the service accepts shows how to sign: a file with HTTP text or a curl command, - to paste it, Enter for none.";

/** Whether the first check is to be sent; it is shown first. */
async function isWanted(
  { asks, invocation }: Dialogue,
  { name, environment }: Profile,
  request: CheckRequest,
): Promise<boolean> {
  const { options, output } = invocation;
  const confirmed = options.text("confirm");
  if (confirmed !== undefined && confirmed !== name) {
    throw new Fault("usage", `--confirm must be ${name}, the name of the profile; nothing was saved.`);
  }
  if (options.negated("check")) return false;
  const isLive = environment === "LIVE";
  if (isLive && !asks && confirmed === undefined) {
    output.complain(`Nothing was sent to the LIVE service; with --confirm ${name} a check proves the key.`);
    return false;
  }
  output.complain(`The first check, a verification without a payment: ${safeJson(request)}`);
  if (!asks || confirmed !== undefined) return true;
  if (isLive) return confirmByName(invocation, `${name} is LIVE; Enter alone sends no check.`, name);
  return !/^n(o)?$/i.test(await askLine(invocation, "Send it now? [Y/n] ", STOPPED));
}

/**
 * Sends the first check; without a verdict everything is taken back, unless a person wants to keep it.
 * @returns the exit code where nothing is kept
 */
async function prove(
  { asks, invocation }: Dialogue,
  name: string,
  { project }: MadeProfile,
  request: CheckRequest,
  undo: () => Promise<void>,
): Promise<"works" | "kept" | ExitCode> {
  const { output, signal } = invocation;
  output.progress("Checking");
  const { entry } = await invocation
    .context(name)
    .then((context) => sendTest(context, { profile: name, projectKey: project! }, signal, request))
    .catch(async (error: unknown) => {
      await undo();
      throw error;
    });
  const { verdict, sentence } = readTest(entry.result!);
  if (verdict === "works") {
    output.line(`${sentence.slice(0, -1)} with ${VERDICTS[verdictKind(entry.result)].word}.`);
    return "works";
  }
  output.complain(sentence);
  output.complain(`"verdict history show ${entry.id} --exchange" shows what was sent and what came.`);
  if (asks && !signal.aborted) {
    const question = "Keep the profile and its key all the same? [y/N] ";
    if (/^y(es)?$/i.test(await askLine(invocation, question, STOPPED).catch(() => ""))) return "kept";
  }
  await undo();
  output.complain(
    "Nothing was saved: try another scheme with --recipe, find it with --request FILE, or save without a check with --no-check.",
  );
  return signal.aborted ? EXIT.interrupted : exitOfCheck(entry.result, null);
}
