// verdict sign: signs a request without sending it, as a curl command or with an explanation.

import type { Piped } from "#src/cli/option-specs.ts";
import { explainSigning, type ExplainedSigning } from "#src/actions/check/explain-signing.ts";
import { callAddresses } from "#src/app/call-addresses.ts";
import type { Context } from "#src/app/context.ts";
import { readSecret } from "#src/cli/ask.ts";
import type { CommandRun, Invocation } from "#src/cli/command.ts";
import { readDocument } from "#src/app/read-input.ts";
import { pipedName, readWantedPayload } from "#src/cli/replay/named-payload.ts";
import { badInput, Fault, usage, whole } from "#src/contract/fault.ts";
import { isJsonObject } from "#src/contract/fields/body-path.ts";
import { recipeStatus } from "#src/contract/records/profile.ts";
import { parseStrictJson, StrictJsonError } from "#src/contract/text/strict-json.ts";
import type { Call } from "#src/contract/wire/wire.ts";
import { signingLines } from "#src/display/signing-lines.ts";
import type { Identity } from "#src/signing/sign.ts";
import { namedRecipe } from "./named-recipe.ts";
import type { SIGN } from "./profile-options.ts";

export const sign: CommandRun<typeof SIGN> = async (invocation) => {
  const { options, output } = invocation;
  const call = (options.call ?? "check") as Call;
  if (options.secretStdin && invocation.args[0] === "-") {
    throw usage`Standard input can hold the request or the secret, not both; name a file.`;
  }
  const body = await readBody(invocation, call);
  const context = await invocation.context();
  const recipe = await namedRecipe(invocation, options.recipe ?? context.profile.recipe);
  const identity = options.testKey ? await testIdentity(invocation) : undefined;
  const explained = await explainSigning(context, {
    call,
    body,
    recipe,
    addresses: options.testKey ? testAddresses(context) : await callAddresses(context),
    project: options.project,
    ...(identity === undefined ? {} : { identity }),
  });
  if (options.json) output.json(signingJson(explained));
  else if (options.explain) {
    const isOwn = recipe.recipe === context.profile.recipe;
    const status = isOwn ? recipeStatus(context.profile, recipe.status) : recipe.status;
    for (const { text, role } of signingLines(explained, status))
      output.line(role === null ? text : output.style.paint(role, text));
  } else printCommand(invocation, explained);
};

function printCommand({ output }: Invocation, explained: ExplainedSigning): void {
  if (explained.command === null) {
    throw badInput`The recipe ${explained.recipe} sends the secret itself, so no command is written; --explain shows what it sends, masked.`;
  }
  // Printed unchanged, because its words are quoted for a shell.
  const [comment, ...command] = explained.command.split("\n");
  output.note(`${comment!.replace(/^# /, "")} Nothing was sent.`);
  output.lines(command);
}

async function readBody(invocation: Invocation<typeof SIGN>, call: Call): Promise<object> {
  const changes = invocation.options.set;
  const missing = 'Give a file with the request, "-" for standard input, or fields with --set.';
  if (call === "check") {
    const [given] = invocation.args;
    // The secret is no payload.
    const name = given ?? (invocation.options.secretStdin ? null : undefined);
    return (await readWantedPayload(invocation, name, changes, missing)).request;
  }
  const name = invocation.args[0] ?? (invocation.options.secretStdin ? undefined : pipedName(invocation));
  if (name === undefined && changes.length === 0) throw new Fault("usage", whole(missing));
  if (name === undefined || changes.length > 0) {
    throw usage`--set works only for a check; give the ${call} request as a file.`;
  }
  const bytes = await readDocument(name, () => invocation.stdin, invocation.signal);
  try {
    const { value } = parseStrictJson(bytes);
    if (isJsonObject(value)) return value;
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    throw badInput`${name} is not valid JSON: ${whole(error.message)}`;
  }
  throw badInput`${name} is no JSON object; a ${call} request is one.`;
}

/** A test identity with a real secret, to try a recipe without a key in the vault. */
async function testIdentity(invocation: Invocation<Piped>): Promise<Identity> {
  const secret = await readSecret(invocation);
  return {
    keyId: "test-key",
    secret,
    algorithm: "hmac-sha256",
    projectId: "test-project",
    companyId: "test-company",
  };
}

function testAddresses({ profile }: Context): { baseUrl: string; projectsUrl: string } {
  if (profile.environment !== "SANDBOX") return profile;
  return { baseUrl: "https://service.example", projectsUrl: "https://service.example" };
}

/** What `verdict sign --json` prints. The secret is not in it; `valid_until` is null where no time is signed. */
function signingJson(explained: ExplainedSigning) {
  return {
    schema: 1,
    recipe: explained.recipe,
    status: explained.status,
    call: explained.call,
    method: explained.method,
    url: explained.url,
    headers: Object.fromEntries(explained.headers),
    body: explained.body,
    string_to_sign: linesJson(explained.stringToSign),
    canonical_request: linesJson(explained.canonicalRequest),
    body_digest: explained.bodyDigest,
    key: explained.key,
    algorithm: explained.algorithm,
    signature: { encoding: explained.signatureEncoding, bytes: explained.signatureBytes },
    valid_until: explained.validUntil === null ? null : new Date(explained.validUntil).toISOString(),
    unsigned: explained.unsigned,
    command: explained.command,
  };
}

function linesJson(lines: ExplainedSigning["stringToSign"]): readonly unknown[] | null {
  return lines === null ? null : lines.map(({ text, end }) => ({ text, end }));
}
