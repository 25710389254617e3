// Signs a request without sending it, and explains the signature; also gives a curl command.

import type { ActionContext, Addresses } from "#src/actions/action-context.ts";
import { integrationKey } from "#src/actions/register/integration-key.ts";
import { endpointUrl } from "#src/client/address.ts";
import { Fault, whole } from "#src/contract/fault.ts";
import type { SigningExplanation } from "#src/contract/wire/signing-explanation.ts";
import { ENDPOINTS, REQUEST_HEADERS, type Call } from "#src/contract/wire/wire.ts";
import { shellWord } from "#src/display/shell-word.ts";
import { validitySentence } from "#src/display/signing-lines.ts";
import { explainSigning as explain } from "#src/signing/explain-signing.ts";
import type { Recipe } from "#src/signing/recipes/recipe.ts";
import type { Identity } from "#src/signing/sign.ts";
import { chooseProject } from "./choose-project.ts";

export interface SigningInput {
  readonly call: Call;
  /** Body of the request. */
  readonly body: object;
  readonly recipe: Recipe;
  readonly addresses: Addresses;
  /** `<merchant_id>/<risk_level>` or a project id of a check; undefined for the only project there is. */
  readonly project: string | undefined;
  /** Signs in place of the vault's key, to try a recipe. */
  readonly identity?: Identity;
}

export interface ExplainedSigning extends SigningExplanation {
  /** The body that was signed, byte for byte. */
  readonly body: string;
  /** A curl command with this signature, without the secret; null for a recipe that sends the secret itself. */
  readonly command: string | null;
}

/**
 * Signs like the client, with the current time and a new nonce.
 * @throws Fault("credential_missing" | "vault_locked" | "usage") when there is nothing to sign with, Fault("not_sent") for
 *   an address that may not be called, Fault("bad_input") for a recipe that the request does not fit
 */
export async function explainSigning(context: ActionContext, input: SigningInput): Promise<ExplainedSigning> {
  const { call, recipe, addresses } = input;
  const { method, path, host } = ENDPOINTS[call];
  const url = endpointUrl(host === "base" ? addresses.baseUrl : addresses.projectsUrl, path);
  if (!(url instanceof URL)) throw new Fault("not_sent", whole(url.explanation));
  const identity = input.identity ?? (await signer(context, input));
  const body = JSON.stringify(input.body);
  const explanation = explain(
    recipe,
    { method, url, headers: REQUEST_HEADERS, body: Buffer.from(body, "utf8") },
    identity,
    { nowMs: context.now() },
    call,
  );
  const sendsSecret = explanation.headers.some(([, value]) => value.includes(String(identity.secret)));
  return { ...explanation, body, command: sendsSecret ? null : commandOf(explanation, body) };
}

async function signer(context: ActionContext, { call, project }: SigningInput): Promise<Identity> {
  if (call === "check") return (await chooseProject(context, project)).credential;
  return integrationKey(context, await context.service());
}

/** A comment about its validity, then a curl command with all headers that curl does not add. */
function commandOf(explanation: SigningExplanation, body: string): string {
  const { method, url, headers, recipe } = explanation;
  const words = headers
    .filter(([name]) => name !== "host")
    // `name:` would remove a header; `name;` sends an empty one.
    .map(([name, value]) => `-H ${shellWord(value === "" ? `${name};` : `${name}: ${value}`)}`);
  return [
    `# ${validitySentence(explanation)} Signed with the recipe ${recipe}; the secret is not in it.`,
    [`curl -sS -X ${method} ${shellWord(url)}`, ...words, `--data-raw ${shellWord(body)}`].join(" \\\n  "),
  ].join("\n");
}
