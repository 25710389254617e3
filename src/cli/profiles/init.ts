// verdict init: a working profile for the user's service, by a dialogue or by options, proved by a first check.

import { readTest, sendTest, testRequest } from "#src/actions/check/credential-test.ts";
import { makeProfile } from "#src/actions/profiles/make-profile.ts";
import type { SavedKey } from "#src/actions/register/add-key.ts";
import type { Context } from "#src/app/context.ts";
import { readDocument } from "#src/app/read-input.ts";
import { removeRecipeDocument } from "#src/app/recipes.ts";
import { askLine, askText, confirmByName, readSecret } from "#src/cli/ask.ts";
import type { CommandRun } from "#src/cli/command.ts";
import { EXIT, exitOfCheck, type ExitCode } from "#src/cli/exit-code.ts";
import { enterKeysAgain } from "#src/cli/vault/enter-again.ts";
import { namedKey, formerText } from "#src/cli/vault/vault-entry.ts";
import { badInput, Fault, usage, whole } from "#src/contract/fault.ts";
import { ownerOf, type Key } from "#src/contract/records/key.ts";
import { PROFILE_FIELDS } from "#src/contract/records/profile-fields.ts";
import { recipeStatus, type Profile } from "#src/contract/records/profile.ts";
import { validateProfile } from "#src/contract/records/validate-profile.ts";
import { credentialValueProblem, type Secret } from "#src/contract/secret.ts";
import type { RawRequest } from "#src/contract/text/raw-request.ts";
import { readServiceUrl, serviceUrlProblem } from "#src/contract/wire/service-url.ts";
import { ENDPOINTS, HEADER, type CheckRequest } from "#src/contract/wire/wire.ts";
import { safe, safeJson } from "#src/display/safe.ts";
import { verdictKind, VERDICTS } from "#src/display/verdict.ts";
import { inferRecipe, type FoundRecipe } from "#src/signing/infer/infer.ts";
import { cardProblem, Dialogue, fieldProblem, STOPPED, type Question } from "./dialogue.ts";
import { checkAddress, profileOf, warnOfAddresses } from "./profile.ts";
import { printClosest, readRequest, save } from "./recipe-infer.ts";
import type { INIT } from "./profile-options.ts";

type Asked = Dialogue<typeof INIT>;

export const init: CommandRun<typeof INIT> = async (invocation) => {
  const { output } = invocation;
  const opened = await invocation.context();
  const dialogue = new Dialogue(invocation);
  if (dialogue.asks) {
    // What the questions do not repair is told before anything is typed.
    const [slip] = validateProfile(
      await profileOf(opened, { ...invocation.options, ...ASKED_FOR }, "new", null),
    );
    if (slip !== undefined) throw new Fault("usage", whole(slip.message));
    output.complain("Sets up a profile for your service; Ctrl-C changes nothing.");
  }
  const good = await goodRequest(dialogue, invocation.options.request);
  const seen = good === null ? null : addressIn(good);
  await dialogue.answer(addressQuestion(seen));
  const name = await dialogue.answer(await nameQuestion(opened));
  await dialogue.answer(ENVIRONMENT);
  await answerKey(dialogue, seen);
  const keyOf = namedKey(dialogue.options);
  // Before the secret is typed, which would be lost if the vault stayed locked.
  await (await opened.vault()).ensureOpen();
  const fitting = await recipeFrom(dialogue, opened, good);
  const { found } = fitting;
  const inferred = found !== null && found.same === null ? found : null;
  const recipe = await freeRecipe(opened, name);
  if (found !== null && found.same !== null) dialogue.set("recipe", found.same);
  else if (found === null && dialogue.asks) await dialogue.answer(await recipeQuestion(opened));
  const described = await profileOf(opened, dialogue.options, name, null);
  const profile: Profile = inferred === null ? described : { ...described, recipe };
  let key = keyOf(fitting.secret);
  const request = key.kind === "project_credential" ? testRequest(opened.newId()) : null;
  const proves = request !== null && (await isWanted(dialogue, profile, request));

  const document = inferred === null ? null : await save(invocation, inferred, recipe);
  const undoDocument = async (): Promise<void> => {
    if (document !== null) await removeRecipeDocument(document);
  };
  let saved: SavedKey;
  let proof: Awaited<ReturnType<typeof prove>>;
  for (; ; key = keyOf(await readSecret(invocation))) {
    saved = await makeProfile(opened, profile, key).catch(async (error: unknown) => {
      await undoDocument();
      throw error;
    });
    const undo = (): Promise<void> => saved.undo().then(undoDocument);
    proof = proves ? await prove(dialogue, name, ownerOf(key), request, found === null, undo) : "kept";
    if (proof !== "again") break;
  }
  if (typeof proof === "number") return proof;

  const status = recipeStatus(profile, found?.recipe.status) ?? "assumed";
  if (saved.former !== null) output.line(formerText(saved.former));
  warnOfAddresses(profile, output);
  output.line(
    `Profile ${name} is in use: ${profile.environment}, checks go to ${checkAddress(profile)}, signed with the recipe ${profile.recipe} (${status}).`,
  );
  await enterKeysAgain(invocation, opened, profile, null);
  output.advise(`Next: ${nextCommand(profile, dialogue, key)}`);
  if (proof === "works") {
    output.complain(`"verdict profile confirm-recipe ${name}" records that this service accepts the recipe.`);
  }
  return EXIT.done;
};

/** Right answers to what is asked for again where an option is wrong. */
const ASKED_FOR = { baseUrl: "https://check.example", environment: undefined };

type SeenAddress = ReturnType<typeof addressIn>;

/** Where a request went, as a profile has it, whether checks go there, and who sent it; null for what cannot be an address. */
function addressIn({ headers, scheme, target }: RawRequest) {
  const path = target.replace(/[?#].*$/, "");
  const { check, credential, register } = ENDPOINTS;
  const endpoint = [check, credential, register].find((each) => path.endsWith(each.path));
  const [, host] = headers.find(([name]) => name.toLowerCase() === "host")!;
  const place = `${host}${endpoint === undefined ? "" : path.slice(0, -endpoint.path.length)}`;
  const url = readServiceUrl(scheme === "https" ? `https://${place}` : place);
  if (serviceUrlProblem(url) !== null) return null;
  const id = (name: string): string | undefined => {
    const value = headers.find(([each]) => each.toLowerCase() === name)?.[1];
    return value !== undefined && credentialValueProblem(value) === null ? value : undefined;
  };
  const ids: Readonly<Record<string, string | undefined>> = {
    keyId: id(HEADER.keyId),
    projectId: id(HEADER.projectId),
    companyId: id(HEADER.companyId),
  };
  return { url, isOfCheck: endpoint?.host !== "projects", ids };
}

/** That of a registration may be another one. */
function addressQuestion(seen: SeenAddress): Question {
  return {
    option: "baseUrl",
    label: "Address",
    meaning: "The address of the service, such as https://check.example; /v1/check is added to it.",
    ...(seen?.isOfCheck === true ? { fallback: seen.url } : {}),
    problem: (text) => fieldProblem("base_url")(readServiceUrl(text)),
  };
}

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
        ? `belongs to a profile; "verdict profile add ${text}" changes it`
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

async function answerKey(dialogue: Asked, seen: SeenAddress): Promise<void> {
  const { options } = dialogue;
  // Merchant and risk level are of a project, too.
  const isOpen = (options.companyId ?? options.projectId ?? options.merchantId) === undefined;
  const owner =
    isOpen && dialogue.asks
      ? await dialogue.answer({
          option: "keyKind",
          label: "Key of",
          meaning:
            "project: you hold the credential that signs its checks; company: an integration key, which registers projects.",
          fallback: seen?.ids["companyId"] !== undefined && !seen.isOfCheck ? "company" : "project",
          problem: (text) => (/^(?:project|company)$/.test(text) ? null : "must be project or company"),
          remedy: "Answer project or company.",
        })
      : options.companyId === undefined
        ? "project"
        : "company";
  if (owner === "company") {
    await dialogue.answer({
      option: "projectsUrl",
      label: "Registration address",
      meaning: "The address of registration, such as https://projects.example; /projects is added to it.",
      fallback: seen?.isOfCheck === false ? seen.url : options.baseUrl,
      problem: (text) => (text === "" ? null : fieldProblem("projects_url")(readServiceUrl(text))),
    });
  }
  for (const each of ["key", owner]) {
    const own = dialogue.asks ? seen?.ids[`${each}Id`] : undefined;
    await dialogue.answer({
      option: `${each}Id`,
      ...(own === undefined ? {} : { fallback: own }),
      label: `Id of the ${each}`,
      meaning: `The id of the ${each} from the panel; it goes into the header x-${each}-id.`,
      problem: (text) =>
        credentialValueProblem(text) ??
        (each === "company" ? fieldProblem("company_id")(text) : cardProblem(text)),
    });
  }
}

/** The request that is named, or asked for until it can be read; null for none. @throws Fault("bad_input" | "usage") */
async function goodRequest(
  { asks, invocation }: Asked,
  named: string | undefined,
): Promise<RawRequest | null> {
  const { options, output, signal, stdin } = invocation;
  for (let given = named; ; given = undefined) {
    if (given === undefined && (!asks || options.recipe !== undefined)) return null;
    if (given === undefined) output.complain(`\n${GOOD_REQUEST}`);
    const file = given ?? (await askLine(invocation, "Good request: ", STOPPED));
    if (file === "") return null;
    if (file === "-" && !asks) throw usage`--request names a file; standard input is not read for it.`;
    try {
      const bytes =
        file === "-"
          ? Buffer.from(
              await askText(invocation, "Paste it, and end with a line that holds one dot.", STOPPED),
            )
          : await readDocument(file, () => stdin, signal, "a file with the request");
      return readRequest(bytes);
    } catch (error) {
      // All earlier answers would be lost by a slip.
      if (!asks || !(error instanceof Fault) || error.code !== "bad_input") throw error;
      output.complain(error.message);
    }
  }
}

/**
 * The secret, and the recipe that signed a request with it: both are asked for again until they go together.
 * @param good null where none is given; then no recipe is found
 * @throws Fault("bad_input" | "usage")
 */
async function recipeFrom(
  dialogue: Asked,
  opened: Context,
  good: RawRequest | null,
): Promise<{ secret: Secret; found: FoundRecipe | null }> {
  const { asks, invocation } = dialogue;
  const { output } = invocation;
  const known = (await opened.recipes()).list().map(({ recipe }) => recipe);
  let secret = await readSecret(invocation);
  for (let request = good; request !== null;) {
    const inference = inferRecipe(request, secret, known);
    const [found] = inference.found;
    if (found !== undefined) {
      output.complain(
        `The request is signed with ${safe(found.same ?? "a new recipe, which is saved with the profile")}.`,
      );
      return { secret, found };
    }
    printClosest(invocation, inference);
    if (!asks) throw badInput`No recipe reproduces the request; nothing was saved.`;
    output.complain("Either the secret is another one, or the request was changed since it was signed.");
    const isMistyped = /^y(es)?$/i.test(await askLine(invocation, "Type the secret again? [y/N] ", STOPPED));
    if (isMistyped) secret = await readSecret(invocation);
    else request = await goodRequest(dialogue, undefined);
  }
  return { secret, found: null };
}

/** The name of the profile for its recipe, or the next one that no recipe has. */
async function freeRecipe(opened: Context, name: string): Promise<string> {
  const taken = new Set((await opened.recipes()).list().map(({ recipe }) => recipe.recipe));
  let free = name;
  for (let number = 2; taken.has(free); number += 1) free = `${name}-${number}`;
  return free;
}

/** What to run next, complete for a shell; what it leaves open is asked for on a terminal. */
function nextCommand({ name, currencyNumbering }: Profile, { asks }: Asked, { kind }: Key): string {
  if (kind === "project_credential") {
    const currency = currencyNumbering === "iso-3166-1" ? "UA" : "UAH";
    return `verdict check --profile ${name} --set operation=verification --set order_id=first --set amount=0 --set currency=${currency}`;
  }
  // A terminal asks for what is missing; elsewhere it stands there, and nothing is registered before it is filled in.
  const missing = asks ? "" : " --merchant-id ... --risk-level ... --name ... --currency ...";
  return `verdict project register --profile ${name}${missing} --wait`;
}

const GOOD_REQUEST =
  "A request that the service accepts shows how to sign.\nName a file with HTTP text or a curl command, type - to paste it, or press Enter for none.";

/** Whether the first check is to be sent; it is shown first. */
async function isWanted(
  { asks, invocation }: Asked,
  { name, environment }: Profile,
  request: CheckRequest,
): Promise<boolean> {
  const { options, output } = invocation;
  const isConfirmed = options.confirm === name;
  if (options.confirm !== undefined && !isConfirmed) {
    const wrong = `--confirm must be ${name}, the name of the profile`;
    if (!asks) throw usage`${whole(wrong)}; nothing was saved.`;
    output.complain(`${wrong}.`);
  }
  if (!options.check) return false;
  const isLive = environment === "LIVE";
  if (isLive && !asks && !isConfirmed) {
    output.complain(`Nothing was sent to the LIVE service; with --confirm ${name} a check proves the key.`);
    return false;
  }
  output.complain(`The first check, a verification without a payment: ${safeJson(request)}`);
  if (!asks || isConfirmed) return true;
  if (isLive) return confirmByName(invocation, `${name} is LIVE; Enter alone sends no check.`, name);
  return !/^n(o)?$/i.test(await askLine(invocation, "Send it now? [Y/n] ", STOPPED));
}

/**
 * Sends the first check; without a verdict everything is taken back, unless a person wants to keep it.
 * @param isSecretOpen whether nothing but this check tells if the secret is right
 * @returns "again" where another secret is to be typed, the exit code where nothing is kept
 */
async function prove(
  { asks, invocation }: Asked,
  name: string,
  projectKey: string,
  request: CheckRequest,
  isSecretOpen: boolean,
  undo: () => Promise<void>,
): Promise<"works" | "kept" | "again" | ExitCode> {
  const { output, signal } = invocation;
  output.progress("Checking");
  const { entry } = await invocation
    .context(name)
    .then((context) => sendTest(context, { profile: name, projectKey }, signal, request))
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
  const agrees = async (question: string): Promise<boolean> =>
    asks &&
    !signal.aborted &&
    /^y(es)?$/i.test(await askLine(invocation, `${question} [y/N] `, STOPPED).catch(() => ""));
  if (verdict === "refused" && isSecretOpen && (await agrees("Type the secret again?"))) {
    await undo();
    return "again";
  }
  if (await agrees("Keep the profile and its key?")) return "kept";
  await undo();
  output.complain(
    "Nothing was saved: try another scheme with --recipe, find it with --request FILE, or save without a check with --no-check.",
  );
  return signal.aborted ? EXIT.interrupted : exitOfCheck(entry.result, null);
}
