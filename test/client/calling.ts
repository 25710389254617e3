// A client with short deadlines and no real waits, and keys to call with.

import { type ClientOptions, createClient } from "#src/client/client.ts";
import { Secret } from "#src/contract/secret.ts";
import type { IntegrationKey, ProjectCredential } from "#src/contract/wire/credential.ts";
import type { CredentialRequest, RegistrationRequest } from "#src/contract/wire/wire.ts";
import { recipeById } from "#src/signing/recipes/presets.ts";

export const CREDENTIAL: ProjectCredential = {
  keyId: "hmac-sha256-7d41c0",
  projectId: "prj-1",
  secret: new Secret("9f".repeat(32)),
  algorithm: "hmac-sha256",
};

export const KEY: IntegrationKey = {
  keyId: "hmac-sha256-c0ffee",
  companyId: "cmp-1",
  secret: new Secret("8e".repeat(32)),
  algorithm: "hmac-sha256",
};

export const CHECK = { operation: "payment", order_id: "A-1", amount: 12000, currency: 980 };
export const REGISTRATION: RegistrationRequest = {
  merchant_id: "m-1",
  name: "Shop",
  currency: 980,
  risk_level: "low",
};
export const CREDENTIAL_REQUEST: CredentialRequest = { merchant_id: "m-1", risk_level: "low" };

export function clientFor(url: string, options: Partial<ClientOptions> = {}) {
  const waits: number[] = [];
  const client = createClient({
    baseUrl: url,
    projectsUrl: url,
    recipe: recipeById("http-signatures"),
    now: () => Date.now(),
    deadlineMs: 5_000,
    random: () => 0,
    pause: async (ms) => void waits.push(ms),
    ...options,
  });
  return { client, waits, [Symbol.asyncDispose]: () => client.close() };
}
