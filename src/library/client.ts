// verdict/client: the three calls of the service for programs, with every answer read fail-closed.

import { readNetwork } from "#src/app/network.ts";
import { createClient as createCalls } from "#src/client/client.ts";
import { badInput, credentialMissing, Fault, whole } from "#src/contract/fault.ts";
import { findCardData } from "#src/contract/fields/card-data.ts";
import { payloadOf } from "#src/contract/fields/payload.ts";
import { CREDENTIAL_FIELDS, registrationFields } from "#src/contract/fields/registration-fields.ts";
import type { Field } from "#src/contract/fields/field.ts";
import { bodyProblem, requiredPaths } from "#src/contract/fields/validate.ts";
import type { IntegrationKey, ProjectCredential } from "#src/contract/wire/credential.ts";
import type { CheckResult, CredentialResult, RegisterResult } from "#src/contract/wire/outcome.ts";
import type { CheckRequest, CredentialRequest, RegistrationRequest } from "#src/contract/wire/wire.ts";
import { type Given, keyOf, recipeOf } from "./keys.ts";

export { Fault } from "#src/contract/fault.ts";
export { Secret } from "#src/contract/secret.ts";
export { type FinalAction, finalAction, type Recommendation } from "#src/contract/wire/recommendation.ts";
export type { Outcome } from "#src/contract/wire/outcome.ts";
export type {
  CheckRequest,
  CheckResult,
  CredentialRequest,
  CredentialResult,
  Given,
  IntegrationKey,
  ProjectCredential,
  RegisterResult,
  RegistrationRequest,
};

export interface ClientOptions {
  /** Address of the service: https, or http on this machine. */
  readonly baseUrl: string;
  /** Address of registration and credential retrieval; `baseUrl` when absent. */
  readonly projectsUrl?: string;
  /** Id of a built-in signing recipe, or path of a recipe document; `http-signatures` when absent. */
  readonly recipe?: string;
  /** Signs checks. */
  readonly credential?: Given<ProjectCredential>;
  /** Signs registrations and requests for credentials. */
  readonly key?: Given<IntegrationKey>;
  /** For a whole call with its retries, in ms; 30,000 when absent. */
  readonly deadlineMs?: number;
  /** PEM file of additional authorities. */
  readonly ca?: string;
  /** Address of a proxy, or `direct` for none; `https_proxy` of the environment when absent. */
  readonly proxy?: string;
}

export interface Calling {
  /** Ends the call; a request that has left is `unknown` then. */
  readonly signal?: AbortSignal;
}

/**
 * No call throws for what the network or the service does: that is the `outcome` of its result. Each throws, before anything
 * is sent, Fault `credential_missing` without the key that it needs, and Fault `bad_input` for a body that must not be sent:
 * a value of a wrong type, a full card number, card verification data.
 */
export interface Client extends AsyncDisposable {
  check(request: CheckRequest, calling?: Calling): Promise<CheckResult>;
  /** Is not sent again by itself once it may have arrived: ask for the credential then. */
  register(request: RegistrationRequest, calling?: Calling): Promise<RegisterResult>;
  credential(request: CredentialRequest, calling?: Calling): Promise<CredentialResult>;
  /** Ends all connections; running calls end with them. */
  close(): Promise<void>;
}

/** @throws Fault("usage") for a recipe that is not known, or a key that cannot go into a header */
export function createClient(options: ClientOptions): Client {
  const { baseUrl, projectsUrl = baseUrl, deadlineMs, ca, proxy } = options;
  const credential = options.credential && keyOf(options.credential);
  const key = options.key && keyOf(options.key);
  const calls = createCalls({
    baseUrl,
    projectsUrl,
    recipe: recipeOf(options.recipe),
    now: Date.now,
    network: readNetwork(process.env, { ...(ca && { ca }), ...(proxy && { proxy }) }),
    ...(deadlineMs === undefined ? {} : { deadlineMs }),
  });
  const close = (): Promise<void> => calls.close();
  return {
    async check(request, calling) {
      const { request: body } = payloadOf(
        { value: request, irregularNumbers: new Map() },
        "The request",
        [],
        Date.now(),
      );
      return calls.check(body, held(credential, "credential"), calling);
    },
    async register(request, calling) {
      insist(registrationFields(), request);
      return calls.register(request, held(key, "key"), calling);
    },
    async credential(request, calling) {
      insist(CREDENTIAL_FIELDS, request);
      return calls.credential(request, held(key, "key"), calling);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** True for a trustworthy `pass` and nothing else: not for an answer that was not understood, and not for none. */
export function isPass(result: Pick<CheckResult, "outcome" | "recommendation">): boolean {
  return result.outcome === "answered" && result.recommendation === "pass";
}

function held<K>(given: K | undefined, name: "credential" | "key"): K {
  if (given !== undefined) return given;
  throw credentialMissing`This call is signed with a ${name}: give createClient one.`;
}

function insist(fields: readonly Field[], body: object): void {
  const wrong = bodyProblem(fields, body, { required: requiredPaths(fields) });
  if (wrong !== null) throw new Fault("bad_input", whole(wrong));
  const card = findCardData(body);
  if (card === null) return;
  throw badInput`${card.path} holds card data, which never belongs here; remove it.`;
}
